import Foundation

#if canImport(CSherpa)
  import CSherpa

  /// Owns a Whisper recognizer of sherpa-onnx's C API; use it from one thread at a time.
  final class SherpaWhisper {
    private let recognizer: OpaquePointer

    /// Nil when the library refuses the files.
    init?(encoder: String, decoder: String, tokens: String, threads: Int, language: String) {
      let strings = [encoder, decoder, tokens, language, "transcribe", "cpu", "greedy_search"].map {
        (text: String) in strdup(text)
      }
      defer { for string in strings { free(string) } }
      let text = strings.map { $0.map { UnsafePointer($0) } }
      var config = SherpaOnnxOfflineRecognizerConfig()
      _ = withUnsafeMutableBytes(of: &config) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
      config.feat_config.sample_rate = 16_000
      config.feat_config.feature_dim = 80
      config.model_config.whisper.encoder = text[0]
      config.model_config.whisper.decoder = text[1]
      config.model_config.tokens = text[2]
      config.model_config.whisper.language = text[3]
      config.model_config.whisper.task = text[4]
      // Frames (10 ms) of silence after the sound instead of padding to 30 s, so that short sound stays
      // quick. With fewer than 800 the model repeats the beginning of short sentences at their end.
      config.model_config.whisper.tail_paddings = 800
      config.model_config.num_threads = Int32(clamping: threads)
      config.model_config.provider = text[5]
      config.decoding_method = text[6]
      guard let recognizer = SherpaOnnxCreateOfflineRecognizer(&config) else { return nil }
      self.recognizer = recognizer
    }

    deinit { SherpaOnnxDestroyOfflineRecognizer(recognizer) }

    /// Text of the samples, and the mean probability of its tokens: nil where the library gives none,
    /// which version 2.0.1 does for Whisper.
    func decode(_ samples: ArraySlice<Float>, sampleRate: Int) -> (text: String, confidence: Float?)? {
      guard let stream = SherpaOnnxCreateOfflineStream(recognizer) else { return nil }
      defer { SherpaOnnxDestroyOfflineStream(stream) }
      samples.withUnsafeBufferPointer {
        SherpaOnnxAcceptWaveformOffline(
          stream, Int32(sampleRate), $0.baseAddress, Int32(clamping: $0.count))
      }
      SherpaOnnxDecodeOfflineStream(recognizer, stream)
      guard let result = SherpaOnnxGetOfflineStreamResult(stream) else { return nil }
      defer { SherpaOnnxDestroyOfflineRecognizerResult(result) }
      let text = result.pointee.text.map { String(cString: $0) } ?? ""
      var confidence: Float?
      let count = Int(result.pointee.count)
      if let logs = result.pointee.ys_log_probs, count > 0 {
        let mean = UnsafeBufferPointer(start: logs, count: count).reduce(0, +) / Float(count)
        confidence = mean.isFinite ? min(max(exp(mean), 0), 1) : nil
      }
      return (text, confidence)
    }
  }
#else
  /// Stands in where sherpa-onnx is not part of the build.
  final class SherpaWhisper {
    init?(encoder: String, decoder: String, tokens: String, threads: Int, language: String) { return nil }
    func decode(_ samples: ArraySlice<Float>, sampleRate: Int) -> (text: String, confidence: Float?)? { nil }
  }
#endif
