import Foundation

@testable import YoobPack

/// A CDN in memory that remembers what it was asked and fails where a test says.
final class ScriptedCDN: PackFetching {
  struct Outage: Error, Equatable {}

  struct State {
    var envelopes: [String: [UInt8]] = [:]
    var chunks: [String: [UInt8]] = [:]
    /// Bytes that it delivers before everything fails, nil for no end.
    var budget: Int?
    /// Asked before each piece of a chunk; throws to break it off.
    var fault: @Sendable (_ sha256: String, _ attempt: Int) throws -> Void = { _, _ in }
    var manifestRequests: [String] = []
    var begun: [String] = []
    var finished: [String] = []
    var running = 0
    var mostRunning = 0
  }

  let state = LockedBox(State())
  let pieceBytes: Int
  /// Opened by a test that wants to look at loads under way.
  let hold: (@Sendable (_ sha256: String) async throws -> Void)?

  init(
    _ packs: MadePack..., pieceBytes: Int = 300,
    hold: (@Sendable (_ sha256: String) async throws -> Void)? = nil
  ) throws {
    self.pieceBytes = pieceBytes
    self.hold = hold
    for pack in packs { try publish(pack) }
  }

  /// Makes a pack its character's latest.
  func publish(_ pack: MadePack, envelope: [UInt8]? = nil) throws {
    let envelope = try envelope ?? pack.signed().json
    state.withLock {
      $0.envelopes["\(pack.manifest.character)/\(pack.manifest.version)"] = envelope
      $0.envelopes["\(pack.manifest.character)/latest"] = envelope
      $0.chunks.merge(pack.chunks) { $1 }
    }
  }

  func forget() {
    state.withLock { ($0.begun, $0.finished, $0.manifestRequests, $0.budget) = ([], [], [], nil) }
  }

  var begun: [String] { state.withLock { $0.begun } }
  var finished: [String] { state.withLock { $0.finished } }

  func manifest(character: String, version: String?) async throws -> [UInt8] {
    let name = "\(character)/\(version ?? "latest")"
    return try state.withLock {
      $0.manifestRequests.append(name)
      guard $0.budget != 0, let envelope = $0.envelopes[name] else { throw Outage() }
      return envelope
    }
  }

  func chunk(
    sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let (bytes, attempt) = try state.withLock { state -> ([UInt8], Int) in
      state.begun.append(sha256)
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      guard let bytes = state.chunks[sha256] else { throw Outage() }
      return (bytes, state.begun.count { $0 == sha256 })
    }
    defer { state.withLock { $0.running -= 1 } }
    try await hold?(sha256)
    for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
      await Task.yield()
      try Task.checkCancellation()
      let end = min(start + pieceBytes, bytes.count)
      let allowed = try state.withLock { state -> Int in
        try state.fault(sha256, attempt)
        guard let budget = state.budget else { return end - start }
        let allowed = min(budget, end - start)
        state.budget = budget - allowed
        return allowed
      }
      if allowed > 0 { try receive(Array(bytes[start..<start + allowed])) }
      guard allowed == end - start else { throw Outage() }
    }
    state.withLock { $0.finished.append(sha256) }
  }
}
