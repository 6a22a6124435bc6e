/// The models that this product knows.
public enum ModelCatalogue {
  /// Every model, those used by default first in each category.
  public static let models: [ModelInfo] = defaults + optional + awaitingEngine + publicHomes

  /// The model with this id; nil when the catalogue has none.
  public static func model(_ id: String) -> ModelInfo? {
    models.first { $0.id == id }
  }

  /// The model of a category that is used where nothing else is asked for.
  public static func defaultModel(_ category: ModelInfo.Category) -> ModelInfo? {
    models.first { $0.category == category && $0.isDefault }
  }

  /// Ids that the preparation scripts of a checkout can make.
  public static let preparable: Set<String> = Set((defaults + optional).map(\.id))

  /// Whether an engine of this product loads models of a format.
  ///
  /// The others are known by their ids only; neither set-up nor `download` fetches them.
  public static func hasEngine(_ format: ModelInfo.Format) -> Bool {
    switch format {
    case .sileroOnnx, .smartTurn, .whisperOnnx, .hibari, .gguf: true
    case .piper: false
    }
  }

  // Sizes and hashes of files that ship inside pinned packages are fixed. Files that set-up
  // converts differ in bits between machines; their sizes and hashes are recorded beside them.

  private static let defaults: [ModelInfo] = [
    ModelInfo(
      id: "silero-vad", name: "Silero VAD", category: .vad, format: .sileroOnnx,
      files: [
        .init(
          name: "silero_vad.onnx", size: 2_327_524,
          sha256: "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3")
      ],
      licence: "MIT", home: "https://github.com/snakers4/silero-vad", isDefault: true),
    ModelInfo(
      id: "smart-turn-v3.2", name: "Smart Turn v3.2", category: .turn, format: .smartTurn,
      files: [
        .init(
          name: "smart-turn-v3.2-cpu.onnx", size: 8_679_182,
          sha256: "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f")
      ],
      licence: "BSD-2-Clause", home: "https://huggingface.co/pipecat-ai/smart-turn-v3",
      isDefault: true),
    ModelInfo(
      id: "sherpa-onnx-whisper-tiny.en", name: "Whisper tiny.en", category: .stt, format: .whisperOnnx,
      files: [
        .init(name: "tiny.en-encoder.int8.onnx"),
        .init(name: "tiny.en-decoder.int8.onnx"),
        .init(
          name: "tiny.en-tokens.txt", size: 865_790,
          sha256: "fd8c3424b17961b00cea3ae9f076e576fbe24b21874bce5880e7d1e6465de1e1"),
      ],
      licence: "MIT", home: "https://github.com/openai/whisper", isDefault: true),
    ModelInfo(
      id: "smollm2-135m-instruct-q4_1", name: "SmolLM2 135M Instruct", category: .llm, format: .gguf,
      files: [
        .init(
          name: "SmolLM2-135M-Instruct.Q4_1.gguf", size: 98_362_432,
          sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53")
      ],
      licence: "Apache-2.0", home: "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
      isDefault: true),
    ModelInfo(
      id: "hibari-heart", name: "Hibari, voice heart", category: .tts, format: .hibari,
      files: hibariFiles, licence: "Apache-2.0",
      home: "https://huggingface.co/maureesewilliams/hibari", isDefault: true),
  ]

  private static let optional: [ModelInfo] = [
    ModelInfo(
      id: "whisper-base", name: "Whisper base", category: .stt, format: .whisperOnnx,
      files: [
        .init(name: "base-encoder.int8.onnx"),
        .init(name: "base-decoder.int8.onnx"),
        .init(name: "base-tokens.txt"),
      ],
      licence: "MIT", home: "https://github.com/openai/whisper")
  ]

  private static let awaitingEngine: [ModelInfo] = [
    ModelInfo(
      id: "joe", name: "Piper en_US joe (a man's voice)", category: .tts, format: .piper,
      files: [.init(name: "model.onnx"), .init(name: "tokens.txt")],
      licence: "CC0 by its card; it descends from a corpus with commercial limits",
      home: "https://huggingface.co/rhasspy/piper-voices")
  ]

  private static let publicHomes: [ModelInfo] = [
    ModelInfo(
      id: "lfm2-350m-q4_k_m", name: "LFM2 350M", category: .llm, format: .gguf,
      files: [.init(name: "LFM2-350M-Q4_K_M.gguf")],
      licence: "LFM Open License 1.0", home: "https://huggingface.co/LiquidAI/LFM2-350M-GGUF"),
    ModelInfo(
      id: "qwen2.5-0.5b-instruct-q4_k_m", name: "Qwen2.5 0.5B Instruct", category: .llm, format: .gguf,
      files: [
        .init(
          name: "qwen2.5-0.5b-instruct-q4_k_m.gguf",
          sha256: "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db")
      ],
      licence: "Apache-2.0", home: "https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF"),
    ModelInfo(
      id: "vits-piper-en_US-lessac-medium", name: "Piper en_US lessac", category: .tts, format: .piper,
      files: [.init(name: "en_US-lessac-medium.onnx"), .init(name: "tokens.txt")],
      licence: "see its card; the corpus has commercial limits",
      home: "https://github.com/k2-fsa/sherpa-onnx/releases/tag/tts-models"),
  ]

  private static let hibariFiles: [ModelInfo.File] = [
    .init(
      name: "hibari.onnx", size: 7_936_868,
      sha256: "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"),
    .init(
      name: "lexicon_us_gold.json.gz", size: 719_352,
      sha256: "63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2"),
    .init(
      name: "lexicon_us_silver.json.gz", size: 682_530,
      sha256: "c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3"),
    .init(
      name: "normalize.json", size: 6769,
      sha256: "d478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8"),
    .init(
      name: "oov.json", size: 2273,
      sha256: "b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c"),
    .init(
      name: "oov.onnx", size: 2_975_020,
      sha256: "d3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76"),
    .init(
      name: "tagger.json.gz", size: 1_240_667,
      sha256: "d2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb"),
    .init(
      name: "tokenizer_exceptions.json", size: 32_450,
      sha256: "ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a"),
    .init(
      name: "vocab.json", size: 1144,
      sha256: "70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d"),
    .init(
      name: "voices.json", size: 1411,
      sha256: "f8b7657ecd0e0e362d3403e99538c0e5bfe20d6a903dfcd04c772b2c73abb204"),
  ]
}
