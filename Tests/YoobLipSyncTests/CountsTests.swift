import Testing
import YoobFace

@testable import YoobLipSync

@Suite("Counts of shapes and closures")
struct CountsTests {
  @Test("Frames in speech are counted exactly, by class and within 30 ms")
  func shapes() {
    let truth: [Viseme] = [.sil, .PP, .aa, .aa, .DD, .SS, .sil]
    let shown: [Viseme] = [.sil, .sil, .PP, .aa, .SS, .SS, .sil]
    let counts = ClassCounts(truth: truth, shown: shown)
    #expect(counts.speech == 5)
    // aa at 3 and SS at 5; DD shows as SS, which looks the same.
    #expect(counts.viseme == 2)
    #expect(counts.exact == 3)
    // PP comes a frame late, aa at 2 a frame late.
    #expect(counts.near == 5)
    // Rest 2 of 2, shut 0 of 1, open 1 of 2, tongue 2 of 2.
    #expect(counts.meanRecall == 0.625)
  }

  @Test(
    "A shape that comes 30 ms away counts as near, one 40 ms away does not", arguments: [(3, 1.0), (4, 0)])
  func tolerance(shift: Int, near: Double) {
    var truth = [Viseme](repeating: .sil, count: 20)
    var shown = truth
    truth[10] = .FF
    shown[10 + shift] = .FF
    let late = ClassCounts(truth: truth, shown: shown)
    #expect(late.near == near)
    #expect(late.exact == 0)
    shown = [Viseme](repeating: .sil, count: 20)
    shown[10 - shift] = .FF
    #expect(ClassCounts(truth: truth, shown: shown).near == near)
  }

  @Test("Counts add up over recordings")
  func sum() {
    var counts = ClassCounts(truth: [.aa, .PP], shown: [.aa, .aa])
    counts += ClassCounts(truth: [.PP], shown: [.PP])
    #expect(counts.speech == 3)
    #expect(counts.exact == 2)
    #expect(counts.meanRecall == 0.75)
  }

  @Test("A closure is met within 20 ms, and shut frames that touch silence are no closure of speech")
  func closures() {
    let r = VisualClass.rest, s = VisualClass.shut, o = VisualClass.open
    //                         0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18
    let truth: [VisualClass] = [r, r, s, o, o, o, s, s, o, o, o, o, o, o, s, o, o, r, r]
    let shutAt: Set<Int> = [0, 1, 2, 9, 12, 16, 17, 18]
    let counts = ClosureCounts(truth: truth, shut: truth.indices.map { shutAt.contains($0) })
    // 2 by the shut mouth of the silence before it; 6-7 at 9: 2 frames late; 14 at 12: 2 frames early.
    #expect(counts.real == 3)
    #expect(counts.met == 3)
    // 9 and 12 shut in speech; 0-2 and 16-18 touch silence.
    #expect(counts.shown == 2)
    #expect(counts.right == 2)
    #expect(counts.speech == 15)
  }

  @Test("A closure 30 ms away is missed and false")
  func missed() {
    let open = [VisualClass](repeating: .open, count: 300)
    var truth = open
    truth[100] = .shut
    var shut = [Bool](repeating: false, count: 300)
    shut[103] = true
    let counts = ClosureCounts(truth: truth, shut: shut)
    #expect(counts.recall == 0)
    #expect(counts.precision == 0)
    // One in 3 seconds of speech.
    #expect(counts.falsePerMinute == 20)
  }

  @Test("Nothing said and nothing shown gives zeros")
  func nothing() {
    #expect(ClosureCounts().recall == 0)
    #expect(ClosureCounts().precision == 0)
    #expect(ClosureCounts().falsePerMinute == 0)
    #expect(ClassCounts().meanRecall == 0)
  }
}
