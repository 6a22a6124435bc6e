/// A language model that can read a prompt before the reply is asked for.
public protocol PromptPrefilling: LlmEngine {
  /// Reads `messages` into the model's cache, so that a later `generate` that begins with the same
  /// text starts sooner. A cancelled task stops within one prompt batch; what was read stays.
  /// Errors are ignored: the later `generate` reports them.
  func prefill(_ messages: [ChatMessage], options: LlmOptions) async
}
