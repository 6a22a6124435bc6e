import VoiceIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Processor time of this program, that of its children left out.
enum ProcessorTime {
  /// Seconds of all threads since the program began.
  static var seconds: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Remembers how much processor time was used up to any moment, to 20 ms.
final class ProcessorTrace: Sendable {
  private static let step = 0.02
  private let points: Guarded<[(time: Double, seconds: Double)]>
  private let task: Task<Void, Never>

  /// Begins at once; ends with `stop()`.
  init(clock: any PacingClock) {
    let points = Guarded([(time: clock.now, seconds: ProcessorTime.seconds)])
    self.points = points
    task = Task {
      while !Task.isCancelled {
        await clock.sleep(for: Self.step)
        points.withLock { $0.append((clock.now, ProcessorTime.seconds)) }
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }

  /// Seconds used between two moments of the clock.
  func seconds(from start: Double, to end: Double) -> Double {
    let points = points.withLock { $0 }
    func used(_ time: Double) -> Double {
      guard let next = points.firstIndex(where: { $0.time >= time }) else { return points.last?.seconds ?? 0 }
      guard next > 0 else { return points[0].seconds }
      let (a, b) = (points[next - 1], points[next])
      let share = (time - a.time) / max(b.time - a.time, 1e-9)
      return a.seconds + (b.seconds - a.seconds) * share
    }
    return max(0, used(end) - used(start))
  }
}
