import Testing

@testable import VoiceAudio

@Suite struct WAVTests {
  @Test("16-bit PCM survives writing and reading")
  func roundTrip() throws {
    let clip = AudioClip(samples: [0, 0.5, -0.5, 0.999_969_5, -1], sampleRate: 24_000)
    #expect(try WAV.decode(WAV.encode(clip)) == clip)
  }

  @Test(
    "each encoding gives the samples that its bytes stand for",
    arguments: [
      (1, 8, [0x80, 0xC0, 0x00], [0, 0.5, -1]),
      (1, 16, [0x00, 0x40, 0x00, 0x80], [0.5, -1]),
      (1, 24, [0x00, 0x00, 0x40, 0x00, 0x00, 0x80], [0.5, -1]),
      (1, 32, [0, 0, 0, 0x40, 0, 0, 0, 0x80], [0.5, -1]),
      (3, 32, [0, 0, 0, 0x3F, 0, 0, 0x80, 0xBF], [0.5, -1]),
      (3, 64, [0, 0, 0, 0, 0, 0, 0xE0, 0x3F], [0.5]),
      (6, 8, [0xD5, 0x55, 0xAA, 0x2A], [0.000_244_14, -0.000_244_14, 0.984_375, -0.984_375]),
      (7, 8, [0xFF, 0x80, 0x00, 0xE7], [0, 0.980_346_7, -0.980_346_7, 0.007_934_57]),
    ] as [(UInt16, UInt16, [UInt8], [Float])])
  func encodings(tag: UInt16, bits: UInt16, bytes: [UInt8], expected: [Float]) throws {
    for extensible in [false, true] {
      let file = WAVBuilder(tag: tag, bits: bits, sound: bytes, extensible: extensible).file()
      let samples = try WAV.decode(file).samples
      #expect(samples.count == expected.count)
      for (found, wanted) in zip(samples, expected) { #expect(abs(found - wanted) < 1e-6) }
    }
  }

  @Test("all 256 codes of both G.711 laws sum up as in an independent decoder")
  func companding() {
    let muLaw = (0...255).reduce(0.0) { $0 + Double($1) * Double(WAVFormat.muLaw(UInt8($1))) * 32768 }
    let aLaw = (0...255).reduce(0.0) { $0 + Double($1) * Double(WAVFormat.aLaw(UInt8($1))) * 32768 }
    #expect(muLaw == 98_107_392)
    #expect(aLaw == 100_139_008)
  }

  @Test("channels are averaged to one")
  func mixing() throws {
    let file = WAVBuilder(channels: 2, sound: [0, 0x40, 0, 0, 0, 0x20, 0, 0x60]).file()
    #expect(try WAV.decode(file).samples == [0.25, 0.5])
  }

  @Test("a file that is read in pieces gives the samples that it gives as a whole", arguments: [1, 3, 1000])
  func pieces(size: Int) throws {
    let sound = (0..<602).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for file in [
      WAVBuilder(sound: sound).file(),
      WAVBuilder(channels: 2, bits: 24, sound: sound, extensible: true, chunks: [("LIST", [1, 2, 3])]).file(),
      WAVBuilder(tag: 7, bits: 8, sound: sound, dataSize: 0xFFFF_FFFF).file(),
    ] {
      let outline = try WAVOutline(size: file.count) { Array(file[$0..<min(file.count, $0 + $1)]) }
      var samples: [Float] = []
      while samples.count < outline.sampleCount {
        let range = samples.count..<min(samples.count + size, outline.sampleCount)
        samples += outline.samples(of: Array(file[outline.bytes(of: range)]))
      }
      #expect(AudioClip(samples: samples, sampleRate: outline.sampleRate) == (try WAV.decode(file)))
    }
  }

  @Test("bytes that cannot be read are no sound")
  func unreadable() {
    let file = WAVBuilder(sound: [1, 2]).file()
    #expect(throws: WAVError.truncated) {
      try WAVOutline(size: file.count) { offset, count in
        offset >= 20 ? [] : Array(file[offset..<offset + count])
      }
    }
  }

  @Test("unknown chunks of odd size are skipped, with and without their padding", arguments: [true, false])
  func oddChunks(pads: Bool) throws {
    let file = WAVBuilder(sound: [0, 0x40], chunks: [("LIST", [1, 2, 3])], pads: pads).file()
    #expect(try WAV.decode(file).samples == [0.5])
  }

  @Test(
    "a stream that was never closed is read to its last whole sample",
    arguments: [0, 0xFFFF_FFFF, 1000] as [UInt32])
  func openEnd(size: UInt32) throws {
    let file = WAVBuilder(sound: [0, 0x40, 0, 0x20, 7], dataSize: size).file()
    #expect(try WAV.decode(file).samples == [0.5, 0.25])
  }

  @Test("chunks after the sound are not taken for sound")
  func trailer() throws {
    let file = WAVBuilder(sound: [0, 0x40]).file() + Array("LIST".utf8) + [2, 0, 0, 0, 9, 9]
    #expect(try WAV.decode(file).samples == [0.5])
  }

  @Test("every rate from 8 to 192 kHz is kept", arguments: [8_000, 11_025, 22_050, 44_100, 96_000, 192_000])
  func rates(rate: UInt32) throws {
    #expect(try WAV.decode(WAVBuilder(rate: rate, sound: [0, 0]).file()).sampleRate == Int(rate))
  }

  @Test("infinite and undefined float samples become zero")
  func notFinite() throws {
    let file = WAVBuilder(tag: 3, bits: 32, sound: [0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0x7F]).file()
    #expect(try WAV.decode(file).samples == [0, 0])
  }

  @Test("a file without a format, a sound or a known encoding is refused with its own error")
  func refusals() {
    #expect(throws: WAVError.notWAV) { try WAV.decode(Array("OggS and more bytes".utf8)) }
    #expect(throws: WAVError.notWAV) { try WAV.decode([]) }
    let whole = WAVBuilder(sound: [1, 2]).file()
    #expect(throws: WAVError.truncated) { try WAV.decode(Array(whole.prefix(14))) }
    #expect(throws: WAVError.truncated) { try WAV.decode(Array(whole.prefix(30))) }
    #expect(throws: WAVError.missingData) { try WAV.decode(Array(whole.prefix(36))) }
    #expect(throws: WAVError.missingFormat) {
      try WAV.decode(Array(whole.prefix(12)) + Array(whole.suffix(10)))
    }
    #expect(throws: WAVError.unsupportedEncoding(tag: 2, bits: 4)) {
      try WAV.decode(WAVBuilder(tag: 2, bits: 4).file())
    }
    #expect(throws: WAVError.unsupportedRate(4_000)) { try WAV.decode(WAVBuilder(rate: 4_000).file()) }
    #expect(throws: WAVError.badFormat) { try WAV.decode(WAVBuilder(channels: 0).file()) }
  }

  @Test("every error says what to do")
  func messages() {
    let errors: [WAVError] = [
      .notWAV, .truncated, .missingFormat, .missingData, .unsupportedEncoding(tag: 2, bits: 4),
      .unsupportedRate(4_000), .badFormat,
    ]
    for error in errors {
      #expect(["Give", "Copy", "Export", "Convert", "Use"].contains { error.message.contains($0) })
    }
  }

  @Test("damaged files give sound or an error, never a crash")
  func fuzz() {
    var random = SplitMix64(seed: 7)
    var outcomes = (clips: 0, errors: 0)
    for round in 0..<4_000 {
      var builder = WAVBuilder(
        tag: [1, 1, 3, 6, 7].randomElement(using: &random) ?? 1,
        channels: UInt16.random(in: 1...3, using: &random),
        bits: [8, 16, 24, 32].randomElement(using: &random) ?? 16,
        sound: (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
      builder.extensible = round % 3 == 0
      builder.dataSize = round % 5 == 0 ? .random(in: 0...(.max), using: &random) : nil
      builder.chunks = round % 4 == 0 ? [("junk", [UInt8](repeating: 1, count: round % 7))] : []
      var file = builder.file()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        file[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      file.removeLast(min(file.count, Int.random(in: 0...20, using: &random)))
      do {
        let clip = try WAV.decode(file)
        #expect(WAV.rates.contains(clip.sampleRate))
        #expect(clip.samples.allSatisfy(\.isFinite) && clip.samples.count <= file.count)
        outcomes.clips += 1
      } catch {
        outcomes.errors += 1
      }
    }
    #expect(outcomes.clips > 500 && outcomes.errors > 500)
  }
}
