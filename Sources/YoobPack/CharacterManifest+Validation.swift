extension CharacterManifest {
  /// Checks every rule of schema 1 that the bytes of the files do not decide.
  public func validate() throws(PackError) {
    guard schema == 1 else { throw .unsupported(reason: "its manifest has schema \(schema)") }
    guard engine == "puppet" else { throw .unsupported(reason: "its engine is “\(engine)”") }
    guard Self.isCharacterID(character) else {
      throw .invalidManifest(reason: "“\(character)” is not a character id")
    }
    guard (1...4096).contains(width), (1...4096).contains(height) else {
      throw .invalidManifest(reason: "a size of \(width) x \(height)")
    }
    if let idle {
      guard idle.fps > 0, idle.fps <= 60 else {
        throw .invalidManifest(reason: "\(idle.fps) idle frames a second")
      }
    }
    var paths = Set<String>()
    for file in files {
      try file.validate()
      guard paths.insert(file.path).inserted else {
        throw .invalidManifest(reason: "\(file.path) is listed twice")
      }
    }
    for path in [poster] + (idle?.frames ?? []) {
      guard paths.contains(path) else {
        throw .invalidManifest(reason: "\(path) is not among the files")
      }
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
}

extension CharacterManifest.File {
  /// Checks path, sizes and hashes for form.
  func validate() throws(PackError) {
    guard Self.isSafePath(path) else { throw .invalidManifest(reason: "the path “\(path)”") }
    guard Self.isHash(sha256) else { throw .invalidManifest(reason: "the hash of \(path)") }
    guard (0...3).contains(tier) else { throw .invalidManifest(reason: "the tier of \(path)") }
    var total = 0
    for chunk in chunks {
      guard Self.isHash(chunk.sha256), (1...16 << 20).contains(chunk.size) else {
        throw .invalidManifest(reason: "a chunk of \(path)")
      }
      total += chunk.size
    }
    guard total == size else { throw .invalidManifest(reason: "the chunks of \(path) do not add up") }
  }

  /// Whether a path stays inside the pack on every system.
  static func isSafePath(_ path: String) -> Bool {
    guard (1...512).contains(path.utf8.count), !path.hasPrefix("/"), !path.contains("\\"),
      !path.utf8.contains(0)
    else { return false }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
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
