#if canImport(AVFAudio)
  import AVFAudio
  import Dispatch
  import Foundation
  import VoiceAudio

  /// One opening of the engine.
  final class EngineSession {
    /// What is known of the loudspeaker; its lock is held while samples are rendered.
    struct Output {
      /// Seconds from the last rendered sample to the ear; nil while nothing was rendered.
      var latency: Double?
    }

    /// Seconds of sound that the system handles at a time.
    private static let step = 0.01

    let names: OpenedDevices
    /// Whether the microphone is open too.
    let mayHear: Bool
    private let engine = AVAudioEngine()
    private var observers: [any NSObjectProtocol] = []
    private var silence: (any DispatchSourceTimer)?

    /// Opens the loudspeaker, and with `mayHear` the microphone.
    init(
      _ client: DuplexClient, output: Guarded<Output>, microphone: String?, captureRate: Int,
      mayFallBack: Bool, mayHear: Bool
    ) throws {
      self.mayHear = mayHear
      names = try SystemAudio.activate(
        microphone: microphone, mayHear: mayHear, mayFallBack: mayFallBack, step: Self.step)
      if mayHear { try engine.inputNode.setVoiceProcessingEnabled(true) }
      try play(client, output)
      if mayHear { try hear(client, captureRate) } else { hearSilence(client, captureRate) }
      let name = names.loudspeaker
      for change in SystemAudio.changes(of: engine) {
        observers.append(
          NotificationCenter.default.addObserver(forName: change.name, object: change.object, queue: nil) {
            _ in
            client.lost(.lost(name))
          })
      }
      engine.prepare()
      try engine.start()
    }

    /// Ends both. Idempotent.
    func close() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      observers = []
      silence?.cancel()
      silence = nil
      engine.stop()
    }

    private func play(_ client: DuplexClient, _ output: Guarded<Output>) throws {
      let rate = Double(DuplexDevice.outputRate)
      guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) else {
        throw AudioDeviceError.failed("there is no format of one channel")
      }
      let toEar = engine.outputNode.presentationLatency
      let source = AVAudioSourceNode(format: format) { _, _, count, list in
        let samples = output.withLock { output in
          output.latency = toEar + Double(count) / rate
          return client.render(Int(count))
        }
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          guard let memory = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
          samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            memory.update(from: start, count: min(samples.count, Int(buffer.mDataByteSize) / 4))
          }
        }
        return 0
      }
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: format)
    }

    private func hear(_ client: DuplexClient, _ captureRate: Int) throws {
      let format = engine.inputNode.outputFormat(forBus: 0)
      guard format.sampleRate > 0, format.channelCount > 0 else { throw AudioDeviceError.none(.microphone) }
      let resampler = Guarded(
        StreamingResampler(from: Int(format.sampleRate), to: captureRate))
      let fromMouth = engine.inputNode.presentationLatency
      let sink = AVAudioSinkNode { _, count, list in
        // Voice processing gives one channel that counts, the first.
        guard let memory = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self) else { return 0 }
        let samples = UnsafeBufferPointer(start: memory, count: Int(count))
        var heard: [Float] = []
        resampler.withLock { $0.process(samples, into: &heard) }
        client.capture(heard, fromMouth + Double(count) / format.sampleRate)
        return 0
      }
      engine.attach(sink)
      engine.connect(engine.inputNode, to: sink, format: format)
    }

    /// Silence at the pace of a microphone.
    private func hearSilence(_ client: DuplexClient, _ captureRate: Int) {
      let quiet = [Float](repeating: 0, count: captureRate / 50)
      let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
      timer.schedule(deadline: .now(), repeating: .milliseconds(20))
      timer.setEventHandler { client.capture(quiet, 0.02) }
      timer.resume()
      silence = timer
    }
  }
#endif
