import Foundation
import Yoob

/// The sample sentence of the bundle: mono PCM16 in a WAV file.
enum Greeting {
  /// Lets the avatar say it. Throws when the file is not one, or the avatar refuses.
  @MainActor static func say(with avatar: YoobAvatar) throws {
    guard let url = Bundle.main.url(forResource: "greeting", withExtension: "wav"),
      let (pcm, rate) = sound(in: try Data(contentsOf: url))
    else { throw YoobError.invalidAudio("the greeting is missing from the app's bundle") }
    avatar.interrupt()
    try avatar.speak(pcm: pcm, sampleRate: rate)
    avatar.endSpeech()
  }

  /// The samples of a WAV file and their rate.
  static func sound(in file: Data) -> (pcm: Data, rate: Int)? {
    let bytes = [UInt8](file)
    func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    var rate: Int?
    var at = 12
    while at + 8 <= bytes.count {
      let size = number(at + 4)
      let end = min(bytes.count, at + 8 + size)
      switch String(decoding: bytes[at..<(at + 4)], as: UTF8.self) {
      case "fmt " where end >= at + 24: rate = number(at + 12)
      case "data": return rate.map { (Data(bytes[(at + 8)..<end]), $0) }
      default: break
      }
      at = end + size % 2
    }
    return nil
  }
}
