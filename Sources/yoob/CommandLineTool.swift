import Foundation

/// Finds the command that the user named, runs it, and turns what it throws into an exit code.
enum CommandLineTool {
  /// One command: its name, one line about it, its usage, and what it does.
  struct Entry: Sendable {
    let name: String
    let summary: String
    let usage: String
    let run: @Sendable ([String]) async throws -> Int32
  }

  static let commands: [Entry] = [
    Entry(
      name: "serve", summary: "serve the page and the voice behind it", usage: ServeCommand.usage,
      run: ServeCommand.run),
    Entry(
      name: "talk", summary: "hold a conversation here or from a recording, without a browser",
      usage: TalkCommand.usage, run: TalkCommand.run),
    Entry(
      name: "devices", summary: "list microphones and loudspeakers", usage: DevicesCommand.usage,
      run: DevicesCommand.run),
    Entry(
      name: "say", summary: "speak a text into a sound file or a film", usage: SayCommand.usage,
      run: SayCommand.run),
    Entry(
      name: "render", summary: "make a talking film of any speech", usage: RenderCommand.usage,
      run: RenderCommand.run),
    Entry(
      name: "transcribe", summary: "write down what is said in a recording",
      usage: TranscribeCommand.usage, run: TranscribeCommand.run),
    Entry(
      name: "models", summary: "list, fetch, verify and remove models", usage: ModelsCommand.usage,
      run: ModelsCommand.run),
    Entry(
      name: "pack", summary: "build, sign, verify and inspect characters", usage: PackCommand.usage,
      run: PackCommand.run),
    Entry(
      name: "keys", summary: "make the keys that characters are signed with", usage: KeysCommand.usage,
      run: KeysCommand.run),
    Entry(
      name: "bench", summary: "measure turns and the face on this machine",
      usage: BenchCommand.usage, run: BenchCommand.run),
    Entry(
      name: "doctor", summary: "say what this machine has and what is missing",
      usage: DoctorCommand.usage, run: DoctorCommand.run),
  ]

  /// Runs one command line; returns 0 when it was done, 1 when it could not be, 2 when it was wrong.
  static func run(_ words: [String]) async -> Int32 {
    guard let name = words.first, !["help", "--help", "-h"].contains(name) else {
      return help(Array(words.dropFirst()), isAsked: !words.isEmpty)
    }
    if name == "--version" || name == "version" {
      Console.out("yoob \(Version.current)")
      return 0
    }
    guard let command = commands.first(where: { $0.name == name }) else { return refuse(name) }
    let arguments = Array(words.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      Console.out(Program.naming(command.usage))
      return 0
    }
    do {
      // The server ends in its own way; everything else leaves nothing half done behind.
      let signals = name == "serve" ? nil : TerminationSignals()
      defer { signals?.disarm() }
      let code = try await command.run(arguments)
      if let fault = Console.outputFault.withLock({ $0 }) { throw fault }
      return code
    } catch let error as UsageError {
      Console.note(synopsis(command))
      Console.note("\(Program.name) \(name): \(error.message)")
      return 2
    } catch is CancellationError {
      Console.note("\(Program.name) \(name): stopped.")
      return 1
    } catch {
      Console.note("\(Program.name) \(name): \(error.text.replacingOccurrences(of: "\n", with: " "))")
      return 1
    }
  }

  /// The forms of a command, without its options one by one: what is wrong must stay in sight below them.
  private static func synopsis(_ command: Entry) -> String {
    let forms = command.usage.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    return Program.naming(
      forms.joined(separator: "\n") + "\n\nyoob \(command.name) --help explains the options.\n")
  }

  private static func refuse(_ name: String) -> Int32 {
    Console.note(overview + "\n")
    Console.note(
      name.hasPrefix("-")
        ? "\(Program.name): a command comes before \(name)."
        : "\(Program.name): there is no command “\(name)”.")
    return 2
  }

  private static func help(_ words: [String], isAsked: Bool) -> Int32 {
    if let name = words.first {
      guard let command = commands.first(where: { $0.name == name }) else { return refuse(name) }
      Console.out(Program.naming(command.usage))
      return 0
    }
    if isAsked {
      Console.out(overview)
      return 0
    }
    Console.note(overview)
    return 2
  }

  private static var overview: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      "  " + command.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + command.summary
    }
    return Program.naming(
      """
      Speech in, face out, and a voice agent behind it that needs no cloud.

      Usage: yoob COMMAND [OPTIONS]

      \(lines.joined(separator: "\n"))

      yoob COMMAND --help shows the options of a command.
      """)
  }
}

/// The version of this program and of the packages beside it.
enum Version {
  static let current = "0.1.0"
}
