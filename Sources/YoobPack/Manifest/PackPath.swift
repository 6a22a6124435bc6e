/// The rules for paths inside a pack: the same file on every system, and never outside the folder.
package enum PackPath {
  /// Why `path` is refused, nil when it is safe.
  static func fault(in path: String) -> String? {
    guard (1...512).contains(path.utf8.count) else { return "a path of \(path.utf8.count) bytes" }
    let shown = "the path “\(shown(path))”"
    guard path.unicodeScalars.allSatisfy(isPlain) else {
      return "\(shown) has a character that does not show, or that Windows or an address reads otherwise"
    }
    guard path.unicodeScalars.first != "/" else { return "\(shown) begins with /" }
    for text in parts(of: path) {
      // By scalars: to `Character` a sign that a combining mark follows is another sign.
      let part = text.unicodeScalars
      guard !part.isEmpty, !part.elementsEqual(["."]), !part.elementsEqual([".", "."]) else {
        return "\(shown) has an empty part, . or .."
      }
      guard text.utf8.count <= 255 else { return "\(shown) has a part of more than 255 bytes" }
      guard part.last != ".", part.last != " ", part.first != " " else {
        return "\(shown) has a part that begins with a space or ends with a space or dot"
      }
      guard !isReserved(text) else { return "\(shown) has a part that Windows reserves" }
    }
    guard !ownNames.contains(folded(path)) else { return "\(shown) is the manifest's own name" }
    return nil
  }

  /// One spelling for all paths that some file system, or an eye, takes for the same; `String` itself
  /// compares letters however they are composed.
  static func folded(_ path: String) -> String {
    var visible = String.UnicodeScalarView()
    visible.append(contentsOf: path.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    return String(visible).uppercased().lowercased()
  }

  /// Why two of the paths exclude each other, nil when all can stand in one folder.
  static func clash(of paths: [String]) -> String? {
    var files: [String: String] = [:]
    for path in paths {
      guard let other = files.updateValue(path, forKey: folded(path)) else { continue }
      guard Array(other.utf8) != Array(path.utf8) else { return "“\(shown(path))” is listed twice" }
      return "“\(shown(other))” and “\(shown(path))” are one file on some systems, or look like one"
    }
    for path in paths {
      var parts = parts(of: folded(path))
      while parts.count > 1 {
        parts.removeLast()
        let folder = parts.joined(separator: "/")
        if let file = files[folder] {
          return "“\(shown(file))” is a file and the folder of “\(shown(path))”"
        }
      }
    }
    return nil
  }

  /// The path as a message may show it: no character that steers a terminal, at most `limit` of them.
  package static func shown(_ path: String, atMost limit: Int = 80) -> String {
    var result = String.UnicodeScalarView()
    for scalar in path.unicodeScalars.prefix(limit) {
      result.append(isShown(scalar) ? scalar : "\u{FFFD}")
    }
    return String(result)
  }

  /// What stands between the slashes, as a file system reads them: a combining mark takes none away.
  private static func parts(of path: String) -> [String] {
    path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
  }

  private static let ownNames: Set<String> = ["character.json", "character.signed.json"]

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
    default: true
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    isShown(scalar) && !scalar.properties.isNoncharacterCodePoint
      && !"\\:*?\"<>|%#".unicodeScalars.contains(scalar)
  }

  private static let devices: Set<String> = {
    var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$"]
    for digit in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"] {
      names.insert("com\(digit)")
      names.insert("lpt\(digit)")
    }
    return names
  }()

  /// Whether Windows opens a device for this name, whatever follows the first dot.
  private static func isReserved(_ part: String) -> Bool {
    var stem = part.unicodeScalars.prefix { $0 != "." }
    while stem.last == " " { stem.removeLast() }
    return devices.contains(String(stem).lowercased())
  }
}
