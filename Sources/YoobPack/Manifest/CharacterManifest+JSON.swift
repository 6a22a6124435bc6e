import Foundation

extension CharacterManifest {
  /// Reads and checks a manifest.
  ///
  /// Throws `PackError.invalidManifest` when it breaks a rule, `PackError.unsupported` when it has another
  /// schema or engine; the schema is read first, so that later ones need not look like this one.
  public init(json: [UInt8]) throws(PackError) {
    guard json.count <= PackLimits.manifestBytes else {
      throw .invalidManifest(reason: "it is larger than 4 MiB")
    }
    switch JSONReading.decode(Schema.self, from: json) {
    case .failure(let fault): throw .invalidManifest(reason: fault.reason)
    case .success(let probe):
      guard probe.schema == 1 else {
        throw .unsupported(reason: "its manifest has schema \(probe.schema)")
      }
    }
    switch JSONReading.decode(CharacterManifest.self, from: json) {
    case .failure(let fault): throw .invalidManifest(reason: fault.reason)
    case .success(let manifest): self = manifest
    }
    try validate()
  }

  /// The manifest as text for people and for signing: keys in order, two spaces, a line end.
  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Numbers and strings only: `fps` is checked to be a number, so this cannot fail.
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data) + [0x0A]
  }

  private struct Schema: Decodable {
    let schema: Int
  }
}
