import Foundation

/// Answers requests with the files of one folder, and with nothing outside it.
public struct StaticFiles: Sendable {
  private let root: String
  private let cacheControl: String

  /// The files under `root`; nil when there is no such folder. `cacheControl` goes into every
  /// answer; with the default a browser asks each time whether its copy is still good.
  public init?(root: String, cacheControl: String = "no-cache") {
    guard let path = Self.realPath(root) else { return nil }
    self.root = path
    self.cacheControl = cacheControl
  }

  /// The file of the folder at `path` ("/a/b.js"; "/" and folders give their index.html), as a
  /// whole, in part (`Range`) or as "not modified" (`If-None-Match`); 404 without such a file.
  public func respond(to request: HTTPRequest, path: String) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      var response = HTTPResponse.text("Only GET and HEAD are allowed here.\n", status: 405)
      response.headers["allow"] = "GET, HEAD"
      return response
    }
    guard let (file, name) = open(path) else { return .text("Not found.\n", status: 404) }
    let tag =
      "\"\(String(file.size, radix: 36))-\(String(file.modified.seconds, radix: 36))"
      + "-\(String(file.modified.nanoseconds, radix: 36))\""
    var headers: HTTPHeaders = [
      "content-type": MIMEType.of(name), "etag": tag, "cache-control": cacheControl,
      "accept-ranges": "bytes",
    ]
    if let known = request.headers["if-none-match"], Self.matches(known, tag) {
      return HTTPResponse(status: 304, headers: headers)
    }
    var range = ByteRange(request.headers["range"], size: file.size)
    if let condition = request.headers["if-range"], condition != tag { range = .whole }
    switch range {
    case .whole:
      return HTTPResponse(
        status: 200, headers: headers, body: .file(file, offset: 0, length: file.size))
    case .part(let part):
      headers["content-range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
      return HTTPResponse(
        status: 206, headers: headers,
        body: .file(file, offset: part.lowerBound, length: part.count))
    case .unsatisfiable:
      headers["content-range"] = "bytes */\(file.size)"
      return HTTPResponse(status: 416, headers: headers)
    }
  }

  private static func matches(_ field: String, _ tag: String) -> Bool {
    field.split(separator: ",").contains {
      let known = $0.trimmingCharacters(in: .whitespaces)
      return known == "*" || known == tag || known == "W/" + tag
    }
  }

  private func open(_ path: String) -> (OpenFile, name: String)? {
    guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x5C }) else {
      return nil
    }
    // No component may begin with a dot: that is "..", and the files that nobody wants to publish.
    let components = path.split(separator: "/")
    guard components.allSatisfy({ !$0.hasPrefix(".") }) else { return nil }
    var name = components.last.map(String.init) ?? ""
    var full = ([root] + components.map(String.init)).joined(separator: "/")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { return nil }
    if isFolder.boolValue {
      guard path.hasSuffix("/") else { return nil }
      name = "index.html"
      full += "/index.html"
    } else if path.hasSuffix("/") {
      return nil
    }
    // Links may point about inside the folder, not out of it.
    guard let real = Self.realPath(full), real.hasPrefix(root + "/"), let file = OpenFile(path: real)
    else { return nil }
    return (file, name)
  }

  private static func realPath(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
