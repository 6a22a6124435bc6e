import Foundation
import Testing

@testable import YoobPicture

@Suite("PNG pictures")
struct PNGImageTests {
  /// Numbers that look random and are the same every time.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static func picture(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Picture {
    var dice = Dice(state: seed)
    return Picture(
      width: width, height: height,
      pixels: (0..<width * height * 4).map { _ in .random(in: 0...255, using: &dice) })
  }

  /// A PNG's bytes, decoded: nil when it was refused.
  private static func decoded(_ bytes: [UInt8]) -> Picture? { try? PNGImage.decode(bytes) }

  /// The CRC-32 of PNG's chunks.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }

  private static func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

  /// The bytes of a picture whose header names another size.
  private static func resized(_ width: UInt32, _ height: UInt32) throws -> [UInt8] {
    var bytes = try PNGImage.encode(picture(2, 2))
    bytes.replaceSubrange(16..<24, with: big(width) + big(height))
    bytes.replaceSubrange(29..<33, with: big(checksum(bytes[12..<29])))
    return bytes
  }

  @Test(
    "a picture comes back as it was, also where it is transparent",
    arguments: [(1, 1), (1, 33), (40, 1), (17, 9), (256, 128)])
  func roundTrip(width: Int, height: Int) throws {
    let picture = Self.picture(width, height)
    let bytes = try PNGImage.encode(picture)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(try PNGImage.decode(bytes) == picture)
  }

  @Test("a picture whose pixels do not fit its size is not written")
  func wrongPixels() {
    for (width, height, count) in [(0, 1, 0), (1, 0, 0), (-1, -1, 4), (2, 2, 15), (2, 2, 17), (16_385, 1, 4)]
    {
      let picture = Picture(width: width, height: height, pixels: [UInt8](repeating: 0, count: count))
      #expect(throws: PictureError.self) { try PNGImage.encode(picture) }
    }
  }

  @Test("a picture that is cut short anywhere is refused")
  func truncated() throws {
    let bytes = try PNGImage.encode(Self.picture(9, 7))
    // The last chunk, twelve bytes, says only that the picture ends.
    for count in 0..<bytes.count - 12 {
      #expect(Self.decoded(Array(bytes.prefix(count))) == nil, "\(count) of \(bytes.count) bytes")
    }
  }

  @Test("a picture with a damaged byte in its header or its pixels is refused by name")
  func damaged() throws {
    let bytes = try PNGImage.encode(Self.picture(9, 7))
    for place in [0, 7, 12, 17, 24, 25, 30, bytes.count / 2] {
      var damaged = bytes
      damaged[place] ^= 0x41
      do {
        _ = try PNGImage.decode(damaged, name: "atlas.png")
        Issue.record("byte \(place) was not missed")
      } catch {
        #expect("\(error.localizedDescription)".hasPrefix("atlas.png is not a picture that can be read"))
      }
    }
  }

  @Test(
    "sizes that would take gigabytes are refused before any pixel is read",
    arguments: [
      (16_385, 1), (1, 16_385), (16_384, 16_384), (8193, 8192), (1_000_000, 1_000_000),
      (UInt32(Int32.max), UInt32(Int32.max)), (UInt32.max, 1), (0, 1), (1, 0),
    ] as [(UInt32, UInt32)])
  func giant(width: UInt32, height: UInt32) throws {
    let bytes = try Self.resized(width, height)
    #expect(throws: PictureError.self) { try PNGImage.decode(bytes) }
  }

  @Test("the message of a giant picture says how large one may be")
  func giantMessage() throws {
    for (width, height, most) in [(16_385, 1, "16384"), (16_384, 16_384, "67108864")]
      as [(UInt32, UInt32, String)]
    {
      let bytes = try Self.resized(width, height)
      do {
        _ = try PNGImage.decode(bytes)
        Issue.record("\(width) x \(height) was read")
      } catch {
        #expect(error.localizedDescription.contains(most))
      }
    }
  }

  @Test("random bytes are refused")
  func noise() {
    var dice = Dice(state: 7)
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for round in 0..<2000 {
      let tail: [UInt8] = (0..<Int.random(in: 0...200, using: &dice)).map { _ in
        .random(in: 0...255, using: &dice)
      }
      #expect(Self.decoded(round.isMultiple(of: 2) ? tail : signature + tail) == nil)
    }
  }

  @Test("a picture with random damage is refused, or read in a size that its bytes can hold")
  func fuzz() throws {
    let bytes = try PNGImage.encode(Self.picture(16, 16))
    var dice = Dice(state: 11)
    var refused = 0
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let place = Int.random(in: 0..<damaged.count, using: &dice)
        switch Int.random(in: 0..<3, using: &dice) {
        case 0: damaged[place] = .random(in: 0...255, using: &dice)
        case 1: damaged.remove(at: place)
        default: damaged.insert(.random(in: 0...255, using: &dice), at: place)
        }
      }
      if let picture = Self.decoded(damaged) {
        #expect(picture.width == 16 && picture.height == 16)
        #expect(picture.pixels.count == 16 * 16 * 4)
      } else {
        refused += 1
      }
    }
    #expect(refused > 1000)
  }
}
