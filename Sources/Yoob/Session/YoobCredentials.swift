import Foundation
import YoobWire

/// A session that your backend opened for a character: pass on the answer of
/// `POST /api/v1/avatar/sessions` unchanged, and decode it.
///
/// ```swift
/// let (data, _) = try await URLSession.shared.data(for: request)
/// return try JSONDecoder().decode(YoobCredentials.self, from: data)
/// ```
public struct YoobCredentials: Sendable, Equatable, Decodable {
  let grant: SessionGrant

  /// A session of these tokens.
  ///
  /// - Parameters:
  ///   - sessionToken: Keeps the session alive.
  ///   - downloadToken: Opens the characters of the session.
  ///   - heartbeatSeconds: Seconds between heartbeats, 5 at least.
  ///   - apiBase: Where the API is; nil is the configured one.
  ///   - cdnBase: Where characters are downloaded; nil is the configured one.
  ///   - signingKeys: Public keys of characters by their ids, in base64.
  public init(
    sessionToken: String, downloadToken: String, heartbeatSeconds: Int = 30, apiBase: String? = nil,
    cdnBase: String? = nil, signingKeys: [String: String] = [:]
  ) {
    grant = SessionGrant(
      sessionToken: sessionToken, downloadToken: downloadToken, heartbeatSeconds: heartbeatSeconds,
      apiBase: apiBase, cdnBase: cdnBase, signingKeys: signingKeys)
  }

  /// Reads the API's answer. Throws `YoobError.unauthorized` or `.outOfCredit` for a refusal, and
  /// `.network` for anything that is no session.
  public init(json: Data) throws {
    do { grant = try SessionGrant(json: [UInt8](json)) } catch { throw YoobError(error) }
  }

  /// Decodes the API's answer, in snake case or camel case; throws as `init(json:)`.
  public init(from decoder: any Decoder) throws {
    let value = try JSONTree(from: decoder)
    try self.init(json: Data(JSONEncoder().encode(value)))
  }
}

/// Any JSON, for a decoder that is handed on.
enum JSONTree: Codable {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case integer(Int)
  case number(Double)
  case bool(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONTree].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .object(let object): try value.encode(object)
    case .array(let array): try value.encode(array)
    case .string(let string): try value.encode(string)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .bool(let bool): try value.encode(bool)
    case .null: try value.encodeNil()
    }
  }
}

extension YoobError {
  /// What a refused session means to the app.
  init(_ error: SessionGrantError) {
    switch error {
    case .refused(let code, _):
      let isCredit = ["quota_exceeded", "monthly_cap_reached", "out_of_credits"].contains(code ?? "")
      self = isCredit ? .outOfCredit : .unauthorized
    case .unreadable(let message): self = .network(message)
    }
  }

  /// What the end of a session means to the app.
  init(_ end: SessionEnd) {
    switch end {
    case .unauthorized: self = .unauthorized
    case .outOfCredit: self = .outOfCredit
    case .ended(let reason): self = .sessionEnded(reason)
    }
  }
}
