import Foundation
import YoobFace
import YoobPack
import YoobLipSync

/// `yoob bench stream`: a face that listens to one utterance for hours keeps its memory.
///
/// Sound without words (music, knocks, people far away) comes in pieces of 20 ms, a fifth of a second ahead of
/// the playhead, and the face moves at 60 frames a second, as fast as it can.
struct BenchStream {
  let packFolder: URL
  /// How long the sound is.
  var minutes = 120

  private static let rate = 16_000
  private static let piece = 320
  private static let ahead = 0.2
  private static let fps = 60

  func run() throws -> BenchReport {
    let (face, _) = try FilmMaker.face(try LocalPack.open(packFolder))
    // 48 seconds of sound that are repeated.
    let sound = [SpeechlessSound.music, .knocks, .voices, .noise].flatMap { $0.samples(seconds: 12) }
    var early: (bytes: Int, resident: Double)?
    var frames = 0
    var given = 0
    var isFinite = true
    let bar = ProgressBar("Listening", isQuiet: false)
    face.beginUtterance()
    let count = minutes * 60 * Self.fps
    while frames < count {
      let playhead = Double(frames) / Double(Self.fps)
      while Double(given) < (playhead + Self.ahead) * Double(Self.rate) {
        let from = given % sound.count
        sound.withUnsafeBufferPointer {
          let piece = UnsafeBufferPointer(rebasing: $0[from..<min(from + Self.piece, sound.count)])
          face.appendAudio(piece, sampleRate: Self.rate)
          given += piece.count
        }
      }
      face.advance(to: playhead, playhead: playhead)
      isFinite = isFinite && face.lipGap.isFinite
      frames += 1
      // From here on everything has its size.
      if frames == 30 * Self.fps { early = (face.bufferedBytes, BenchMachine.residentMegabytes) }
      if frames % 10_000 == 0 { bar.update(Double(frames) / Double(count)) }
    }
    bar.finish()
    guard isFinite else { throw FileFault("The lips have no place after \(minutes) minutes of sound.") }
    var report = BenchReport(name: "stream", command: "yoob bench stream --minutes \(minutes)")
    report.add("buffered_bytes", Double(face.bufferedBytes))
    report.add("buffered_growth_bytes", Double(face.bufferedBytes - (early?.bytes ?? 0)))
    report.add("memory_growth_mb", BenchMachine.residentMegabytes - (early?.resident ?? 0))
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    report.add("minutes", Double(minutes))
    return report
  }
}
