/// What arrived of each reply and what was heard of it, in samples, until it is heard or cut.
struct PlaybackLedger: Sendable, Equatable {
  /// Replies kept at once; sound of more is not taken.
  static let maximumEntries = 64

  struct Entry: Sendable, Equatable {
    let itemID: String
    let responseID: String
    var contentIndex = 0
    var sampleRate = 24_000
    /// Samples that arrived.
    var received = 0
    /// Samples that were heard.
    var heard = 0
    /// Whether its utterance was begun.
    var hasSound = false
    /// Whether it is a reply to read, not to hear.
    var isWritten = false
    /// Whether its utterance was ended: nothing more arrives.
    var isComplete = false
    /// The first byte of a sample whose second has not arrived.
    var half: UInt8?
    var caption = HeardText()
    /// Whether the provider that sent it is gone: it cannot be truncated there.
    var isOrphan = false
    /// Whether the state that a provider can resume holds it.
    var isSaved = false
    /// The name under which the next provider was told of it.
    var retoldID: String?

    init(itemID: String, responseID: String) {
      self.itemID = itemID
      self.responseID = responseID
    }

    var heardMs: Int { heard * 1000 / max(1, sampleRate) }

    /// The part of the text that was heard.
    var heardText: String {
      if isWritten, !hasSound { return caption.text }
      return caption.text(heard: heard, of: received, sampleRate: sampleRate, isComplete: isComplete)
    }

    /// Takes sound in and returns its whole samples.
    mutating func take(_ pcm: [UInt8]) -> [UInt8] {
      var pcm = pcm
      if let half { pcm.insert(half, at: 0) }
      half = pcm.count % 2 == 1 ? pcm.removeLast() : nil
      received += pcm.count / 2
      return pcm
    }
  }

  private(set) var entries: [Entry] = []

  var isSounding: Bool { entries.contains(where: \.hasSound) }

  func contains(_ itemID: String) -> Bool { entries.contains { $0.itemID == itemID } }

  subscript(itemID: String) -> Entry? { entries.first { $0.itemID == itemID } }

  /// Changes an entry, which is made when there is room for it. Returns false when there is none.
  mutating func update(_ itemID: String, responseID: String, _ change: (inout Entry) -> Void) -> Bool {
    if let place = entries.firstIndex(where: { $0.itemID == itemID }) {
      change(&entries[place])
      return true
    }
    guard entries.count < Self.maximumEntries else { return false }
    var entry = Entry(itemID: itemID, responseID: responseID)
    change(&entry)
    entries.append(entry)
    return true
  }

  /// Changes an entry that is there.
  mutating func update(_ itemID: String, _ change: (inout Entry) -> Void) {
    if let place = entries.firstIndex(where: { $0.itemID == itemID }) { change(&entries[place]) }
  }

  mutating func remove(_ itemID: String) -> Entry? {
    guard let place = entries.firstIndex(where: { $0.itemID == itemID }) else { return nil }
    return entries.remove(at: place)
  }

  mutating func removeAll() -> [Entry] {
    let all = entries
    entries = []
    return all
  }

  /// The item that sounds now: the oldest one with sound.
  var currentID: String? { entries.first(where: \.hasSound)?.itemID }
}
