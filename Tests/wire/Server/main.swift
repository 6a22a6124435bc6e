import Foundation
import YoobServer
import YoobWire

// A voice server whose agent follows a script, for the clients of Tests/wire:
// YoobWireTestServer [--port PORT] [--web DIR] [--starts-after SECONDS]; port 0 takes a free one.
var configuration = VoiceServerConfiguration()
configuration.isDemo = true
configuration.port = 0
configuration.voice = "heart"
var delay = 0.0
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst(), let value = arguments.popFirst() {
  switch name {
  case "--port": configuration.port = Int(value) ?? 0
  case "--web": configuration.webRoot = value
  case "--starts-after": delay = Double(value) ?? 0
  default: break
  }
}

let stopSignal = StopSignal()
do {
  let server = try VoiceServer(configuration) { _ in ScriptedAgent() }
  let address = try await server.start()
  FileHandle.standardOutput.write(Data("\(address)\n".utf8))
  let loading = Task { [delay] in
    try await Task.sleep(for: .seconds(delay))
    await server.markReady()
  }
  await stopSignal.wait()
  loading.cancel()
  await server.stop()
  FileHandle.standardOutput.write(Data("stopped\n".utf8))
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
