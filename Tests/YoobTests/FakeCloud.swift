import Foundation
import VoiceIO
import YoobCrypto
import YoobNet
import YoobPack

/// A CDN and an API in memory: serves a published folder, and answers heartbeats as it is told.
final class FakeCloud: HTTPClient {
  /// What heartbeats are answered.
  enum Beat: Sendable {
    case fine
    case status(Int, body: String = "")
    case broken
  }
  struct State {
    var beat = Beat.fine
    var isOffline = false
    /// Whether chunks wait.
    var holdsChunks = false
    /// Paths that were asked for, in order.
    var asked: [String] = []
    /// Tokens of downloads, in order.
    var tokens: [String] = []
    /// What was told to the API: method, the last part of the path, and the session's token.
    var calls: [String] = []
    /// Ends the next chunk after so many bytes.
    var cutAfter: Int?
  }
  let state = Guarded(State())
  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  var asked: [String] { state.withLock { $0.asked } }
  func count(_ part: String) -> Int { asked.count { $0.contains(part) } }

  func stream(
    _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
    receive: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws(NetError) {
    let path = URL(string: request.url)?.path ?? ""
    let (beat, isOffline, cut) = state.withLock { state in
      state.asked.append(path)
      if !path.contains("/api/") {
        state.tokens += request.headers.filter { $0.name == "Authorization" }.map(\.value)
      }
      if path.contains("/api/") {
        let token = request.headers.first { $0.name == "Authorization" }?.value ?? "-"
        state.calls.append("\(request.method) \(path) \(token) \(request.body?.count ?? 0)")
      }
      defer { if path.contains("/chunks/") { state.cutAfter = nil } }
      return (state.beat, state.isOffline, path.contains("/chunks/") ? state.cutAfter : nil)
    }
    if path.contains("/chunks/") {
      while state.withLock({ $0.holdsChunks }) {
        guard !Task.isCancelled else { throw NetError.cancelled }
        await Task.yield()
      }
      if state.withLock({ $0.isOffline }) { throw NetError.refused(host: "cdn") }
    }
    guard !isOffline else { throw NetError.refused(host: "cdn") }
    if path.hasSuffix("/heartbeat") {
      switch beat {
      case .fine: if onHead(200, [:]) { _ = receive(Array(#"{"download_token": "newer"}"#.utf8)) }
      case .status(let status, let body): if onHead(status, [:]) { _ = receive(Array(body.utf8)) }
      case .broken: throw NetError.closedEarly(host: "api")
      }
      return
    }
    guard path.hasPrefix("/v1/"),
      let data = try? Data(contentsOf: folder.appendingPathComponent(String(path.dropFirst(4))))
    else {
      _ = onHead(path.hasSuffix("/end") ? 200 : 404, [:])
      return
    }
    guard onHead(200, [:]) else { return }
    let bytes = [UInt8](data)
    for start in stride(from: 0, to: cut ?? bytes.count, by: 65_536) {
      guard receive(Array(bytes[start..<min(cut ?? bytes.count, start + 65_536)])) else { return }
    }
    if cut != nil { throw NetError.closedEarly(host: "cdn") }
  }

  /// Luna, without her hearing, as a CDN serves her, and the key that signed her.
  static let published: (folder: URL, keys: [String: String])? = {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("cdn-\(UUID())")
    do {
      let source = base.appendingPathComponent("source")
      try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: AvatarBench.quickFolder, to: source)
      let key = try SigningKey(privateKey: Ed25519PrivateKey.generate())
      let signed = try PackBuilder.sign(source, with: key)
      try PackBuilder.publish(
        source, signed, to: base.appendingPathComponent("tree"), trusting: [key.id: key.privateKey.publicKey])
      return (base.appendingPathComponent("tree"), [key.id: key.privateKey.publicKey.base64])
    } catch {
      return nil
    }
  }()
}
