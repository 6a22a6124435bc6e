import Foundation
import RunAnywhere

/// Looks at a machine and says what it has and what it lacks.
struct Doctor {
  /// One thing looked at.
  struct Finding: Encodable {
    enum State: String, Encodable {
      case fine = "ok"
      case missing
      /// There, but not as it should be.
      case poor = "note"
    }
    var subject: String
    var state: State
    /// Whether a conversation is impossible without it.
    var isEssential: Bool
    var detail: String
    /// The command that mends it.
    var remedy: String?

    enum CodingKeys: String, CodingKey {
      case subject, state, detail, remedy
      case isEssential = "essential"
    }

    static func fine(_ subject: String, _ detail: String) -> Finding {
      Finding(subject: subject, state: .fine, isEssential: false, detail: detail)
    }
    static func missing(_ subject: String, _ detail: String, essential: Bool, remedy: String?) -> Finding {
      Finding(subject: subject, state: .missing, isEssential: essential, detail: detail, remedy: remedy)
    }
    static func poor(_ subject: String, _ detail: String, remedy: String? = nil) -> Finding {
      Finding(subject: subject, state: .poor, isEssential: false, detail: detail, remedy: remedy)
    }
  }

  /// The command that does all of set-up; scripts/setup/doctor.sh names the same.
  private static let setUp = "./run"

  var environment: [String: String]
  var home: URL
  var checkout: URL?
  var store: ModelStore

  static var standard: Doctor {
    Doctor(
      environment: ProcessInfo.processInfo.environment, home: YoobHome.folder, checkout: YoobHome.checkout,
      store: .standard)
  }

  func examine() async -> [Finding] {
    let window = await window()
    let packages = packages()
    return [swift()] + packages + [runtime()] + models() + page()
      + [
        program("ffmpeg", for: "films (render, talk and say to .mp4)", packages),
        program("chromium", for: "the browser tests", packages),
        disk(), memory(), processor(), port(8787), sound(), window,
      ]
  }

  private func swift() -> Finding {
    guard let path = find("swift") else {
      return .missing(
        "Swift", "not on PATH; this program runs, but cannot be built again", essential: false,
        remedy: "get Swift 6.3 for Debian 12 from https://www.swift.org/install/linux")
    }
    return .fine("Swift", path)
  }

  private func packages() -> [Finding] {
    guard let status = try? String(contentsOfFile: "/var/lib/dpkg/status", encoding: .utf8) else { return [] }
    let installed = Self.installedPackages(status)
    return ["run", "test"].map { group in
      let subject = "Debian packages to \(group)"
      guard let checkout,
        let text = try? String(
          contentsOf: checkout.appendingPathComponent("scripts/setup/packages-\(group).txt"), encoding: .utf8)
      else { return .poor(subject, "not looked at: the checkout is not known") }
      let names = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
      let absent = names.filter { !installed.contains($0) }
      if absent.isEmpty { return .fine(subject, "all \(names.count) are installed") }
      return .missing(
        subject, absent.joined(separator: ", "), essential: false,
        remedy: "sudo apt-get install --no-install-recommends \(absent.joined(separator: " "))")
    }
  }

  /// Names of the installed packages in dpkg's status file.
  private static func installedPackages(_ status: String) -> Set<String> {
    var names: Set<String> = []
    var name = Substring()
    for line in status.split(separator: "\n") {
      if line.hasPrefix("Package: ") { name = line.dropFirst(9) }
      if line == "Status: install ok installed" { names.insert(String(name)) }
    }
    return names
  }

  private func runtime() -> Finding {
    let runtime = home.appendingPathComponent("runtime")
    let wanted = [
      "sherpa-onnx": "libonnxruntime.so", "llama.cpp": "libllama.so",
      "voice-processing": "libyoob-voice-processing.so",
    ]
    let absent = wanted.filter { engine, library in
      let versions = try? FileManager.default.contentsOfDirectory(
        atPath: runtime.appendingPathComponent(engine).path)
      return !(versions ?? []).contains { version in
        FileManager.default.fileExists(
          atPath: runtime.appendingPathComponent("\(engine)/\(version)/lib/\(library)").path)
      }
    }
    if absent.isEmpty { return .fine("engines", runtime.path) }
    return .missing(
      "engines", "\(absent.keys.sorted().joined(separator: ", ")) not under \(runtime.path)", essential: true,
      remedy: Self.setUp)
  }

  private func models() -> [Finding] {
    ModelCatalogue.models.filter(\.isDefault).map { model in
      let subject = "model \(model.id)"
      switch store.status(of: model) {
      case .ready: return .fine(subject, "\(ModelSize.text(store.bytesUsed(by: model))), \(model.licence)")
      case .absent:
        return .missing(
          subject, "not under \(store.root.path)", essential: model.category != .turn,
          remedy: Self.setUp)
      case .damaged(let files):
        return .missing(
          subject, "missing or damaged: \(files.joined(separator: ", "))", essential: model.category != .turn,
          remedy: Self.setUp)
      }
    }
  }

  private func page() -> [Finding] {
    guard let checkout else { return [] }
    let file = checkout.appendingPathComponent("web/dist/demo/index.html").path
    guard !FileManager.default.fileExists(atPath: file) else { return [.fine("page", "built")] }
    return [.missing("page", "not built yet", essential: false, remedy: Self.setUp)]
  }

  /// A program of the Debian package of its name; `packages` may tell already how that is installed.
  private func program(_ name: String, for use: String, _ packages: [Finding]) -> Finding {
    if let path = find(name) { return .fine(name, path) }
    let isTold = packages.contains { $0.remedy?.split(separator: " ").contains(name[...]) ?? false }
    return .missing(
      name, "not on PATH; needed for \(use)" + (isTold ? "; one of the Debian packages above" : ""),
      essential: false, remedy: isTold ? nil : "sudo apt-get install --no-install-recommends \(name)")
  }

  private func find(_ program: String) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
