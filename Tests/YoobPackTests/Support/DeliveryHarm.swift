import Foundation
import YoobCrypto

@testable import YoobPack

/// What may happen between a right publisher and this machine.
enum DeliveryHarm: CaseIterable, Sendable {
  case payloadBit, signatureBit, swappedSignature, otherKey, unknownKey, testKey
  case envelopeCut, envelopeSpace, envelopeBomb, deepJSON, hugePayload
  case chunkBit, chunkCut, chunkLonger, chunkZeros, chunksSwapped
  case downgrade, olderUnderNewerNumber

  /// Whether it makes megabytes, which take their time.
  var isLarge: Bool { self == .envelopeBomb || self == .hugePayload || self == .deepJSON }

  /// Puts the harmed pack on the CDN; returns the name of the error that must come of it.
  func inflict(
    on made: MadePack, _ cdn: ScriptedCDN, using generator: inout SeededGenerator
  ) throws -> String {
    let signed = try made.signed()
    switch self {
    case .payloadBit:
      return try serve(made, cdn, flipped(signed.payload, &generator), signed.signature, "wrongSignature")
    case .signatureBit:
      return try serve(made, cdn, signed.payload, flipped(signed.signature, &generator), "wrongSignature")
    case .swappedSignature:
      let other = try MadePack.usual(version: "2026.11.29.1").signed()
      return try serve(made, cdn, signed.payload, other.signature, "wrongSignature")
    case .otherKey:
      try cdn.publish(
        made, envelope: made.signed(with: MadePack.key(UInt8.random(in: 8...200, using: &generator))).json)
      return "wrongSignature"
    case .unknownKey:
      let key = try SigningKey(id: "thief", privateKey: .generate())
      try cdn.publish(made, envelope: made.signed(with: key).json)
      return "unknownKey"
    case .testKey:
      let key = try SigningKey(
        id: TestKey.id, privateKey: Ed25519PrivateKey(seed: TestKey.seed), allowsTestKey: true)
      try cdn.publish(made, envelope: made.signed(with: key).json)
      return "unknownKey"
    case .envelopeCut:
      let count = Int.random(in: 0..<signed.json.count, using: &generator)
      try cdn.publish(made, envelope: Array(signed.json.prefix(count)))
      return "invalidEnvelope"
    case .envelopeSpace:
      let text = String(decoding: signed.json, as: UTF8.self)
      try cdn.publish(
        made, envelope: Array(text.replacingOccurrences(of: "\"payload\":\"", with: "\"payload\":\" ").utf8))
      return "invalidEnvelope"
    case .envelopeBomb:
      try cdn.publish(made, envelope: Array(repeating: 0x20, count: PackLimits.envelopeBytes + 1))
      return "invalidEnvelope"
    case .deepJSON:
      let depth = Int.random(in: 1000...20_000, using: &generator)
      let text = "{\"schema\":1,\"files\":" + String(repeating: "[", count: depth)
      try cdn.publish(made, envelope: MadePack.envelope(around: Array(text.utf8)))
      return "invalidManifest"
    case .hugePayload:
      let payload = Array(repeating: UInt8(0x20), count: PackLimits.manifestBytes + 1)
      try cdn.publish(made, envelope: MadePack.envelope(around: payload))
      return "invalidEnvelope"
    case .chunkBit, .chunkCut, .chunkLonger, .chunkZeros, .chunksSwapped:
      try cdn.publish(made)
      harmChunk(cdn, using: &generator)
      return "wrongChunk"
    case .downgrade:
      try cdn.publish(MadePack.usual(version: "2026.11.\(Int.random(in: 10...28, using: &generator)).1"))
      return "downgrade"
    case .olderUnderNewerNumber:
      try cdn.publish(made, envelope: MadePack.usual(version: "2026.01.01.1", seed: 3).signed().json)
      return "downgrade"
    }
  }

  private func serve(
    _ made: MadePack, _ cdn: ScriptedCDN, _ payload: [UInt8], _ signature: [UInt8], _ kind: String
  ) throws -> String {
    try cdn.publish(
      made, envelope: SignedManifest(keyID: MadePack.keyID, payload: payload, signature: signature).json)
    return kind
  }

  private func flipped(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
      1 << UInt8.random(in: 0..<8, using: &generator)
    return bytes
  }

  private func harmChunk(_ cdn: ScriptedCDN, using generator: inout SeededGenerator) {
    cdn.state.withLock { state in
      let names = state.chunks.keys.sorted()
      let victim = names.randomElement(using: &generator) ?? ""
      let bytes = state.chunks[victim] ?? []
      switch self {
      case .chunkBit: state.chunks[victim] = flipped(bytes, &generator)
      case .chunkCut:
        state.chunks[victim] = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
      case .chunkLonger:
        state.chunks[victim] = bytes + generator.bytes(Int.random(in: 1...2000, using: &generator))
      case .chunkZeros: state.chunks[victim] = Array(repeating: 0, count: bytes.count)
      default:
        let other = names.filter { $0 != victim }.randomElement(using: &generator) ?? ""
        (state.chunks[victim], state.chunks[other]) = (state.chunks[other], bytes)
      }
    }
  }
}
