import Foundation
import ScriptedAgent
import ScriptedGemini
import YoobNet
import YoobServer
import YoobWire

// A voice server whose agent follows a script, for the clients of Tests/wire:
// YoobWireTestServer [--port PORT] [--web DIR] [--starts-after SECONDS]; port 0 takes a free one.
// With --gemini FOLDER it is the scripted Gemini Live service instead, with FOLDER/cert.pem and key.pem.
// With --client-script realtime|realtime-hosted|gemini it prints what our own client sends, and ends.
var configuration = VoiceServerConfiguration()
configuration.isDemo = true
configuration.port = 0
configuration.voice = "heart"
var delay = 0.0
var gemini: ScriptedGemini?
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst(), let value = arguments.popFirst() {
  switch name {
  case "--port": configuration.port = Int(value) ?? 0
  case "--web": configuration.webRoot = value
  case "--starts-after": delay = Double(value) ?? 0
  case "--gemini":
    gemini = ScriptedGemini(tls: .init(certificate: value + "/cert.pem", key: value + "/key.pem"))
  case "--client-script":
    guard let events = ClientScript.events(of: value) else { exit(2) }
    for event in events { say(event + "\n", to: .standardOutput) }
    exit(0)
  default: break
  }
}

let stopSignal = StopSignal()
do {
  if let gemini {
    say("https://127.0.0.1:\(try await gemini.start())\n", to: .standardOutput)
    await stopSignal.wait()
    await gemini.stop()
    exit(0)
  }
  let server = try VoiceServer(configuration) { _ in ScriptedAgent() }
  let address = try await server.start()
  // Without a delay it is ready before anybody can ask.
  if delay == 0 { await server.markReady() }
  say("\(address)\n", to: .standardOutput)
  let loading = Task { [delay] in
    guard delay > 0 else { return }
    try await Task.sleep(for: .seconds(delay))
    await server.markReady()
  }
  await stopSignal.wait()
  loading.cancel()
  await server.stop()
  say("stopped\n", to: .standardOutput)
} catch {
  say("\(error)\n", to: .standardError)
  exit(1)
}

/// Writes to whoever still reads; `FileHandle.write(_:)` would end the program where nobody does.
func say(_ text: String, to handle: FileHandle) {
  try? handle.write(contentsOf: Data(text.utf8))
}
