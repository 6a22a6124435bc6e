import YoobNet

/// Header fields that tell browsers to trust nothing but this server's own files.
enum SecurityHeaders {
  private static let policy = [
    "default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self' blob:",
    "img-src 'self' blob: data:", "media-src 'self' blob:", "style-src 'self'",
    "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'none'",
  ].joined(separator: "; ")

  static func add(to response: inout HTTPResponse) {
    response.headers["content-security-policy"] = policy
    response.headers["x-content-type-options"] = "nosniff"
    response.headers["referrer-policy"] = "no-referrer"
    response.headers["permissions-policy"] = "microphone=(self), camera=(), geolocation=()"
    response.headers["cross-origin-resource-policy"] = "same-origin"
  }
}
