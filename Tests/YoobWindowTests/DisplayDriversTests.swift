import Testing

@testable import YoobWindow

@Suite("Display drivers")
struct DisplayDriversTests {
  @Test(
    "only drivers that can show a window are tried",
    arguments: [
      ([:], ""), (["DISPLAY": "", "WAYLAND_DISPLAY": ""], ""),
      (["XDG_RUNTIME_DIR": "/run/user/1000"], ""),
      (["DISPLAY": ":0"], "x11"),
      (["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1000"], "wayland"),
      (
        ["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1000"], "x11,wayland"
      ),
    ] as [([String: String], String)])
  func chosen(environment: [String: String], drivers: String) {
    #expect(DisplayDrivers.named(in: environment) == drivers)
  }

  @Test(
    "Wayland is not tried where its library would only complain of the folder of its socket",
    arguments: [
      (["WAYLAND_DISPLAY": "wayland-0"], ""), (["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"], "x11"),
      (["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "run"], ""),
      (["WAYLAND_DISPLAY": "/run/wayland-0"], "wayland"), (["SDL_VIDEODRIVER": "wayland"], ""),
    ] as [([String: String], String)])
  func unreachable(environment: [String: String], drivers: String) {
    #expect(DisplayDrivers.named(in: environment) == drivers)
  }

  @Test("who names a driver gets it")
  func asked() {
    #expect(DisplayDrivers.named(in: ["DISPLAY": ":0", "SDL_VIDEODRIVER": "dummy"]) == "dummy")
    #expect(DisplayDrivers.named(in: ["SDL_VIDEODRIVER": "x11,offscreen"]) == "x11,offscreen")
  }
}
