/// Why bytes are not a WAV file that can be read.
public enum WAVError: Error, Sendable, Equatable {
  /// The bytes do not begin with a RIFF, RF64 or BW64 header of type WAVE.
  case notWAV
  /// The bytes end before a format and a data chunk were seen.
  case truncated
  /// A data chunk came before any format chunk, or no format chunk came.
  case missingFormat
  /// No data chunk came.
  case missingData
  /// The encoding (its format tag and bits per sample) is not one that is read.
  case unsupportedEncoding(tag: Int, bits: Int)
  /// The sample rate lies outside 8,000...192,000 Hz.
  case unsupportedRate(Int)
  /// The format chunk contradicts itself: no channels, too many, or a wrong block size.
  case badFormat

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .notWAV:
      "This is not a WAV file. Give a RIFF/WAVE file, or convert it first: ffmpeg -i INPUT speech.wav"
    case .truncated:
      "This WAV file ends before its sound begins. Copy or export it again."
    case .missingFormat:
      "This WAV file has no format chunk before its sound. Export it again."
    case .missingData:
      "This WAV file holds no sound. Export it again."
    case .unsupportedEncoding(let tag, let bits):
      "This WAV file uses encoding \(tag) with \(bits) bits. Convert it to 16-bit PCM: "
        + "ffmpeg -i INPUT -c:a pcm_s16le speech.wav"
    case .unsupportedRate(let rate):
      "This WAV file has \(rate) samples per second. Use a rate from 8000 to 192000."
    case .badFormat:
      "The format chunk of this WAV file contradicts itself. Export the file again."
    }
  }
}
