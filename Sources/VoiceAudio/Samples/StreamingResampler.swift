/// Changes the sample rate of one stream of sound, piece by piece.
///
/// A windowed-sinc polyphase filter (Kaiser window, stop band below -90 dB, pass band to 0.45 of the
/// lower rate). Pieces of any size give the same samples, bit for bit, as the whole at once, and the
/// delay is compensated: output sample n lies at the time of input position n × from / to. A stream of
/// N samples gives exactly ceil(N × to / from).
///
/// Use one resampler per stream; `finish()` ends the stream and makes it ready for the next.
///
/// ```swift
/// var resampler = StreamingResampler(from: 48_000, to: 16_000)
/// for piece in pieces { speech += resampler.process(piece) }
/// speech += resampler.finish()
/// ```
public struct StreamingResampler: Sendable {
  /// Samples per second of the input.
  public let inputRate: Int
  /// Samples per second of the output.
  public let outputRate: Int
  /// Input samples that must follow a moment before its output appears.
  public var lookAhead: Int { isCopy ? 0 : filter.half }

  private let filter: ResamplerFilter
  private let isCopy: Bool
  /// Input kept for coming outputs; the first one is input sample `base`.
  private var history: [Float] = []
  private var base: Int64 = 0
  /// Input samples of this stream so far.
  private var received: Int64 = 0
  /// Next output: input position `whole` plus `fraction` / filter.up.
  private var whole: Int64 = 0
  private var fraction = 0

  /// A resampler between two rates; rates are clamped to 1...768,000.
  public init(from inputRate: Int, to outputRate: Int) {
    self.inputRate = max(1, min(768_000, inputRate))
    self.outputRate = max(1, min(768_000, outputRate))
    isCopy = self.inputRate == self.outputRate
    filter = ResamplerFilter(from: self.inputRate, to: self.outputRate)
    reset()
  }

  /// Forgets the stream.
  public mutating func reset() {
    history.removeAll(keepingCapacity: true)
    if !isCopy { history.append(contentsOf: repeatElement(0, count: filter.half - 1)) }
    base = isCopy ? 0 : 1 - Int64(filter.half)
    received = 0
    whole = 0
    fraction = 0
  }

  /// Output that `input` makes possible, in order.
  public mutating func process(_ input: [Float]) -> [Float] {
    var output: [Float] = []
    input.withUnsafeBufferPointer { process($0, into: &output) }
    return output
  }

  /// Appends the output that `input` makes possible.
  public mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    received += Int64(input.count)
    if isCopy {
      output.append(contentsOf: input)
      return
    }
    history.append(contentsOf: input)
    drain(into: &output, limit: .max)
  }

  /// The rest of the stream's output; afterwards the resampler is as new.
  public mutating func finish() -> [Float] {
    var output: [Float] = []
    if !isCopy, received > 0 {
      history.append(contentsOf: repeatElement(0, count: filter.half))
      drain(into: &output, limit: received)
    }
    reset()
    return output
  }

  /// Computes every output whose position lies before `limit` and whose input has all arrived.
  private mutating func drain(into output: inout [Float], limit: Int64) {
    let half = Int64(filter.half)
    let end = base + Int64(history.count)
    if end - half > whole {
      let ready = Double(end - half - whole) * Double(filter.up) / Double(filter.down)
      output.reserveCapacity(output.count + Int(ready) + 2)
    }
    history.withUnsafeBufferPointer { samples in
      while whole + half < end, whole < limit {
        let start = Int(whole - half + 1 - base)
        output.append(filter.apply(samples, at: start, fraction: fraction))
        fraction += filter.down % filter.up
        whole += Int64(filter.down / filter.up)
        if fraction >= filter.up {
          fraction -= filter.up
          whole += 1
        }
      }
    }
    let unused = min(history.count, Int(whole - half + 1 - base))
    if unused > 0 {
      history.removeFirst(unused)
      base += Int64(unused)
    }
  }

  /// `clip` at another rate.
  public static func convert(_ clip: AudioClip, to rate: Int) -> AudioClip {
    guard clip.sampleRate != rate else { return clip }
    var resampler = StreamingResampler(from: clip.sampleRate, to: rate)
    var samples = resampler.process(clip.samples)
    samples.append(contentsOf: resampler.finish())
    return AudioClip(samples: samples, sampleRate: resampler.outputRate)
  }
}
