#if canImport(CPulse)
  import CPulse
  import Dispatch

  /// Both streams of a `PulseBackend`, from one opening to the next.
  final class PulseSession: @unchecked Sendable {  // the streams are used under the connection's lock
    private let connection: PulseConnection
    private let client: DuplexClient
    private let devices: [AudioDevice]
    private var microphone: AudioDevice
    private var loudspeaker: AudioDevice
    private var lock: DeviceLock?
    private var capture: OpaquePointer?
    private var playback: OpaquePointer?
    private var captureRate = 0
    private var isStarted = false

    init(
      connection: PulseConnection, lock: DeviceLock, client: DuplexClient, devices: [AudioDevice],
      microphone: AudioDevice, loudspeaker: AudioDevice
    ) {
      self.devices = devices
      self.connection = connection
      self.lock = lock
      self.client = client
      self.microphone = microphone
      self.loudspeaker = loudspeaker
    }

    func start(captureRate: Int, captureStep: Double, playbackBuffer: Double) throws {
      self.captureRate = captureRate
      let name = microphone.name
      connection.whenServerDies { [client] in client.lost(.lost(name)) }
      try connection.locked {
        playback = try stream("Voice", DuplexDevice.outputRate)
        capture = try stream("Microphone", captureRate)
        let bytes = MemoryLayout<Float>.size
        let waiting = UInt32(playbackBuffer * Double(DuplexDevice.outputRate)) * UInt32(bytes)
        var output = pa_buffer_attr(
          maxlength: .max, tlength: waiting, prebuf: waiting / 4, minreq: waiting / 4, fragsize: .max)
        let step = UInt32(captureStep * Double(captureRate)) * UInt32(bytes)
        var input = pa_buffer_attr(
          maxlength: UInt32(captureRate * bytes), tlength: .max, prebuf: .max, minreq: .max,
          fragsize: step)
        let flags = pa_stream_flags_t(
          rawValue: PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
            | PA_STREAM_ADJUST_LATENCY.rawValue)
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_write_callback(
          playback, { _, bytes, me in PulseSession.from(me)?.render(bytes) }, me)
        pa_stream_set_read_callback(capture, { _, _, me in PulseSession.from(me)?.read() }, me)
        guard pa_stream_connect_playback(playback, loudspeaker.id, &output, flags, nil, nil) >= 0,
          pa_stream_connect_record(capture, microphone.id, &input, flags) >= 0
        else { throw PulseConnection.Fault(reason: connection.reason) }
        try connection.wait {
          let states = [playback, capture].map { pa_stream_get_state($0) }
          if states.contains(where: { $0 == PA_STREAM_FAILED || $0 == PA_STREAM_TERMINATED }) {
            throw PulseConnection.Fault(reason: connection.reason)
          }
          return states.allSatisfy { $0 == PA_STREAM_READY }
        }
        isStarted = true
      }
    }

    /// Ends both streams and the connection; from its own thread, soon afterwards.
    func close() {
      guard !connection.isOwnThread else {
        DispatchQueue.global().async { self.close() }
        return
      }
      connection.locked {
        isStarted = false
        for stream in [playback, capture].compactMap({ $0 }) {
          pa_stream_set_write_callback(stream, nil, nil)
          pa_stream_set_read_callback(stream, nil, nil)
          pa_stream_set_state_callback(stream, nil, nil)
          pa_stream_set_moved_callback(stream, nil, nil)
          pa_stream_disconnect(stream)
          pa_stream_unref(stream)
        }
        playback = nil
        capture = nil
      }
      connection.close()
      lock = nil
    }

    func flush() {
      connection.locked {
        guard let playback, let operation = pa_stream_flush(playback, nil, nil) else { return }
        pa_operation_unref(operation)
      }
    }

    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
      connection.locked { body(playback.flatMap(latency)) }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PulseSession? {
      pointer.map { Unmanaged<PulseSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stream(_ name: String, _ rate: Int) throws -> OpaquePointer {
      var format = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(rate), channels: 1)
      guard let stream = pa_stream_new(connection.context, name, &format, nil) else {
        throw PulseConnection.Fault(reason: connection.reason)
      }
      let me = Unmanaged.passUnretained(self).toOpaque()
      pa_stream_set_state_callback(stream, { stream, me in PulseSession.from(me)?.changed(stream) }, me)
      pa_stream_set_moved_callback(stream, { stream, me in PulseSession.from(me)?.moved(stream) }, me)
      return stream
    }

    /// Seconds between a stream's end and the ear, or between the mouth and a stream's front.
    private func latency(_ stream: OpaquePointer) -> Double? {
      var microseconds: pa_usec_t = 0
      var isNegative: Int32 = 0
      guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return nil }
      return (isNegative != 0 ? -1 : 1) * Double(microseconds) / 1e6
    }

    private func changed(_ stream: OpaquePointer?) {
      pa_threaded_mainloop_signal(connection.loop, 0)
      let state = pa_stream_get_state(stream)
      guard isStarted, state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED else { return }
      client.lost(.lost(stream == capture ? microphone.name : loudspeaker.name))
    }

    /// The system, or its user, gave a stream another device. A vanished microphone may be replaced by
    /// what a loudspeaker plays: then it is lost.
    private func moved(_ stream: OpaquePointer?) {
      guard isStarted, let stream, let name = pa_stream_get_device_name(stream) else { return }
      let id = String(cString: name)
      let isCapture = stream == capture
      let kind: AudioDevice.Kind = isCapture ? .microphone : .loudspeaker
      guard id != (isCapture ? microphone : loudspeaker).id else { return }
      let device =
        devices.first { $0.kind == kind && $0.id == id }
        ?? AudioDevice(id: id, name: id, kind: kind, isDefault: false)
      if isCapture {
        guard !id.hasSuffix(".monitor") else { return client.lost(.lost(microphone.name)) }
        guard let taken = DeviceLock(server: connection.server, device: id) else {
          return client.lost(.busy(device.name))
        }
        lock = taken
        microphone = device
      } else {
        loudspeaker = device
      }
      client.moved(OpenedDevices(microphone: microphone.name, loudspeaker: loudspeaker.name))
    }

    private func render(_ bytes: Int) {
      let count = bytes / MemoryLayout<Float>.size
      guard let playback, count > 0 else { return }
      let samples = client.render(count)
      samples.withUnsafeBytes {
        _ = pa_stream_write(playback, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE)
      }
    }

    private func read() {
      while let stream = capture, pa_stream_readable_size(stream) > 0 {
        var data: UnsafeRawPointer?
        var bytes = 0
        guard pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 else { return }
        let count = bytes / MemoryLayout<Float>.size
        // A hole in the stream is silence.
        let samples =
          data.map {
            Array(UnsafeBufferPointer(start: $0.assumingMemoryBound(to: Float.self), count: count))
          } ?? [Float](repeating: 0, count: count)
        client.capture(samples, latency(stream) ?? Double(count) / Double(captureRate))
        guard capture != nil else { return }
        pa_stream_drop(stream)
      }
    }
  }
#endif
