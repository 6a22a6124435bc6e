import VoiceAudio

/// Lets somebody through who speaks while the loudspeaker does.
///
/// An echo canceller takes out what its linear filter knows of the echo, and suppresses what is left:
/// where the user speaks at the same time, much of the user too. What is left is weak, though, compared with
/// the echo, by an amount that the canceller's own record shows. As long as what the filter leaves is
/// stronger than that, it is the user, and goes through unsuppressed; else the suppressed sound does.
///
/// The record is kept apart from the frame that is judged by it: it follows slowly, and never so far that a
/// user as loud as the echo is taken for it.
struct DoubleTalkGate: Sendable {
  static let sampleRate = 16_000
  /// Frames of 10 ms over which powers are averaged.
  private static let averaging: Float = 12
  /// Decibels above the record that open the gate, and the highest that the record may ask for.
  private static let margin: Float = 8
  private static let highest: Float = -4.5
  /// Decibels a second by which the record follows; it falls faster at first, and rises more slowly
  /// while the gate is open.
  private static let rise: Float = 3
  private static let openRise: Float = 0.5
  private static let fall: Float = 1.5
  private static let firstFall: Float = 12
  private static let learning = 300
  /// The filter is relied on once it has left less than this of the echo for so many frames of it, and
  /// until the record is higher.
  private static let calm: Float = -7.5
  private static let calmFrames = 120
  /// Somebody who speaks over the loudspeaker leads the filter astray, and what it then leaves of the echo
  /// looks like another user. So it is trusted again after so many frames of echo of which it leaves no
  /// more than these decibels above the record; until then the suppressor must have let some of it through
  /// too: no less than this share, averaged over some frames.
  private static let recovery = 150
  private static let recovered: Float = 4
  private static let letThrough: Float = -20
  private static let letThroughAveraging: Float = 4
  /// Frames of the loudspeaker's first sound during which nothing is let through: the canceller has not
  /// found the echo yet.
  private static let deaf = 200
  /// Frames that the gate stays open, and that the loudspeaker's echo lasts.
  private static let hold = 25
  private static let tail = 60
  /// Frames in which the noise is the softest sound; with those of the time before them.
  private static let noiseSpan = 150
  private static let digitalSilence: Float = -80
  private static let loudestNoise: Float = -50
  /// Decibels above the noise from which sound counts.
  private static let aboveNoise: Float = 8
  private static let echoAboveNoise: Float = 15
  private static let largestGain: Float = 8

  private var heardPower: Float = 1e-9
  private var leftPower: Float = 1e-9
  /// What the filter leaves of the echo, in decibels of the echo.
  private var record: Float = 0
  private var softest: Float = -50
  private var softestBefore: Float = -50
  private var noiseFrames = 0
  private var echoFrames = 0
  private var calmFrames = 0
  private var isReliable = false
  /// Frames of echo until the filter is trusted.
  private var suspectFrames = 0
  private var linearPower: Float = 1e-9
  private var cleanedPower: Float = 1e-9
  private var farFrames = 0
  private var farLeft = 0
  private var openLeft = 0
  private var wasOpen = false
  /// How much louder the cleaned sound of a user alone is than the filter's.
  private var gain: Float = 1

  /// Whether somebody speaks over the loudspeaker.
  var isOpen: Bool { wasOpen }

  /// Judges 10 ms and puts the filter's output into `cleaned` where the user speaks over the loudspeaker.
  mutating func process(heard: [Float], linear: [Float], far: [Float], cleaned: inout [Float]) {
    heardPower += (Self.power(heard) - heardPower) / Self.averaging
    leftPower += (Self.power(linear) - leftPower) / Self.averaging
    let isPlaying = Self.power(far) > 1e-6
    farLeft = isPlaying ? Self.tail : farLeft - 1
    farFrames = min(Self.deaf, farFrames + (isPlaying ? 1 : 0))
    linearPower += (Self.power(linear) - linearPower) / Self.letThroughAveraging
    cleanedPower += (Self.power(cleaned) - cleanedPower) / Self.letThroughAveraging
    let left = Self.decibels(leftPower)
    let echo = Self.decibels(heardPower)
    let share = left - echo
    let noise = followNoise(left)
    if farLeft > 0 {
      if echo > noise + Self.echoAboveNoise {
        echoFrames += 1
        learn(share)
      }
      let isUser = share > min(record + Self.margin, Self.highest) && left > noise + Self.aboveNoise
      if isUser && isReliable && (wasOpen || suspectFrames == 0 || isLetThrough) { openLeft = Self.hold }
    } else if left > noise + Self.echoAboveNoise {
      follow(cleaned, linear)
    }
    let isOpen = openLeft > 0
    openLeft -= 1
    mix(linear, into: &cleaned, from: wasOpen ? 1 : 0, to: isOpen ? 1 : 0)
    wasOpen = isOpen
    if farLeft > 0 && farFrames < Self.deaf {
      for index in cleaned.indices { cleaned[index] = 0 }
    }
  }

  private mutating func learn(_ share: Float) {
    let fall = echoFrames < Self.learning ? Self.firstFall : Self.fall
    let rise = wasOpen ? Self.openRise : Self.rise
    record += min(max(share - record, -fall / 100), rise / 100)
    if wasOpen {
      suspectFrames = Self.recovery
    } else if share < record + Self.recovered {
      suspectFrames = max(0, suspectFrames - 1)
    }
    calmFrames = share < Self.calm ? calmFrames + 1 : 0
    if calmFrames >= Self.calmFrames { isReliable = true }
    if record > Self.calm { isReliable = false }
  }

  /// Whether the suppressor leaves some of what the filter does.
  private var isLetThrough: Bool {
    Self.decibels(cleanedPower) > Self.decibels(linearPower) + Self.letThrough
  }

  /// Level of the noise: the softest of the last seconds, in decibels.
  private mutating func followNoise(_ left: Float) -> Float {
    if left > Self.digitalSilence { softest = min(softest, left) }
    noiseFrames += 1
    if noiseFrames == Self.noiseSpan {
      noiseFrames = 0
      softestBefore = softest
      softest = left > Self.digitalSilence ? min(left, Self.loudestNoise) : Self.loudestNoise
    }
    return min(softest, softestBefore)
  }

  /// Learns the gain of the suppressed way from a user who speaks alone.
  private mutating func follow(_ cleaned: [Float], _ linear: [Float]) {
    let ratio = (Self.power(cleaned) / max(Self.power(linear), 1e-12)).squareRoot()
    gain += (min(max(ratio, 1 / Self.largestGain), Self.largestGain) - gain) / 100
  }

  private func mix(_ linear: [Float], into cleaned: inout [Float], from: Float, to: Float) {
    guard from > 0 || to > 0, linear.count == cleaned.count else { return }
    let step = (to - from) / Float(max(1, cleaned.count))
    for index in cleaned.indices {
      let share = from + step * Float(index)
      let user = min(max(linear[index] * gain, -1), 1)
      cleaned[index] += share * (user - cleaned[index])
    }
  }

  private static func power(_ samples: [Float]) -> Float {
    var sum: Float = 0
    for sample in samples where sample.isFinite { sum += sample * sample }
    return min(sum / Float(max(1, samples.count)), 1) + 1e-9
  }

  private static func decibels(_ power: Float) -> Float { Level.dBFS(power.squareRoot()) }
}
