import Foundation

/// `yoob bench`: measures this machine.
struct BenchCommand {
  static let usage = """
    Usage: yoob bench turn [--rounds N] [--threads N] [--json OUT.json]
           yoob bench face [--json OUT.json]

    turn  from the end of the user's speech to the first audible sample, stage by stage, and how
          soon an interruption ends the sound; real models, real time, recorded questions
    face  the CPU rasterizer at 720 x 720 on one core with everything moving
    The exit code is 1 when a budget is not kept.
      --rounds N   how often each question is asked, 1 to 100 (default 3)
      --threads N  threads of each engine, 1 to 64
      --json FILE  the result as JSON too
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, options: ["--json", "--rounds", "--threads"])
    guard arguments.positional.count == 1 else { throw UsageError("Name one benchmark: turn or face.") }
    if let path = arguments["--json"] { try SoundFile.checkWritable(path) }
    switch arguments.positional[0] {
    case "turn":
      var bench = BenchTurn()
      bench.rounds = try arguments.integer("--rounds", in: 1...100, default: 3)
      bench.threads = try arguments.integer("--threads", in: 1...64, default: 0)
      let report = try await bench.run()
      try report.publish(json: arguments["--json"])
      let isQuick = report.check("first_audio_ms", p50AtMost: 1000)
      let stops = report.check("interrupt_call_ms", p95AtMost: 200)
      let yields = report.check("interrupt_speech_after_min_duration_ms", p95AtMost: 200)
      return isQuick && stops && yields ? 0 : 1
    case "face":
      let folder = try CharacterFolder.find(id: "luna-anime", pack: nil)
      return try BenchFace.run(packFolder: folder, json: arguments["--json"]) ? 0 : 1
    case let name:
      throw UsageError("There is no benchmark “\(name)”: turn or face.")
    }
    return 0
  }
}
