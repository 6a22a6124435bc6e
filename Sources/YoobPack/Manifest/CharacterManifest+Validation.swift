extension CharacterManifest {
  /// Checks every rule of schema 1 that the bytes of the files do not decide.
  ///
  /// Throws `PackError.unsupported` for another schema or engine, `PackError.invalidManifest` for the rest.
  public func validate() throws(PackError) {
    guard schema == 1 else { throw .unsupported(reason: "its manifest has schema \(schema)") }
    guard engine == "puppet" else {
      throw .unsupported(reason: "its engine is “\(PackPath.shown(engine))”")
    }
    guard Self.isCharacterID(character) else {
      throw .invalidManifest(reason: "“\(PackPath.shown(character))” is not a character id")
    }
    guard PackVersion(version) != nil else {
      throw .invalidManifest(reason: "the version “\(PackPath.shown(version))” is not YYYY.MM.DD.n")
    }
    guard (1...256).contains(displayName.utf8.count), PackPath.shown(displayName) == displayName else {
      throw .invalidManifest(reason: "a display name that cannot be shown")
    }
    guard (1...4096).contains(width), (1...4096).contains(height) else {
      throw .invalidManifest(reason: "a size of \(width) x \(height)")
    }
    if let crop {
      guard (1...4096).contains(crop.size), crop.x >= 0, crop.y >= 0, crop.x <= width - crop.size,
        crop.y <= height - crop.size
      else {
        throw .invalidManifest(reason: "a crop of \(crop.size) at \(crop.x), \(crop.y) outside its canvas")
      }
    }
    if let idle {
      guard idle.fps > 0, idle.fps <= 60 else {
        throw .invalidManifest(reason: "\(idle.fps) idle frames a second")
      }
      guard idle.frames.count <= PackLimits.idleFrames else {
        throw .invalidManifest(reason: "\(idle.frames.count) idle frames")
      }
    }
    if let minSDK, SDKVersion(minSDK) == nil {
      throw .invalidManifest(reason: "minSDK “\(PackPath.shown(minSDK))” is not a.b.c")
    }
    try validateFiles()
  }

  /// Throws `PackError.unsupported` when the manifest asks for a newer SDK than `version`.
  public func requireSDK(_ version: SDKVersion) throws(PackError) {
    guard let minSDK else { return }
    guard let needed = SDKVersion(minSDK) else {
      throw .invalidManifest(reason: "minSDK “\(PackPath.shown(minSDK))” is not a.b.c")
    }
    guard needed <= version else {
      throw .unsupported(reason: "it needs version \(needed), this is \(version)")
    }
  }

  /// Throws `PackError.otherPack` unless this is the manifest of `character`, and of `version` when given.
  public func require(character: String, version: String?) throws(PackError) {
    guard self.character == character else {
      throw .otherPack(
        reason: "it is “\(PackPath.shown(self.character))” instead of “\(PackPath.shown(character))”")
    }
    if let version, self.version != version {
      throw .otherPack(
        reason: "it is version \(PackPath.shown(self.version)) instead of \(PackPath.shown(version))")
    }
  }

  /// Whether `text` may name a character: `^[a-z0-9][a-z0-9-]{0,63}$`.
  public static func isCharacterID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.count <= 64, first != UInt8(ascii: "-") else { return false }
    return bytes.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
  }

  private func validateFiles() throws(PackError) {
    guard (1...PackLimits.files).contains(files.count) else {
      throw .invalidManifest(reason: "\(files.count) files; 1 to \(PackLimits.files) are accepted")
    }
    var total = 0
    var chunkCount = 0
    var sizes: [String: Int] = [:]
    for file in files {
      try file.validate()
      total += file.size
      chunkCount += file.chunks.count
      guard total <= PackLimits.bytes else {
        throw .invalidManifest(reason: "more than \(PackLimits.bytes >> 20) MiB in all")
      }
      guard chunkCount <= PackLimits.chunks else {
        throw .invalidManifest(reason: "more than \(PackLimits.chunks) chunks in all")
      }
      for (sha256, size) in [(file.sha256, file.size)] + file.chunks.map({ ($0.sha256, $0.size) }) {
        guard sizes.updateValue(size, forKey: sha256) ?? size == size else {
          throw .invalidManifest(reason: "the hash \(sha256) stands for two sizes")
        }
      }
    }
    if let clash = PackPath.clash(of: files.map(\.path)) { throw .invalidManifest(reason: clash) }
    let paths = Set(files.map(\.path))
    for path in [poster] + (idle?.frames ?? []) {
      guard paths.contains(path) else {
        throw .invalidManifest(reason: "\(PackPath.shown(path)) is not among the files")
      }
    }
  }
}

extension CharacterManifest.File {
  /// Checks path, sizes and hashes for form.
  func validate() throws(PackError) {
    if let fault = PackPath.fault(in: path) { throw .invalidManifest(reason: fault) }
    let shown = PackPath.shown(path)
    guard Self.isHash(sha256) else { throw .invalidManifest(reason: "the hash of \(shown)") }
    guard (0...3).contains(tier) else { throw .invalidManifest(reason: "the tier of \(shown)") }
    var total = 0
    guard chunks.count <= PackLimits.chunks else {
      throw .invalidManifest(reason: "\(chunks.count) chunks of \(shown)")
    }
    for chunk in chunks {
      guard Self.isHash(chunk.sha256), (1...PackLimits.chunkBytes).contains(chunk.size) else {
        throw .invalidManifest(reason: "a chunk of \(shown)")
      }
      total += chunk.size
    }
    guard total == size else { throw .invalidManifest(reason: "the chunks of \(shown) do not add up") }
    if chunks.count == 1, chunks[0].sha256 != sha256 {
      throw .invalidManifest(reason: "the only chunk of \(shown) has another hash than the file")
    }
  }

  static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
