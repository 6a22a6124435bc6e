/// What the header field `Range` asks for of a resource of known size.
enum ByteRange: Equatable {
  /// No range, several ranges or another unit: send everything.
  case whole
  case part(Range<Int>)
  /// No byte of the resource is in the range.
  case unsatisfiable

  init(_ field: String?, size: Int) {
    self = .whole
    guard let field, field.hasPrefix("bytes=") else { return }
    let spec = field.dropFirst("bytes=".count)
    let parts = spec.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else { return }
    if parts[0].isEmpty {
      guard let count = Int(parts[1]) else { return }
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
      return
    }
    guard let first = Int(parts[0]) else { return }
    let last = parts[1].isEmpty ? size - 1 : Int(parts[1]) ?? size - 1
    if !parts[1].isEmpty, last < first { return }
    self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
  }
}
