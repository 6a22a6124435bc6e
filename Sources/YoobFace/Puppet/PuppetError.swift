/// Why the bytes of a puppet were refused.
public enum PuppetError: Error, Sendable, Equatable {
  /// The bytes do not begin with "YPUP".
  case notAPuppet
  /// The version is one that this build does not read.
  case unsupportedVersion(Int)
  /// The length is not the one that the counts in the header ask for.
  case wrongLength(expected: Int, actual: Int)
  /// A count is above its limit.
  case tooMany(PuppetSection)
  /// A section is larger than 64 MiB.
  case tooLarge(PuppetSection)
  /// A number of this section is infinite or not a number.
  case notFinite(PuppetSection)
  /// An entry of this section points outside the puppet or has an unknown kind.
  case outOfRange(PuppetSection, entry: Int)

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .notAPuppet: "These bytes are no puppet. Give the file puppet.bin of a character pack."
    case .unsupportedVersion(let version):
      "This puppet has version \(version), and this build reads version 1. Update the pack or the library."
    case .wrongLength(let expected, let actual):
      "This puppet should have \(expected) bytes and has \(actual). Fetch or build it again."
    case .tooMany(let section): "This puppet has too many \(section.plural). Simplify the character."
    case .tooLarge(let section):
      "The \(section.plural) of this puppet take more than 64 MiB. Simplify the character."
    case .notFinite(let section):
      "The \(section.plural) of this puppet hold a number that is not finite. Build it again."
    case .outOfRange(let section, let entry):
      "Entry \(entry) of this puppet's \(section.plural) is out of range. Build it again."
    }
  }
}

/// The parts of a puppet file.
public enum PuppetSection: Int, Sendable, CaseIterable {
  /// In the order of the file.
  case header, vertices, indices, layers, morphs, deltas, springs, landmarks

  var plural: String {
    switch self {
    case .header: "header fields"
    case .vertices: "vertices"
    case .indices: "indices"
    case .layers: "layers"
    case .morphs: "morphs"
    case .deltas: "deltas"
    case .springs: "springs"
    case .landmarks: "landmarks"
    }
  }
}
