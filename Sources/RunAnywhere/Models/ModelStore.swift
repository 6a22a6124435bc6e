import Foundation
import YoobCrypto

/// The models on this machine: one folder a model, checked against the catalogue's hashes.
public struct ModelStore: Sendable {
  /// How a model stands on this machine.
  public enum Status: Sendable, Equatable {
    /// Every file is there with its size.
    case ready
    /// Nothing is there.
    case absent
    /// Files are missing or have another size; each is named.
    case damaged(files: [String])
  }

  /// Folder that holds one folder a model.
  public let root: URL

  /// The store under `$YOOB_HOME/models`.
  public static var standard: ModelStore {
    ModelStore(root: YoobHome.folder.appendingPathComponent("models", isDirectory: true))
  }

  /// The models of this folder.
  public init(root: URL) {
    self.root = root
  }

  /// Where the model's files lie, whether they are there or not.
  public func folder(of model: ModelInfo) -> URL {
    root.appendingPathComponent(model.id, isDirectory: true)
  }

  /// How a model stands, by the presence and the size of its files; no file is read.
  public func status(of model: ModelInfo) -> Status {
    let folder = folder(of: model)
    guard FileManager.default.fileExists(atPath: folder.path) else { return .absent }
    guard let expected = try? expectedFiles(of: model) else {
      return .damaged(files: [PreparationRecord.fileName])
    }
    let bad = expected.filter { file in
      guard let found = Self.attributes(of: folder.appendingPathComponent(file.name)) else { return true }
      return file.size > 0 && found.size != file.size
    }
    return bad.isEmpty ? .ready : .damaged(files: bad.map(\.name))
  }

  /// The folder of a model whose files are all there and intact.
  ///
  /// Files that were hashed before and have not changed since are not read again.
  ///
  /// - Throws: `SDKException` with `modelNotFound` when nothing is there, `modelStorageCorrupted`
  ///   for a missing, truncated or unreadable file, `checksumMismatch` for wrong bytes; the file is
  ///   named, and what to do.
  public func checkedFolder(of model: ModelInfo) throws -> URL {
    _ = try check(model, trustingStamps: true)
    return folder(of: model)
  }

  /// Reads and hashes every file of a model.
  ///
  /// - Returns: Whether each file has a known hash; false for files that came from elsewhere and
  ///   have none, which are only checked to be readable.
  /// - Throws: What `checkedFolder(of:)` throws.
  @discardableResult
  public func verify(_ model: ModelInfo) throws -> Bool {
    try check(model, trustingStamps: false)
  }

  /// Removes a model's files. A model that is not there is no error.
  ///
  /// - Throws: `SDKException` with `modelStorageCorrupted` when the folder cannot be removed.
  public func remove(_ model: ModelInfo) throws {
    let folder = folder(of: model)
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      throw SDKException(
        .modelStorageCorrupted, category: .io, "\(folder.path) cannot be removed.",
        recoverySuggestion: "Check that you may write there.", underlying: error)
    }
  }

  /// Bytes that a model takes on the disk.
  public func bytesUsed(by model: ModelInfo) -> Int {
    let folder = folder(of: model)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.reduce(0) { sum, name in
      sum + (Self.attributes(of: folder.appendingPathComponent(name))?.size ?? 0)
    }
  }

  /// Bytes free on the disk that holds the store; nil when the system does not say.
  public var bytesFree: Int? {
    var folder = root
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// Throws `insufficientStorage` unless that many bytes are free. A system that does not say how
  /// much is free passes.
  public func requireSpace(_ bytes: Int, for model: ModelInfo) throws {
    guard let free = bytesFree, free < bytes else { return }
    throw SDKException(
      .insufficientStorage, category: .io,
      "\(model.name) needs \(bytes >> 20) MB and the disk of \(root.path) has \(free >> 20) MB free.",
      recoverySuggestion: "Free some space, or set YOOB_HOME to a folder on another disk.")
  }
}

extension ModelStore {
  /// The catalogue's files, completed by what set-up recorded when it made them.
  func expectedFiles(of model: ModelInfo) throws -> [ModelInfo.File] {
    let path = folder(of: model).appendingPathComponent(PreparationRecord.fileName)
    guard FileManager.default.fileExists(atPath: path.path) else { return model.files }
    let record: PreparationRecord
    do {
      record = try PreparationRecord(parsing: Data(contentsOf: path))
    } catch {
      let reason = (error as? PreparationRecord.Malformed)?.reason ?? "it cannot be read"
      throw Self.corrupted(model, "The record \(path.path) is damaged: \(reason).", error)
    }
    return model.files.map { file in
      guard let recorded = record.file(file.name) else { return file }
      return ModelInfo.File(
        name: file.name, size: file.size > 0 ? file.size : recorded.size,
        sha256: file.sha256 ?? recorded.sha256)
    }
  }

  private func check(_ model: ModelInfo, trustingStamps: Bool) throws -> Bool {
    let folder = folder(of: model)
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw SDKException(
        .modelNotFound, category: .model, "The model \(model.id) is not on this machine (\(folder.path)).",
        recoverySuggestion: Self.remedy(model))
    }
    let before = VerifiedStamps(folder: folder)
    var stamps = before
    var isFullyKnown = true
    for file in try expectedFiles(of: model) {
      let path = folder.appendingPathComponent(file.name)
      guard let found = Self.attributes(of: path) else {
        throw Self.corrupted(model, "\(path.path) is missing.")
      }
      guard file.size == 0 || found.size == file.size else {
        throw Self.corrupted(
          model, "\(path.path) has \(found.size) bytes instead of \(file.size).")
      }
      guard let wanted = file.sha256 else {
        isFullyKnown = false
        guard FileManager.default.isReadableFile(atPath: path.path), found.size > 0 else {
          throw Self.corrupted(model, "\(path.path) is empty or cannot be read.")
        }
        continue
      }
      let stamp = VerifiedStamps.Stamp(size: found.size, modified: found.modified, sha256: wanted)
      if trustingStamps, stamps[file.name] == stamp { continue }
      stamps[file.name] = nil
      try Self.hash(path, of: model, expecting: wanted)
      stamps[file.name] = stamp
    }
    if stamps != before { stamps.save(folder: folder) }
    return isFullyKnown
  }

  private static func hash(_ path: URL, of model: ModelInfo, expecting wanted: String) throws {
    let digest: SHA256Digest?
    do {
      digest = try SHA256Digest.ofFile(path.path) { _ in !Task.isCancelled }
    } catch {
      throw corrupted(model, "\(error)", error)
    }
    guard let digest else {
      throw SDKException(.cancelled, category: .io, "Checking \(model.id) was cancelled.")
    }
    guard digest.hex == wanted else {
      throw SDKException(
        .checksumMismatch, category: .model,
        "\(path.path) is corrupt: its SHA-256 is \(digest.hex) instead of \(wanted).",
        recoverySuggestion: remedy(model))
    }
  }

  private static func corrupted(
    _ model: ModelInfo, _ message: String, _ underlying: (any Error)? = nil
  ) -> SDKException {
    SDKException(
      .modelStorageCorrupted, category: .model, message, recoverySuggestion: remedy(model),
      underlying: underlying)
  }

  static func remedy(_ model: ModelInfo) -> String {
    if ModelCatalogue.preparable.contains(model.id) {
      return "Run `./run models download \(model.id)`, which fetches it again."
    }
    return "Put its files (\(model.files.map(\.name).joined(separator: ", "))) there; they come from "
      + "\(model.home)."
  }

  private static func attributes(of file: URL) -> (size: Int, modified: Double)? {
    guard let found = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path),
      found[.type] as? FileAttributeType == .typeRegular,
      let size = (found[.size] as? NSNumber)?.intValue,
      let modified = (found[.modificationDate] as? Date)?.timeIntervalSince1970
    else { return nil }
    return (size, modified)
  }
}
