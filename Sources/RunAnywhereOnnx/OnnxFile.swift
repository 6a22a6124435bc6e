import Foundation

/// A look at the outer structure of an ONNX file, for libraries that abort on a damaged one.
package enum OnnxFile {
  /// Walks the fields of the model, its graph and its nodes, and throws when lengths do not add up
  /// or no graph is there. It reads headers only, so a file of any size takes milliseconds.
  /// Returns the model's metadata.
  @discardableResult package static func check(_ data: Data) throws(OnnxError) -> [String: String] {
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(OnnxError) in try read(bytes) }
    }
    return try result.get()
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws(OnnxError) -> [String: String] {
    var metadata: [String: String] = [:]
    var nodes = 0
    try walk(bytes) { field, body throws(OnnxError) in
      if field == 7 {
        try walk(body) { field, body throws(OnnxError) in
          if field == 1 { nodes += 1 }
          if field == 1 { try walk(body) { _, _ throws(OnnxError) in } }
          // Weights in another file (field 13) are never opened: nobody has checked that one.
          if field == 5 {
            try walk(body) { field, _ throws(OnnxError) in if field == 13 { throw outside } }
          }
        }
      } else if field == 14 {
        var entry: [Int: String] = [:]
        try walk(body) { field, body throws(OnnxError) in
          entry[field] = String(decoding: body, as: UTF8.self)
        }
        if let key = entry[1] { metadata[key] = entry[2] ?? "" }
      }
    }
    guard nodes > 0 else { throw damaged }
    return metadata
  }

  private static let outside = OnnxError(code: 7, message: "its weights lie in another file")
  private static let damaged = OnnxError(code: 7, message: "it is damaged or not an ONNX model")

  /// Calls `visit` with number and bytes of each length-delimited field.
  private static func walk(
    _ bytes: UnsafeRawBufferPointer,
    _ visit: (Int, UnsafeRawBufferPointer) throws(OnnxError) -> Void
  ) throws(OnnxError) {
    var at = 0
    while at < bytes.count {
      let key = try varint(bytes, &at)
      guard key >> 3 > 0 else { throw damaged }
      switch key & 7 {
      case 0: _ = try varint(bytes, &at)
      case 1: at += 8
      case 5: at += 4
      case 2:
        let length = try varint(bytes, &at)
        guard length <= UInt64(bytes.count - at) else { throw damaged }
        let body = UnsafeRawBufferPointer(rebasing: bytes[at..<at + Int(length)])
        try visit(Int(clamping: key >> 3), body)
        at += Int(length)
      default: throw damaged
      }
      guard at <= bytes.count else { throw damaged }
    }
  }

  private static func varint(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) throws(OnnxError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw damaged
  }
}

extension OnnxFile {
  /// Bytes that, appended to an ONNX file, make an inner tensor one more output of its graph:
  /// a protocol buffer that is appended to another is merged into it.
  /// - Parameters:
  ///   - name: Name of the tensor, shorter than 100 bytes.
  ///   - elementType: ONNX number of its type, such as 1 for 32-bit float and 7 for 64-bit integer.
  package static func output(named name: String, elementType: UInt8) -> [UInt8] {
    func field(_ number: UInt8, _ body: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(truncatingIfNeeded: body.count)] + body
    }
    let type = field(1, [8, elementType])
    let value = field(1, Array(name.utf8.prefix(99))) + field(2, type)
    let graphOutput = field(12, value)
    return field(7, graphOutput)
  }
}
