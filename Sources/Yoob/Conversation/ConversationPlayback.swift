import YoobWire

/// Which of the avatar's utterances say which items of the conversation.
struct ConversationPlayback: Sendable {
  /// Items whose words are kept.
  private static let mostItems = 64

  /// An item whose sound is still arriving.
  struct Open: Sendable, Equatable {
    var itemID: String
    var sampleRate: Int
    /// Nil before its first sample.
    var utterance: Int?
  }
  struct Item: Sendable, Equatable {
    var id: String
    var sampleRate: Int
  }

  var open: Open?
  /// Items that wait or sound, by utterance.
  var items: [Int: Item] = [:]
  /// The utterance that sounds, where it is an item's.
  var sounding: Int?
  /// When the next report of what was heard is due.
  var nextReport = 0.0
  /// What was heard of the item that sounds or sounded last, in seconds.
  var heard: (itemID: String, seconds: Double)?
  /// An interruption by the app, which is being told.
  var interruption: (itemID: String, samples: Int)?
  private var words: [(itemID: String, words: [SpeechWord])] = []

  /// Forgets what was to be heard.
  mutating func clear() {
    open = nil
    items = [:]
    sounding = nil
  }

  mutating func note(_ item: Item, heard samples: Int) {
    heard = (item.id, Double(samples) / Double(max(1, item.sampleRate)))
  }

  mutating func add(_ new: [SpeechWord], to itemID: String) {
    if let place = words.firstIndex(where: { $0.itemID == itemID }) {
      words[place].words += new.prefix(4096 - min(4096, words[place].words.count))
    } else {
      if words.count >= Self.mostItems { words.removeFirst() }
      words.append((itemID, Array(new.prefix(4096))))
    }
  }

  /// The words of the transcript that began to be heard; none where their times are not known.
  mutating func heardWords(of transcript: ConversationTranscript) -> [YoobCaption.Word] {
    guard transcript.role == .assistant, let heard, heard.itemID == transcript.itemID,
      let place = words.firstIndex(where: { $0.itemID == transcript.itemID })
    else { return [] }
    let all = words[place].words
    if transcript.isFinal { words.remove(at: place) }
    return all.compactMap { word in
      let (start, end) = (Double(word.startMs) / 1000, Double(word.endMs) / 1000)
      return start < heard.seconds ? YoobCaption.Word(text: word.text, start: start, end: end) : nil
    }
  }
}

extension ConversationDriver {
  // MARK: What the protocol wants

  func beginUtterance(_ itemID: String, _ sampleRate: Int) {
    // The app may have said something of its own.
    ports.voice.pump.end()
    playback.open = .init(itemID: itemID, sampleRate: sampleRate)
  }

  func play(_ pcm: [UInt8], _ itemID: String) {
    guard let open = playback.open, open.itemID == itemID else { return }
    do throws(YoobError) {
      guard let utterance = try ports.voice.speak(pcm, sampleRate: open.sampleRate) else { return }
      if let mine = open.utterance, mine != utterance {
        // The app interrupted it; that is told in a moment.
        playback.open = nil
        _ = ports.voice.interrupt()
        return
      }
      playback.open?.utterance = utterance
      playback.items[utterance] = .init(id: itemID, sampleRate: open.sampleRate)
    } catch {
      playback.open = nil
      if open.utterance != nil { ports.voice.pump.end() }
      fail(error)
      if open.utterance == nil { advance { $0.utteranceFinished(itemID, at: $1) } }
    }
  }

  func endUtterance(_ itemID: String) {
    guard let open = playback.open, open.itemID == itemID else { return }
    playback.open = nil
    if open.utterance == nil {
      advance { $0.utteranceFinished(itemID, at: $1) }
    } else {
      ports.voice.pump.end()
    }
  }

  func interruptPlayback() {
    var heard = playback.interruption
    if heard == nil, !playback.items.isEmpty {
      let (utterance, samples) = ports.voice.pump.interruptAll()
      if let item = utterance.flatMap({ playback.items[$0] }) {
        playback.note(item, heard: samples)
        heard = (item.id, samples)
      } else {
        heard = lastHeard()
      }
    }
    playback.clear()
    advance { $0.playbackInterrupted(heardSamples: heard?.samples ?? 0, of: heard?.itemID, at: $1) }
  }

  /// An item whose end was heard just now and not told yet.
  private func lastHeard() -> (itemID: String, samples: Int)? {
    for event in pumpEvents.withLock({ $0 }).reversed() {
      guard case .ended(let utterance, let samples, false) = event, let item = playback.items[utterance]
      else { continue }
      playback.note(item, heard: samples)
      return (item.id, samples)
    }
    return nil
  }

  // MARK: What is heard

  func reportPlayed() {
    guard let item = playback.sounding.flatMap({ playback.items[$0] }) else { return }
    let samples = ports.voice.port.playedSamples
    playback.nextReport = ports.clock.now + Self.reportInterval
    playback.note(item, heard: samples)
    advance { $0.played(samples: samples, of: item.id, at: $1) }
  }

  func take(_ event: SpeechPump.Event) {
    switch event {
    case .began(let utterance):
      guard playback.items[utterance] != nil else { return }
      playback.sounding = utterance
      playback.nextReport = ports.clock.now + Self.reportInterval
      advance { _, _ in [] }
    case .ended(let utterance, let heard, let isInterrupted):
      guard let item = playback.items.removeValue(forKey: utterance) else { return }
      if playback.sounding == utterance { playback.sounding = nil }
      playback.note(item, heard: heard)
      if isInterrupted {
        playback.interruption = (item.id, heard)
        playback.clear()
        advance { $0.userInterrupts(at: $1) }
        playback.interruption = nil
      } else {
        advance { $0.played(samples: heard, of: item.id, at: $1) }
        advance { $0.utteranceFinished(item.id, at: $1) }
      }
    }
  }
}
