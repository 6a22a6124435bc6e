import Foundation
import RunAnywhere

/// `yoob bench`: measures this machine.
struct BenchCommand {
  static let usage = """
    Usage: yoob bench NAME [OPTIONS] [--json OUT.json] [--quiet]

    Measures this machine. The times in brackets were taken on two cores. Exit
    code 1 when a limit in Benchmarks/budgets.json is not kept.

    Conversations, with the real models:
      turn          how long she takes to answer: from the end of the user's speech
                    to her first sound, stage by stage; how soon an interruption
                    ends the sound; processor time and memory (7 minutes)
        --rounds N      how often each question is asked, 1 to 100 (default 3)
        --threads N     threads of each engine, 1 to 64
        --neighbours N  only the questions, while so many other processes keep the
                        cores busy, 1 to 64
      endpointing   how often a pause inside a sentence is taken for its end, and
                    how long true ends wait (15 minutes)
        --part dev|blind  which recordings; blind is for a last check only
        --verbose       what came of each turn
      interruption  whether she stops for the user's words, and goes on at her own
                    echo, "mm-hm" and coughs, in a simulated room
        --count N       interruptions, 0 to 1000 (default 100)
        --minutes N     how long she speaks alone at each delay of the echo, 0 to
                        1440 (default 10)
        --real-time N   how many of them again in real time, 0 to 100 (default 10)
        --no-echo       the loudspeaker is not heard at the microphone
        --part, --verbose  as above
      reopening     sentences with one pause of 0.7 s: how often it is taken for
                    the end, and whether both parts become one message
        --part, --verbose  as above
      soak          whether a long conversation keeps its memory, threads and open
                    files (1 hour)
        --minutes N     how long, 1 to 1440 (default 60)
        --fast          the clock waits for the engines

    Face and mouth:
      face          how long a frame takes, 720 x 720 on one core, everything
                    moving (1 minute)
        --baseline      compares with a plain rasterizer (needs a C compiler)
      lipsync       how well the mouth follows speech whose sounds are known
        --part NAME     dev (default), train, voices (synthesizers, also of other
                        languages) or blind, which is for a last check only
        --by-speaker    the scores of each speaker and language too
        --no-mesh       mouth shapes only: neither lips that shut, nor lag, nor
                        stillness
      stream        whether a face that listens for hours keeps its memory
                    (2 minutes)
        --minutes N     how much sound, 1 to 1440 (default 120)

    Avatars and their packs:
      sync          whether lips stay with the sound: an avatar that speaks for an
                    hour of simulated time, with interruptions and gaps (5 minutes)
        --minutes N     how much of that time, 1 to 1440 (default 60)
      avatar        what avatars leave behind that are made, heard, seen and closed
                    again and again; how soon sound and lips begin (2 minutes)
        --cycles N      how many avatars, 8 to 10000 (default 200)
      download      how fast a signed pack is fetched from a server on this
                    machine, checked and stored, beside a plain copy (1 minute)
        --megabytes N   size of the pack, 1 to 500 (default 256)
        --rounds N      how often, 1 to 100 (default 3)
      resume        a download that is killed at random moments: what is fetched
                    again, and whether a wrong byte is ever taken (5 minutes)
        --kills N       how often, 1 to 10000 (default 200)
        --megabytes N   size of the pack, 1 to 500 (default 64)

    All of them:
      --json FILE   the result as JSON too
      --quiet       no progress
      --data DIR    where the recordings of endpointing, interruption, reopening,
                    soak and lipsync are, which scripts/make-turn-corpus,
                    scripts/make-talk-corpus (three of them) and
                    training/real_speech/prepare make
                    (default endpointing, talk and lipsync in $YOOB_HOME)
    """

  private static let list = "\(Program.name) bench --help lists them."

  private static func recordings(_ arguments: Arguments, _ name: String) -> URL {
    arguments["--data"].map { URL(fileURLWithPath: $0) } ?? YoobHome.folder.appendingPathComponent(name)
  }

  private static let options: Set<String> = [
    "--json", "--rounds", "--threads", "--neighbours", "--part", "--data", "--minutes", "--count",
    "--real-time", "--max-tokens", "--system-prompt", "--megabytes", "--kills", "--cycles",
  ]
  private static let flags: Set<String> = [
    "--no-mesh", "--quiet", "--baseline", "--by-speaker", "--verbose", "--fast", "--no-echo",
  ]
  /// What each benchmark takes beside `--json` and `--quiet`.
  private static let own: [String: Set<String>] = [
    "turn": ["--rounds", "--threads", "--neighbours"], "face": ["--baseline"],
    "lipsync": ["--part", "--data", "--by-speaker", "--no-mesh"],
    "endpointing": ["--part", "--data", "--verbose"],
    "interruption": ["--part", "--data", "--count", "--minutes", "--real-time", "--no-echo", "--verbose"],
    "reopening": ["--part", "--data", "--verbose"], "soak": ["--minutes", "--fast", "--data"],
    "stream": ["--minutes"], "sync": ["--minutes"], "download": ["--megabytes", "--rounds"],
    "resume": ["--kills", "--megabytes"], "avatar": ["--cycles"],
    "pipe": ["--threads", "--max-tokens", "--system-prompt"],
  ]

  /// Refuses options that the benchmark would ignore.
  private static func check(_ arguments: Arguments) throws {
    let name = arguments.positional[0]
    guard let own = own[name] else { throw UsageError("There is no benchmark “\(name)”; \(list)") }
    let known = own.union(["--json", "--quiet"])
    let given = options.union(flags).filter { arguments[$0] != nil || arguments.has($0) }
    if let option = given.subtracting(known).min() { throw UsageError("bench \(name) has no \(option).") }
  }

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, options: options, flags: flags)
    guard arguments.positional.count == 1 else {
      throw UsageError("Name one benchmark; \(list)")
    }
    try check(arguments)
    if let path = arguments["--json"] { try SoundFile.checkWritable(path) }
    if arguments.positional[0] == "pipe" {
      try await pipe(arguments).run()
      return 0
    }
    guard let checkout = YoobHome.checkout else {
      throw FileFault("Recordings and budgets lie in the checkout. Run this from there with ./run.")
    }
    let report: BenchReport
    /// Whether as much was measured as the limits are for.
    var isComplete = true
    switch arguments.positional[0] {
    case "turn":
      var bench = BenchTurn(fixtures: checkout.appendingPathComponent("Tests/Fixtures"))
      bench.rounds = try arguments.integer("--rounds", in: 1...100, default: 3)
      bench.threads = try arguments.integer("--threads", in: 1...64, default: 0)
      bench.neighbours = try arguments.integer("--neighbours", in: 1...64, default: 0)
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
        folder: recordings(arguments, "lipsync"),
        part: try arguments.choice("--part", of: BenchLipSync.parts, default: "dev"),
        gaussian: checkout.appendingPathComponent("Benchmarks/mfcc-gaussian.json"))
      bench.output = arguments["--json"]
      bench.mesh = !arguments.has("--no-mesh")
      bench.bySpeaker = arguments.has("--by-speaker")
      // The limits are those of the part that one may look at.
      isComplete = bench.mesh && bench.part == "dev"
      report = try bench.run()
    case "endpointing":
      var bench = BenchEndpointing(folder: recordings(arguments, "endpointing"))
      bench.part = try arguments.choice("--part", of: ["dev", "blind"], default: "dev")
      bench.isQuiet = arguments.has("--quiet")
      bench.isVerbose = arguments.has("--verbose")
      report = try await bench.run()
    case "interruption":
      var bench = BenchInterruption(folder: recordings(arguments, "talk"))
      bench.part = try arguments.choice("--part", of: ["dev", "blind"], default: "dev")
      bench.count = try arguments.integer("--count", in: 0...1000, default: 100)
      bench.minutes = try arguments.integer("--minutes", in: 0...1440, default: 10)
      bench.hasEcho = !arguments.has("--no-echo")
      isComplete = bench.count >= 100 && bench.minutes >= 10
      bench.realTime = try arguments.integer("--real-time", in: 0...100, default: 10)
      bench.isQuiet = arguments.has("--quiet")
      bench.isVerbose = arguments.has("--verbose")
      report = try await bench.run()
    case "reopening":
      var bench = BenchReopening(folder: recordings(arguments, "talk"))
      bench.part = try arguments.choice("--part", of: ["dev", "blind"], default: "dev")
      bench.isQuiet = arguments.has("--quiet")
      bench.isVerbose = arguments.has("--verbose")
      report = try await bench.run()
    case "soak":
      var bench = BenchSoak(folder: recordings(arguments, "talk"))
      bench.minutes = try arguments.integer("--minutes", in: 1...1440, default: 60)
      isComplete = bench.minutes >= 30
      bench.isFast = arguments.has("--fast")
      bench.isQuiet = arguments.has("--quiet")
      report = try await bench.run()
    case "stream":
      var bench = BenchStream(packFolder: try CharacterFolder.find(id: "luna-anime", pack: nil))
      bench.minutes = try arguments.integer("--minutes", in: 1...1440, default: 120)
      report = try bench.run()
    case "download":
      var bench = BenchDownload()
      bench.megabytes = try arguments.integer("--megabytes", in: 1...500, default: 256)
      bench.rounds = try arguments.integer("--rounds", in: 1...100, default: 3)
      bench.isQuiet = arguments.has("--quiet")
      isComplete = bench.megabytes >= 128
      report = try await bench.run()
    case "resume":
      guard let program = Bundle.main.executableURL else {
        throw FileFault("This program's file is not known.")
      }
      let bench = BenchResume(program: program)
      bench.kills = try arguments.integer("--kills", in: 1...10_000, default: 200)
      bench.megabytes = try arguments.integer("--megabytes", in: 1...500, default: 64)
      bench.isQuiet = arguments.has("--quiet")
      isComplete = bench.kills >= 200
      report = try await bench.run()
    case "avatar":
      guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
      let bench = BenchAvatar(
        pack: try CharacterFolder.find(id: "luna-anime", pack: nil),
        fixtures: checkout.appendingPathComponent("Tests/Fixtures"))
      bench.cycles = try arguments.integer("--cycles", in: 8...10_000, default: 200)
      bench.isQuiet = arguments.has("--quiet")
      isComplete = bench.cycles >= 200
      report = try await bench.run()
    case "sync":
      guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
      var bench = BenchSync(
        fixtures: checkout.appendingPathComponent("Tests/Fixtures"),
        pack: try CharacterFolder.find(id: "luna-anime", pack: nil))
      bench.minutes = try arguments.integer("--minutes", in: 1...1440, default: 60)
      bench.isQuiet = arguments.has("--quiet")
      isComplete = bench.minutes >= 60
      report = try await bench.run()
    case let name:
      throw UsageError("There is no benchmark “\(name)”; \(list)")
    }
    try report.publish(json: arguments["--json"])
    guard isComplete else { return 0 }
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
    bench.generation.softOutputTokens = nil
    bench.generation.temperature = 0
    bench.generation.repetitionPenalty = 1
    return bench
  }
}
