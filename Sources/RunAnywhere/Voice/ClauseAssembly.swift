import VoiceIO

extension Clause.Ending {
  /// Seconds of silence between a clause that ends so and the next.
  package var pause: Double { self == .clause ? 0.08 : 0.22 }
}

extension SynthesizedSpeech {
  /// Pitch and marks of the speech at 50 frames a second; empty when the voice gives no pitch.
  public var prosody: SpeechProsody {
    SpeechProsody(
      phones: phones, words: words, pitch: pitch, sampleCount: samples.count, sampleRate: sampleRate)
  }

  /// The same with silence before it.
  package func delayed(seconds: Double) -> SynthesizedSpeech {
    let count = Int(seconds * Double(sampleRate))
    guard count > 0 else { return self }
    var delayed = self
    delayed.samples = [Float](repeating: 0, count: count) + samples
    for index in phones.indices {
      delayed.phones[index].start += count
      delayed.phones[index].end += count
    }
    for index in words.indices {
      delayed.words[index].start += count
      delayed.words[index].end += count
    }
    if !pitch.isEmpty {
      let silence = SpeechChunk.pitchCount(samples: count, sampleRate: sampleRate)
      delayed.pitch = [Float](repeating: 0, count: silence) + pitch
    }
    return delayed
  }

  /// Adds what follows, without a pause. `pitch` stays empty unless both have it.
  package mutating func append(_ next: SynthesizedSpeech) {
    let offset = samples.count
    if (samples.isEmpty || !pitch.isEmpty) && !next.pitch.isEmpty {
      // Rounded at each joint, the frames would leave the samples in a long text.
      let place = SpeechChunk.pitchCount(samples: offset, sampleRate: next.sampleRate)
      pitch = pitch.prefix(place) + [Float](repeating: 0, count: max(0, place - pitch.count)) + next.pitch
    } else {
      pitch = []
    }
    sampleRate = next.sampleRate
    samples += next.samples
    phones += next.phones.map {
      PhoneTiming(
        symbol: $0.symbol, start: $0.start + offset, end: $0.end + offset, isStressed: $0.isStressed)
    }
    words += next.words.map {
      WordTiming(text: $0.text, start: $0.start + offset, end: $0.end + offset)
    }
  }
}
