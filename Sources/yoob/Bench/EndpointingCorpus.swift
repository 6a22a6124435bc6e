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
    let list = folder.appendingPathComponent(part + ".jsonl")
    guard let data = try? Data(contentsOf: list) else {
      throw FileFault(
        "\(list.path) cannot be read. Run scripts/make-turn-corpus, or name its folder with --data.")
    }
    self.folder = folder
    do {
      turns = try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Turn.self, from: $0)
      }
    } catch {
      throw FileFault("\(list.path) is damaged. Run scripts/make-turn-corpus again.")
    }
    guard !turns.isEmpty else {
      throw FileFault("\(list.path) has no turns. Run scripts/make-turn-corpus again.")
    }
  }

  /// Samples of a turn at 16 kHz.
  func samples(_ turn: Turn) throws -> [Float] {
    let clip = try SoundFile.read(folder.appendingPathComponent(turn.wav).path)
    guard clip.sampleRate == 16_000 else { throw FileFault("\(turn.wav) is not 16 kHz.") }
    return clip.samples
  }
}
