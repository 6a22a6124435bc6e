#if canImport(CLlama)
  import CLlama
  import RunAnywhere

  /// The chain that picks the next token; use it from one thread at a time.
  final class LlamaSampler {
    /// Tokens that the repetition penalty looks back on.
    private static let penaltyWindow: Int32 = 64

    let chain: UnsafeMutablePointer<llama_sampler>?

    init(options: LlmOptions, vocabularySize: Int32) {
      chain = llama_sampler_chain_init(llama_sampler_chain_default_params())
      let penalty = options.repetitionPenalty
      if penalty.isFinite, penalty > 0, penalty != 1 {
        add(llama_sampler_init_penalties(vocabularySize, Self.penaltyWindow, penalty, 0, 0))
      }
      guard options.temperature.isFinite, options.temperature > 0 else {
        add(llama_sampler_init_greedy())
        return
      }
      if options.topK > 0 { add(llama_sampler_init_top_k(Int32(clamping: options.topK))) }
      if options.topP > 0, options.topP < 1 { add(llama_sampler_init_top_p(options.topP, 1)) }
      if options.minP > 0, options.minP < 1 { add(llama_sampler_init_min_p(options.minP, 1)) }
      add(llama_sampler_init_temp(options.temperature))
      let seed = options.seed ?? UInt64.random(in: 0...UInt64.max)
      // The library takes 32 bits, and its largest value means a seed of its own choice.
      add(llama_sampler_init_dist(UInt32(truncatingIfNeeded: seed ^ (seed >> 32)) & 0x7fff_ffff))
    }

    deinit { llama_sampler_free(chain) }

    private func add(_ sampler: UnsafeMutablePointer<llama_sampler>?) {
      llama_sampler_chain_add(chain, sampler)
    }
  }
#endif
