import Foundation
import RunAnywhere
import RunAnywhereHibari
import RunAnywhereLlama
import RunAnywhereSherpa
import VoiceIO
import YoobFace
import YoobLocalVoice
import YoobNet
import YoobServer
import YoobWire

/// `yoob serve`: Luna's page, and conversations with her on this machine's own models.
struct ServeCommand {
  static let usage = """
    Usage: yoob serve --demo [OPTIONS]
           yoob serve [--data DIR] [OPTIONS]

    Serves the page, the characters and the voice server (OpenAI Realtime protocol
    at /v1/realtime), and prints the page's address when Luna can talk.
      --demo                accept any key, on this machine only; keeps no data
      --data DIR            where the server keeps its data (default ./data), among
                            it the key that clients need without --demo:
                            DIR/api-key, made at the first start
      --host HOST           address to listen on (default 127.0.0.1: this machine
                            only)
      --port PORT           port to listen on (default 8787; 0 takes a free one)
      --origin URL          a website whose pages may talk to Luna beside the
                            server's own, such as http://localhost:5173; may be
                            given again
      --tls-cert FILE       certificate in PEM form, for https and wss
      --tls-key FILE        its key; the two belong together
    \(LocalEngines.Choice.usage), until a client says so itself
      --quiet               say nothing while the models load
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: LocalEngines.Choice.options.union([
        "--host", "--port", "--data", "--tls-cert", "--tls-key", "--system-prompt",
      ]), lists: ["--origin"], flags: ["--demo", "--quiet"])
    guard arguments.positional.isEmpty else {
      throw UsageError("serve takes no argument “\(arguments.positional[0])”.")
    }
    var configuration = VoiceServerConfiguration()
    configuration.host = arguments["--host"] ?? configuration.host
    configuration.port = try arguments.integer("--port", in: 0...65_535, default: 8787)
    configuration.isDemo = arguments.has("--demo")
    if configuration.isDemo, !VoiceServer.isLoopback(configuration.host) {
      throw UsageError("--demo serves this machine only: leave --host out, or leave --demo out.")
    }
    if configuration.isDemo, arguments["--data"] != nil {
      throw UsageError("--demo keeps no data: leave --data out, or leave --demo out.")
    }
    switch (arguments["--tls-cert"], arguments["--tls-key"]) {
    case (let certificate?, let key?): configuration.tls = .init(certificate: certificate, key: key)
    case (nil, nil): break
    default: throw UsageError("--tls-cert and --tls-key belong together.")
    }
    configuration.origins = try arguments.all("--origin").map { address in
      guard let origin = WebOrigin(address) else {
        throw UsageError(
          "--origin takes the address of a website, such as http://localhost:5173, not “\(address)”.")
      }
      return origin
    }
    let data = URL(fileURLWithPath: arguments["--data"] ?? "data", isDirectory: true)
    configuration.instructions = arguments["--system-prompt"] ?? Luna.instructions
    return await serve(
      configuration, choice: try LocalEngines.Choice(arguments), data: data,
      isQuiet: arguments.has("--quiet"),
      words: words)
  }

  private static func serve(
    _ base: VoiceServerConfiguration, choice: LocalEngines.Choice, data: URL, isQuiet: Bool, words: [String]
  ) async -> Int32 {
    let stopSignal = StopSignal()
    var configuration = base
    let voice = LocalVoice(choice)
    do {
      if !configuration.isDemo {
        let key = try ServerKey(folder: data) { Console.note($0) }
        configuration.accepts = { key.matches($0) }
        Console.note("The key for clients is in \(key.file.path)")
      }
      SiteFiles.add(to: &configuration)
      if configuration.webRoot == nil {
        Console.note("The page is not built: run ./run once, or make web. Serving without it.")
      }
      let server = try VoiceServer(configuration) { try await voice.makeAgent($0) }
      let address = try await server.start()
      let loading = Task { await load(voice, server, address: address, isQuiet: isQuiet) }
      await stopSignal.wait()
      loading.cancel()
      await server.stop()
      // An engine may still be at work, on data that `exit` would take away under it.
      _exit(0)
    } catch NetError.portInUse(let host, let port) {
      Console.note(
        "\(Program.name) serve: port \(port) on \(host) is in use by another program. Stop that program, or take "
          + "another port: \(command(words, insteadOf: port))")
      return 1
    } catch {
      Console.note("\(Program.name) serve: \(error.text)")
      return 1
    }
  }

  private static func load(
    _ voice: LocalVoice, _ server: VoiceServer, address: String, isQuiet: Bool
  ) async {
    do {
      try await voice.load { if !isQuiet { Console.note($0) } }
      try Task.checkCancellation()
      await server.markReady()
      Console.out("Luna is ready: \(address)")
    } catch is CancellationError {
    } catch {
      // The page stays: it shows the message, which says what to do.
      await server.markFailed(error.text)
      Console.note("\(Program.name) serve: \(error.text)")
    }
  }

  /// The same command with another port.
  private static func command(_ words: [String], insteadOf port: Int) -> String {
    var words = words
    if let place = words.firstIndex(of: "--port") {
      words.removeSubrange(place...min(place + 1, words.count - 1))
    }
    words.removeAll { $0.hasPrefix("--port=") }
    words += ["--port", "\(port < 65_535 ? port + 1 : 0)"]
    return "./run serve " + words.map(quoted).joined(separator: " ")
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// The page and the characters of this checkout.
enum SiteFiles {
  static func add(to configuration: inout VoiceServerConfiguration) {
    guard let checkout = YoobHome.checkout else { return }
    let files = FileManager.default
    let page = checkout.appendingPathComponent("web/dist/demo", isDirectory: true).path
    if files.fileExists(atPath: page + "/index.html") { configuration.webRoot = page }
    let characters = checkout.appendingPathComponent("characters", isDirectory: true).path
    for id in (try? files.contentsOfDirectory(atPath: characters)) ?? [] {
      let pack = "\(characters)/\(id)/pack"
      if files.fileExists(atPath: pack + "/character.json") { configuration.characters[id] = pack }
    }
  }
}
