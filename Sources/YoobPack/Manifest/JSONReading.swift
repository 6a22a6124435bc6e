import Foundation

/// Reads JSON that came from outside; says what is wrong in a few words.
enum JSONReading {
  /// Decodes UTF-8 JSON whose names are read alike by everybody; a reason for anything else.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Result<Value, Fault> {
    // Foundation would guess UTF-16 and UTF-32 too; then two readers could see two documents.
    guard !bytes.contains(0), bytes.first != 0xEF, bytes.first != 0xFE, bytes.first != 0xFF else {
      return .failure(Fault(reason: "it is not JSON in UTF-8"))
    }
    if let reason = JSONNames.fault(in: bytes) { return .failure(Fault(reason: reason)) }
    do {
      return .success(try JSONDecoder().decode(type, from: Data(bytes)))
    } catch let DecodingError.keyNotFound(key, _) {
      return .failure(Fault(reason: "“\(key.stringValue)” is missing"))
    } catch let DecodingError.typeMismatch(_, context) {
      return .failure(Fault(reason: "\(place(context)) is of the wrong kind"))
    } catch let DecodingError.valueNotFound(_, context) {
      return .failure(Fault(reason: "\(place(context)) is empty"))
    } catch {
      return .failure(Fault(reason: "it is not JSON"))
    }
  }

  struct Fault: Error {
    let reason: String
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return keys.isEmpty ? "it" : "“\(keys.joined(separator: "."))”"
  }
}
