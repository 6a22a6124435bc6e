import VoiceAudio

/// Brings the sound of an utterance, at any sample rate, to a mouth track.
struct SpeechFeed {
  let track = MouthTrack()
  private(set) var prosody = ProsodyTrack()
  let mouth: SpeechToMouth?
  private var resampler: StreamingResampler?
  private var envelope = VoiceEnvelope()
  private var buffer: [Float] = []
  /// Whether more sound is expected.
  private(set) var isOpen = false

  /// A feed for weights from a pack; with no bytes the lips follow known visemes only.
  init(mouth: [UInt8]) throws(MouthError) {
    self.mouth = mouth.isEmpty ? nil : try SpeechToMouth(weights: mouth)
  }

  /// Forgets the last utterance and expects a new one.
  mutating func begin() {
    track.reset()
    mouth?.reset()
    envelope.reset()
    prosody.reset()
    resampler = nil
    isOpen = true
  }

  /// Takes the next samples, mono, -1...1; values that are not finite count as zero.
  mutating func append(_ samples: UnsafeBufferPointer<Float>, sampleRate: Int) {
    guard !samples.isEmpty, sampleRate > 0 else { return }
    if !isOpen { begin() }
    if resampler?.inputRate != sampleRate {
      if resampler != nil { drain() }
      resampler = StreamingResampler(from: sampleRate, to: SpeechToMouth.sampleRate)
    }
    buffer.removeAll(keepingCapacity: true)
    if samples.allSatisfy({ $0.isFinite }) {
      resampler?.process(samples, into: &buffer)
    } else {
      var clean: [Float] = []
      clean.reserveCapacity(samples.count)
      for sample in samples { clean.append(sample.isFinite ? sample : 0) }
      clean.withUnsafeBufferPointer { resampler?.process($0, into: &buffer) }
    }
    hear()
  }

  /// Takes 15 weights a frame from known phones, beginning with frame `start`.
  mutating func append(visemes: UnsafeBufferPointer<Float>, start: Int) {
    guard start >= 0, start < 8_640_000, let base = visemes.baseAddress else { return }
    if !isOpen { begin() }
    for frame in 0..<(visemes.count / 15) {
      track.writeVisemes(start + frame, base + frame * 15, known: true)
    }
  }

  /// Takes the melody, two numbers a frame of 20 ms, beginning with frame `start`.
  mutating func append(prosody frames: UnsafeBufferPointer<Float>, start: Int) {
    guard !frames.isEmpty else { return }
    if !isOpen { begin() }
    prosody.append(frames, start: start)
  }

  /// The movement of head or brows that starts at a playhead in seconds, once.
  mutating func takeBeat(at playhead: Double) -> ProsodyBeat? { prosody.take(at: playhead) }

  /// How far the voice stands out at a playhead in seconds, where the melody does not tell.
  func stress(at playhead: Double) -> Float {
    prosody.covers(playhead) ? 0 : track.stress(at: playhead)
  }

  /// The utterance has no more sound.
  mutating func end() {
    guard isOpen else { return }
    drain()
    resampler = nil
    envelope.finish(track)
    if let mouth, mouth.finish() > 0 { take(mouth) }
    isOpen = false
  }

  private mutating func drain() {
    guard let rest = resampler?.finish() else { return }
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: rest)
    hear()
  }

  private mutating func hear() {
    let mouth = mouth
    let track = track
    var envelope = envelope
    buffer.withUnsafeBufferPointer { samples in
      envelope.push(samples, to: track)
      _ = mouth?.push(samples)
    }
    self.envelope = envelope
    if let mouth { take(mouth) }
  }

  private func take(_ mouth: SpeechToMouth) {
    let start = mouth.firstFrame
    mouth.frames.withUnsafeBufferPointer { frames in
      guard let base = frames.baseAddress else { return }
      for frame in 0..<(frames.count / 15) {
        track.writeVisemes(start + frame, base + frame * 15, known: false)
      }
    }
    mouth.discard(before: mouth.frameCount)
  }
}
