import Foundation
import VoiceAudio
import VoiceIO
import Yoob
import YoobFace
import YoobTesting

/// Whether lips stay with the sound: an avatar that speaks for an hour of simulated time, at changing rates,
/// with interruptions and, in the second half, with gaps in what arrives.
///
/// The lips are read fifty times a second. For each minute their opening is laid over the loudness of what
/// the loudspeaker gave, and the shift at which both agree best is the lag. Its error is taken from the lag that
/// the same measure finds for the same recordings where lips and sound are together by construction.
@available(macOS 15, iOS 18, *)
struct BenchSync {
  let fixtures: URL
  let pack: URL
  var minutes = 60
  var interruptions = 500
  var isQuiet = false

  @MainActor func run() async throws -> BenchReport {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let speaker = RecordingSink(clock: clock)
    let avatar = YoobAvatar(
      .local(pack),
      devices: AvatarDevices(sink: speaker, clock: clock) { body in executor.task { await body() } })
    try await avatar.prepare()
    let clips = try ["france", "rain", "sky", "story"].map {
      try SoundFile.read(fixtures.appendingPathComponent("question-\($0).wav").path)
    }
    let bar = ProgressBar("Speaking", isQuiet: isQuiet, inLines: true)
    var random = SplitMix64(seed: 11)
    var gaps: [Float] = []
    var errors: [Double] = []
    var starts: [Double] = []
    var (done, utterances) = (0, 0)
    func settle() async {
      executor.drain()
      await Task.yield()
      executor.drain()
    }
    func pass(_ seconds: Double) async {
      for _ in 0..<max(1, Int((seconds / LipLag.step).rounded())) {
        clock.advance(by: LipLag.step)
        await settle()
        let lips = avatar.readLips()
        gaps.append(lips.gap)
        if let playhead = lips.playhead, let last = speaker.segments.last {
          // The sample that the loudspeaker gives now, from its own record of the utterance.
          let earlier = speaker.segments.dropLast().filter { $0.utterance == last.utterance }
          let heard = earlier.reduce(last.clip.samples.count) { $0 + $1.clip.samples.count }
          errors.append(abs(playhead - Double(heard) / Double(last.clip.sampleRate)) * 1000)
        }
      }
    }
    let length = Double(minutes) * 60
    let share = Double(interruptions) / length
    while clock.now < length {
      bar.update(clock.now / length, remark: "\(Int(clock.now)) s")
      let rate = [16_000, 22_050, 24_000, 44_100, 48_000].randomElement(using: &random) ?? 24_000
      let clip = clips.randomElement(using: &random) ?? clips[0]
      let pcm = Data(PCM16.encode(StreamingResampler.convert(clip, to: rate).samples))
      // The first half comes without gaps: there the starts are measured.
      let isSlow = Double.random(in: 0..<1, using: &random) < 0.6 && clock.now > length / 2
      let spoken = clock.now
      let before = speaker.segments.count
      var sent = 0
      while sent < pcm.count {
        let seconds = Double.random(in: 0.02...0.5, using: &random)
        let end = min(pcm.count, sent + max(1, Int(seconds * Double(rate))) * 2)
        try avatar.speak(pcm: pcm[sent..<end], sampleRate: rate)
        sent = end
        await pass(isSlow ? seconds * Double.random(in: 0.5...2, using: &random) : seconds * 0.3)
        if before < speaker.segments.count, spoken < length / 2, starts.count == utterances {
          starts.append((speaker.segments[before].start - spoken) * 1000)
        }
      }
      avatar.endSpeech()
      utterances += 1
      if spoken < length / 2, starts.count < utterances { starts.append((clock.now - spoken) * 1000) }
      // As many as wanted, spread over the time.
      if Double(done) < share * clock.now {
        done += 1
        await pass(Double.random(in: 0.1...1, using: &random))
        avatar.interrupt()
      } else {
        while avatar.phase == .speaking { await pass(0.1) }
      }
      await pass(Double.random(in: 0.1...0.6, using: &random))
    }
    bar.finish()
    await avatar.close()
    let lags = lags(gaps, speaker)
    return report(
      lags, try reference(clips), errors, starts, utterances: utterances, interruptions: done)
  }

  /// The lag of each minute in milliseconds, lips after sound.
  private func lags(_ gaps: [Float], _ speaker: RecordingSink) -> [Double] {
    var track = LipLag(gaps: gaps)
    for segment in speaker.segments { track.hear(segment.clip, at: segment.start) }
    return track.minutes
  }

  /// The lag in milliseconds that the same measure finds where lips and sound are together by construction: a
  /// face that is told for each step what is heard. Mouths open ahead of the loudest part of a vowel, so this is
  /// not zero.
  private func reference(_ clips: [AudioClip]) throws -> Double {
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: pack.appendingPathComponent(name)))
    }
    let face = try FaceEngine(puppet: bytes("puppet.bin"), mouth: bytes("mouth.bin"), seed: 1)
    var track = LipLag(gaps: [])
    func pass(_ playhead: Double?) {
      face.advance(to: Double(track.gaps.count + 1) * LipLag.step, playhead: playhead)
      track.gaps.append(face.lipGap)
    }
    var heard: [(clip: AudioClip, start: Double)] = []
    while Double(track.gaps.count) * LipLag.step < 180 {
      for clip in clips {
        let start = Double(track.gaps.count) * LipLag.step
        heard.append((clip, start))
        face.beginUtterance()
        clip.samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: clip.sampleRate) }
        face.endUtterance()
        for step in 1...max(1, Int(clip.duration / LipLag.step)) { pass(Double(step) * LipLag.step) }
        for _ in 0..<15 { pass(nil) }
      }
    }
    for (clip, start) in heard { track.hear(clip, at: start) }
    let found = track.minutes
    return Self.mean(found)
  }

  /// From the mean of the first third to that of the last.
  private static func drift(_ values: [Double]) -> Double {
    let third = max(1, values.count / 3)
    return mean(Array(values.suffix(third))) - mean(Array(values.prefix(third)))
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  private func report(
    _ lags: [Double], _ reference: Double, _ errors: [Double], _ starts: [Double], utterances: Int,
    interruptions: Int
  ) -> BenchReport {
    var report = BenchReport(name: "sync", command: "yoob bench sync --minutes \(minutes)")
    let away = lags.map { abs($0 - reference) }
    // Each half by itself: in the second one sound comes with gaps, at which the lips stand still, and that moves
    // the measure by a step that is no drift.
    let halves = [Array(lags.prefix(lags.count / 2)), Array(lags.suffix(lags.count - lags.count / 2))]
    let drifts = halves.map(Self.drift)
    let drift = drifts.max { abs($0) < abs($1) } ?? 0
    report.add("utterances", Double(utterances))
    report.add("interruptions", Double(interruptions))
    report.add("start_ms", starts, unit: "ms")
    report.add("playhead_error_ms", errors, unit: "ms")
    report.add("lip_lag_ms", lags, unit: "ms")
    report.add("lip_lag_in_step_ms", reference)
    report.add("lip_error_ms", away, unit: "ms")
    report.add("lip_drift_ms", abs(drift))
    report.add("lip_lag_with_gaps_ms", Self.mean(halves[1]) - Self.mean(halves[0]))
    report.series = ["lip_lag_ms": lags]
    func p95(_ values: [Double]) -> String {
      BenchReport.Summary(values, unit: "ms").map { "\(BenchReport.Summary.rounded($0.p95))" } ?? "-"
    }
    report.table.append(
      "\(minutes) minutes, \(utterances) utterances, \(interruptions) interruptions: sound starts p95 \(p95(starts)) ms "
        + "after speak; playhead off by p95 \(p95(errors)) ms; lips p95 \(p95(away)) ms away from the sound; drift "
        + "\(drifts.map { "\(BenchReport.Summary.rounded($0))" }.joined(separator: " and ")) ms within the halves without "
        + "and with gaps"
    )
    return report
  }
}
