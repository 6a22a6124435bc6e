import Foundation
import RunAnywhere

/// An answer of a server that is no completion, put into one line that a person can act on.
struct ServerRefusal {
  private static let names = [
    400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed",
    429: "too many requests", 500: "internal error", 501: "not implemented", 502: "bad gateway",
    503: "unavailable", 504: "gateway timeout",
  ]
  /// Most models and most characters that are repeated.
  private static let mostModels = 8
  private static let longest = 200

  let status: Int
  let body: [UInt8]
  /// The model that was asked for.
  var model: String?
  /// The models that the server lists.
  var known: [String] = []

  func exception(from base: String) -> SDKException {
    let name = Self.names[status].map { " (\($0))" } ?? ""
    let reason = reason.map { ": \($0)" } ?? "."
    let isRefused = status == 401 || status == 403
    return SDKException(
      isRefused ? .invalidConfiguration : status == 404 ? .modelNotFound : .generationFailed,
      category: isRefused ? .auth : .network,
      "The language model at \(base) answered \(status)\(name)\(reason)",
      recoverySuggestion: advice(base))
  }

  private func advice(_ base: String) -> String? {
    switch status {
    case 401, 403: return "Check its key, which the commands take from YOOB_LLM_KEY."
    case 404:
      guard let model, !known.isEmpty, !known.contains(model) else {
        return "Check the address, which mostly ends in /v1, and the model's name behind #."
      }
      let names =
        known.prefix(Self.mostModels).joined(separator: ", ") + (known.count > Self.mostModels ? " …" : "")
      return "It has no “\(model)”. Name one of its models behind #: \(names)."
    case 405, 501: return "Check that the address is that of an OpenAI-compatible server."
    case 429, 500...: return "Look at the server's own messages, and try again."
    default: return nil
    }
  }

  /// What the server says, as one sentence; nil for a page or for nothing.
  private var reason: String? {
    guard let text = message ?? plain else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty else { return nil }
    let short = words.count > Self.longest ? words.prefix(Self.longest) + "…" : words[...]
    return short.last.map { ".!?…".contains($0) } == true ? String(short) : short + "."
  }

  /// The text of the usual forms: `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}`.
  private var message: String? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
      return nil
    }
    let inner = object["error"] as? [String: Any]
    return (inner?["message"] ?? object["error"] ?? object["message"] ?? object["detail"]) as? String
  }

  private var plain: String? {
    let text = String(decoding: body, as: UTF8.self)
    guard let first = text.first(where: { !$0.isWhitespace }), !"<{[".contains(first) else { return nil }
    return text
  }
}
