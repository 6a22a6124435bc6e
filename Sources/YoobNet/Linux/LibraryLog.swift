#if os(Linux)
  import CLWS
  import Foundation

  /// What libwebsockets complains about, in the whole process.
  enum LibraryLog {
    private static let complaints = Locked([String]())

    /// Takes the complaints instead of the standard error; may be called any number of times.
    static func install() {
      lws_set_log_level(1 | 2) { _, line in
        guard let line else { return }
        let text = String(cString: line).trimmingCharacters(in: .whitespacesAndNewlines)
        LibraryLog.complaints.withLock { $0 = $0.suffix(4) + [text] }
        // The library only complains, and closes the connection without an answer.
        if text.contains("Ran out of header data space") || text.contains("More hdr frags") {
          ServerLoop.current?.refuseLongHeader()
        }
      }
      complaints.withLock { $0 = [] }
    }

    /// The last complaint since `install`.
    static var last: String? { complaints.withLock { $0.last } }
  }
#endif
