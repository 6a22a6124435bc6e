/// Access to the members of an answer of the Yoob API, named in snake case or camel case.
struct ServiceReader {
  let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  /// The member, unless it is missing or null. `name` is in snake case.
  func value(_ name: String) -> JSONValue? {
    let value = object[name] ?? object[Self.camelCase(name)]
    return value?.isNull == false ? value : nil
  }

  func string(_ name: String) -> String? { value(name)?.string }

  /// A number, also where it is written as text.
  func double(_ name: String) -> Double? {
    guard let value = value(name) else { return nil }
    let number = value.double ?? value.string.flatMap(Double.init)
    return number?.isFinite == true ? number : nil
  }

  /// The number without its fraction.
  func int(_ name: String) -> Int? {
    double(name).flatMap { Int(exactly: $0.rounded(.towardZero)) }
  }

  func bool(_ name: String) -> Bool? { value(name)?.bool }

  /// Seconds since 1970, from such a number (milliseconds where it is too large for seconds) or an ISO 8601
  /// time.
  func time(_ name: String) -> Double? {
    guard let value = value(name) else { return nil }
    if let number = double(name) { return number > 100_000_000_000 ? number / 1000 : number }
    return value.string.flatMap(ISOTime.seconds)
  }

  private static func camelCase(_ name: String) -> String {
    let parts = name.split(separator: "_")
    return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
      text + part.prefix(1).uppercased() + part.dropFirst()
    }
  }
}

/// Times of ISO 8601, as "2026-11-30T20:15:00.5Z" or with an offset such as "+01:00".
enum ISOTime {
  /// Seconds since 1970; nil when the text is no such time.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20, bytes[13] == 0x3A, bytes[16] == 0x3A,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    var place = 19
    var fraction = 0.0
    if bytes[place] == 0x2E {
      place += 1
      let start = place
      while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
      guard place > start, let value = Double("0." + String(decoding: bytes[start..<place], as: UTF8.self))
      else { return nil }
      fraction = value
    }
    guard let offset = offset(bytes[place...]) else { return nil }
    let days = days(year: year, month: month, day: day)
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  /// Seconds east of UTC.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if sign == 0x5A || sign == 0x7A { return bytes.count == 1 ? 0 : nil }
    let digits = bytes.dropFirst().filter { $0 != 0x3A }
    guard sign == 0x2B || sign == 0x2D, digits.count == 4, let value = number(digits[...]) else { return nil }
    let seconds = value / 100 * 3600 + value % 100 * 60
    return sign == 0x2B ? seconds : -seconds
  }

  /// Days from 1970-01-01 (proleptic Gregorian calendar; Howard Hinnant, "chrono-compatible low-level date
  /// algorithms").
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
