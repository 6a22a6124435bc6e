import VoiceAudio

/// The speech-to-mouth network: two causal convolutions and gated recurrent layers, the last of which a
/// softmax over the visemes and a separate detector of lip closures read.
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
  private let first, second, last: DenseLayer
  private let recurrent: [RecurrentLayer]
  /// Inputs of the convolutions, oldest frame first, and what they give.
  private let heard, felt, seen: LayerInput

  init(_ bytes: [UInt8]) throws(MouthError) {
    var weights = try MouthWeights(bytes)
    shape = weights.shape
    lookAhead = shape.lookAhead
    quietest = weights.quietest
    decay = weights.decay
    gain = weights.gain
    first = weights.layer(rows: shape.channels, columns: shape.bands * shape.firstKernel)
    second = weights.layer(rows: shape.channels, columns: shape.channels * shape.secondKernel)
    var below = shape.channels
    var layers: [RecurrentLayer] = []
    for _ in 0..<shape.layers {
      let input = weights.layer(rows: 3 * shape.hidden, columns: below)
      let across = weights.layer(rows: 3 * shape.hidden, columns: shape.hidden)
      layers.append(RecurrentLayer(units: shape.hidden, input: input, recurrent: across))
      below = shape.hidden
    }
    recurrent = layers
    last = weights.layer(rows: shape.outputs, columns: shape.hidden)
    heard = LayerInput(count: shape.bands * shape.firstKernel)
    felt = LayerInput(count: shape.channels * shape.secondKernel)
    seen = LayerInput(count: shape.channels)
    output = .allocate(capacity: 16)
    output.initialize(repeating: 0, count: 16)
  }

  deinit { output.deallocate() }

  /// Forgets the stream.
  func reset() {
    heard.clear()
    felt.clear()
    seen.clear()
    for layer in recurrent { layer.state.clear() }
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
    var below = seen
    for layer in recurrent {
      layer.step(below)
      below = layer.state
    }
    last.apply(below, to: output)
    softmax()
    judgeClosure()
  }

  private func rectify(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { values[index] = max(0, values[index]) }
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
