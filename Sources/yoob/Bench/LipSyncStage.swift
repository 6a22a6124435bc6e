import Foundation
import VoiceAudio
import YoobFace
import YoobLipSync
import YoobPack

extension BenchLipSync {
  /// A character whose mouth is moved in different ways by one recording.
  final class Stage {
    private let face: FaceEngine
    private let mouth: SpeechToMouth
    private let meter: LipMeter
    private let gaussian: GaussianMouth
    private let mesh: Bool
    /// The mouth at rest, and the gap that each viseme opens when it is held.
    private let rest: LipMeter.Lips
    private let gaps: [Float]
    private var clock = 0.0

    /// Samples that come in at once, 20 ms; sound is this far ahead of the playhead, 200 ms.
    private static let piece = 320
    private static let ahead = 0.2

    init(packFolder: URL, gaussian url: URL, mesh: Bool) throws {
      let pack = try LocalPack.open(packFolder)
      do {
        face = try FaceEngine(
          puppet: try pack.read("puppet.bin"), mouth: try pack.read("mouth.bin"), seed: 1)
        mouth = try SpeechToMouth(weights: try pack.read("mouth.bin"))
      } catch let error as FaceError {
        throw FileFault("\(packFolder.path): \(error.message)")
      } catch let error as MouthError {
        throw FileFault("\(packFolder.path): \(error.message)")
      }
      guard let meter = LipMeter(face.puppet) else {
        throw FileFault("\(packFolder.path) does not say where the lips are. Choose another character.")
      }
      guard let data = try? Data(contentsOf: url),
        let classifier = try? JSONDecoder().decode(GaussianMouth.self, from: data), classifier.isWhole
      else { throw FileFault("\(url.path) is missing or damaged. Check the files out again.") }
      gaussian = classifier
      self.meter = meter
      self.mesh = mesh
      rest = meter.measure(MorphWeights())
      face.calm = true
      gaps = Self.gaps(of: meter)
    }

    /// The gap of each viseme when it is held.
    private static func gaps(of meter: LipMeter) -> [Float] {
      (0..<15).map { viseme in
        var weights = [Float](repeating: 0, count: 15)
        weights[viseme] = 1
        var morphs = MorphWeights()
        for (lane, value) in MouthShapes.morphs(of: weights).enumerated() {
          guard let name = MouthMorph(rawValue: lane)?.name,
            let morph = Morph.allCases.first(where: { "\($0.name)" == "\(name)" })
          else { continue }
          morphs[morph] = value
        }
        return meter.measure(morphs).gap
      }
    }

    /// What each way scores in a recording.
    func scores(
      _ recording: Recording, _ clip: AudioClip, ways: [Way], constant: Viseme
    ) throws -> [(Way, Score)] {
      let samples = StreamingResampler.convert(clip, to: SpeechToMouth.sampleRate).samples
      let count = samples.count / 160
      let truth = Arpabet.labels(recording.phones, count: count)
      return ways.map { way in
        let weights = weights(way, recording, samples, count: count, constant: constant)
        let shown = (0..<count).map { VisualClass.shown(weights, frame: $0) }
        var score = Score(classes: ClassCounts(truth: truth, shown: shown))
        if mesh {
          let lips = lips(samples, visemes: way == .ours ? nil : weights, frames: count)
          let right = truth.map(VisualClass.init)
          score.closures = ClosureCounts(truth: right, shut: lips.map(\.isShut))
          score.lag = Lag(truth: truth.map { gaps[$0.rawValue] }, shown: lips.map(\.gap))
        }
        return (way, score)
      }
    }

    private func weights(
      _ way: Way, _ recording: Recording, _ samples: [Float], count: Int, constant: Viseme
    ) -> [Float] {
      switch way {
      case .ours: hear(samples)
      case .known: Self.spoken(recording.phones, count)
      case .pocketsphinx: Self.spoken(recording.heard ?? [], count)
      case .gaussian: Self.held(gaussian.visemes(of: samples), count)
      case .energy: Self.flap(samples, count)
      case .constant: Self.held([Viseme](repeating: constant, count: count), count)
      }
    }

    /// What the network says, heard in pieces as a stream brings them.
    private func hear(_ samples: [Float]) -> [Float] {
      mouth.reset()
      samples.withUnsafeBufferPointer { samples in
        var place = 0
        while place < samples.count {
          let end = min(samples.count, place + Self.piece)
          mouth.push(UnsafeBufferPointer(rebasing: samples[place..<end]))
          place = end
        }
      }
      mouth.finish()
      return mouth.frames
    }

    private static func spoken(_ phones: [TimedPhone], _ count: Int) -> [Float] {
      let known = phones.map { phone in
        MouthPhone(
          symbol: Arpabet.ipa(phone.name), start: Int(phone.start * 16_000), end: Int(phone.end * 16_000))
      }
      return PhoneMouth.frames(of: known, sampleRate: 16_000, length: count * 160)
    }

    private static func held(_ visemes: [Viseme], _ count: Int) -> [Float] {
      var weights = [Float](repeating: 0, count: count * 15)
      for frame in 0..<count {
        weights[frame * 15 + (frame < visemes.count ? visemes[frame] : .sil).rawValue] = 1
      }
      return weights
    }

    /// The mouth opens with the loudness: shut at -50 dBFS, wide open at -15.
    private static func flap(_ samples: [Float], _ count: Int) -> [Float] {
      var weights = [Float](repeating: 0, count: count * 15)
      for frame in 0..<count {
        let window = samples[max(0, frame * 160 - 200)..<min(samples.count, frame * 160 + 200)]
        let power = window.reduce(Float(0)) { $0 + $1 * $1 } / Float(max(1, window.count))
        let open = max(0, min(1, (10 * log10f(power + 1e-9) + 50) / 35))
        weights[frame * 15 + Viseme.aa.rawValue] = open
        weights[frame * 15] = 1 - open
      }
      return weights
    }

    /// The lips of the mesh every 10 ms while the sound plays; `visemes` win over what is heard.
    private func lips(_ samples: [Float], visemes: [Float]?, frames: Int) -> [LipMeter.Lips] {
      // A pause, so that the last recording is over.
      clock += 2
      face.advance(to: clock, playhead: nil)
      face.beginUtterance()
      if let visemes { visemes.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) } }
      var given = 0
      var found: [LipMeter.Lips] = []
      samples.withUnsafeBufferPointer { samples in
        for frame in 0..<frames {
          let playhead = Double(frame) / 100
          while given < samples.count, Double(given) < (playhead + Self.ahead) * 16_000 {
            let end = min(samples.count, given + Self.piece)
            face.appendAudio(UnsafeBufferPointer(rebasing: samples[given..<end]), sampleRate: 16_000)
            given = end
            if given == samples.count { face.endUtterance() }
          }
          face.advance(to: clock + playhead, playhead: playhead)
          found.append(meter.measure(face.pose.morphs))
        }
      }
      clock += Double(frames) / 100
      return found
    }

    /// Share of the frames of a sound without speech in which the mouth has moved from its rest.
    func moving(_ samples: [Float]) -> Double {
      let found = lips(samples, visemes: nil, frames: samples.count / 160)
      return Double(found.filter { $0.moved(from: rest) }.count) / Double(max(1, found.count))
    }
  }
}
