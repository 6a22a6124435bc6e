import VoiceAudio

/// The speech-to-mouth network: two causal convolutions and a gated recurrent layer, whose state a softmax
/// over the visemes and a separate detector of lip closures read.
final class MouthNetwork {
  /// Frames by which the output lags behind the input.
  let lookAhead: Int
  /// Lowest level of the peak follower, in mean log-mel.
  let quietest: Float
  /// Fall of the peak follower a frame, in mean log-mel.
  let decay: Float
  /// Factor of the features after the level is taken off.
  let gain: Float
  /// Viseme weights after the last step: 15 values that sum to 1. The sixteenth is the detector's answer.
  let output: UnsafeMutablePointer<Float>

  private static let visemes = 15
  private let shape: MouthWeights.Shape
  private let first, second, input, recurrent, last: DenseLayer
  /// Inputs of each layer: the last frames of the convolutions, oldest first.
  private let heard, felt, seen, state: LayerInput
  private let gates, memory: UnsafeMutablePointer<Float>

  init(_ bytes: [UInt8]) throws(MouthError) {
    var weights = try MouthWeights(bytes)
    shape = weights.shape
    lookAhead = shape.lookAhead
    quietest = weights.quietest
    decay = weights.decay
    gain = weights.gain
    let units = shape.hidden
    first = weights.layer(rows: shape.channels, columns: shape.bands * shape.firstKernel)
    second = weights.layer(rows: shape.channels, columns: shape.channels * shape.secondKernel)
    input = weights.layer(rows: 3 * units, columns: shape.channels)
    recurrent = weights.layer(rows: 3 * units, columns: units)
    last = weights.layer(rows: shape.outputs, columns: units)
    heard = LayerInput(count: shape.bands * shape.firstKernel)
    felt = LayerInput(count: shape.channels * shape.secondKernel)
    seen = LayerInput(count: shape.channels)
    state = LayerInput(count: units)
    gates = .allocate(capacity: 3 * units)
    gates.initialize(repeating: 0, count: 3 * units)
    memory = .allocate(capacity: 3 * units)
    memory.initialize(repeating: 0, count: 3 * units)
    output = .allocate(capacity: 16)
    output.initialize(repeating: 0, count: 16)
  }

  deinit {
    gates.deallocate()
    memory.deallocate()
    output.deallocate()
  }

  /// Forgets the stream.
  func reset() {
    heard.clear()
    felt.clear()
    seen.clear()
    state.clear()
  }

  /// Takes one frame of features and computes `output`.
  func step(_ features: UnsafeBufferPointer<Float>) {
    let bands = shape.bands
    heard.shift(by: bands)
    let newest = heard.values + (heard.count - bands)
    for band in 0..<bands { newest[band] = features[band] }
    felt.shift(by: shape.channels)
    let middle = felt.values + (felt.count - shape.channels)
    first.apply(heard, to: middle)
    rectify(middle, shape.channels)
    second.apply(felt, to: seen.values)
    rectify(seen.values, shape.channels)
    remember()
    last.apply(state, to: output)
    softmax()
    judgeClosure()
  }

  private func rectify(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { values[index] = max(0, values[index]) }
  }

  private func remember() {
    input.apply(seen, to: gates)
    recurrent.apply(state, to: memory)
    let units = shape.hidden
    for unit in 0..<units {
      let reset = PureMath.sigmoid(gates[unit] + memory[unit])
      let keep = PureMath.sigmoid(gates[units + unit] + memory[units + unit])
      let fresh = PureMath.tanh(gates[2 * units + unit] + reset * memory[2 * units + unit])
      state.values[unit] = fresh + keep * (state.values[unit] - fresh)
    }
  }

  private func softmax() {
    var largest = output[0]
    for index in 1..<MouthNetwork.visemes { largest = max(largest, output[index]) }
    var sum: Float = 0
    for index in 0..<MouthNetwork.visemes {
      output[index] = PureMath.exp(output[index] - largest)
      sum += output[index]
    }
    let scale = 1 / sum
    for index in 0..<MouthNetwork.visemes { output[index] *= scale }
  }

  /// Gives the lip closure the weight that its detector says; the other visemes share the rest.
  private func judgeClosure() {
    let closure = PureMath.sigmoid(output[MouthNetwork.visemes])
    output[MouthNetwork.visemes] = closure
    let others = 1 - output[Viseme.PP.rawValue]
    let scale = (1 - closure) / max(others, 1e-6)
    for index in 0..<MouthNetwork.visemes { output[index] *= scale }
    output[Viseme.PP.rawValue] = others > 1e-6 ? closure : 1
  }
}
