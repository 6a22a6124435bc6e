import Foundation
import YoobCrypto

/// Public keys that may sign characters, by their id.
public typealias TrustedKeys = [String: Ed25519PublicKey]

/// A manifest in its signed envelope, as a CDN serves it; nothing in it counts before `open`.
///
/// ```swift
/// let signed = try SignedManifest(json: bytes)
/// let manifest = try signed.open(trusting: ["studio-2026": key])
/// ```
public struct SignedManifest: Sendable, Equatable {
  /// The id of the key that signed: 1 to 64 of `A-Z a-z 0-9 . _ -`, the first no sign.
  public let keyID: String
  /// The manifest's exact bytes, which the signature covers.
  public let payload: [UInt8]
  /// Ed25519, 64 bytes.
  public let signature: [UInt8]

  /// Takes an envelope apart; throws `PackError.invalidEnvelope` for one that breaks a rule.
  public init(json: [UInt8]) throws(PackError) {
    guard json.count <= PackLimits.envelopeBytes else {
      throw .invalidEnvelope(reason: "it is larger than a manifest of 4 MiB needs")
    }
    let envelope: Envelope
    switch JSONReading.decode(Envelope.self, from: json) {
    case .failure(let fault): throw .invalidEnvelope(reason: fault.reason)
    case .success(let decoded): envelope = decoded
    }
    guard SigningKey.isID(envelope.keyId) else {
      throw .invalidEnvelope(reason: "“\(PackPath.shown(envelope.keyId))” is not a key id")
    }
    guard let payload = StrictBase64.decode(envelope.payload) else {
      throw .invalidEnvelope(reason: "its payload is not base64")
    }
    guard payload.count <= PackLimits.manifestBytes else {
      throw .invalidEnvelope(reason: "its manifest is larger than 4 MiB")
    }
    guard let signature = StrictBase64.decode(envelope.signature),
      signature.count == Ed25519PublicKey.signatureByteCount
    else { throw .invalidEnvelope(reason: "its signature is not 64 bytes in base64") }
    self.init(keyID: envelope.keyId, payload: payload, signature: signature)
  }

  init(keyID: String, payload: [UInt8], signature: [UInt8]) {
    self.keyID = keyID
    self.payload = payload
    self.signature = signature
  }

  /// The manifest, read only after its signature was found right.
  ///
  /// Throws `PackError.unknownKey` for a key that is not among `keys`, `PackError.wrongSignature` for bytes
  /// that it did not sign, and what `CharacterManifest.init(json:)` throws. The published key of the test
  /// vectors is never trusted, under whatever id.
  public func open(trusting keys: TrustedKeys) throws(PackError) -> CharacterManifest {
    try open(trusting: keys, allowsTestKey: false)
  }

  package func open(trusting keys: TrustedKeys, allowsTestKey: Bool) throws(PackError) -> CharacterManifest {
    guard let key = keys[keyID], allowsTestKey || !TestKey.isTestKey(id: keyID, key: key) else {
      throw .unknownKey(id: keyID)
    }
    guard key.isValid(signature, of: payload) else { throw .wrongSignature(keyID: keyID) }
    return try CharacterManifest(json: payload)
  }

  /// The manifest as it says of itself, whoever signed it: to show, never to use.
  package func unverifiedManifest() throws(PackError) -> CharacterManifest {
    try CharacterManifest(json: payload)
  }

  /// The envelope's JSON.
  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let envelope = Envelope(
      keyId: keyID, payload: StrictBase64.encode(payload), signature: StrictBase64.encode(signature))
    // Three strings: this cannot fail.
    guard let data = try? encoder.encode(envelope) else { return [] }
    return Array(data)
  }

  private struct Envelope: Codable {
    let keyId: String
    let payload: String
    let signature: String
  }
}
