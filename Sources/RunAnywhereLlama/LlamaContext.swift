#if canImport(CLlama)
  import CLlama
  import Foundation
  import RunAnywhere

  /// A model and its cache in memory; use it from one thread at a time.
  final class LlamaContext {
    /// Tokens that one decoding step reads; cancellation is noticed between steps.
    private static let batch = 64
    private static let backend: Void = {
      llama_log_set({ _, _, _ in }, nil)
      llama_backend_init()
    }()

    /// Most tokens that the cache holds.
    let length: Int
    let vocabularySize: Int32
    private let model: OpaquePointer
    private let context: OpaquePointer
    private let vocabulary: OpaquePointer
    private let template: String
    /// Tokens that end a reply, or begin with a mark that ends a sentence.
    private lazy var closingTokens = (0..<vocabularySize).filter { endsReply($0) || closesSentence($0) }
    /// Tokens whose state is in the cache.
    private var cached: [Int32] = []

    /// Nil when the library refuses the file.
    init?(path: String, contextLength: Int, threads: Int) {
      _ = Self.backend
      var modelParameters = llama_model_default_params()
      modelParameters.n_gpu_layers = 0
      guard let model = llama_model_load_from_file(path, modelParameters) else { return nil }
      let trained = Int(llama_model_n_ctx_train(model))
      length = trained > 0 ? min(contextLength, trained) : contextLength
      var parameters = llama_context_default_params()
      parameters.n_ctx = UInt32(length)
      parameters.n_batch = UInt32(Self.batch)
      parameters.n_ubatch = UInt32(Self.batch)
      parameters.n_seq_max = 1
      parameters.n_threads = Int32(clamping: threads)
      parameters.n_threads_batch = Int32(clamping: threads)
      parameters.no_perf = true
      guard let context = llama_init_from_model(model, parameters) else {
        llama_model_free(model)
        return nil
      }
      guard let vocabulary = llama_model_get_vocab(model) else {
        llama_free(context)
        llama_model_free(model)
        return nil
      }
      self.model = model
      self.context = context
      self.vocabulary = vocabulary
      vocabularySize = llama_vocab_n_tokens(vocabulary)
      let own = llama_model_chat_template(model, nil).map { String(cString: $0) }
      template = own.flatMap { Self.isKnown($0) ? $0 : nil } ?? "chatml"
    }

    deinit {
      llama_free(context)
      llama_model_free(model)
    }

    /// Tokens of the conversation as the model's chat template writes it. Only the template's own
    /// text has control tokens: a message that spells one is read as it is written. With
    /// `stopsInMessage` nothing stands behind the last message, and that message has no marks at its end.
    func tokens(
      of messages: [ChatMessage], asksForReply: Bool, stopsInMessage: Bool = false
    ) throws -> [Int32] {
      let marked = messages.indices.map {
        ChatMessage(role: messages[$0].role, content: TemplateMark.text(for: $0))
      }
      guard let text = Self.render(marked, template: template, asksForReply: asksForReply) else {
        throw SDKException(
          .generationFailed, category: .component,
          "The model's chat template cannot write this conversation.",
          recoverySuggestion: "Use the roles system, user and assistant.")
      }
      var tokens: [Int32] = []
      var isFirst = true
      for piece in TemplateMark.pieces(of: String(decoding: text, as: UTF8.self)) {
        switch piece {
        case .template(let text): tokens += try tokenize(text, isFirst: isFirst, isTemplate: true)
        case .message(let index):
          let isLast = stopsInMessage && index == messages.count - 1
          let content = messages[index].content
          let text = isLast ? SentenceMarks.removed(from: content) : content
          tokens += try tokenize(text, isFirst: isFirst, isTemplate: false)
          if isLast { return tokens }
        }
        isFirst = false
      }
      return tokens
    }

    private func tokenize(_ text: String, isFirst: Bool, isTemplate: Bool) throws -> [Int32] {
      let bytes = text.utf8.map { CChar(bitPattern: $0) }
      var tokens = [Int32](repeating: 0, count: bytes.count + 8)
      let count = llama_tokenize(
        vocabulary, bytes, Int32(clamping: bytes.count), &tokens, Int32(clamping: tokens.count), isFirst,
        isTemplate)
      guard count >= 0 else {
        throw SDKException(
          .generationFailed, category: .component, "The model's vocabulary cannot write this conversation.",
          recoverySuggestion: "Choose another model.")
      }
      return Array(tokens.prefix(Int(count)))
    }

    /// Brings the cache to `tokens`. With `keepingLast` the last token is always read, so that the
    /// next one can be sampled.
    func read(
      _ tokens: [Int32], keepingLast: Bool, isCancelled: () -> Bool
    ) throws -> (cached: Int, isComplete: Bool) {
      var common = zip(tokens, cached).prefix { $0 == $1 }.count
      if keepingLast { common = min(common, tokens.count - 1) }
      forget(after: &common)
      var at = common
      while at < tokens.count {
        if isCancelled() { return (common, false) }
        let end = min(at + Self.batch, tokens.count)
        try decode(Array(tokens[at..<end]))
        at = end
      }
      return (common, true)
    }

    /// Adds one token; false when the context is full.
    func extend(_ token: Int32) throws -> Bool {
      guard cached.count < length else { return false }
      try decode([token])
      return true
    }

    func sample(with sampler: LlamaSampler) -> Int32 { llama_sampler_sample(sampler.chain, context, -1) }

    func endsReply(_ token: Int32) -> Bool { llama_vocab_is_eog(vocabulary, token) }

    private func closesSentence(_ token: Int32) -> Bool {
      SentenceMarks.begin(String(decoding: bytes(of: token), as: UTF8.self))
    }

    /// Probability, 0...1, that a sentence or the text ends after the token that was read last.
    func endLikelihood() -> Float? {
      guard let logits = llama_get_logits_ith(context, -1) else { return nil }
      let all = UnsafeBufferPointer(start: logits, count: Int(vocabularySize))
      let highest = all.max() ?? 0
      let sum = all.reduce(Double(0)) { $0 + Double(exp($1 - highest)) }
      let closing = closingTokens.reduce(Double(0)) { $0 + Double(exp(all[Int($1)] - highest)) }
      return sum > 0 ? Float(closing / sum) : nil
    }

    /// The bytes that a token stands for; empty for control tokens.
    func bytes(of token: Int32) -> [UInt8] {
      var buffer = [CChar](repeating: 0, count: 256)
      let count = llama_token_to_piece(vocabulary, token, &buffer, Int32(buffer.count), 0, false)
      guard count > 0 else { return [] }
      return buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    }

    private func decode(_ tokens: [Int32]) throws {
      var tokens = tokens
      let status = tokens.withUnsafeMutableBufferPointer {
        llama_decode(context, llama_batch_get_one($0.baseAddress, Int32($0.count)))
      }
      guard status == 0 else {
        var nothing = 0
        forget(after: &nothing)
        throw SDKException(
          .inferenceFailed, category: .component, "llama.cpp could not read the prompt (status \(status)).",
          recoverySuggestion: "Load the model again, with a smaller contextLength when memory is short.")
      }
      cached += tokens
    }

    /// Removes what follows the first `count` tokens; `count` becomes 0 when the model's kind of
    /// cache cannot be cut.
    private func forget(after count: inout Int) {
      let memory = llama_get_memory(context)
      if count > 0, count < cached.count, !llama_memory_seq_rm(memory, 0, Int32(count), -1) { count = 0 }
      if count == 0 { llama_memory_clear(memory, false) }
      cached.removeLast(cached.count - min(count, cached.count))
    }

    private static func isKnown(_ template: String) -> Bool {
      render([ChatMessage(role: .user, content: "x")], template: template, asksForReply: true) != nil
    }

    private static func render(
      _ messages: [ChatMessage], template: String, asksForReply: Bool
    ) -> [UInt8]? {
      var strings: [UnsafeMutablePointer<CChar>?] = []
      defer { for string in strings { free(string) } }
      var chat: [llama_chat_message] = []
      var size = 256
      for message in messages {
        let pair = [strdup(message.role.rawValue), strdup(message.content)]
        strings += pair
        chat.append(llama_chat_message(role: pair[0], content: pair[1]))
        size += 2 * message.content.utf8.count + 64
      }
      var buffer = [CChar](repeating: 0, count: size)
      for _ in 0..<2 {
        let count = Int(
          llama_chat_apply_template(
            template, chat, chat.count, asksForReply, &buffer, Int32(clamping: buffer.count)))
        guard count > 0 else { return nil }
        if count <= buffer.count { return buffer.prefix(count).map { UInt8(bitPattern: $0) } }
        buffer = [CChar](repeating: 0, count: count)
      }
      return nil
    }
  }
#endif
