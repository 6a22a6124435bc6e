import Testing

@testable import YoobWindow

@Suite("Where the character stands in a window")
struct WindowLayoutTests {
  private static let aspect = 9.0 / 16

  private func layout(_ width: Int, _ height: Int) -> WindowLayout {
    WindowLayout(width: width, height: height, aspect: Self.aspect)
  }

  @Test("a window of the character's shape shows all of it, pixel by pixel")
  func windowCharactersShapeShows() {
    let layout = layout(450, 800)
    #expect(layout.place(.canvas) == .init(x: 0, y: 0, width: 450, height: 800))
    #expect(layout.demand == .init(framing: .canvas, width: 450, height: 800))
  }

  @Test("a wide window shows head and shoulders in the middle")
  func wideWindowShowsHead() {
    let layout = layout(1600, 700)
    #expect(layout.place(.square) == .init(x: 450, y: 0, width: 700, height: 700))
    #expect(layout.demand == .init(framing: .square, width: 700, height: 700))
  }

  @Test("a squarer window leaves out more of the lower part than of the upper")
  func squarerWindowLeavesOut() {
    let place = layout(720, 720).place(.canvas)
    #expect(place == .init(x: 0, y: -112, width: 720, height: 1280))
  }

  @Test("a slim window leaves out the sides, and keeps the face")
  func slimWindowLeavesOut() {
    let place = layout(400, 800).place(.canvas)
    #expect(place == .init(x: -25, y: 0, width: 450, height: 800))
    let slim = layout(200, 800).place(.canvas)
    #expect(abs(slim.width - 200 / WindowLayout.leastWidth) < 1e-9)
    #expect(abs(slim.y + slim.height - 800) < 1e-9)
  }

  @Test(
    "pictures keep their proportions and are never larger than what is drawn in time",
    arguments: [(3840, 2160), (2160, 3840), (1200, 1200), (120, 120), (16, 9000), (9000, 16), (0, 0)])
  func picturesKeepTheirProportions(
    width: Int, height: Int
  ) {
    let layout = layout(width, height)
    let demand = layout.demand
    #expect((16...4096).contains(demand.width) && (16...4096).contains(demand.height))
    #expect(Double(demand.width * demand.height) < WindowLayout.mostPixels * 1.01)
    let wanted = demand.framing == .square ? 1 : Self.aspect
    guard demand.width > 16, demand.height > 16 else { return }
    #expect(abs(Double(demand.width) / Double(demand.height) / wanted - 1) < 0.05)
  }

  @Test(
    "every window is covered, or its rest lies where the edge goes on",
    arguments: [200, 300, 405, 500, 720, 900, 1280])
  func everyWindowCoveredRest(width: Int) {
    let layout = layout(width, 720)
    let place = layout.place(layout.framing)
    #expect(place.y + place.height >= 720 - 1e-9)
    #expect(place.width >= Double(width) - 1e-9 || layout.framing == .square)
  }

  @Test("a character that is wider than tall is shown whole")
  func characterWiderThanTall() {
    let layout = WindowLayout(width: 1600, height: 900, aspect: 16.0 / 9)
    #expect(layout.framing == .canvas)
    #expect(layout.place(.canvas) == .init(x: 0, y: 0, width: 1600, height: 900))
  }

  @Test("a window that is too large for the desktop becomes smaller in proportion")
  func windowTooLargeDesktop() {
    let size = WindowLayout.fit((720, 1280), room: (1920, 1000))
    #expect(size == (506, 900))
    #expect(WindowLayout.fit((480, 854), room: (1920, 1040)) == (480, 854))
  }
}
