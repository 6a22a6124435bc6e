import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobFace
import YoobPack
import YoobStudio

/// The file that `--visemes` names, written while the mouth moves: a long recording needs no more memory than
/// a short one.
///
/// One JSON object: `frames` (15 weights every 10 ms), `morphs` (by name, as many values), `rate`, `visemes`
/// (the names of the weights) and, of our own voice, `phones`, `words` and `prosody`.
final class VisemeDocument {
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

  private let file: GrowingFile
  private let columns: Columns
  private var smoother = MouthSmoother()
  private var count = 0

  private init(_ path: String) throws {
    file = try GrowingFile(path)
    columns = try Columns(MouthMorph.count)
    try file.write("{\"frames\":[".utf8)
  }

  /// Writes how the mouth moves in speech whose phones are known.
  static func write(_ speech: SynthesizedSpeech, to path: String) throws {
    let document = try VisemeDocument(path)
    let rate = Double(speech.sampleRate)
    let visemes = FilmMaker.visemes(
      of: speech.phones, count: speech.samples.count, rate: speech.sampleRate)
    for weights in visemes { try document.add(weights[...]) }
    func time(_ sample: Int) -> Double { (Double(sample) / rate * 10_000).rounded() / 10_000 }
    let prosody = speech.prosody
    try document.finish(
      phones: speech.phones.map { Sound(text: $0.symbol, start: time($0.start), end: time($0.end)) },
      words: speech.words.map { Sound(text: $0.text, start: time($0.start), end: time($0.end)) },
      prosody: prosody.isEmpty
        ? nil
        : Prosody(
          pitch: prosody.pitch.map { ($0 * 10).rounded() / 10 }, marks: prosody.marks.map(\.rawValue)))
  }

  /// Listens to recordings, one after another, and writes how the mouth moves.
  static func write(_ recordings: [SoundReader], pack: LocalPack, to path: String) throws {
    let weights = try pack.read("mouth.bin")
    let mouth: SpeechToMouth
    do { mouth = try SpeechToMouth(weights: weights) } catch {
      throw FileFault("\(pack.folder.path): \(error.message)")
    }
    let document = try VisemeDocument(path)
    for (number, recording) in recordings.enumerated() {
      if number > 0 { try document.pause() }
      mouth.reset()
      document.smoother = MouthSmoother()
      var resampler = StreamingResampler(from: recording.sampleRate, to: SpeechToMouth.sampleRate)
      while let piece = try recording.next() {
        mouth.push(resampler.process(piece))
        try document.take(mouth)
      }
      mouth.push(resampler.finish())
      mouth.finish()
      try document.take(mouth)
    }
    try document.finish(phones: nil, words: nil, prosody: nil)
  }

  private func take(_ mouth: SpeechToMouth) throws {
    let width = SpeechToMouth.width
    for at in stride(from: 0, to: mouth.frames.count, by: width) { try add(mouth.frames[at..<at + width]) }
    mouth.discard(before: mouth.frameCount)
  }

  private func add(_ weights: ArraySlice<Float>) throws {
    weights.withUnsafeBufferPointer { smoother.step($0) }
    try write(Self.rounded(Array(weights)), morphs: smoother.morphs.map(Self.rounded))
  }

  /// The mouth at rest between two recordings.
  private func pause() throws {
    let still = [Float](repeating: 0, count: MouthMorph.count)
    for _ in 0..<Int(FaceTimeline.chapterGap * Double(VisemeFrame.rate)) {
      try write(VisemeFrame.silence.weights, morphs: still)
    }
  }

  private func write(_ weights: [Float], morphs: [Float]) throws {
    if count > 0 { try file.write(CollectionOfOne(Self.comma)) }
    count += 1
    try file.write(Self.list(weights))
    try columns.add(morphs)
  }

  private func finish(phones: [Sound]?, words: [Sound]?, prosody: Prosody?) throws {
    try file.write("],\"morphs\":{".utf8)
    let names = count == 0 ? [] : MouthMorph.allCases.sorted { "\($0.name)" < "\($1.name)" }
    for (index, morph) in names.enumerated() {
      try file.write("\(index > 0 ? "," : "")\"\(morph.name)\":[".utf8)
      var isFirst = true
      try columns.read(morph.rawValue) { values in
        try file.write((isFirst ? [] : [Self.comma]) + Self.list(values).dropFirst().dropLast())
        isFirst = false
      }
      try file.write("]".utf8)
    }
    try file.write("}".utf8)
    if let phones { try file.write(",\"phones\":\(try JSONText.line(phones))".utf8) }
    if let prosody { try file.write(",\"prosody\":\(try JSONText.line(prosody))".utf8) }
    let visemes = try JSONText.line(Viseme.allCases.map { "\($0.name)" })
    try file.write(",\"rate\":\(VisemeFrame.rate),\"visemes\":\(visemes)".utf8)
    if let words { try file.write(",\"words\":\(try JSONText.line(words))".utf8) }
    try file.write("}\n".utf8)
    try file.commit()
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

// MARK: Numbers

extension VisemeDocument {
  fileprivate static let comma = UInt8(ascii: ",")

  /// The texts of 0, 0.0001, … 1.
  private static let texts = (0...10_000).map { text(Float($0) / 10_000) }

  /// The JSON of a list of numbers, as `JSONEncoder` writes it.
  fileprivate static func list(_ values: [Float]) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    bytes.reserveCapacity(values.count * 7 + 2)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(comma) }
      if value.sign == .plus, value <= 1, Float(Int(value * 10_000 + 0.5)) / 10_000 == value {
        bytes.append(contentsOf: texts[Int(value * 10_000 + 0.5)])
      } else {
        bytes.append(contentsOf: text(value))
      }
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private static func text(_ value: Float) -> [UInt8] {
    guard value.isFinite else { return [UInt8(ascii: "0")] }
    let text = value.description
    return Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
  }
}

// MARK: Columns

/// Takes rows of numbers and gives them back by column, from a temporary file of its own.
private final class Columns {
  private static let rows = 4096

  private let width: Int
  private let handle: FileHandle
  private var block: [Float]
  private var blocks = 0
  private var waiting = 0

  init(_ width: Int) throws {
    self.width = width
    block = [Float](repeating: 0, count: width * Self.rows)
    let place = LeftOvers.temporaryName(".columns")
    guard
      FileManager.default.createFile(
        atPath: place.path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forUpdatingAtPath: place.path)
    else { throw FileFault("\(place.path) cannot be written. Set TMPDIR to a folder with free space.") }
    self.handle = handle
    // The open file lives on without its name.
    TemporaryFiles.remove(place)
  }

  func add(_ row: [Float]) throws {
    for column in 0..<width { block[column * Self.rows + waiting] = row[column] }
    waiting += 1
    guard waiting == Self.rows else { return }
    do { try handle.write(contentsOf: block.withUnsafeBytes { Data($0) }) } catch {
      throw FileFault("The temporary folder cannot be written: \(WriteFault.reason(error)).")
    }
    blocks += 1
    waiting = 0
  }

  /// Gives the numbers of a column piece by piece.
  func read(_ column: Int, _ take: ([Float]) throws -> Void) throws {
    let size = Self.rows * MemoryLayout<Float>.size
    for number in 0..<blocks {
      try handle.seek(toOffset: UInt64((number * width + column) * size))
      let data = try handle.read(upToCount: size) ?? Data()
      guard data.count == size else {
        throw FileFault("The temporary folder lost what was written. Try again.")
      }
      try take(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
    }
    let rest = column * Self.rows
    if waiting > 0 { try take(Array(block[rest..<rest + waiting])) }
  }
}
