import Foundation
import Testing
import VoiceAudio
import VoiceIO
import YoobPack
import YoobTesting

@testable import Yoob

/// Luna, a loudspeaker that only remembers, and time that stands still until a test moves it.
@MainActor final class AvatarBench {
  let clock = ManualClock()
  let executor = ManualExecutor()
  let speaker: RecordingSink
  let avatar: YoobAvatar

  nonisolated static var lunaFolder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("characters/luna-anime/pack")
  }

  /// Luna without the network that hears speech, which is slow in a debug build: her lips rest.
  nonisolated static let quickFolder: URL = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("luna-\(UUID())")
    do {
      try FileManager.default.copyItem(at: lunaFolder, to: folder)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("mouth.bin"))
      let url = folder.appendingPathComponent("character.json")
      var manifest = try JSONDecoder().decode(CharacterManifest.self, from: Data(contentsOf: url))
      manifest.files.removeAll { $0.path == "mouth.bin" }
      try JSONEncoder().encode(manifest).write(to: url)
    } catch {
      Issue.record(error)
    }
    return folder
  }()

  init(_ source: YoobSource = .local(AvatarBench.quickFolder), version: String? = nil) {
    speaker = RecordingSink(clock: clock)
    let executor = executor
    avatar = YoobAvatar(
      source, version: version,
      devices: AvatarDevices(sink: speaker, clock: clock) { body in executor.task { await body() } })
  }

  /// Lets all work be done that can be done now.
  func settle() async {
    for _ in 0..<12 {
      executor.drain()
      await Task.yield()
    }
    executor.drain()
  }

  /// Lets so many seconds pass, in steps of 10 ms.
  func pass(_ seconds: Double) async {
    await settle()
    for _ in 0..<Int((seconds * 100).rounded()) {
      clock.advance(by: 0.01)
      await settle()
    }
  }

  /// A buzz that swells and falls five times a second, as PCM16.
  static func speech(_ seconds: Double, rate: Int = 24_000) -> Data {
    let count = Int(seconds * Double(rate))
    let samples = (0..<count).map { index -> Float in
      let time = Double(index) / Double(rate)
      let phase = Float((time * 140).truncatingRemainder(dividingBy: 1))
      let swell = Float(abs((time * 5).truncatingRemainder(dividingBy: 1) - 0.5) * 2)
      return (phase - 0.5) * (1 - swell) * 0.8
    }
    return Data(PCM16.encode(samples))
  }

  /// Samples that were heard, whole utterances one after the other.
  var heard: Int { speaker.segments.reduce(0) { $0 + $1.clip.samples.count } }
}
