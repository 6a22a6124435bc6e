import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing

/// `yoob talk`: holds a conversation over microphone and loudspeaker, or from a recording.
struct TalkCommand {
  static let usage = """
    Usage: yoob talk [--window] [OPTIONS]
           yoob talk --input IN.wav [--output OUT.mp4|OUT.wav] [OPTIONS]

    A conversation with captions over this machine's microphone and loudspeaker;
    Ctrl-C ends it. A line that you type is a message too: /stop interrupts her,
    /help lists the rest, and /quit or Ctrl-D on an empty line ends the
    conversation. Lines may come from a pipe, whose end ends nothing.
    With --input a recording of one or more turns is played to the agent in real
    time instead: no devices are needed, and nothing is read from the keyboard.
      --input FILE          what the user says (WAV)
      --microphone NAME     which devices, as `yoob devices` names them
      --loudspeaker NAME
      --device-wait SECONDS how long to wait when a device vanishes and no other
                            is there, 1 to 3600 (default 30)
      --output FILE         her answers, in their places in time: .wav, or a film
                            (.mp4, .webm, .mov)
      --events FILE         every event, one JSON object a line (Docs/events.md)
      --window              her face in a window while you talk; its keys: Space
                            stops her, M mutes the microphone, F is full screen,
                            H help, Esc ends the conversation
      --character ID        who answers in the window or in a film
                            (default: luna-anime)
    \(LocalEngines.Choice.usage)
      --threads N           threads of each engine, 1 to 64
    \(FilmOptions.usage)
        --pack, --size (default 480), --aspect and --emotion hold for the window too
      --quiet               no progress, no captions, no word of what was written
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: Set([
        "--input", "--output", "--events", "--system-prompt", "--threads", "--microphone", "--loudspeaker",
        "--device-wait",
      ]).union(LocalEngines.Choice.options).union(FilmOptions.options),
      flags: FilmOptions.flags.union(["--quiet", "--window"]))
    guard arguments.positional.isEmpty else {
      throw UsageError("“\(arguments.positional[0])” belongs to no option. The recording follows --input.")
    }
    let input = arguments["--input"]
    for option in ["--microphone", "--loudspeaker", "--device-wait"]
    where input != nil && arguments[option] != nil {
      throw UsageError("\(option) has no use beside --input, which needs no devices.")
    }
    guard input == nil || !arguments.has("--window") else {
      throw UsageError(
        "--window shows a conversation that you hold. A recorded one becomes a film by --output.")
    }
    let film = try FilmOptions(arguments)
    let deviceWait = try arguments.integer(
      "--device-wait", in: 1...3600, default: Int(LiveConversation.usualDeviceWait))
    let quiet = arguments.has("--quiet")
    let window = arguments.has("--window") ? film.window(isSized: arguments["--size"] != nil) : nil
    let isFilm = try arguments["--output"].map(FilmOptions.isFilm) ?? false
    try SoundFile.checkDistinct(
      inputs: [input].compactMap { $0 },
      outputs: [arguments["--output"], arguments["--events"], film.subtitles])
    if isFilm, let output = arguments["--output"] {
      try film.check(output)
    } else {
      try FilmOptions.checkNone(arguments, besides: window == nil ? [] : FilmOptions.windowOptions)
    }
    for path in [arguments["--output"], arguments["--events"]].compactMap({ $0 }) {
      try SoundFile.checkWritable(path)
    }
    if isFilm || window != nil { try film.checkCharacter() }
    if window != nil { try await TalkWindow.check() }
    var choice = try LocalEngines.Choice(arguments)
    choice.threads = try arguments.integer("--threads", in: 1...64, default: 0)
    var generation = Luna.generation
    if let prompt = arguments["--system-prompt"] { generation.systemPrompt = prompt }
    let spoken: SpokenTimeline?
    var fault: (any Error)?
    if let input {
      let clip = try SoundFile.read(input)
      var conversation = RecordedConversation(
        engines: try await LocalEngines.load(choice, quiet: quiet), clip: clip)
      conversation.generation = generation
      conversation.eventsPath = arguments["--events"]
      conversation.quiet = quiet
      let result = try await conversation.hold()
      guard result.heardSpeech else { throw FileFault("No speech was found in \(input).") }
      if let fault = result.unanswered { throw FileFault(fault) }
      spoken = result.spoken
    } else {
      // A machine without sound is told of before the models are loaded.
      let device = try LiveConversation.open(
        .init(microphone: arguments["--microphone"], loudspeaker: arguments["--loudspeaker"]))
      let ending = OneShot()
      var conversation = LiveConversation(
        engines: try await LocalEngines.load(choice, quiet: quiet), device: device)
      conversation.generation = generation
      conversation.eventsPath = arguments["--events"]
      conversation.quiet = quiet
      conversation.keepsSound = arguments["--output"] != nil
      conversation.deviceWait = Double(deviceWait)
      conversation.window = window
      TerminationSignals.onFirst.withLock { $0.action = { ending.fire() } }
      defer { TerminationSignals.onFirst.withLock { $0.action = nil } }
      if !quiet { Console.noteWrapped(greeting) }
      let outcome = try await conversation.hold(until: ending)
      (spoken, fault) = (outcome.spoken, outcome.fault)
    }
    if let output = arguments["--output"], let spoken {
      do {
        if isFilm {
          try FilmMaker.make(
            spoken.timeline, words: spoken.words, output: output, options: film, quiet: quiet)
        } else {
          try SoundFile.write(spoken.timeline.sound(sampleRate: 24_000), to: output)
        }
        fault = fault.map {
          $0 is CancellationError ? $0 : FileFault("\($0.text) What was said until then is in \(output).")
        }
      } catch {
        fault = fault.map { FileFault("\($0.text) \(error.text)") } ?? error
      }
    }
    if let fault { throw fault }
    Console.noteWritten([arguments["--output"], film.subtitles, arguments["--events"]], isQuiet: quiet)
    return 0
  }

  private static var greeting: String {
    "Say or type something to Luna; /help lists what else can be typed, Ctrl-C ends the conversation."
      + (VoiceProcessor.isAvailable ? "" : " This build cancels no echo: use headphones.")
  }
}
