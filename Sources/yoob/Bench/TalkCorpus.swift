import Foundation
import VoiceAudio

/// A list of recordings of people who talk, as `scripts/make-talk-corpus` writes it.
struct TalkCorpus {
  struct Recording: Decodable {
    let id: String
    let kind: String
    let voice: String
    let text: String
    let wav: String
    /// Silences inside, in seconds.
    var pauses: [[Double]]?
    /// End of the last word, in seconds.
    var end: Double?

    /// Whether a person says it, not a synthetic voice.
    var isReal: Bool { voice.hasPrefix("real:") }
  }

  let folder: URL
  let recordings: [Recording]

  /// The list of that name, such as "pauses", of a part, such as "dev".
  init(_ folder: URL, part: String, _ name: String) throws {
    self.folder = folder
    recordings = try CorpusList.read(
      folder.appendingPathComponent("\(part)-\(name).jsonl"), maker: "scripts/make-talk-corpus"
    ) { line in line.end.map { CorpusList.arePossible(line.pauses ?? [], before: $0) } ?? true }
  }

  func clip(_ recording: Recording) throws -> AudioClip {
    try SoundFile.read(folder.appendingPathComponent(recording.wav).path)
  }
}
