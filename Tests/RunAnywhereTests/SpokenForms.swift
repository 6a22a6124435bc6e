import RunAnywhere
import Testing

/// What is written and how it is said in English, by kind.
enum SpokenForms {
  static let table: [(kind: String, forms: [(written: String, spoken: String)])] = [
    (
      "numbers of all kinds",
      [
        (
          "It has 12,345,678 parts.",
          "It has twelve million three hundred forty five thousand six hundred seventy eight parts."
        ),
        ("About 1000000 people.", "About one million people."),
        ("Code 1234567 works.", "Code one two three four five six seven works."),
        ("Zero is 0 and .5 is half.", "Zero is zero and zero point five is half."),
        ("The 103rd and the 1,000th.", "The one hundred third and the one thousandth."),
        ("It is −2.5 now.", "It is minus two point five now."),
        ("Take 3/4 of it.", "Take three quarters of it."),
        ("Add ½ cup and 1½ spoons.", "Add one half cup and one and one half spoons."),
        ("Wait 2 1/2 hours.", "Wait two and one half hours."),
        ("From 1990-1995 on.", "From nineteen ninety to nineteen ninety five on."),
        ("Pages 5–10 and 5-10%.", "Pages five to ten and five to ten percent."),
        ("Walk 10-15 km.", "Walk ten to fifteen kilometers."),
        ("It has 1,234.56 units.", "It has one thousand two hundred thirty four point five six units."),
      ]
    ),
    (
      "Roman numerals after kings and chapters",
      [
        ("Henry VIII had six wives.", "Henry the eighth had six wives."),
        ("Queen Elizabeth II's dog.", "Queen Elizabeth the second's dog."),
        ("World War II ended.", "World War two ended."),
        ("See Chapter IV now.", "See Chapter four now."),
        ("I am Malcolm X.", "I am Malcolm X."),
        ("Mary, I think so.", "Mary, I think so."),
      ]
    ),
    (
      "telephone numbers, digit by digit",
      [
        ("Call 555-123-4567.", "Call five five five, one two three, four five six seven."),
        ("Call (555) 123-4567 now.", "Call five five five, one two three, four five six seven now."),
        ("Call 1-800-555-0199.", "Call one, eight zero zero, five five five, zero one nine nine."),
        ("Call +44 20 7946 0958.", "Call four four, two zero, seven nine four six, zero nine five eight."),
        ("Call 555.123.4567 today.", "Call five five five, one two three, four five six seven today."),
        ("Call 555 123 4567.", "Call five five five, one two three, four five six seven."),
      ]
    ),
    (
      "dates",
      [
        ("On 2024-03-05 it began.", "On March fifth, twenty twenty four it began."),
        (
          "On 3/14/2024 and 25/12/2023.",
          "On March fourteenth, twenty twenty four and December twenty fifth, twenty twenty three."
        ),
        ("On 3/5/24.", "On March fifth, twenty twenty four."),
        ("On March 5, 2024, it rained.", "On March fifth, twenty twenty four, it rained."),
        ("It was Mar. 5 then.", "It was March fifth then."),
        ("On 5 March 2024 it rained.", "On the fifth of March twenty twenty four it rained."),
        ("On the 5th of May.", "On the fifth of May."),
        ("On Mon, 5 Mar 2024.", "On Monday, the fifth of March twenty twenty four."),
        ("On Monday, June 3rd.", "On Monday, June third."),
        ("May 5 people come in?", "May five people come in?"),
        ("The '90s and 1980s.", "The nineties and nineteen eighties."),
        ("The mid-1990s were good.", "The mid nineteen nineties were good."),
      ]
    ),
    (
      "times of day",
      [
        ("At 14:30 or 00:05.", "At fourteen thirty or zero oh five."),
        ("At 7:30 p.m. we eat.", "At seven thirty P M we eat."),
        ("At 7:30pm or 7 PM.", "At seven thirty P M or seven P M."),
        ("At 5 o'clock.", "At five o'clock."),
        ("Open 9am-5pm daily.", "Open nine A M to five P M daily."),
        ("Open 9:00–17:00 daily.", "Open nine to seventeen hundred daily."),
        ("It took 1:02:03 in all.", "It took one oh two and three seconds in all."),
      ]
    ),
    (
      "money",
      [
        ("Pay €5, £3.20 or ¥500.", "Pay five euros, three pounds and twenty pence or five hundred yen."),
        ("Pay 5€ now.", "Pay five euros now."),
        ("Worth $1.2 million today.", "Worth one point two million dollars today."),
        ("Worth $1.2M or $3bn.", "Worth one point two million dollars or three billion dollars."),
        ("It lost -$5.", "It lost minus five dollars."),
        ("Only 50¢ or $0.05.", "Only fifty cents or five cents."),
        ("Pay $5-$10 or $20–30.", "Pay five to ten dollars or twenty to thirty dollars."),
        ("It is $5/month.", "It is five dollars per month."),
        ("Pay 5 USD or EUR 20.", "Pay five US dollars or twenty euros."),
        ("Pay $1,234.50.", "Pay one thousand two hundred thirty four dollars and fifty cents."),
      ]
    ),
    (
      "units",
      [
        ("It is 72°F or 22 °C.", "It is seventy two degrees Fahrenheit or twenty two degrees Celsius."),
        ("It is -5°C.", "It is minus five degrees Celsius."),
        ("At 60 mph or 100 km/h.", "At sixty miles per hour or one hundred kilometers per hour."),
        ("A 16GB stick at 50 Mbps.", "A sixteen gigabytes stick at fifty megabits per second."),
        ("It has 20 m² of room.", "It has twenty square meters of room."),
        ("He is 5'10\" tall.", "He is five foot ten tall."),
        ("Drink 1.5 L a day.", "Drink one point five liters a day."),
        ("It grew 5 % a year.", "It grew five percent a year."),
        ("A 10-year-old boy with COVID-19.", "A ten year old boy with COVID nineteen."),
      ]
    ),
    (
      "names with signs and digits",
      [
        ("We are open 24/7.", "We are open twenty four seven."),
        ("Use C++ or C# or F#.", "Use C plus plus or C sharp or F sharp."),
      ]
    ),
    (
      "abbreviations",
      [
        ("Dr Smith and Mr Lee.", "Doctor Smith and Mister Lee."),
        ("Go to St. Louis, No. 5 Main St. today.", "Go to Saint Louis, number five Main Street today."),
        ("Red, i.e., hot, etc., and so on.", "Red, that is, hot, et cetera, and so on."),
        ("Is it 5 p.m.?", "Is it five P M?"),
        ("Cats vs dogs.", "Cats versus dogs."),
        ("See p. 5 and pp. 7-9.", "See page five and pages seven to nine."),
        ("J. R. R. Tolkien wrote.", "J R R Tolkien wrote."),
        ("Call the F.B.I. now.", "Call the F B I now."),
      ]
    ),
    (
      "addresses, handles and hashtags",
      [
        ("Go to http://localhost:8080/x now.", "Go to localhost now."),
        ("See example.com/shop, or Node.js.", "See example dot com, or Node dot js."),
        ("Open notes.txt now.", "Open notes dot txt now."),
        (
          "Ping 192.168.1.1 now.",
          "Ping one hundred ninety two dot one hundred sixty eight dot one dot one now."
        ),
        ("Mail <bob.smith@example.org>.", "Mail bob dot smith at example dot org."),
        ("Use #SwiftLang and #1.", "Use hashtag Swift Lang and number one."),
        ("Ask @apple about it.", "Ask at apple about it."),
      ]
    ),
    (
      "markup",
      [
        ("This is *very* _nice_ and ***good***, __really__.", "This is very nice and good, really."),
        ("A word~~gone~~ stays.", "A wordgone stays."),
        ("## Heading ##", "Heading"),
        ("See [the (old) page](http://x.com/a_(b)), ok.", "See the old page, ok."),
        ("![A red cat](cat.png) sits.", "A red cat sits."),
        ("See [this][1] and that[^2].", "See this and that."),
        ("- [x] buy milk", "buy milk"),
        ("1) Apples", "one, Apples"),
        ("> > deep quote", "deep quote"),
        ("***", ""),
        ("| --- | :-: |", ""),
        ("a | b", "a b"),
        ("Use ``x = 1`` here.", "Use x equals one here."),
        ("~~~\nlet x\n~~~", ""),
        ("Fish &amp; chips &lt; 5.", "Fish and chips less than five."),
        ("It is \\_not\\_ it.", "It is not it."),
        ("One<br>two <b>three</b><!-- no -->.", "One two three."),
      ]
    ),
    (
      "emoticons",
      [
        ("So nice :) and sad :-( <3 yes.", "So nice and sad yes."),
        ("Well done ;) 🎉!", "Well done!"),
      ]
    ),
    (
      "formulas",
      [
        ("So $E = mc^2$ holds.", "So E equals mc squared holds."),
        ("With $x$ and $5 or $10.", "With x and five dollars or ten dollars."),
        ("Here \\(\\frac{a}{b}\\) is $\\sqrt{2}$.", "Here a over b is the square root of two."),
        ("It is $90^\\circ$ or $x_1^{10}$.", "It is ninety degrees or x one to the power of ten."),
        ("So x^2 and 2^10 grow.", "So x squared and two to the power of ten grow."),
      ]
    ),
    (
      "signs within sentences",
      [
        ("Is 3<4 or a>b?", "Is three less than four or a greater than b?"),
        ("Wait — what – no… yes.", "Wait, what, no. yes."),
        ("He said (really?) yes.", "He said really? yes."),
        ("She is 5 ft. tall.", "She is five feet tall."),
        ("Version 2.0 of iOS17.", "Version two point zero of iOS seventeen."),
        ("Rated 4.5/5 by all.", "Rated four point five out of five by all."),
        ("Score 3-2 or 3:2.", "Score three to two or three two."),
        ("A and/or B w/ C w/o D.", "A and or B with C without D."),
        ("It’s 5°.", "It's five degrees."),
        ("Room 101 at gate B12.", "Room one hundred one at gate B twelve."),
        ("Take it 2x.", "Take it two times."),
        ("The year 2000, 1066 and 2010.", "The year two thousand, one thousand sixty six and twenty ten."),
      ]
    ),
  ]

  static let all = table.flatMap(\.forms)
}
