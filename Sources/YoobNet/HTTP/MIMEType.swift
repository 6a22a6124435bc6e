/// Media types by file name.
enum MIMEType {
  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "json": "application/json", "map": "application/json",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm",
    "ts": "text/plain; charset=utf-8", "txt": "text/plain; charset=utf-8",
    "md": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
    "ico": "image/x-icon", "wav": "audio/wav", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "woff2": "font/woff2", "bin": "application/octet-stream",
  ]

  /// The type by the name's extension; "application/octet-stream" for an unknown one.
  static func of(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
    return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }
}
