import VoiceAudio
import VoiceIO

/// The clauses that a loudspeaker was heard to say, found by their samples alone.
package struct SpokenTrace: Sendable, Equatable {
  /// A clause as it was made, and how much of it was heard.
  package struct Clause: Sendable, Equatable {
    /// Which of the known clauses.
    package var index: Int
    /// Place of its first sample in what was heard.
    package var start: Int
    package var heard: Int

    package init(index: Int, start: Int, heard: Int) {
      self.index = index
      self.start = start
      self.heard = heard
    }
  }
  package var clauses: [Clause] = []
  /// Place of the first sample that is neither silence nor of a clause at its turn: something was
  /// lost, repeated or changed there. Nil when all was in order.
  package var fault: Int?

  /// Reads `heard`, the samples of one utterance in the order in which they were heard, as whole
  /// clauses of `known` one after the other with silence between; the last may be cut.
  package init(_ heard: [Float], of known: [[Float]]) {
    var places: [Float: [(index: Int, lead: Int)]] = [:]
    for (index, samples) in known.enumerated() {
      guard let lead = samples.firstIndex(where: { $0 != 0 }) else { continue }
      places[samples[lead], default: []].append((index, lead))
    }
    var at = 0
    while let loud = heard[at...].firstIndex(where: { $0 != 0 }) {
      let found = (places[heard[loud]] ?? []).first { place in
        let samples = known[place.index]
        let count = min(samples.count - place.lead, heard.count - loud)
        return loud - place.lead >= at
          && heard[loud..<loud + count].elementsEqual(samples[place.lead..<place.lead + count])
      }
      guard let found else {
        fault = loud
        return
      }
      let start = loud - found.lead
      let count = min(known[found.index].count, heard.count - start)
      clauses.append(Clause(index: found.index, start: start, heard: count))
      at = start + count
    }
  }
}
