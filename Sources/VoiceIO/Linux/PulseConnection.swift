#if canImport(CPulse)
  import CPulse

  /// A connection to the sound server (PulseAudio, or PipeWire in its place) with a thread of its own.
  final class PulseConnection: @unchecked Sendable {  // the pointers are used under `locked` only
    let loop: OpaquePointer
    let context: OpaquePointer
    /// Address of the server that answered.
    private(set) var server = ""
    private let isClosed = Guarded(false)
    private let onDeath = Relay<Void>()
    /// Seconds that the server may take for an answer.
    private static let patience = 10.0

    /// Throws `AudioDeviceError.noServer`.
    init(server address: String?) throws {
      guard let loop = pa_threaded_mainloop_new(),
        let context = pa_context_new(pa_threaded_mainloop_get_api(loop), "yoob")
      else { throw AudioDeviceError.noServer("out of memory") }
      self.loop = loop
      self.context = context
      let me = Unmanaged.passUnretained(self).toOpaque()
      pa_context_set_state_callback(
        context,
        { _, me in
          guard let me else { return }
          Unmanaged<PulseConnection>.fromOpaque(me).takeUnretainedValue().stateChanged()
        }, me)
      guard pa_threaded_mainloop_start(loop) == 0 else {
        closeNow()
        throw AudioDeviceError.noServer("no thread for it")
      }
      do {
        try locked {
          guard pa_context_connect(context, address, PA_CONTEXT_NOFLAGS, nil) >= 0 else {
            throw Fault(reason: reason)
          }
          try wait { pa_context_get_state(context) == PA_CONTEXT_READY }
          server = pa_context_get_server(context).map { String(cString: $0) } ?? ""
        }
      } catch {
        let text = (error as? Fault)?.reason ?? "\(error)"
        close()
        throw AudioDeviceError.noServer(text)
      }
    }

    deinit { close() }

    /// Ends the connection; streams must be gone. Idempotent.
    func close() {
      let isFirst = isClosed.withLock { value in
        defer { value = true }
        return !value
      }
      guard isFirst else { return }
      onDeath.set(nil)
      pa_threaded_mainloop_lock(loop)
      pa_context_set_state_callback(context, nil, nil)
      pa_context_disconnect(context)
      pa_threaded_mainloop_unlock(loop)
      pa_threaded_mainloop_stop(loop)
      closeNow()
    }

    private func closeNow() {
      isClosed.withLock { $0 = true }
      pa_context_unref(context)
      pa_threaded_mainloop_free(loop)
    }

    /// Calls `action`, from the connection's thread, when the server goes away.
    func whenServerDies(_ action: @escaping @Sendable () -> Void) { onDeath.set { _ in action() } }

    /// Whether the caller is the connection's own thread, which holds its lock already.
    var isOwnThread: Bool { pa_threaded_mainloop_in_thread(loop) != 0 }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
      guard !isOwnThread else { return try body() }
      pa_threaded_mainloop_lock(loop)
      defer { pa_threaded_mainloop_unlock(loop) }
      return try body()
    }

    /// The system's words for what went wrong last.
    var reason: String { pa_strerror(pa_context_errno(context)).map { String(cString: $0) } ?? "unknown" }

    struct Fault: Error {
      var reason: String
    }

    /// Waits, inside `locked`, until `isDone`; throws when the server dies or takes too long.
    func wait(until isDone: () throws -> Bool) throws {
      let deadline = pa_rtclock_now() + UInt64(Self.patience * 1e6)
      let timer = pa_context_rttime_new(
        context, deadline,
        { _, _, _, loop in pa_threaded_mainloop_signal(loop.map { OpaquePointer($0) }, 0) },
        UnsafeMutableRawPointer(loop))
      defer {
        if let timer { pa_threaded_mainloop_get_api(loop).pointee.time_free(timer) }
      }
      while try !isDone() {
        let state = pa_context_get_state(context)
        guard state != PA_CONTEXT_FAILED, state != PA_CONTEXT_TERMINATED else {
          throw Fault(reason: reason)
        }
        guard pa_rtclock_now() < deadline else { throw Fault(reason: "it does not answer") }
        pa_threaded_mainloop_wait(loop)
      }
    }

    private func stateChanged() {
      pa_threaded_mainloop_signal(loop, 0)
      let state = pa_context_get_state(context)
      if state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED {
        onDeath.send(())
      }
    }
  }

  extension PulseConnection {
    /// What a listing gathers; only touched under the connection's lock.
    private final class Listing {
      let loop: OpaquePointer
      var defaultSink = ""
      var defaultSource = ""
      var devices: [AudioDevice] = []

      init(loop: OpaquePointer) { self.loop = loop }

      func add(_ id: String, _ name: String, _ kind: AudioDevice.Kind) {
        // A dummy stands in where a machine has no loudspeaker at all.
        guard id != "auto_null" else { return }
        let standard = kind == .microphone ? defaultSource : defaultSink
        devices.append(
          AudioDevice(id: id, name: name.isEmpty ? id : name, kind: kind, isDefault: id == standard))
      }
    }

    /// The server's microphones, then its loudspeakers. What a loudspeaker plays is no microphone.
    func devices() throws -> [AudioDevice] {
      do {
        return try locked {
          let listing = Listing(loop: loop)
          let me = Unmanaged.passUnretained(listing).toOpaque()
          try finish(
            pa_context_get_server_info(
              context,
              { _, info, me in
                let listing = PulseConnection.listing(me)
                if let info = info?.pointee {
                  listing?.defaultSink = PulseConnection.text(info.default_sink_name)
                  listing?.defaultSource = PulseConnection.text(info.default_source_name)
                }
                PulseConnection.signal(listing)
              }, me))
          try finish(
            pa_context_get_source_info_list(
              context,
              { _, info, _, me in
                let listing = PulseConnection.listing(me)
                if let info = info?.pointee, info.monitor_of_sink == UInt32.max {
                  listing?.add(
                    PulseConnection.text(info.name), PulseConnection.text(info.description), .microphone)
                }
                PulseConnection.signal(listing)
              }, me))
          try finish(
            pa_context_get_sink_info_list(
              context,
              { _, info, _, me in
                let listing = PulseConnection.listing(me)
                if let info = info?.pointee {
                  listing?.add(
                    PulseConnection.text(info.name), PulseConnection.text(info.description), .loudspeaker)
                }
                PulseConnection.signal(listing)
              }, me))
          return withExtendedLifetime(listing) { listing.devices }
        }
      } catch let fault as Fault {
        throw AudioDeviceError.failed(fault.reason)
      }
    }

    private static func listing(_ pointer: UnsafeMutableRawPointer?) -> Listing? {
      pointer.map { Unmanaged<Listing>.fromOpaque($0).takeUnretainedValue() }
    }
    private static func signal(_ listing: Listing?) {
      if let listing { pa_threaded_mainloop_signal(listing.loop, 0) }
    }
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }

    private func finish(_ operation: OpaquePointer?) throws {
      guard let operation else { throw Fault(reason: reason) }
      defer {
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
      }
      try wait { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
    }
  }
#endif
