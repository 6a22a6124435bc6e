import RunAnywhere
import Testing
import VoiceAudio

@Suite("Speech text")
struct SpeechTextTests {
  @Test(
    "markup is not read aloud",
    arguments: [
      ("**Bold** and *italic* text.", "Bold and italic text."),
      ("Use `print` here.", "Use print here."),
      ("# Heading", "Heading"),
      ("- an item", "an item"),
      ("> a quote", "a quote"),
      ("See [the page](https://example.com/x).", "See the page."),
      ("Go to https://www.example.com/a/b?c=d.", "Go to example dot com."),
      ("Mail bob@example.org now.", "Mail bob at example dot org now."),
      ("Nice 😀 work 👍🏽!", "Nice work!"),
      ("| Name | Age |", "Name, Age"),
      ("|---|:--:|", ""),
      ("---", ""),
      ("```\nlet x = 1\n```", ""),
      ("some_file_name is set", "some file name is set"),
      ("<b>Hello</b> you", "Hello you"),
      ("~~gone~~ here", "gone here"),
      ("“Quoted” it’s", "Quoted it's"),
      ("🎉", ""),
    ])
  func markup(written: String, spoken: String) {
    #expect(SpeechText(written).text == spoken)
  }

  @Test(
    "numbers are read as a person reads them",
    arguments: [
      ("I have 3 cats.", "I have three cats."),
      ("It has 1,234 parts.", "It has one thousand two hundred thirty four parts."),
      ("Pi is 3.14.", "Pi is three point one four."),
      ("It is -5 outside.", "It is minus five outside."),
      ("On the 1st and 22nd.", "On the first and twenty second."),
      ("Since 1999 it grew.", "Since nineteen ninety nine it grew."),
      ("In 2005 and 2024.", "In two thousand five and twenty twenty four."),
      ("In 1905.", "In nineteen oh five."),
      ("The 1990s were fun.", "The nineteen nineties were fun."),
      ("It costs $5.", "It costs five dollars."),
      ("It costs $3.50 now.", "It costs three dollars and fifty cents now."),
      ("It costs $1.", "It costs one dollar."),
      ("Worth $2 million.", "Worth two million dollars."),
      ("About 25% more.", "About twenty five percent more."),
      ("At 7:30 sharp.", "At seven thirty sharp."),
      ("At 7:05.", "At seven oh five."),
      ("At 8:00 we go.", "At eight o'clock we go."),
      ("At 8:00 a.m. we go.", "At eight A M we go."),
      ("At 5pm.", "At five P M."),
      ("Run 5 km today.", "Run five kilometers today."),
      ("It weighs 1 kg.", "It weighs one kilogram."),
      ("Add 10kg.", "Add ten kilograms."),
      ("It is 20°C.", "It is twenty degrees Celsius."),
      ("Take 1/2 cup.", "Take one half cup."),
      ("Pages 5-10.", "Pages five to ten."),
      ("Call 555-1234.", "Call five five five, one two three four."),
      ("We are #1.", "We are number one."),
      ("An MP3 file.", "An MP three file."),
      ("Version 1.2.3 is out.", "Version one point two point three is out."),
      ("Agent 007.", "Agent zero zero seven."),
      ("1. Apples", "one, Apples"),
      ("2 * 3 = 6", "two times three equals six"),
    ])
  func numbers(written: String, spoken: String) {
    #expect(SpeechText(written).text == spoken)
  }

  @Test(
    "abbreviations are read in full",
    arguments: [
      ("Dr. Lee met Mrs. Fox.", "Doctor Lee met Missus Fox."),
      ("Mr. Jones lives on Main St.", "Mister Jones lives on Main Street."),
      ("St. Mary prayed.", "Saint Mary prayed."),
      ("Fruit, e.g. apples.", "Fruit, for example apples."),
      ("Big, i.e. large.", "Big, that is large."),
      ("Apples, pears, etc.", "Apples, pears, et cetera."),
      ("Cats vs. dogs.", "Cats versus dogs."),
      ("At nine p.m.", "At nine P M."),
      ("The U.S. won.", "The U S won."),
      ("Salt & pepper.", "Salt and pepper."),
      ("No. Never.", "No. Never."),
      ("A and/or B.", "A and or B."),
    ])
  func abbreviations(written: String, spoken: String) {
    #expect(SpeechText(written).text == spoken)
  }

  @Test("what people write is said as they say it", arguments: SpokenForms.table.map(\.kind))
  func spokenForms(kind: String) {
    for row in SpokenForms.table where row.kind == kind {
      for form in row.forms { #expect(SpeechText(form.written).text == form.spoken) }
    }
  }

  @Test(
    "other languages keep their numbers and get no English word",
    arguments: [
      ("Ich habe 3 **Katzen**.", "Ich habe 3 Katzen."),
      ("Am 5. März um 14:30 für 5 € & mehr.", "Am 5. März um 14:30 für 5 mehr."),
      ("Siehe https://www.beispiel.de/x?y.", "Siehe beispiel.de."),
      ("Schreib an bob@example.org, ja.", "Schreib an bob@example.org, ja."),
      ("Von A → B, 2 * 3 und ~5 Leute.", "Von A B, 2 3 und 5 Leute."),
      ("Salz &amp; Pfeffer :) 😀", "Salz Pfeffer"),
      ("Dr. Schmidt, Nr. 5, z.B. 1/2.", "Dr. Schmidt, Nr. 5, z.B. 1/2."),
    ])
  func otherLanguage(written: String, spoken: String) {
    #expect(SpeechText(written, language: "de-DE").text == spoken)
  }

  @Test("hearing all of it is hearing all that is written; hearing none is none", arguments: SpokenForms.all)
  func heardOfForms(form: (written: String, spoken: String)) {
    let speech = SpeechText(form.written)
    #expect(zip(speech.words, speech.words.dropFirst()).allSatisfy { $0.source <= $1.source })
    #expect(speech.words.allSatisfy { speech.written.indices.contains($0.source) })
    let sources = Set(speech.words.map(\.source))
    #expect(sources.allSatisfy { speech.written[$0].contains { !$0.isWhitespace } })
  }

  @Test("each written word of a number with its unit, a date, money and a telephone number has its own words")
  func groupedSources() {
    let table: [(written: String, pairs: [String])] = [
      (
        "1,234 km",
        [
          "one<1,234", "thousand<1,234", "two<1,234", "hundred<1,234", "thirty<1,234", "four<1,234",
          "kilometers< km",
        ]
      ),
      ("$1.2 million", ["one<$1.2", "point<$1.2", "two<$1.2", "million< million", "dollars< million"]),
      ("5 March", ["the<5", "fifth<5", "of< March", "March< March"]),
      ("7:30 p.m.", ["seven<7:30", "thirty<7:30", "P< p.m.", "M.< p.m."]),
    ]
    for (written, pairs) in table {
      let speech = SpeechText(written)
      #expect(speech.words.map { "\($0.text)<\(speech.written[$0.source])" } == pairs)
    }
  }

  @Test("each spoken word knows the written word that it comes from")
  func sources() {
    let speech = SpeechText("Pay **$3.50** to Dr. Lee")
    let pairs = speech.words.map { "\($0.text)<\(speech.written[$0.source])" }
    #expect(
      pairs == [
        "Pay<Pay", "three< **$3.50**", "dollars< **$3.50**", "and< **$3.50**", "fifty< **$3.50**",
        "cents< **$3.50**", "to< to", "Doctor< Dr.", "Lee< Lee",
      ])
  }

  @Test("any text is taken: nothing written is lost, every source exists, no mark for the eye is left")
  func fuzz() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<400 {
      let text = randomText(using: &random, pieces: 25)
      let speech = SpeechText(text)
      #expect(Array(speech.written.flatMap(\.unicodeScalars)) == Array(text.unicodeScalars))
      #expect(speech.words.allSatisfy { speech.written.indices.contains($0.source) })
      #expect(zip(speech.words, speech.words.dropFirst()).allSatisfy { $0.source <= $1.source })
      #expect(!speech.text.unicodeScalars.contains { "*`|#{}<>[]😀".unicodeScalars.contains($0) })
      #expect(speech.words.allSatisfy { !$0.text.isEmpty && !$0.text.contains(" ") })
    }
  }
}
