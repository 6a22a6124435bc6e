import Foundation
import RunAnywhere

/// `yoob bench`: measures this machine.
struct BenchCommand {
  static let usage = """
    Usage: yoob bench turn [--rounds N] [--threads N] [--json OUT.json]
           yoob bench face [--baseline] [--json OUT.json]

    turn  from the end of the user's speech to the first audible sample, stage by stage, and how
          soon an interruption ends the sound; real models, real time, recorded questions
    face  the CPU rasterizer at 720 x 720 on one core with everything moving
    The exit code is 1 when a budget is not kept.
      --baseline   runs a rasterizer in C beside the face and compares (needs a C compiler)
      --rounds N   how often each question is asked, 1 to 100 (default 3)
      --threads N  threads of each engine, 1 to 64
      --json FILE  the result as JSON too
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, options: ["--json", "--rounds", "--threads"], flags: ["--baseline"])
    guard arguments.positional.count == 1 else { throw UsageError("Name one benchmark: turn or face.") }
    if let path = arguments["--json"] { try SoundFile.checkWritable(path) }
    guard let checkout = YoobHome.checkout else {
      throw FileFault("Recordings and budgets lie in the checkout. Run this from there with ./run.")
    }
    let report: BenchReport
    switch arguments.positional[0] {
    case "turn":
      var bench = BenchTurn(fixtures: checkout.appendingPathComponent("Tests/Fixtures"))
      bench.rounds = try arguments.integer("--rounds", in: 1...100, default: 3)
      bench.threads = try arguments.integer("--threads", in: 1...64, default: 0)
      report = try await bench.run()
    case "face":
      var bench = BenchFace(packFolder: try CharacterFolder.find(id: "luna-anime", pack: nil))
      if arguments.has("--baseline") {
        bench.baselineSource = checkout.appendingPathComponent("Benchmarks/face-baseline/rb.c")
      }
      report = try bench.run()
    case let name:
      throw UsageError("There is no benchmark “\(name)”: turn or face.")
    }
    try report.publish(json: arguments["--json"])
    let budgets = checkout.appendingPathComponent("Benchmarks/budgets.json")
    return try report.check(budgets: budgets) ? 0 : 1
  }
}
