/// A model of the catalogue.
public struct ModelInfo: Sendable, Equatable, Identifiable {
  /// What a model is for.
  public enum Category: String, Sendable, Codable, CaseIterable {
    /// Voice activity, speech to text, language, text to speech, and the end of turns.
    case vad, stt, llm, tts, turn
  }
  /// The layout of the files, which decides the engine.
  public enum Format: String, Sendable, Codable {
    /// Silero VAD, Whisper, this project's voice, Piper, llama.cpp's GGUF, and Smart Turn.
    case sileroOnnx, whisperOnnx, hibari, piper, gguf, smartTurn
  }
  /// One file with its pinned hash.
  public struct File: Sendable, Equatable {
    /// Name inside the model's folder.
    public var name: String
    /// Bytes; 0 when it is not known before the first preparation.
    public var size: Int
    /// Lowercase hex SHA-256; nil when it is pinned at the first preparation.
    public var sha256: String?
    /// A file; what is not known is pinned at the first preparation.
    public init(name: String, size: Int = 0, sha256: String? = nil) {
      self.name = name
      self.size = size
      self.sha256 = sha256
    }
  }

  /// What programs call it, such as "hibari-heart".
  public var id: String
  /// What people call it.
  public var name: String
  /// What it is for.
  public var category: Category
  /// The layout of its files.
  public var format: Format
  /// Its files.
  public var files: [File]
  /// Name of its licence.
  public var licence: String
  /// Public address of the original.
  public var home: String
  /// Whether it is used where nothing else is asked for.
  public var isDefault: Bool

  /// A model, as an entry of the catalogue.
  public init(
    id: String, name: String, category: Category, format: Format, files: [File], licence: String,
    home: String, isDefault: Bool = false
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.format = format
    self.files = files
    self.licence = licence
    self.home = home
    self.isDefault = isDefault
  }
}
