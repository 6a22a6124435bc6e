/// Why speech-to-mouth weights were refused.
public enum MouthError: Error, Sendable, Equatable {
  /// The bytes are no speech-to-mouth weights.
  case notWeights
  /// The weights have a version that this build does not read.
  case unsupportedVersion(Int)
  /// The sizes in the header are not those of this network, or do not fit the length of the file.
  case badShape
  /// The checksum does not match: the bytes were changed or cut.
  case damaged

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .notWeights: "These bytes are no mouth weights. Give the file mouth.bin."
    case .unsupportedVersion(let version):
      "These mouth weights have version \(version), which this build does not read. Update the character "
        + "pack or the library."
    case .badShape: "These mouth weights have sizes that this build does not read. Fetch them again."
    case .damaged: "These mouth weights are damaged. Fetch them again."
    }
  }
}
