import RunAnywhere

/// Who Luna is, to a language model.
enum Luna {
  /// Short, since every word of the prompt is a wait and small models follow short orders best.
  static let instructions =
    "You are Luna, a warm and cheerful young woman. Answer in one or two short sentences."

  /// How her model writes: calm enough for a small model to stay with the question, and brief, since
  /// each token becomes speech that the user waits through.
  static var generation: LlmOptions {
    var options = LlmOptions()
    options.systemPrompt = instructions
    options.temperature = 0.3
    options.topP = 0.9
    options.maxOutputTokens = 96
    return options
  }
}
