import VoiceAudio

extension SpeechToMouth {
  /// Frames of a whole clip of any sample rate: 15 weights for every 10 ms, as `frames` holds them.
  ///
  /// Resets the mouth before and leaves it at the end of the clip.
  public func frames(of clip: AudioClip) -> [Float] {
    reset()
    push(StreamingResampler.convert(clip, to: SpeechToMouth.sampleRate).samples)
    finish()
    return frames
  }
}
