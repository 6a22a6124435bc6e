#if canImport(Glibc)
  import Glibc

  /// A thread that makes calls at their times, one after another: one wake a call, where Dispatch's timers
  /// need two threads and several system calls.
  final class ClockThread: Sendable {
    static let shared = ClockThread()

    private struct Call {
      var time: Double
      var number: Int
      var action: @Sendable () -> Void
    }

    // The mutex guards everything below it.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The next call last.
    nonisolated(unsafe) private var calls: [Call] = []
    nonisolated(unsafe) private var count = 0

    private init() {
      pthread_mutex_init(mutex, nil)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(changed, &attributes)
      pthread_condattr_destroy(&attributes)
      var thread = pthread_t()
      // It lives as long as the process.
      let own = Unmanaged.passRetained(self).toOpaque()
      let status = pthread_create(
        &thread, nil,
        { own in
          own.map { Unmanaged<ClockThread>.fromOpaque($0).takeUnretainedValue().run() }
          return nil
        }, own)
      precondition(status == 0, "A thread for the clock could not be made.")
      pthread_detach(thread)
    }

    /// Makes a call at a time, in seconds of the monotonic clock. Returns its number.
    func schedule(at time: Double, _ action: @escaping @Sendable () -> Void) -> Int {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      count += 1
      let place = calls.firstIndex { $0.time <= time } ?? calls.endIndex
      calls.insert(Call(time: time, number: count, action: action), at: place)
      if place == calls.endIndex - 1 { pthread_cond_signal(changed) }
      return count
    }

    /// Takes a call back; without effect once it was made.
    func cancel(_ number: Int) {
      pthread_mutex_lock(mutex)
      let place = calls.firstIndex { $0.number == number }
      let call = place.map { calls.remove(at: $0) }
      pthread_mutex_unlock(mutex)
      withExtendedLifetime(call) {}  // what it holds is let go outside the lock
    }

    private func run() {
      pthread_mutex_lock(mutex)
      while true {
        guard let next = calls.last else {
          pthread_cond_wait(changed, mutex)
          continue
        }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        guard Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 >= next.time else {
          var due = timespec()
          due.tv_sec = Int(next.time)
          due.tv_nsec = Int((next.time - next.time.rounded(.down)) * 1e9)
          pthread_cond_timedwait(changed, mutex, &due)
          continue
        }
        calls.removeLast()
        pthread_mutex_unlock(mutex)
        next.action()
        pthread_mutex_lock(mutex)
      }
    }
  }
#endif
