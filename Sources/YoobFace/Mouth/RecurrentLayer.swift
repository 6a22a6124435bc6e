import VoiceAudio

/// A gated recurrent layer. Its gates lie reset, keep, fresh.
final class RecurrentLayer {
  /// What the layer remembers, which is also what it gives to the next one.
  let state: LayerInput

  private let units: Int
  private let input, recurrent: DenseLayer
  private let gates, memory: UnsafeMutablePointer<Float>

  init(units: Int, input: DenseLayer, recurrent: DenseLayer) {
    self.units = units
    self.input = input
    self.recurrent = recurrent
    state = LayerInput(count: units)
    gates = .allocate(capacity: 3 * units)
    gates.initialize(repeating: 0, count: 3 * units)
    memory = .allocate(capacity: 3 * units)
    memory.initialize(repeating: 0, count: 3 * units)
  }

  deinit {
    gates.deallocate()
    memory.deallocate()
  }

  func step(_ values: LayerInput) {
    input.apply(values, to: gates)
    recurrent.apply(state, to: memory)
    for unit in 0..<units {
      let reset = PureMath.sigmoid(gates[unit] + memory[unit])
      let keep = PureMath.sigmoid(gates[units + unit] + memory[units + unit])
      let fresh = PureMath.tanh(gates[2 * units + unit] + reset * memory[2 * units + unit])
      state.values[unit] = fresh + keep * (state.values[unit] - fresh)
    }
  }
}
