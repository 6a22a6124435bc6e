import Testing

@testable import VoiceAudio

@Suite struct PCM16Tests {
  @Test("every 16-bit value survives the round trip")
  func roundTrip() {
    var bytes: [UInt8] = []
    for value in Int16.min...Int16.max {
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    #expect(PCM16.encode(PCM16.decode(bytes)) == bytes)
  }

  @Test("loud samples are clamped and undefined ones are silent")
  func clamping() {
    #expect(PCM16.encode([2, -2, .nan, .infinity]) == [0xFF, 0x7F, 0, 0x80, 0, 0, 0xFF, 0x7F])
  }

  @Test("an odd last byte is ignored")
  func oddByte() {
    #expect(PCM16.decode([0, 0x40, 9]) == [0.5])
  }
}

@Suite struct LevelTests {
  @Test("a full-scale square wave is at 0 dBFS")
  func square() {
    let level = Level([1, -1, 1, -1])
    #expect(level.rms == 1 && level.peak == 1)
    #expect(abs(level.dBFS) < 1e-5)
  }

  @Test("half the amplitude is 6 dB less")
  func half() {
    #expect(abs(Level([0.5, -0.5]).dBFS + 6.0206) < 1e-3)
  }

  @Test("silence and no samples are at the floor", arguments: [[], [0, 0, 0]] as [[Float]])
  func silence(samples: [Float]) {
    #expect(Level(samples).dBFS == Level.floor)
  }
}
