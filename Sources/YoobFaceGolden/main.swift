// Plays a fixed scenario and writes every number that the face computes, so that the WebAssembly build
// can be compared with it bit for bit.
//
//   YoobFaceGolden PUPPET.bin MOUTH.bin|- AUDIO.f32 OUT.bin
//
// AUDIO.f32 is little-endian float samples at 24 kHz. `scripts/wasm-equality` plays the same scenario.

import Foundation
import YoobFace

func bytes(_ path: String) throws -> [UInt8] {
  path == "-" ? [] : [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

func run(_ arguments: [String]) throws {
  let face = try FaceEngine(puppet: try bytes(arguments[1]), mouth: try bytes(arguments[2]), seed: 11)
  let audio = try bytes(arguments[3]).withUnsafeBytes { raw in
    (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
  }
  var out = Data()
  func record() {
    out.append(contentsOf: UnsafeRawBufferPointer(face.positions))
    out.append(contentsOf: UnsafeRawBufferPointer(face.visemes))
    out.append(contentsOf: UnsafeRawBufferPointer(face.draws))
    withUnsafeBytes(of: SIMD4(face.lipGap, face.lipWidth, face.voiceLevel, 0)) { out.append(contentsOf: $0) }
  }
  face.beginUtterance()
  var pushed = 0
  for step in 0..<240 {
    let time = Double(step) / 30
    switch step {
    case 20:
      // A melody of two accents and a question over the first three seconds.
      let melody = (0..<150).flatMap { frame in
        let part = frame % 50
        let hertz = part < 8 ? 0 : part < 20 ? 180 + 8 * (part - 8) : part < 32 ? 276 - 8 * (part - 20) : 180
        return [Float(hertz), frame >= 130 ? 2 : part >= 14 && part < 22 ? 1 : 0]
      }
      melody.withUnsafeBufferPointer { face.appendProsody($0, startFrame: 0) }
    case 40: face.state = .listening
    case 60: face.setEmotion(.happy, intensity: 0.75)
    case 80: face.state = .thinking
    case 100: face.gaze = .point(x: 0.5, y: -0.25)
    case 120: face.calm = true
    case 140: face.calm = false
    case 150: face.perform(.nod)
    case 160: face.gaze = .automatic
    case 170: face.setEmotion(.surprised, intensity: 1)
    case 180:
      let ah = (0..<30).flatMap { frame in (0..<15).map { $0 == (frame < 15 ? 10 : 14) ? Float(1) : 0 } }
      ah.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 520) }
    default: break
    }
    // Pieces of 800 samples, a third of a second ahead of the playhead.
    while pushed < audio.count && pushed < (step + 10) * 800 {
      let end = min(audio.count, pushed + 800)
      audio[pushed..<end].withUnsafeBufferPointer { face.appendAudio($0, sampleRate: 24_000) }
      pushed = end
      if pushed == audio.count { face.endUtterance() }
    }
    face.advance(to: time, playhead: step < 20 ? nil : Double(step - 20) / 30)
    record()
  }
  try out.write(to: URL(fileURLWithPath: arguments[4]))
}

guard CommandLine.arguments.count == 5 else {
  print("usage: YoobFaceGolden PUPPET.bin MOUTH.bin|- AUDIO.f32 OUT.bin")
  exit(2)
}
do {
  try run(CommandLine.arguments)
} catch {
  print("YoobFaceGolden: \(error)")
  exit(1)
}
