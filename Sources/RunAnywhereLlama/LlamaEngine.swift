#if canImport(CLlama)
  import CLlama
  import Foundation
  import RunAnywhere

  /// A language model on llama.cpp with one conversation in its cache.
  public actor LlamaEngine: PromptPrefilling, MessageEndJudging {
    private static let defaultContext = 2048

    private let executor = EngineExecutor(label: "yoob.llama")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let files: ModelFiles
    private let options: LoadOptions
    private var context: LlamaContext?

    init(_ files: ModelFiles, options: LoadOptions) {
      self.files = files
      self.options = options
    }

    /// Reads the file; call it once, before anything else.
    func load() throws {
      let url = try files.url("a .gguf file") { $0.hasSuffix(".gguf") }
      let length = options.contextLength > 0 ? options.contextLength : Self.defaultContext
      guard
        let context = LlamaContext(
          path: url.path, contextLength: max(64, length), threads: options.chosenThreads)
      else {
        throw files.damaged(
          url.lastPathComponent, reason: "it is damaged, or llama.cpp does not know this kind of model")
      }
      self.context = context
    }

    public func prefill(_ messages: [ChatMessage], options: LlmOptions) async {
      guard let context, let place = try? await place(for: .readingAhead) else { return }
      defer { place.leave() }
      guard !Task.isCancelled,
        let prompt = try? prompt(messages, options: options, asksForReply: false, context: context)
      else { return }
      _ = try? context.read(prompt.tokens, keepingLast: false) {
        place.giveWay()
        return Task.isCancelled
      }
    }

    private func place(for work: ComputeScheduler.Work) async throws -> ComputePlace {
      try await ComputeScheduler.shared.place(for: work, threads: options.chosenThreads, of: self)
    }

    public func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
      guard let context, messages.last?.role == .user, let place = try? await place(for: .hearing)
      else { return nil }
      defer { place.leave() }
      guard !Task.isCancelled,
        let prompt = try? prompt(messages, options: options, asksForReply: true, context: context),
        let tokens = try? context.tokens(of: prompt.messages, asksForReply: true, stopsInMessage: true),
        !tokens.isEmpty,
        let read = try? context.read(tokens, keepingLast: true, isCancelled: { Task.isCancelled }),
        read.isComplete
      else { return nil }
      return context.endLikelihood()
    }

    public func generate(
      _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
    ) async throws -> GenerationResult {
      guard let context else {
        throw SDKException(
          .modelNotLoaded, category: .component, "The language model is not loaded.",
          recoverySuggestion: "Load the model first.")
      }
      let clock = ContinuousClock()
      let start = clock.now
      var result = GenerationResult(text: "", finishReason: .cancelled)
      guard let place = try? await place(for: .writing) else { return result }
      defer { place.leave() }
      if Task.isCancelled { return result }
      let prompt = try prompt(messages, options: options, asksForReply: true, context: context)
      result.inputTokens = prompt.tokens.count
      let read = try context.read(prompt.tokens, keepingLast: true) {
        place.giveWay()
        return Task.isCancelled
      }
      result.cachedTokens = read.cached
      guard read.isComplete else { return result }

      var text = TextStream(stopSequences: options.stopSequences)
      var length = ReplyLength(limit: options.softOutputTokens)
      let sampler = LlamaSampler(options: options, vocabularySize: context.vocabularySize)
      var firstToken: ContinuousClock.Instant?
      result.finishReason = .length
      while result.outputTokens < options.maxOutputTokens {
        place.giveWay()
        if Task.isCancelled {
          result.finishReason = .cancelled
          break
        }
        let token = context.sample(with: sampler)
        if firstToken == nil { firstToken = clock.now }
        if context.endsReply(token) {
          result.finishReason = .stop
          break
        }
        let bytes = context.bytes(of: token)
        if length.ends(before: String(decoding: bytes, as: UTF8.self)) {
          result.finishReason = .stop
          break
        }
        result.outputTokens += 1
        let piece = text.append(bytes)
        if !piece.isEmpty, !onText(piece) {
          result.finishReason = .cancelled
          break
        }
        if text.isStopped {
          result.finishReason = .stop
          break
        }
        guard result.outputTokens < options.maxOutputTokens, try context.extend(token) else { break }
      }
      if result.finishReason != .cancelled {
        let rest = text.finish()
        if !rest.isEmpty { _ = onText(rest) }
      }
      result.text = text.text
      let first = firstToken ?? clock.now
      result.timeToFirstTokenMs = Self.seconds(first - start) * 1000
      let writing = Self.seconds(clock.now - first)
      result.tokensPerSecond = writing > 0 ? Double(max(0, result.outputTokens - 1)) / writing : 0
      return result
    }

    /// The tokens of what fits into the context, with room for a reply.
    private func prompt(
      _ messages: [ChatMessage], options: LlmOptions, asksForReply: Bool, context: LlamaContext
    ) throws -> (tokens: [Int32], messages: [ChatMessage]) {
      var messages = messages
      if let system = options.systemPrompt, !messages.contains(where: { $0.role == .system }) {
        messages.insert(ChatMessage(role: .system, content: system), at: 0)
      }
      guard messages.contains(where: { $0.role != .system }) || !asksForReply else {
        throw SDKException(
          .invalidArgument, category: .validation, "There is no message to reply to.",
          recoverySuggestion: "Pass at least one message whose role is not system.")
      }
      let reserve = min(max(1, options.maxOutputTokens), context.length / 4)
      let window = PromptWindow(limit: context.length - reserve)
      var tokens: [Int32] = []
      let fitting = try window.fit(messages) {
        tokens = try context.tokens(of: $0, asksForReply: asksForReply)
        return tokens.count
      }
      guard let fitting else {
        throw SDKException(
          .contextTooLong, category: .validation,
          "The message is longer than the model's context of \(context.length) tokens.",
          recoverySuggestion: "Shorten it or load the model with a larger contextLength.")
      }
      return (try context.tokens(of: fitting, asksForReply: asksForReply), fitting)
    }

    private static func seconds(_ duration: Duration) -> Double {
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
  }
#endif
