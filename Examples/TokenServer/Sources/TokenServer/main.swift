import Foundation
import TokenServerCore
import YoobServer

/// Writes to whoever still reads.
func say(_ text: String, to handle: FileHandle = .standardOutput) {
  try? handle.write(contentsOf: Data((text + "\n").utf8))
}

func fail(_ text: String, status: Int32 = 1) -> Never {
  say(text, to: .standardError)
  exit(status)
}

let stopSignal = StopSignal()
do {
  var settings = try TokenServerSettings(environment: ProcessInfo.processInfo.environment)
  var arguments = CommandLine.arguments.dropFirst()
  while let name = arguments.popFirst() {
    switch name {
    case "--help", "-h":
      say(TokenServer.help)
      exit(0)
    case "--host":
      guard let host = arguments.popFirst() else {
        fail("--host needs an address of this machine.", status: 2)
      }
      settings.host = host
    case "--port":
      guard let port = arguments.popFirst().flatMap({ Int($0) }), (0...65_535).contains(port) else {
        fail("--port needs a number from 0 to 65535.", status: 2)
      }
      settings.port = port
    default: fail("There is no option \(name); see --help.", status: 2)
    }
  }
  var environment = TokenServer.Environment()
  environment.log = { say($0) }
  let server = try TokenServer(settings, environment: environment)
  say("Listening on \(try await server.start()). Stop with Ctrl-C.")
  if settings.authenticator is NobodyAuthenticator {
    say(
      "Everybody is refused until YOOB_EXAMPLE_TOKEN is set (or YOOB_EXAMPLE_ALLOW_ANONYMOUS=1, on this machine)."
    )
  }
  await stopSignal.wait()
  await server.stop()
  say("Stopped.")
} catch {
  fail("\(error)")
}
