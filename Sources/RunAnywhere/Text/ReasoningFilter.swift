/// Removes a model's reasoning (`<think>…</think>` and its kin) from a stream of text.
///
/// Tags may be cut anywhere between two pieces; a block that is never closed is never let through.
public struct ReasoningFilter: Sendable {
  private static let names = ["think", "thinking", "reasoning", "thought", "reflection", "scratchpad"]
  /// Tags that open a block and those that close it, as models write them, in lowercase.
  private static let tags =
    names.map { (open: "<\($0)>", close: "</\($0)>") } + [
      (open: "[think]", close: "[/think]"), (open: "◁think▷", close: "◁/think▷"),
      (open: "<|begin_of_thought|>", close: "<|end_of_thought|>"),
      (open: "<|channel|>analysis<|message|>", close: "<|end|>"),
      (open: "<|start_thinking|>", close: "<|end_thinking|>"),
    ]
  private static let opening = tags.map { Array($0.open.unicodeScalars) }
  private static let closing = tags.map { Array($0.close.unicodeScalars) }
  private static let firsts = Set((opening + closing).compactMap(\.first))

  private var closingTag: [Unicode.Scalar]?
  private var pending: [Unicode.Scalar] = []
  private var skipsSpace = false

  /// A filter that has read nothing.
  public init() {}

  /// Whether the stream is inside a reasoning block.
  public var isInside: Bool { closingTag != nil }

  /// The part of `piece`, and of what was held back before, that is meant for the listener.
  public mutating func process(_ piece: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in piece.unicodeScalars { take(scalar, &output) }
    return String(output)
  }

  /// The end of the stream: what was held back as a possible tag.
  public mutating func finish() -> String {
    var output = String.UnicodeScalarView()
    flushPending(&output)
    return String(output)
  }

  private mutating func take(_ scalar: Unicode.Scalar, _ output: inout String.UnicodeScalarView) {
    if pending.isEmpty && !Self.firsts.contains(scalar) {
      emit(scalar, &output)
      return
    }
    pending.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
    original.append(scalar)
    let tags = closingTag.map { [$0] } ?? Self.opening + Self.closing
    if let tag = tags.first(where: { $0 == pending }) {
      close(over: tag)
    } else if !tags.contains(where: { $0.starts(with: pending) }) {
      // The first of what is held begins no tag; one of the others may.
      let held = original
      (pending, original) = ([], [])
      emit(held[0], &output)
      for scalar in held.dropFirst() { take(scalar, &output) }
    }
  }

  /// The pending scalars as they were written, capitals included.
  private var original: [Unicode.Scalar] = []

  private mutating func close(over tag: [Unicode.Scalar]) {
    pending = []
    original = []
    if let index = Self.opening.firstIndex(of: tag) {
      closingTag = Self.closing[index]
    } else {
      closingTag = nil
      skipsSpace = true
    }
  }

  private mutating func flushPending(_ output: inout String.UnicodeScalarView) {
    let held = original
    pending = []
    original = []
    for scalar in held { emit(scalar, &output) }
  }

  private mutating func emit(_ scalar: Unicode.Scalar, _ output: inout String.UnicodeScalarView) {
    guard closingTag == nil else { return }
    if skipsSpace && scalar.properties.isWhitespace { return }
    skipsSpace = false
    output.append(scalar)
  }
}
