import Foundation
import YoobWire

/// A voice session that your backend opened: pass on the answer of `POST /api/v1/voice/sessions` unchanged, and
/// decode it. It is good for one connection, within a few minutes.
public struct YoobVoiceSession: Sendable, Equatable, Decodable {
  let grant: VoiceGrant

  /// Proves the right to the call.
  public var voiceToken: String { grant.voiceToken }
  /// Where the call is made.
  public var url: String { grant.url }
  /// The session's name in the account.
  public var id: String? { grant.id }
  /// The model that answers.
  public var model: String? { grant.model }
  /// Seconds after which the call ends.
  public var maxSeconds: Int? { grant.maxSeconds }
  /// Price of a minute, in credits.
  public var creditsPerMinute: Double? { grant.creditsPerMinute }
  /// Until when the call must begin.
  public var expiresAt: Date? { grant.expiresAt.map(Date.init(timeIntervalSince1970:)) }

  /// Reads the API's answer. Throws `YoobError.outOfCredit` or `.unauthorized` for a refusal, and `.voiceSession`
  /// with code 0 for anything that is no session.
  public init(json: Data) throws {
    do { grant = try VoiceGrant(json: [UInt8](json)) } catch { throw YoobError(error) }
  }

  /// Decodes the API's answer, in snake case or camel case; throws as `init(json:)`.
  public init(from decoder: any Decoder) throws {
    let value = try JSONTree(from: decoder)
    try self.init(json: Data(JSONEncoder().encode(value)))
  }
}
