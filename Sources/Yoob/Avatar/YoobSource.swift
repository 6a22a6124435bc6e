import Foundation

/// Where a character comes from.
public struct YoobSource: Sendable {
  enum Kind: Sendable {
    case local(URL)
  }
  let kind: Kind

  /// A pack in a folder on this machine: no network, no session, no metering.
  ///
  /// An unsigned pack (`character.json`) is vouched for by the app that ships it; every file is checked
  /// against its hash all the same.
  public static func local(_ folder: URL) -> YoobSource { YoobSource(kind: .local(folder)) }
}
