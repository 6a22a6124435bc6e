/// Reads and writes WAV files in memory; `WAVOutline` reads them in pieces.
public enum WAV {
  /// Rates that `decode` takes, in samples per second.
  public static let rates = 8_000...192_000
  /// Most channels that `decode` takes.
  public static let maximumChannels = 64

  /// Sound of a WAV file, its channels averaged to one.
  ///
  /// Reads PCM of 8, 16, 24 and 32 bits, float of 32 and 64 bits, A-law and mu-law, plain or as
  /// WAVE_FORMAT_EXTENSIBLE, in RIFF, RF64 and BW64 files. Chunks that are not needed are skipped;
  /// after a chunk of odd size a missing padding byte is tolerated. A data size of 0 or 0xFFFFFFFF
  /// (a stream that was never closed), or one that reaches past the end of the bytes (a cut copy),
  /// means that the sound goes on to the last whole block of the bytes. Samples that are not finite
  /// become 0 and floats outside -1...1 are kept.
  public static func decode(_ bytes: [UInt8]) throws(WAVError) -> AudioClip {
    let outline = try WAVOutline(size: bytes.count) { offset, count in
      Array(bytes[offset..<min(bytes.count, offset + count)])
    }
    return AudioClip(
      samples: outline.format.samples(of: bytes, in: outline.data), sampleRate: outline.sampleRate)
  }

  /// A WAV file of 16-bit mono PCM; samples outside -1...1 are clamped.
  public static func encode(_ clip: AudioClip) -> [UInt8] {
    var file = header(sampleRate: clip.sampleRate, dataBytes: clip.samples.count * 2)
    file.append(contentsOf: PCM16.encode(clip.samples))
    return file
  }

  /// The 44 bytes before the sound of a 16-bit mono PCM file.
  ///
  /// `dataBytes` nil marks a stream of unknown length (sizes of 0xFFFFFFFF); sizes beyond 4 GiB
  /// saturate at that mark too.
  public static func header(sampleRate: Int, dataBytes: Int?) -> [UInt8] {
    let rate = UInt32(clamping: sampleRate)
    let size = dataBytes.map { UInt32(clamping: $0) } ?? .max
    var out: [UInt8] = []
    out.reserveCapacity(44)
    func put(_ text: StaticString) {
      text.withUTF8Buffer { out.append(contentsOf: $0) }
    }
    func put32(_ value: UInt32) {
      for shift in [0, 8, 16, 24] as [UInt32] { out.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    func put16(_ value: UInt16) {
      out.append(UInt8(truncatingIfNeeded: value))
      out.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    put("RIFF")
    put32(size > .max - 36 ? .max : size + 36)
    put("WAVEfmt ")
    put32(16)
    put16(1)
    put16(1)
    put32(rate)
    put32(rate.multipliedReportingOverflow(by: 2).partialValue)
    put16(2)
    put16(16)
    put("data")
    put32(size)
    return out
  }
}
