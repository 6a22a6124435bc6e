import Foundation
import RunAnywhere

/// The file that `--events` names: one JSON object a line, written as things happen.
final class EventLog {
  private struct Line: Encodable {
    var t_ms: Int
    var type: String
    var text: String?
    var isFinal: Bool?
    var state: String?
    var message: String?
    var recoverable: Bool?
    var played_samples: Int?
    var heard_text: String?
    var interrupted: Bool?
    var endpoint_ms: Double?
    var stt_ms: Double?
    var llm_first_token_ms: Double?
    var llm_first_clause_ms: Double?
    var tts_first_audio_ms: Double?
    var first_audio_ms: Double?
    var tokens_per_second: Double?
    var turn: Int?
    var input_tokens: Int?
    var cached_tokens: Int?
    var output_tokens: Int?
    var interruptions: Int?
    var false_interruptions: Int?
    var reopenings: Int?
    var seconds: Double?
    var lost_samples: Int?
    var duration_ms: Int?
    var microphone: String?
    var loudspeaker: String?
  }

  private let handle: FileHandle
  private let path: String
  private let elapsed: () -> Double
  private(set) var failure: FileFault?

  /// Opens the file anew; `elapsed` gives the seconds since the conversation began.
  init(path: String, elapsed: @escaping () -> Double) throws {
    try SoundFile.checkWritable(path)
    handle = try SoundFile.open(path)
    self.path = path
    self.elapsed = elapsed
  }

  func write(_ event: VoiceEvent) {
    var line = self.line("")
    switch event {
    case .userTranscribed(let text, let isFinal):
      line.type = "userTranscribed"
      line.text = text
      line.isFinal = isFinal
    case .agentStateChanged(let state):
      line.type = "agentStateChanged"
      line.state = "\(state)"
    case .agentResponse(let text):
      line.type = "agentResponse"
      line.text = text
    case .speechStarted: line.type = "speechStarted"
    case .speechEnded: line.type = "speechEnded"
    case .error(let message, let recoverable):
      line.type = "error"
      line.message = message
      line.recoverable = recoverable
    }
    append(line)
  }

  func write(_ diagnostic: VoiceDiagnostic) {
    var line = self.line("")
    switch diagnostic {
    case .turn(let metrics):
      line.type = "metrics"
      line.endpoint_ms = Self.rounded(metrics.endpointMs)
      line.stt_ms = Self.rounded(metrics.sttMs)
      line.llm_first_token_ms = Self.rounded(metrics.llmFirstTokenMs)
      line.llm_first_clause_ms = Self.rounded(metrics.llmFirstClauseMs)
      line.tts_first_audio_ms = Self.rounded(metrics.ttsFirstAudioMs)
      line.first_audio_ms = Self.rounded(metrics.firstAudioMs)
      line.tokens_per_second = Self.rounded(metrics.tokensPerSecond)
      line.turn = metrics.turn
      line.input_tokens = metrics.inputTokens
      line.cached_tokens = metrics.cachedTokens
      line.output_tokens = metrics.outputTokens
      line.interruptions = metrics.interruptions
      line.false_interruptions = metrics.falseInterruptions
      line.reopenings = metrics.reopenings
    case .played(_, let samples):
      line.type = "playback"
      line.played_samples = samples
    case .utteranceEnded(_, let heardText, let playedSamples, let interrupted):
      line.type = "playback"
      line.played_samples = playedSamples
      line.heard_text = heardText
      line.interrupted = interrupted
    case .silentInput(let seconds):
      line.type = "silentInput"
      line.seconds = Self.rounded(seconds)
    case .inputDropped(let samples):
      line.type = "inputDropped"
      line.lost_samples = samples
    case .falseInterruption(let milliseconds):
      line.type = "falseInterruption"
      line.duration_ms = milliseconds
    case .turnReopened: line.type = "turnReopened"
    case .deviceLost(let reason):
      line.type = "deviceLost"
      line.message = reason
    case .deviceReturned(let microphone, let loudspeaker):
      line.type = "deviceReturned"
      line.microphone = microphone
      line.loudspeaker = loudspeaker
    default: return
    }
    append(line)
  }

  /// Closes the file; throws when a line could not be written.
  func close() throws {
    try? handle.close()
    if let failure { throw failure }
  }

  /// Two decimals; nobody measures more.
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  private func line(_ type: String) -> Line { Line(t_ms: Int((elapsed() * 1000).rounded()), type: type) }

  private func append(_ line: Line) {
    guard failure == nil else { return }
    do {
      try handle.write(contentsOf: Data((try JSONText.line(line) + "\n").utf8))
    } catch {
      failure = SoundFile.unwritable(path, error)
    }
  }
}
