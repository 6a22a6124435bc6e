import YoobNet
import YoobPack

/// What went wrong at one address of a CDN.
struct FetchFault: Error, Equatable, CustomStringConvertible {
  /// What was asked for.
  enum Part: Equatable, Sendable {
    case manifest
    case chunk(sha256: String, size: Int)
  }

  enum Reason: Equatable, Sendable {
    /// A status that comes with no file.
    case status(Int)
    /// A redirect. None is followed: the token is meant for this server alone.
    case redirect(Int, to: String)
    /// A web page, as from a wrong address or the gate of a network.
    case page
    /// So many bytes were announced; nil for more than the chunk has.
    case length(Int?)
    /// No answer, or not all of it.
    case network(NetError)
  }

  let address: String
  let part: Part
  let reason: Reason

  /// The status of a refusal, nil where the fault is another.
  var status: Int? {
    guard case .status(let status) = reason else { return nil }
    return status
  }

  /// Whether the server spoke about this character or this session: then what is on the disk does not start either.
  var isRefusal: Bool {
    status.map([400, 401, 402, 403, 404, 410].contains) ?? false
  }

  /// Whether asking again is of no use.
  var isFinal: Bool {
    switch reason {
    case .status(let status): !(500...599).contains(status) && status != 408 && status != 429
    case .redirect, .page, .length: true
    case .network(let error):
      switch error {
      case .invalidURL, .invalidRequest, .unprotected, .tooLarge, .badRedirect: true
      // A manifest has one span of time for everything.
      case .tooSlow, .timedOut: part == .manifest
      default: false
      }
    }
  }

  /// What it means to the app.
  var error: YoobError {
    switch reason {
    case .status(401), .status(403): .unauthorized
    case .status(402): .outOfCredit
    case .status(404), .status(410): .unsupported(description)
    default: .network(description)
    }
  }

  /// The address, the chunk by the beginning of its hash, what came and what was wanted.
  var description: String { "\(address): \(words)" }

  private var words: String {
    switch reason {
    case .status(404), .status(410):
      part == .manifest
        ? "there is no such character, or no such version of it"
        : "\(wanted) is not there; publish the character again"
    case .status(let status): "the server answered with status \(status) instead of \(wanted)"
    case .redirect(let status, let target):
      "the server answered \(status) and leads to \(PackPath.shown(target, atMost: 300)) for \(wanted); no redirect is followed, "
        + "use the final address"
    case .page:
      "a web page came instead of \(wanted); check the address, and whether the network asks for a login"
    case .length(let length):
      "\(length.map { "\($0) bytes were announced" } ?? "more bytes came") for \(wanted); check what serves this address"
    case .network(let error): part == .manifest ? "\(error)" : "\(wanted): \(error)"
    }
  }

  private var wanted: String {
    switch part {
    case .manifest: "a manifest"
    case .chunk(let sha256, let size): "chunk \(sha256.prefix(12)) of \(size) bytes"
    }
  }
}
