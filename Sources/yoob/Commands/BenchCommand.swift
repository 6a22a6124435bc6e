import Foundation
import RunAnywhere

/// `yoob bench`: measures this machine.
struct BenchCommand {
  static let usage = """
    Usage: yoob bench turn [--rounds N] [--threads N] [--json OUT.json] [--quiet]
           yoob bench face [--baseline] [--json OUT.json]
           yoob bench lipsync [--part NAME] [--data FOLDER] [--by-speaker] [--no-mesh] [--json OUT.json]
           yoob bench endpointing [--part NAME] [--data FOLDER] [--verbose] [--json OUT.json]
           yoob bench stream [--minutes N] [--json OUT.json]

    turn  from the end of the user's speech to the first audible sample, stage by stage, and how
          soon an interruption ends the sound; real models, real time, recorded questions
          (about 5 minutes with 3 rounds)
    face  the CPU rasterizer at 720 x 720 on one core with everything moving
    lipsync  how well the mouth follows speech whose phones are known; the recordings come from
          training/real_speech/prepare
    endpointing  how often a pause inside a turn is taken for its end, and how long true ends wait, by
          silence, words, sound and both; the recordings come from scripts/make-turn-corpus (4 minutes)
    stream  whether a face that listens for hours keeps its memory: two hours of sound (2 minutes)
    The exit code is 1 when a budget is not kept.
      --baseline   runs a rasterizer in C beside the face and compares (needs a C compiler)
      --rounds N   how often each question is asked, 1 to 100 (default 3)
      --threads N  threads of each engine, 1 to 64
      --part NAME  which recordings: dev (default), train, voices (synthesizers, also of other
                   languages), or blind, which is for a last check only
      --data DIR   where the recordings are (default $YOOB_HOME/lipsync, $YOOB_HOME/endpointing)
      --verbose    prints what came of each turn
      --by-speaker prints the scores of each speaker and language too; the JSON always has them
      --no-mesh    shapes only, without closures, lag and stillness
      --minutes N  how long the sound is, 1 to 1440 (default 120)
      --json FILE  the result as JSON too
      --quiet      no progress
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: [
        "--json", "--rounds", "--threads", "--part", "--data", "--minutes", "--max-tokens", "--system-prompt",
      ],
      flags: ["--no-mesh", "--quiet", "--baseline", "--by-speaker", "--verbose"])
    guard arguments.positional.count == 1 else {
      throw UsageError("Name one benchmark: turn, face, lipsync, endpointing or stream.")
    }
    if let path = arguments["--json"] { try SoundFile.checkWritable(path) }
    if arguments.positional[0] == "pipe" {
      try await pipe(arguments).run()
      return 0
    }
    guard let checkout = YoobHome.checkout else {
      throw FileFault("Recordings and budgets lie in the checkout. Run this from there with ./run.")
    }
    let report: BenchReport
    switch arguments.positional[0] {
    case "turn":
      var bench = BenchTurn(fixtures: checkout.appendingPathComponent("Tests/Fixtures"))
      bench.rounds = try arguments.integer("--rounds", in: 1...100, default: 3)
      bench.threads = try arguments.integer("--threads", in: 1...64, default: 0)
      bench.isQuiet = arguments.has("--quiet")
      report = try await bench.run()
    case "face":
      var bench = BenchFace(packFolder: try CharacterFolder.find(id: "luna-anime", pack: nil))
      if arguments.has("--baseline") {
        bench.baselineSource = checkout.appendingPathComponent("Benchmarks/face-baseline/rb.c")
      }
      report = try bench.run()
    case "lipsync":
      var bench = BenchLipSync(
        packFolder: try CharacterFolder.find(id: "luna-anime", pack: nil),
        folder: arguments["--data"].map { URL(fileURLWithPath: $0) }
          ?? YoobHome.folder.appendingPathComponent("lipsync"),
        part: try arguments.choice("--part", of: BenchLipSync.parts, default: "dev"),
        gaussian: checkout.appendingPathComponent("Benchmarks/mfcc-gaussian.json"))
      bench.output = arguments["--json"]
      bench.mesh = !arguments.has("--no-mesh")
      bench.bySpeaker = arguments.has("--by-speaker")
      report = try bench.run()
      try report.publish(json: arguments["--json"])
      // The limits are those of the part that one may look at.
      guard bench.mesh, bench.part == "dev" else { return 0 }
      return try report.check(budgets: checkout.appendingPathComponent("Benchmarks/budgets.json")) ? 0 : 1
    case "endpointing":
      var bench = BenchEndpointing(
        folder: arguments["--data"].map { URL(fileURLWithPath: $0) }
          ?? YoobHome.folder.appendingPathComponent("endpointing"))
      bench.part = try arguments.choice("--part", of: ["dev", "blind"], default: "dev")
      bench.isQuiet = arguments.has("--quiet")
      bench.isVerbose = arguments.has("--verbose")
      report = try await bench.run()
    case "stream":
      var bench = BenchStream(packFolder: try CharacterFolder.find(id: "luna-anime", pack: nil))
      bench.minutes = try arguments.integer("--minutes", in: 1...1440, default: 120)
      report = try bench.run()
    case let name:
      throw UsageError("There is no benchmark “\(name)”: turn, face, lipsync, endpointing or stream.")
    }
    try report.publish(json: arguments["--json"])
    let budgets = checkout.appendingPathComponent("Benchmarks/budgets.json")
    return try report.check(budgets: budgets) ? 0 : 1
  }
  /// What `Benchmarks/peers` talks to; of no use to a person, so the usage does not name it.
  private static func pipe(_ arguments: Arguments) throws -> BenchPipe {
    var bench = BenchPipe()
    bench.choice.threads = try arguments.integer("--threads", in: 1...64, default: 0)
    bench.generation.maxOutputTokens = try arguments.integer("--max-tokens", in: 1...4096, default: 96)
    if let prompt = arguments["--system-prompt"] { bench.generation.systemPrompt = prompt }
    // What the peers ask of their language model.
    bench.generation.temperature = 0
    bench.generation.repetitionPenalty = 1
    return bench
  }
}
