import Foundation

/// Where a character comes from.
public struct YoobSource: Sendable {
  enum Kind: Sendable {
    case local(URL)
    case cloud(character: String, credentials: SessionKeeper.Credentials)
  }
  let kind: Kind

  /// A pack in a folder on this machine: no network, no session, no metering.
  ///
  /// An unsigned pack (`character.json`) is vouched for by the app that ships it; a signed one is verified
  /// with the keys of `Yoob.configure`. Every file is checked against its hash.
  public static func local(_ folder: URL) -> YoobSource { YoobSource(kind: .local(folder)) }

  /// A character that is downloaded in signed pieces and kept on the disk, in a metered session.
  ///
  /// `credentials` asks your backend for a session; it is called again when a session is gone, so the
  /// route must be safe to call more than once.
  public static func cloud(
    character: String, credentials: @escaping @Sendable () async throws -> YoobCredentials
  ) -> YoobSource {
    YoobSource(kind: .cloud(character: character, credentials: credentials))
  }
}
