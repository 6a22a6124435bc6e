import Foundation

#if canImport(CCurl)
  import CCurl
#endif

/// The certificates that count: the system's, and those of one file.
struct Authorities: Sendable, Equatable {
  /// The file, as it was named.
  let path: String
  /// In PEM form, the system's among them where they come in one file.
  let pem: [UInt8]

  private static let limit = 1 << 20

  /// Throws `NetError.invalidTLS` for a file that holds no certificates.
  init(file path: String) throws(NetError) {
    guard let own = FileManager.default.contents(atPath: path) else {
      throw .invalidTLS(reason: "\(path) cannot be read")
    }
    guard own.count <= Self.limit,
      String(decoding: own, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
    else { throw .invalidTLS(reason: "\(path) holds no certificates in PEM form") }
    self.path = path
    pem = Self.system() + [UInt8(ascii: "\n")] + own
  }

  private static func system() -> [UInt8] {
    #if canImport(CCurl)
      guard let info = curl_version_info(CURLVERSION_SEVENTH), let path = info.pointee.cainfo,
        let bytes = FileManager.default.contents(atPath: String(cString: path))
      else { return [] }
      return Array(bytes)
    #else
      return []
    #endif
  }
}
