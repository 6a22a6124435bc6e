/// Cleans what a microphone hears: takes out the loudspeaker's echo, noise, or both.
///
/// A device that captures and plays at once calls it, frame by frame, with the sound that it plays.
public protocol NearEndProcessing {
  /// Samples per second of both signals.
  var sampleRate: Int { get }
  /// Cleans one frame of 10 ms in place. `far` is what the loudspeaker played at that time, as many
  /// samples, zeros when it was silent.
  mutating func process(near: inout [Float], far: [Float])
}
