/// Which of SDL's video drivers can show a window here.
///
/// SDL itself tries all of them: it ends with one that shows nothing, and Wayland's library writes to the terminal
/// where it has no folder for its socket.
enum DisplayDrivers {
  /// Names for SDL, separated by commas, in the order of trying; empty where there is no display.
  static func named(in environment: [String: String]) -> String {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let isWaylandReachable =
      [environment["WAYLAND_DISPLAY"], environment["XDG_RUNTIME_DIR"]].contains { $0?.hasPrefix("/") == true }
    var drivers: [String] = []
    if isSet("DISPLAY") { drivers.append("x11") }
    if isSet("WAYLAND_DISPLAY") { drivers.append("wayland") }
    if let asked = environment["SDL_VIDEODRIVER"], !asked.isEmpty {
      drivers = asked.split(separator: ",").map(String.init)
    }
    return drivers.filter { $0 != "wayland" || isWaylandReachable }.joined(separator: ",")
  }
}
