import YoobFace

// WebAssembly here has one thread. Not in main.swift, whose globals wait for a main function that never runs.
nonisolated(unsafe) let faces = Faces()

/// The living faces of this module by handle, with a few numbers of each at a fixed address.
final class Faces {
  static let lips = 0
  static let canvas = 2
  private static let valueCount = 7

  var error: Int32 = 0
  private var engines: [FaceEngine?] = []
  private var numbers: [UnsafeMutablePointer<Float>?] = []

  subscript(_ handle: Int32) -> FaceEngine? {
    guard handle >= 1, Int(handle) <= engines.count else { return nil }
    return engines[Int(handle) - 1]
  }

  func add(_ engine: FaceEngine) -> Int32 {
    let values = UnsafeMutablePointer<Float>.allocate(capacity: Self.valueCount)
    values.initialize(repeating: 0, count: Self.valueCount)
    values[Self.canvas] = engine.puppet.canvasWidth
    values[Self.canvas + 1] = engine.puppet.canvasHeight
    values[Self.canvas + 2] = engine.puppet.cropX
    values[Self.canvas + 3] = engine.puppet.cropY
    values[Self.canvas + 4] = engine.puppet.cropSize
    for slot in 0..<engines.count where engines[slot] == nil {
      engines[slot] = engine
      numbers[slot] = values
      return Int32(slot + 1)
    }
    engines.append(engine)
    numbers.append(values)
    return Int32(engines.count)
  }

  func remove(_ handle: Int32) {
    guard handle >= 1, Int(handle) <= engines.count else { return }
    engines[Int(handle) - 1] = nil
    numbers[Int(handle) - 1]?.deallocate()
    numbers[Int(handle) - 1] = nil
  }

  /// Copies the lips of the last `advance` to their address.
  func refresh(_ handle: Int32) {
    guard let face = self[handle], let values = numbers[Int(handle) - 1] else { return }
    values[Self.lips] = face.lipGap
    values[Self.lips + 1] = face.lipWidth
  }

  func values(_ handle: Int32, _ start: Int) -> UnsafeRawPointer? {
    guard self[handle] != nil, let values = numbers[Int(handle) - 1] else { return nil }
    return UnsafeRawPointer(values + start)
  }
}
