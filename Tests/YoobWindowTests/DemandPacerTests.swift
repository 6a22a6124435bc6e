import Testing

@testable import YoobWindow

@Suite("When a window asks for another picture")
struct DemandPacerTests {
  private let small = WindowLayout.Demand(framing: .canvas, width: 90, height: 160)
  private let large = WindowLayout.Demand(framing: .canvas, width: 180, height: 320)

  @Test("the first size is asked for at once")
  func firstSizeAskedAt() {
    var pacer = DemandPacer()
    pacer.want(small, at: 1)
    #expect(pacer.take(at: 1) == .some(small))
    #expect(pacer.take(at: 2) == .none)
  }

  @Test("a size is asked for when it has stayed for a moment")
  func sizeAskedWhenHas() {
    var pacer = DemandPacer()
    pacer.want(small, at: 0)
    _ = pacer.take(at: 0)
    for step in 1...10 {
      let size = WindowLayout.Demand(framing: .canvas, width: 90 + step, height: 160)
      pacer.want(size, at: 1 + Double(step) * 0.1)
      #expect(pacer.take(at: 1 + Double(step) * 0.1) == .none)
    }
    pacer.want(large, at: 2.1)
    #expect(pacer.due == 2.1 + DemandPacer.pause)
    #expect(pacer.take(at: 2.2) == .none)
    #expect(pacer.take(at: 2.3) == .some(large))
    #expect(pacer.due == nil)
  }

  @Test("the same size is not waited for anew")
  func sameSizeNotWaited() {
    var pacer = DemandPacer()
    pacer.want(small, at: 0)
    _ = pacer.take(at: 0)
    pacer.want(large, at: 1)
    pacer.want(large, at: 1.1)
    #expect(pacer.due == 1 + DemandPacer.pause)
  }

  @Test("a size that is back is not asked for again")
  func sizeBackNotAsked() {
    var pacer = DemandPacer()
    pacer.want(small, at: 0)
    _ = pacer.take(at: 0)
    pacer.want(large, at: 1)
    pacer.want(small, at: 1.1)
    #expect(pacer.due == nil)
    #expect(pacer.take(at: 9) == .none)
  }

  @Test("a window that nobody sees asks for nothing, and for its size when it is back")
  func windowNobodySeesAsks() {
    var pacer = DemandPacer()
    pacer.want(small, at: 0)
    _ = pacer.take(at: 0)
    pacer.want(nil, at: 1)
    #expect(pacer.take(at: 1) == .some(nil))
    pacer.want(small, at: 2)
    #expect(pacer.take(at: 2) == .some(small))
  }
}
