import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO

/// `yoob talk`: holds a conversation from a recording and keeps what the agent answered.
struct TalkCommand {
  static let usage = """
    Usage: yoob talk --input IN.wav [--output OUT.mp4|OUT.wav] [--events OUT.jsonl] [OPTIONS]

    Plays a recording to the agent in real time, one or more turns of it, and keeps her answers.
      --input FILE          what the user says (WAV)
      --output FILE         her answers, in their places in time: .wav, or a film (.mp4, .webm, .mov)
      --events FILE         every event, one JSON object a line
      --character ID        who answers in a film (default: luna-anime)
      --stt ID, --llm ID, --tts ID   the models (default: the catalogue's)
      --system-prompt TEXT  who the agent is
      --threads N           threads of each engine, 1 to 64
    \(FilmOptions.usage)
      --quiet               no progress, no captions
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: Set([
        "--input", "--output", "--events", "--stt", "--llm", "--tts", "--system-prompt", "--threads",
      ]).union(FilmOptions.options), flags: FilmOptions.flags.union(["--quiet"]))
    guard arguments.positional.isEmpty else {
      throw UsageError("“\(arguments.positional[0])” belongs to no option. The recording follows --input.")
    }
    guard let input = arguments["--input"] else {
      throw UsageError(
        "--input is missing. To talk with your own microphone, run `yoob serve --demo` and open the page.")
    }
    let film = try FilmOptions(arguments)
    let quiet = arguments.has("--quiet")
    let isFilm = try arguments["--output"].map(FilmOptions.isFilm) ?? false
    try SoundFile.checkDistinct(
      inputs: [input], outputs: [arguments["--output"], arguments["--events"], film.subtitles])
    if let output = arguments["--output"] { try film.check(output, isFilm: isFilm) }
    for path in [arguments["--output"], arguments["--events"]].compactMap({ $0 }) {
      try SoundFile.checkWritable(path)
    }
    if isFilm { try film.checkCharacter() }
    let clip = try SoundFile.read(input)
    var choice = LocalEngines.Choice()
    choice.stt = arguments["--stt"]
    choice.llm = arguments["--llm"]
    choice.tts = arguments["--tts"]
    choice.threads = try arguments.integer("--threads", in: 1...64, default: 0)
    let engines = try await LocalEngines.load(choice, quiet: quiet)
    var conversation = RecordedConversation(engines: engines, clip: clip)
    conversation.generation = Luna.generation
    if let prompt = arguments["--system-prompt"] { conversation.generation.systemPrompt = prompt }
    conversation.eventsPath = arguments["--events"]
    conversation.quiet = quiet
    let result = try await conversation.hold()
    guard result.heardSpeech else {
      throw FileFault("No speech was found in \(input).")
    }
    if let fault = result.unanswered { throw FileFault(fault) }
    if let output = arguments["--output"] {
      if isFilm {
        try FilmMaker.make(result.timeline, words: result.words, output: output, options: film, quiet: quiet)
      } else {
        try SoundFile.write(result.timeline.sound(sampleRate: 24_000), to: output)
      }
    }
    return 0
  }
}
