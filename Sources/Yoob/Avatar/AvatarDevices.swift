import VoiceIO
import VoiceProcessing
import YoobNet
import YoobPack

/// What an avatar lives in: a loudspeaker, a clock, and a way to run its work.
package struct AvatarDevices: Sendable {
  /// Starts work that goes on until the avatar is closed.
  package typealias Spawn = @Sendable (@escaping @Sendable () async -> Void) -> Void
  /// Starts work whose end can be awaited.
  package typealias Start = @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  /// Opens a socket.
  package typealias Connect = @Sendable (WebSocketRequest) async throws(NetError) -> any WebSocketLink

  package var sink: any SpeechSink
  package var clock: any PacingClock
  package var spawn: Spawn
  /// The way to the network, and the characters on the disk; nil are the system's and the configured ones.
  package var http: (any HTTPClient)?
  package var cache: PackCache?
  /// Where the user is heard; nil where there is no microphone.
  package var microphone: (any SelectableMicrophone)?
  /// How conversations begin their work and reach their services.
  package var start: Start = { body in Task { await body() } }
  package var connect: Connect = { request async throws(NetError) in
    try await SystemWebSocketClient().connect(request)
  }

  /// Why nothing can be heard; nil where the sink does not tell, or all is well.
  var outputFault: @Sendable () -> String? = { nil }

  package init(
    sink: any SpeechSink, clock: any PacingClock, spawn: @escaping Spawn = { body in Task { await body() } },
    http: (any HTTPClient)? = nil, cache: PackCache? = nil
  ) {
    self.sink = sink
    self.clock = clock
    self.spawn = spawn
    self.http = http
    self.cache = cache
  }

  /// The machine's own microphone and loudspeaker, opened when they are first used.
  package static func own() -> AvatarDevices {
    let device = OwnDevice()
    var devices = AvatarDevices(sink: device, clock: MonotonicClock())
    devices.microphone = device
    devices.outputFault = { device.outputFault }
    return devices
  }
}
