import RunAnywhere
import YoobTesting

extension SessionBench {
  /// Final transcripts so far.
  var finals: [String] {
    events.compactMap { event in
      if case .userTranscribed(let text, isFinal: true) = event { text } else { nil }
    }
  }

  /// Metrics of the turns so far.
  var metrics: [TurnMetrics] {
    diagnostics.compactMap { diagnostic in
      if case .turn(let metrics) = diagnostic { metrics } else { nil }
    }
  }

  /// Heard texts of the utterances that have ended.
  var heardTexts: [String] {
    diagnostics.compactMap { diagnostic in
      if case .utteranceEnded(_, let text, _, _) = diagnostic { text } else { nil }
    }
  }

  /// Samples of sound that the listener has heard.
  var soundingSamples: Int {
    sink.segments.map { $0.clip.samples.lazy.filter { abs($0) > 0.001 }.count }.reduce(0, +)
  }

  var isSpeaking: Bool {
    let states = events.compactMap { event in
      if case .agentStateChanged(let state) = event { state } else { nil }
    }
    return states.last == .speaking
  }
}
