import Foundation
import VoiceAudio

/// Recorded turns of one speaker, as `scripts/make-turn-corpus` writes them.
struct EndpointingCorpus {
  struct Turn: Decodable {
    let id: String
    /// "inside", "end", "digits", "spelling" or, of people, "real".
    let kind: String
    let wav: String
    /// Silences inside the turn, in seconds.
    let pauses: [[Double]]
    /// End of the last word, in seconds.
    let end: Double
  }

  let folder: URL
  let turns: [Turn]

  /// The turns of a part, such as "dev".
  init(_ folder: URL, part: String) throws {
    self.folder = folder
    turns = try CorpusList.read(
      folder.appendingPathComponent(part + ".jsonl"), maker: "scripts/make-turn-corpus"
    ) { CorpusList.arePossible($0.pauses, before: $0.end) }
  }

  /// Samples of a turn at 16 kHz.
  func samples(_ turn: Turn) throws -> [Float] {
    let clip = try SoundFile.read(folder.appendingPathComponent(turn.wav).path)
    guard clip.sampleRate == 16_000 else { throw FileFault("\(turn.wav) is not 16 kHz.") }
    return clip.samples
  }
}
