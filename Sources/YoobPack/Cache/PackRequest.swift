/// Which character is wanted, and what is believed about it.
public struct PackRequest: Sendable, Hashable {
  /// `^[a-z0-9][a-z0-9-]{0,63}$`.
  public var character: String
  /// "YYYY.MM.DD.n", or nil for the latest.
  public var version: String?
  /// The keys that may have signed it.
  public var keys: TrustedKeys
  /// The version of the SDK that will draw it.
  public var sdk: SDKVersion

  /// A wish; nothing is checked until it is loaded.
  public init(character: String, version: String? = nil, keys: TrustedKeys, sdk: SDKVersion) {
    self.character = character
    self.version = version
    self.keys = keys
    self.sdk = sdk
  }

  /// Throws `PackError.unsupported` for an id or a version that no character can have.
  func validate() throws(PackError) {
    guard CharacterManifest.isCharacterID(character) else {
      throw .unsupported(reason: "“\(PackPath.shown(character))” is not a character id")
    }
    if let version, PackVersion(version) == nil {
      throw .unsupported(reason: "the version “\(PackPath.shown(version))” is not YYYY.MM.DD.n")
    }
  }

  /// The manifest of an envelope, when it is the one that is wanted.
  func open(_ signed: SignedManifest) throws(PackError) -> CharacterManifest {
    let manifest = try signed.open(trusting: keys)
    try manifest.require(character: character, version: version)
    try manifest.requireSDK(sdk)
    return manifest
  }
}
