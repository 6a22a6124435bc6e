import Testing

@testable import YoobFace

@Suite("Mouth track")
struct MouthTrackTests {
  private let weights = [Float](repeating: 0.5, count: 15)

  @Test("a frame far ahead is refused and takes no memory")
  func farAhead() {
    let track = MouthTrack()
    let bytes = track.byteCount
    track.writeVisemes(8_639_999, weights, known: true)
    track.writeLevel(MouthTrack.maximumFrames, level: 1, stress: 1)
    #expect(track.byteCount == bytes)
    #expect(track.visemeEnd == 0)
    #expect(track.levelEnd == 0)
  }

  @Test("ten minutes can wait, counted from the first frame that is kept")
  func tenMinutes() {
    let track = MouthTrack()
    track.writeVisemes(MouthTrack.maximumFrames - 1, weights, known: true)
    #expect(track.visemeEnd == MouthTrack.maximumFrames)
    track.discard(before: 100)
    track.writeVisemes(MouthTrack.maximumFrames + 99, weights, known: true)
    track.writeVisemes(MouthTrack.maximumFrames + 100, weights, known: true)
    #expect(track.visemeEnd == MouthTrack.maximumFrames + 100)
    #expect(track.byteCount < 8 << 20)
  }
}
