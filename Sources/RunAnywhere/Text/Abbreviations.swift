/// English abbreviations that end in a period.
enum Abbreviations {
  /// Abbreviations that never end a sentence, lowercase without the last period, and how they
  /// are read.
  static let inner: [String: String] = [
    "dr": "Doctor", "mr": "Mister", "mrs": "Missus", "ms": "Miz", "prof": "Professor",
    "gen": "General", "sen": "Senator", "rep": "Representative", "lt": "Lieutenant",
    "col": "Colonel", "capt": "Captain", "sgt": "Sergeant", "rev": "Reverend", "hon": "Honorable",
    "mt": "Mount", "fig": "figure", "vs": "versus", "e.g": "for example", "i.e": "that is",
    "approx": "approximately", "cf": "compare", "ca": "circa", "viz": "namely", "vol": "volume",
  ]

  /// Abbreviations that may end a sentence.
  static let either: [String: String] = [
    "etc": "et cetera", "a.m": "A M", "p.m": "P M", "inc": "Incorporated", "ltd": "Limited",
    "corp": "Corporation", "co": "Company", "jr": "Junior", "sr": "Senior", "st": "Street",
    "ave": "Avenue", "blvd": "Boulevard", "rd": "Road", "dept": "Department", "est": "established",
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "aug": "August",
    "sept": "September", "sep": "September", "oct": "October", "nov": "November",
    "dec": "December", "no": "number", "ph.d": "P H D", "b.c": "B C", "a.d": "A D",
    "p": "page", "pp": "pages", "jun": "June", "jul": "July", "mon": "Monday", "tue": "Tuesday",
    "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "thurs": "Thursday", "fri": "Friday",
  ]

  /// Words that begin sentences; after an abbreviation they tell that the sentence ended there.
  static let starters: Set<String> = [
    "the", "a", "an", "it", "he", "she", "we", "they", "you", "i", "this", "that", "these",
    "those", "there", "but", "and", "so", "then", "in", "on", "at", "if", "when", "what", "who",
    "where", "why", "how", "my", "your", "his", "her", "our", "their", "its", "it's", "i'm",
    "please", "after", "before", "however", "now", "yes", "no", "not", "here", "let",
  ]

  /// Abbreviations that are read out only right before a number or a name.
  static let needsFollower: Set<String> = [
    "no", "st", "mt", "mar", "dec", "jan", "sep", "co", "p", "pp", "jun", "jul", "mon", "tue", "wed", "fri",
  ]

  /// Units after a number: one, and several.
  static let units: [String: (one: String, many: String)] = [
    "km": ("kilometer", "kilometers"), "m": ("meter", "meters"),
    "cm": ("centimeter", "centimeters"), "mm": ("millimeter", "millimeters"),
    "mi": ("mile", "miles"), "ft": ("foot", "feet"), "yd": ("yard", "yards"),
    "kg": ("kilogram", "kilograms"), "g": ("gram", "grams"), "mg": ("milligram", "milligrams"),
    "lb": ("pound", "pounds"), "lbs": ("pound", "pounds"), "oz": ("ounce", "ounces"),
    "l": ("liter", "liters"), "L": ("liter", "liters"), "ml": ("milliliter", "milliliters"),
    "mph": ("mile per hour", "miles per hour"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "m/s": ("meter per second", "meters per second"),
    "kB": ("kilobyte", "kilobytes"), "KB": ("kilobyte", "kilobytes"),
    "MB": ("megabyte", "megabytes"), "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"), "Hz": ("hertz", "hertz"), "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"), "GHz": ("gigahertz", "gigahertz"),
    "W": ("watt", "watts"), "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"), "V": ("volt", "volts"),
    "ms": ("millisecond", "milliseconds"), "s": ("second", "seconds"),
    "sec": ("second", "seconds"), "min": ("minute", "minutes"), "h": ("hour", "hours"),
    "hr": ("hour", "hours"), "hrs": ("hour", "hours"), "x": ("times", "times"),
    "°": ("degree", "degrees"), "°C": ("degree Celsius", "degrees Celsius"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"), "%": ("percent", "percent"),
    "m²": ("square meter", "square meters"), "km²": ("square kilometer", "square kilometers"),
    "m³": ("cubic meter", "cubic meters"), "bps": ("bit per second", "bits per second"),
    "kbps": ("kilobit per second", "kilobits per second"),
    "Mbps": ("megabit per second", "megabits per second"),
    "Gbps": ("gigabit per second", "gigabits per second"),
    "MB/s": ("megabyte per second", "megabytes per second"), "PB": ("petabyte", "petabytes"),
    "GiB": ("gibibyte", "gibibytes"), "MiB": ("mebibyte", "mebibytes"), "nm": ("nanometer", "nanometers"),
    "µm": ("micrometer", "micrometers"), "mAh": ("milliamp hour", "milliamp hours"),
    "kcal": ("kilocalorie", "kilocalories"), "gal": ("gallon", "gallons"),
    "MW": ("megawatt", "megawatts"), "dB": ("decibel", "decibels"),
    "fps": ("frame per second", "frames per second"),
    "kph": ("kilometer per hour", "kilometers per hour"),
    "am": ("A M", "A M"), "pm": ("P M", "P M"), "AM": ("A M", "A M"), "PM": ("P M", "P M"),
  ]

  /// What a period after `word` (without it) means.
  enum Kind { case none, inner, either, initialism }

  static func kind(of word: String) -> Kind {
    let lower = word.lowercased()
    if inner[lower] != nil { return .inner }
    if either[lower] != nil { return .either }
    return isInitialism(word) ? .initialism : .none
  }

  /// Single letters with periods between them: "U.S", "J", "D.C".
  static func isInitialism(_ word: String) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return !parts.isEmpty && word != "I"
      && parts.allSatisfy { $0.count == 1 && $0.first?.isLetter == true && $0.first?.isUppercase == true }
  }
}
