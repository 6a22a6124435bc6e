import YoobPack

extension TrustedKeys {
  /// The keys of the file that `--keys` names; none without it.
  static func named(_ file: String?) throws -> TrustedKeys {
    guard let file else { return [:] }
    do throws(PackError) { return try TrustedKeys(file: file) } catch {
      guard case .missingFile = error else { throw error }
      throw FileFault("There is no file of keys \(file).")
    }
  }
}
