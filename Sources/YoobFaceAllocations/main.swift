// Counts the memory blocks that the frames of a face ask for, for `yoob bench face`.
//
//   YoobFaceAllocations PACK
//
// Prints three numbers: frames, blocks of all `advance` calls, blocks of all `render` and `encode` calls.

import CAllocationCounter
import Foundation
import YoobFace
import YoobPicture
import YoobStudio

func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func run(_ pack: String) throws {
  let face = try FaceEngine(
    puppet: try bytes(pack + "/puppet.bin"), mouth: try bytes(pack + "/mouth.bin"), seed: 1)
  let atlas = try PNGImage.decode(try bytes(pack + "/atlas.png"), name: "atlas.png").atlas
  let raster = try CPURasterizer(puppet: face.puppet, atlas: atlas, width: 720, height: 720)
  var encoder = FaceEncoder(face.puppet, levels: 4)
  let layout = FaceCanvas(face.puppet).layout(width: 720, height: 720)
  let buffers = FacePassBuffers(
    passes: .allocate(capacity: encoder.mostPasses), draws: .allocate(capacity: encoder.mostDraws),
    numbers: .allocate(byteCount: encoder.mostDraws * 64, alignment: 16), stride: 64)
  var scene = FaceScene(face)
  // An accent every second.
  let melody = (0..<700).flatMap { frame -> [Float] in
    let height = max(0, 6 - abs(frame % 50 - 25))
    return [Float(180 + 12 * height), 0]
  }
  melody.withUnsafeBufferPointer { face.appendProsody($0, startFrame: 0) }
  let frames = 360
  let warmUp = 10
  var advancing: UInt64 = 0
  var drawing: UInt64 = 0
  for index in 0..<(frames + warmUp) {
    scene.prepare(face).withUnsafeBufferPointer { face.appendAudio($0, sampleRate: FaceScene.sampleRate) }
    let start = yoob_allocation_count()
    face.advance(to: scene.time, playhead: scene.time)
    let middle = yoob_allocation_count()
    raster.render(face)
    let written = encoder.encode(face, layout: layout, width: 720, height: 720, into: buffers)
    let end = yoob_allocation_count()
    guard written.draws > 0 else { throw EncodingFault.nothing }
    scene.advance()
    guard index >= warmUp else { continue }
    advancing += middle - start
    drawing += end - middle
  }
  print(frames, advancing, drawing)
}

/// A frame of which nothing was encoded measures nothing.
enum EncodingFault: Error { case nothing }

guard CommandLine.arguments.count == 2 else {
  print("usage: YoobFaceAllocations PACK")
  exit(2)
}
/// Whether what Swift allocates is seen.
func isCounted() -> Bool {
  let before = yoob_allocation_count()
  let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: 100)
  memory.initialize(repeating: before, count: 100)
  defer { memory.deallocate() }
  return yoob_allocation_count() == before + 1
}

guard yoob_allocations_are_counted(), isCounted() else {
  print("allocations cannot be counted on this system")
  exit(3)
}
do {
  try run(CommandLine.arguments[1])
} catch {
  print("YoobFaceAllocations: \(error)")
  exit(1)
}
