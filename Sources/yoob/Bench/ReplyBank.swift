import Foundation
import VoiceAudio
import VoiceIO

/// Long replies of varied text for a language model that only reads out: each is another order of the
/// same sentences, so that the voice has to make every sentence once.
final class ReplyBank: Sendable {
  private static let sentences = """
    Most people think of the sea as something blue.
    In truth it has many colours, and they change with the light.
    My grandmother kept bees behind a small wooden house.
    Every spring she opened the hives and counted what was left.
    A good bread needs flour, water, salt and a lot of patience.
    The dough should rest in a warm place until it has doubled.
    Trains used to stop at every village along this valley.
    Today only two of them still have a station with a clock.
    The old harbour was built by merchants who traded in wool.
    Their houses stand in a narrow row, each with a crane under the roof.
    If you walk up the hill behind the church, you can see three countries.
    On clear mornings the mountains look close enough to touch.
    Cats sleep for most of the day and hunt when the sun goes down.
    They see very little colour, but they hear the smallest mouse.
    A friend of mine repairs violins in a room above a bakery.
    He says that the smell of bread makes the wood sing.
    The first telescopes were small tubes with two pieces of glass.
    With one of them somebody found four moons around a distant planet.
    Rain starts as dust, high up, where the air is cold and thin.
    Tiny drops gather around it until they are too heavy to float.
    Long ago the market was held on the frozen river.
    People sold chestnuts there, and children slid between the tables.
    Learning a language is a little like learning to swim.
    You can read about it for years, but one day you have to jump.
    The library keeps its oldest books in a cellar without windows.
    Light would fade the ink, and damp would curl the pages.
    Elephants remember the places where they once found water.
    In a dry year the oldest of the herd leads the others there.
    The bridge was finished in autumn after seven years of work.
    On the opening day a band played, and half the town walked across.
    A lemon tree can live in a pot if it gets enough sun.
    In winter it wants a bright room that is not too warm.
    Some birds fly across a whole ocean without a single rest.
    Before they leave they eat until they weigh twice as much.
    The clock in the tower runs four minutes late, and nobody minds.
    When it was repaired once, everybody in town missed the bus.
    Glass is made from sand, ash and a very hot fire.
    The men who blow it begin their work long before breakfast.
    Our neighbour paints only doors, because he likes what might be behind them.
    They lean on the wall of his garage, and none of them has a handle.
    Coffee came to the city with soldiers who left their bags behind.
    A clever cook tried the beans and opened the first little shop.
    The lighthouse has no keeper any more, only a lamp and a wire.
    Still, somebody goes up every month to clean the windows.
    Wolves came back to the forest when the farms were given up.
    You hardly ever see them, but in the snow you find their tracks.
    The best way to cook rice is to leave it alone.
    Close the lid, wait a while, and do not stir it.
    A dictionary is never finished, since people keep making words.
    The last one for this language took longer than anybody had hoped.
    Bicycles were expensive toys before they became useful.
    The early ones had no brakes, so every hill was an adventure.
    Under the square there is a room that nobody knew about.
    It was found by a plumber who only wanted to fix a pipe.
    Sailors used to guess the weather from the colour of the evening.
    A red sky promised a calm day, and often enough that was true.
    The garden was planted for a queen who never came to see it.
    Today it belongs to everybody, and the roses are still there.
    Snow is quiet because it swallows the sound between its crystals.
    After a night of it, even a busy street seems to whisper.
    """.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }

  private let random: Guarded<SplitMix64>
  private let count: Int

  /// Replies of `count` sentences each, about four seconds a sentence.
  init(seed: UInt64, sentences count: Int = 16) {
    random = Guarded(SplitMix64(seed: seed))
    self.count = min(count, Self.sentences.count)
  }

  /// The next reply.
  func next() -> String {
    random.withLock { random in
      Self.sentences.shuffled(using: &random).prefix(count).joined(separator: " ")
    }
  }
}
