import YoobFace

/// What a benchmark plays on a face: a nod, changing emotions and gaze, and a voice throughout.
package struct FaceScene {
  package static let framesPerSecond = 30
  package static let sampleRate = 24_000

  private var voice = Voice()
  private var index = 0

  /// Begins an utterance. Its first half second is heard in advance, as a player would have it buffered.
  package init(_ face: FaceEngine) {
    face.beginUtterance()
    voice.next(Self.sampleRate / 2).withUnsafeBufferPointer {
      face.appendAudio($0, sampleRate: Self.sampleRate)
    }
  }

  /// Seconds at which the next frame is shown and heard.
  package var time: Double { Double(index) / Double(Self.framesPerSecond) }

  /// Changes the mood, and returns the sound that arrives before the next frame.
  package mutating func prepare(_ face: FaceEngine) -> [Float] {
    if index % 60 == 20 { face.setEmotion(FaceEmotion.allCases[(index / 60) % 6]) }
    if index % 90 == 45 { face.perform(.nod) }
    return voice.next(Self.sampleRate / Self.framesPerSecond)
  }

  /// To be called after each frame.
  package mutating func advance() { index += 1 }

  /// A buzz that changes its vowel and loudness about five times a second.
  private struct Voice {
    private var index = 0

    mutating func next(_ count: Int) -> [Float] {
      var samples: [Float] = []
      samples.reserveCapacity(count)
      for _ in 0..<count {
        let syllable = index / 4800
        let period = 110 + 12 * (syllable % 5)
        let phase = Float(index % period) / Float(period)
        let swell = Float(index % 4800) / 4800
        samples.append((phase - 0.5) * (1 - 2 * abs(swell - 0.5)) * 0.7)
        index += 1
      }
      return samples
    }
  }
}
