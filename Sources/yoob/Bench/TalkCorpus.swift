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
    let list = folder.appendingPathComponent("\(part)-\(name).jsonl")
    guard let data = try? Data(contentsOf: list) else {
      throw FileFault(
        "\(list.path) cannot be read. Run scripts/make-talk-corpus, or name its folder with --data.")
    }
    self.folder = folder
    do {
      recordings = try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Recording.self, from: $0)
      }
    } catch {
      throw FileFault("\(list.path) is damaged. Run scripts/make-talk-corpus again.")
    }
    guard !recordings.isEmpty else {
      throw FileFault("\(list.path) has no recordings. Run scripts/make-talk-corpus again.")
    }
  }

  func clip(_ recording: Recording) throws -> AudioClip {
    try SoundFile.read(folder.appendingPathComponent(recording.wav).path)
  }
}
