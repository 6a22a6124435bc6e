import RunAnywhere

/// Who Luna is, to a language model.
enum Luna {
  /// Close to the words that the small default model was taught with; longer orders confuse it.
  static let instructions = "You are a helpful AI assistant named Luna."

  /// How her model writes: calm enough for a small model to stay with the question, and brief, since
  /// each token becomes speech that the user waits through.
  static var generation: LlmOptions {
    var options = LlmOptions()
    options.systemPrompt = instructions
    options.temperature = 0.2
    options.topP = 0.9
    options.softOutputTokens = 40
    options.maxOutputTokens = 96
    return options
  }
}
