/// Mono sound held in memory.
public struct AudioClip: Sendable, Equatable {
  /// Samples in -1...1.
  public var samples: [Float]
  /// Samples per second.
  public var sampleRate: Int

  /// A clip of these samples.
  public init(samples: [Float], sampleRate: Int) {
    self.samples = samples
    self.sampleRate = sampleRate
  }

  /// Length in seconds.
  public var duration: Double { sampleRate > 0 ? Double(samples.count) / Double(sampleRate) : 0 }
}

/// A run of consecutive microphone samples.
public struct AudioFrame: Sendable, Equatable {
  /// Mono samples in -1...1.
  public var samples: [Float]
  /// Samples per second.
  public var sampleRate: Int
  /// Index of the first sample on the capture clock, in samples since capture began.
  public var position: Int

  /// A frame of these samples; `position` counts samples since capture began.
  public init(samples: [Float], sampleRate: Int, position: Int) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.position = position
  }
}
