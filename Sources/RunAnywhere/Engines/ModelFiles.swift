import Foundation

/// Finds a model's files in its folder, and says clearly which one is missing.
package struct ModelFiles: Sendable {
  package let model: ModelInfo
  package let folder: URL

  package init(_ model: ModelInfo, folder: URL) {
    self.model = model
    self.folder = folder
  }

  /// The file whose name satisfies `matches`: one that the catalogue lists, else one in the folder.
  /// `description` is what a message calls the file when there is none.
  package func url(_ description: String, where matches: (String) -> Bool) throws -> URL {
    let listed = model.files.map(\.name).first(where: matches)
    let name = try listed ?? present().first(where: matches)
    guard let name else { throw missing(description) }
    return try url(named: name)
  }

  /// The file of that name; throws when it is missing, empty or not readable.
  package func url(named name: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    guard FileManager.default.isReadableFile(atPath: url.path) else { throw missing(name) }
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    if let size = attributes?[.size] as? Int, size == 0 {
      throw damaged(name, reason: "it is empty")
    }
    return url
  }

  /// The error for a file that is there and cannot be used.
  package func damaged(_ name: String, reason: String, underlying: (any Error)? = nil) -> SDKException {
    SDKException(
      .modelLoadFailed, category: .model,
      "The file \(name) of the model \(model.id) cannot be used: \(reason).",
      recoverySuggestion: "Delete \(folder.path) and prepare the model again.", underlying: underlying)
  }

  private func missing(_ name: String) -> SDKException {
    SDKException(
      .modelNotFound, category: .model,
      "The model \(model.id) lacks \(name) in \(folder.path).",
      recoverySuggestion: "Prepare the model again.")
  }

  private func present() throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    } catch {
      throw SDKException(
        .modelNotFound, category: .model, "The model \(model.id) is not in \(folder.path).",
        recoverySuggestion: "Prepare the model first.", underlying: error)
    }
  }
}
