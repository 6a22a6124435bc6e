import Foundation
import YoobCrypto

@testable import RunAnywhere

/// A model store in a folder of its own, removed with it.
final class TemporaryStore {
  let store: ModelStore
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    store = ModelStore(root: root)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A model whose files have these contents, pinned.
  func model(_ files: [String: String], id: String = "silero-vad") throws -> ModelInfo {
    ModelInfo(
      id: id, name: "A model", category: .vad, format: .sileroOnnx,
      files: try files.sorted { $0.key < $1.key }.map { name, text in
        let bytes = Array(text.utf8)
        return ModelInfo.File(name: name, size: bytes.count, sha256: try SHA256Digest.of(bytes).hex)
      },
      licence: "MIT", home: "https://example.org/model")
  }

  /// Writes one file into the model's folder.
  func write(_ text: String, to name: String, of model: ModelInfo) throws {
    let folder = store.folder(of: model)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Writes the record that set-up makes.
  func record(_ files: [(name: String, text: String)], of model: ModelInfo) throws {
    let entries = try files.map { file in
      let bytes = Array(file.text.utf8)
      let hash = try SHA256Digest.of(bytes).hex
      return #"{"name": "\#(file.name)", "size": \#(bytes.count), "sha256": "\#(hash)"}"#
    }
    try write(
      #"{"format": 1, "id": "\#(model.id)", "files": [\#(entries.joined(separator: ","))]}"#,
      to: PreparationRecord.fileName, of: model)
  }
}
