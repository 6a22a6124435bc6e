import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why something could not be written, in words that end with what to do.
///
/// ```swift
/// "\(path) cannot be written: \(WriteFault.reason(ENOSPC))."
/// // "film.mp4 cannot be written: the disk is full. Free some space and try again."
/// ```
package enum WriteFault {
  private static let reasons: [Int32: String] = [
    ENOSPC: "the disk is full. Free some space and try again",
    EDQUOT: "your share of the disk is used up (quota). Free some space and try again",
    EFBIG: "the file is too large for this disk or shell. Raise the limit (ulimit -f) or write elsewhere",
    EACCES: "you have no permission. Write elsewhere, or change the permissions",
    EPERM: "you have no permission. Write elsewhere, or change the permissions",
    EROFS: "the disk is read-only. Write elsewhere",
    ENOENT: "its folder does not exist. Create it, or write elsewhere",
    ENOTDIR: "its folder is a file. Write elsewhere",
    EISDIR: "it is a folder. Name a file",
  ]

  /// The reason for an error number, without a full stop.
  package static func reason(_ code: Int32) -> String {
    reasons[code] ?? String(cString: strerror(code))
  }

  /// The reason for an error of Foundation, without a full stop.
  package static func reason(_ error: any Error) -> String {
    number(of: error).map(reason) ?? text(of: error)
  }

  private static func text(of error: any Error) -> String {
    let text = error.localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func number(of error: any Error) -> Int32? {
    var next: (any Error)? = error
    while let current = next {
      if let code = code(of: current as NSError) { return code }
      next = (current as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    }
    return nil
  }

  /// Why something could not be read, without a full stop.
  package static func reading(_ error: any Error) -> String {
    switch number(of: error) {
    case EACCES, EPERM: "you have no permission. Change its permissions"
    case ENOENT: "it does not exist"
    case .some(let code): String(cString: strerror(code))
    case nil: text(of: error)
    }
  }

  /// The reason that a program's complaint names, nil when it names none.
  static func reason(in complaint: String) -> String? {
    reasons.keys.sorted().first { complaint.contains(String(cString: strerror($0))) }.map(reason)
  }

  private static func code(of error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileWriteNoPermission, .fileReadNoPermission: return EACCES
    case .fileWriteVolumeReadOnly: return EROFS
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    default: return nil
    }
  }
}
