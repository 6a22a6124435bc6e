import Testing

@testable import YoobFace

@Suite struct MouthShapesTests {
  private func weights(_ parts: [(Viseme, Float)]) -> [Float] {
    var out = [Float](repeating: 0, count: 15)
    for (viseme, weight) in parts { out[viseme.rawValue] = weight }
    return out
  }

  private func morph(_ morph: MouthMorph, _ parts: (Viseme, Float)...) -> Float {
    MouthShapes.morphs(of: weights(parts))[morph.rawValue]
  }

  @Test("silence opens nothing at all")
  func silence() {
    #expect(MouthShapes.morphs(of: VisemeFrame.silence.weights).allSatisfy { $0 == 0 })
    #expect(MouthShapes.morphs(of: [Float](repeating: 0, count: 15)).allSatisfy { $0 == 0 })
    #expect(MouthShapes.morphs(of: []).allSatisfy { $0 == 0 })
  }

  @Test("a trace of speech in silence does not make the lips quiver")
  func quiver() {
    #expect(MouthShapes.morphs(of: weights([(.sil, 0.9), (.aa, 0.1)])).allSatisfy { $0 == 0 })
  }

  @Test("p, b and m press the lips and shut the jaw")
  func closed() {
    #expect(morph(.jawOpen, (.PP, 1)) == 0)
    #expect(morph(.mouthPressLeft, (.PP, 1)) > 0.4)
    #expect(morph(.jawOpen, (.PP, 0.7), (.aa, 0.3)) == 0)
  }

  @Test("f and v lay the lower lip on the teeth with a small opening")
  func lipOnTeeth() {
    #expect(morph(.mouthRollLower, (.FF, 1)) > 0.5)
    #expect(0.02...0.15 ~= morph(.jawOpen, (.FF, 1)))
  }

  @Test("each vowel has a shape of its own")
  func vowels() {
    #expect(abs(morph(.jawOpen, (.aa, 1)) - 0.75) < 1e-5)
    #expect(morph(.mouthStretchLeft, (.E, 1)) > 0.3 && morph(.mouthStretchLeft, (.aa, 1)) == 0)
    #expect(morph(.jawOpen, (.ih, 1)) < morph(.jawOpen, (.E, 1)))
    #expect(morph(.mouthFunnel, (.oh, 1)) > 0.4 && morph(.jawOpen, (.oh, 1)) > 0.4)
    #expect(morph(.mouthPucker, (.ou, 1)) > 0.6 && morph(.jawOpen, (.ou, 1)) < 0.25)
  }

  @Test("a mixture of vowels opens the mouth no further than the widest of them")
  func mixture() {
    let mixed = morph(.jawOpen, (.aa, 0.3), (.E, 0.3), (.ih, 0.2), (.ou, 0.2))
    #expect(mixed < 0.45 && mixed > 0.25)
  }

  @Test("morphs stay within 0...1 for any weights, negative and undefined ones included")
  func range() {
    var random = MouthRandom(seed: 2)
    for _ in 0..<500 {
      var any = (0..<15).map { _ in Float.random(in: -1...3, using: &random) }
      any[Int.random(in: 0..<15, using: &random)] = .nan
      #expect(MouthShapes.morphs(of: any).allSatisfy { 0...1 ~= $0 })
    }
  }

  @Test("names are ARKit's and in order")
  func names() {
    #expect(MouthMorph.allCases.count == MouthMorph.count)
    #expect(MouthMorph.allCases.map { "\($0)" } == MouthMorph.allCases.map { "\($0.name)" })
  }

  @Test("a closure inside a vowel is shut within 30 ms")
  func crispClosure() {
    var smoother = MouthSmoother()
    for _ in 0..<20 { smoother.step(weights([(.aa, 1)])) }
    let open = smoother.morphs[MouthMorph.jawOpen.rawValue]
    #expect(open > 0.7)
    for _ in 0..<3 { smoother.step(weights([(.PP, 1)])) }
    #expect(smoother.morphs[MouthMorph.jawOpen.rawValue] < 0.02 * open)
    #expect(smoother.morphs[MouthMorph.mouthPressLeft.rawValue] > 0.5)
  }

  @Test("silence brings the smoothed mouth back to exactly zero")
  func restingMouth() {
    var smoother = MouthSmoother()
    for _ in 0..<20 { smoother.step(weights([(.oh, 1)])) }
    for _ in 0..<20 { smoother.step(VisemeFrame.silence.weights) }
    #expect(smoother.morphs.allSatisfy { $0 == 0 })
  }

  @Test("a single odd frame moves the jaw by less than half of its way")
  func flicker() {
    var smoother = MouthSmoother()
    for _ in 0..<20 { smoother.step(weights([(.ih, 1)])) }
    let before = smoother.morphs[MouthMorph.jawOpen.rawValue]
    smoother.step(weights([(.aa, 1)]))
    #expect(smoother.morphs[MouthMorph.jawOpen.rawValue] - before < 0.5 * (0.75 - before))
  }
}
