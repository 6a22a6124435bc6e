import Foundation
import VoiceAudio
import VoiceIO
import Yoob
import YoobTesting

/// Whether lips stay with the sound: an avatar that speaks for an hour of simulated time, at changing rates,
/// with interruptions and, in the second half, with gaps in what arrives.
///
/// The lips are read fifty times a second. For each minute their opening is laid over the loudness of what
/// the loudspeaker gave, and the shift at which both agree best is the lag.
@available(macOS 15, iOS 18, *)
struct BenchSync {
  let fixtures: URL
  let pack: URL
  var minutes = 60
  var interruptions = 500
  var isQuiet = false

  /// Seconds of a step, and the largest lag that is looked for.
  private static let step = 0.02
  private static let reach = 15

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
      for _ in 0..<max(1, Int((seconds / Self.step).rounded())) {
        clock.advance(by: Self.step)
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
    return report(lags, errors, starts, utterances: utterances, interruptions: done)
  }

  /// The lag of each minute in milliseconds, lips after sound.
  private func lags(_ gaps: [Float], _ speaker: RecordingSink) -> [Double] {
    var loudness = [Float](repeating: 0, count: gaps.count)
    for segment in speaker.segments {
      let size = Int(Self.step * Double(segment.clip.sampleRate))
      for (number, start) in stride(from: 0, to: segment.clip.samples.count - size, by: size).enumerated() {
        let place = Int((segment.start / Self.step + Double(number)).rounded())
        guard loudness.indices.contains(place) else { continue }
        loudness[place] = Level(Array(segment.clip.samples[start..<start + size])).rms.squareRoot()
      }
    }
    let minute = Int(60 / Self.step)
    return stride(from: 0, to: gaps.count - minute + 1, by: minute).map { first in
      let range = first + Self.reach..<first + minute - Self.reach
      let shifts = Array(-Self.reach...Self.reach)
      let found = shifts.map { Double(correlation(gaps, loudness, range, $0)) }
      guard let best = found.indices.max(by: { found[$0] < found[$1] }) else { return 0 }
      var shift = Double(shifts[best])
      if best > 0, best < found.count - 1 {
        // The top of the parabola through the best and its neighbours.
        let (before, top, after) = (found[best - 1], found[best], found[best + 1])
        let bend = before - 2 * top + after
        if bend < 0 { shift += 0.5 * (before - after) / bend }
      }
      return shift * Self.step * 1000
    }
  }

  private func correlation(_ gaps: [Float], _ loudness: [Float], _ range: Range<Int>, _ shift: Int) -> Float {
    let a = range.map { gaps[$0 + shift] }
    let b = range.map { loudness[$0] }
    let (meanA, meanB) = (a.reduce(0, +) / Float(a.count), b.reduce(0, +) / Float(b.count))
    var (both, powerA, powerB): (Float, Float, Float) = (0, 1e-9, 1e-9)
    for (x, y) in zip(a, b) {
      both += (x - meanA) * (y - meanB)
      powerA += (x - meanA) * (x - meanA)
      powerB += (y - meanB) * (y - meanB)
    }
    return both / (powerA * powerB).squareRoot()
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
    _ lags: [Double], _ errors: [Double], _ starts: [Double], utterances: Int, interruptions: Int
  ) -> BenchReport {
    var report = BenchReport(name: "sync", command: "yoob bench sync --minutes \(minutes)")
    let middle = lags.sorted()[lags.count / 2]
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
    report.add("lip_lag_spread_ms", lags.map { abs($0 - middle) }, unit: "ms")
    report.add("lip_drift_ms", abs(drift))
    report.add("lip_lag_with_gaps_ms", Self.mean(halves[1]) - Self.mean(halves[0]))
    report.series = ["lip_lag_ms": lags]
    func p95(_ values: [Double]) -> String {
      BenchReport.Summary(values, unit: "ms").map { "\(BenchReport.Summary.rounded($0.p95))" } ?? "-"
    }
    report.table.append(
      "\(minutes) minutes, \(utterances) utterances, \(interruptions) interruptions: sound starts p95 \(p95(starts)) ms "
        + "after speak; playhead off by p95 \(p95(errors)) ms; lips \(BenchReport.Summary.rounded(middle)) ms after the sound in the middle, p95 "
        + "\(p95(lags.map { abs($0 - middle) })) ms from that; drift \(drifts.map { "\(BenchReport.Summary.rounded($0))" }.joined(separator: " and ")) "
        + "ms within the halves without and with gaps"
    )
    return report
  }
}
