import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobFace
import YoobPack
import YoobStudio

/// The file that `--visemes` names.
struct VisemeDocument: Encodable {
  let rate = VisemeFrame.rate
  let visemes: [String] = Viseme.allCases.map { "\($0.name)" }
  let frames: [[Float]]
  let morphs: [String: [Float]]
  /// Phones and words of our own voice, whose times are known; absent for a recording.
  var phones: [Sound]?
  var words: [Sound]?
  /// The melody of our own voice; absent for a recording.
  var prosody: Prosody?

  /// `rate` frames a second: pitch in Hz, 0 where unvoiced, and 1 in stressed sounds, 2 at the ends of
  /// questions that are answered by yes or no.
  struct Prosody: Encodable {
    let rate = SpeechProsody.rate
    let pitch: [Float]
    let marks: [Int]
  }

  /// A phone in IPA (empty is silence) or a word, with its time in seconds.
  struct Sound: Encodable {
    let text: String
    let start: Double
    let end: Double
  }

  /// Writes how the mouth moves in speech whose phones are known.
  static func write(_ speech: SynthesizedSpeech, to path: String) throws {
    let rate = Double(speech.sampleRate)
    var smoother = MouthSmoother()
    var frames: [[Float]] = []
    var morphs: [String: [Float]] = [:]
    for weights in FilmMaker.visemes(of: speech.phones, count: speech.samples.count, rate: speech.sampleRate)
    {
      add(weights, &smoother, &frames, &morphs)
    }
    func time(_ sample: Int) -> Double { (Double(sample) / rate * 10_000).rounded() / 10_000 }
    var document = VisemeDocument(frames: frames, morphs: morphs)
    document.phones = speech.phones.map { Sound(text: $0.symbol, start: time($0.start), end: time($0.end)) }
    document.words = speech.words.map { Sound(text: $0.text, start: time($0.start), end: time($0.end)) }
    let prosody = speech.prosody
    if !prosody.isEmpty {
      document.prosody = Prosody(
        pitch: prosody.pitch.map { ($0 * 10).rounded() / 10 }, marks: prosody.marks.map(\.rawValue))
    }
    try SoundFile.write(Data((try JSONText.line(document) + "\n").utf8), to: path)
  }

  private static func add(
    _ weights: [Float], _ smoother: inout MouthSmoother, _ frames: inout [[Float]],
    _ morphs: inout [String: [Float]]
  ) {
    frames.append(rounded(weights))
    smoother.step(weights)
    for morph in MouthMorph.allCases {
      morphs["\(morph.name)", default: []].append(rounded(smoother.morphs[morph.rawValue]))
    }
  }

  /// Listens to the clips, one after another, and writes how the mouth moves.
  static func write(_ clips: [AudioClip], packFolder: URL, to path: String) throws {
    let weights = try LocalPack.open(packFolder).read("mouth.bin")
    var frames: [[Float]] = []
    var morphs: [String: [Float]] = [:]
    for (number, clip) in clips.enumerated() {
      let network = try SpeechToMouth(weights: weights)
      let samples = StreamingResampler.convert(clip, to: 16_000).samples
      _ = network.push(samples)
      _ = network.finish()
      var smoother = MouthSmoother()
      for index in 0..<network.frameCount {
        add(Array(network.frames[index * 15..<index * 15 + 15]), &smoother, &frames, &morphs)
      }
      guard number + 1 < clips.count else { continue }
      for _ in 0..<Int(FaceTimeline.chapterGap * Double(VisemeFrame.rate)) {
        frames.append(VisemeFrame.silence.weights)
        for morph in MouthMorph.allCases { morphs["\(morph.name)", default: []].append(0) }
      }
    }
    let document = VisemeDocument(frames: frames, morphs: morphs)
    try SoundFile.write(Data((try JSONText.line(document) + "\n").utf8), to: path)
  }

  private init(frames: [[Float]], morphs: [String: [Float]]) {
    self.frames = frames
    self.morphs = morphs
  }

  /// Four digits, with the largest weight taking up the rounding so that a frame sums to 1.
  private static func rounded(_ weights: [Float]) -> [Float] {
    var result = weights.map(rounded)
    guard let top = result.indices.max(by: { result[$0] < result[$1] }) else { return result }
    result[top] = rounded(result[top] + 1 - result.reduce(0, +))
    return result
  }

  private static func rounded(_ value: Float) -> Float { (value * 10_000).rounded() / 10_000 }
}
