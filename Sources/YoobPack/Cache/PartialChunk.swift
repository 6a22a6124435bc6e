import Foundation
import YoobCrypto

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A chunk on its way: takes bytes, hashes them as they come, and becomes a chunk only when all are right.
///
/// Its file is locked, so that one program at a time fetches a chunk; the lock ends with this object.
final class PartialChunk: Sendable {
  private struct State {
    var count = 0
    /// Of the fetch whose bytes are taken.
    var fetch = 0
    var isOpen = true
    var fault: PackError?
    let hasher: SHA256Hasher
  }

  let chunk: CharacterManifest.File.Chunk
  private let path: String
  private let descriptor: Int32
  private let state: LockedBox<State>
  private let progress: @Sendable (Int) -> Void

  /// Opens `path` for this chunk alone; nil while another program, or another task, has it.
  ///
  /// - Parameter progress: Gets the change in bytes that are stored: positive as they come, negative when
  ///   they turned out useless.
  static func attempt(
    _ chunk: CharacterManifest.File.Chunk, at path: String, progress: @escaping @Sendable (Int) -> Void
  ) throws(PackError) -> PartialChunk? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileWriting.fault(path) }
    guard owns(descriptor, path) else {
      close(descriptor)
      return nil
    }
    do throws(PackError) {
      guard ftruncate(descriptor, 0) == 0 else { throw FileWriting.fault(path) }
      return PartialChunk(
        chunk, path: path, descriptor: descriptor, hasher: try Hashing.hasher(), progress: progress)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Locks an open file; false unless it still has its name: who had the lock before may have renamed it,
  /// and then it is a chunk that must not be touched.
  static func owns(_ descriptor: Int32, _ path: String) -> Bool {
    var ours = stat()
    var named = stat()
    return FileLock.hold(descriptor, .exclusive) && fstat(descriptor, &ours) == 0
      && lstat(path, &named) == 0 && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev
  }

  private init(
    _ chunk: CharacterManifest.File.Chunk, path: String, descriptor: Int32, hasher: SHA256Hasher,
    progress: @escaping @Sendable (Int) -> Void
  ) {
    self.chunk = chunk
    self.path = path
    self.descriptor = descriptor
    self.progress = progress
    state = LockedBox(State(hasher: hasher))
  }

  deinit { close(descriptor) }

  /// Bytes that are stored.
  var count: Int { state.withLock { $0.count } }

  /// Takes the bytes of one fetch, which begins behind those that are stored; bytes of earlier fetches that still
  /// come are refused from now on.
  func receiver() -> @Sendable ([UInt8]) throws -> Void {
    let fetch = state.withLock { state in
      state.fetch += 1
      return state.fetch
    }
    return { try self.receive($0, of: fetch) }
  }

  /// Stores the next bytes; throws when there are more than the chunk has, or the disk takes no more.
  func receive(_ bytes: [UInt8], of fetch: Int = 0) throws {
    try state.withLock { state in
      if let fault = state.fault { throw fault }
      guard state.isOpen, fetch == state.fetch else { throw CancellationError() }
      do throws(PackError) {
        guard bytes.count <= chunk.size - state.count else {
          throw .wrongChunk(sha256: chunk.sha256, reason: "more than \(chunk.size) bytes came")
        }
        try FileWriting.write(bytes, to: descriptor, path: path)
        try Hashing.update(state.hasher, bytes)
      } catch {
        state.fault = error
        throw error
      }
      state.count += bytes.count
    }
    progress(bytes.count)
  }

  /// Makes the chunk of what came; throws unless it is exactly that chunk, flushed to the disk.
  func finish(as target: String) throws(PackError) {
    let (count, fault, hex) = try settled()
    if let fault { throw fault }
    guard count == chunk.size else {
      throw .wrongChunk(sha256: chunk.sha256, reason: "\(count) of \(chunk.size) bytes came")
    }
    guard hex == chunk.sha256 else {
      throw .wrongChunk(sha256: chunk.sha256, reason: "its SHA-256 is \(hex)")
    }
    guard fsync(descriptor) == 0 else { throw FileWriting.fault(path) }
    // Who removed the file may have let another program begin one of the same name.
    guard Self.owns(descriptor, path) else {
      throw .unwritable(path: path, reason: "somebody removed it meanwhile")
    }
    if rename(path, target) != 0 {
      // Something that is no file has taken the chunk's name.
      try? FileManager.default.removeItem(atPath: target)
      guard rename(path, target) == 0 else { throw FileWriting.fault(target) }
    }
    FileWriting.flushFolder(of: target)
  }

  /// Removes what came, and takes it out of the progress. Bytes that still come are refused.
  func discard() {
    let count = state.withLock { state in
      state.isOpen = false
      return state.count
    }
    if Self.owns(descriptor, path) { unlink(path) }
    progress(-count)
  }

  /// The error that ended `receive`, nil when none did.
  var fault: PackError? { state.withLock { $0.fault } }

  private func settled() throws(PackError) -> (Int, PackError?, String) {
    let result = state.withLock { state -> Result<(Int, PackError?, String), PackError> in
      state.isOpen = false
      do throws(PackError) {
        return .success((state.count, state.fault, try Hashing.hex(state.hasher)))
      } catch { return .failure(error) }
    }
    return try result.get()
  }
}
