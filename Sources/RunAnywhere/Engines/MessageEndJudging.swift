/// A language model that tells from the words how likely the user's message is whole.
public protocol MessageEndJudging: LlmEngine {
  /// Probability, 0...1, that the last of `messages` ends after its last word, whatever marks stand at
  /// its end: that the model would close the sentence or the message there. What it reads stays in its
  /// cache for the `generate` of the same messages. Nil where it cannot tell, and when the task is
  /// cancelled.
  func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float?
}
