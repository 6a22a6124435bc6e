/// Pixels of one row that are to be painted: 24 bytes.
struct Span {
  enum Kind: UInt16 {
    /// As the layer is drawn.
    case blend
    /// Translucent texels that lie over what is below.
    case over
    /// Opaque texels that replace what is below.
    case copy
    /// Nothing is painted; the layer's mask is filled.
    case fill
  }

  /// Index of the first pixel in the frame.
  var place: Int32
  var length: UInt16
  var kind: Kind
  var texel: TexelRow
}

/// Spans of a frame, noted from the front to the back and painted in the opposite order.
final class SpanBuffer {
  private(set) var count = 0
  /// A mark of what was read ahead; it keeps the reading from being left out.
  var fetched: UInt32 = 0
  private let capacity: Int
  private let store: UnsafeMutablePointer<Span>

  init(capacity: Int) {
    self.capacity = capacity
    store = .allocate(capacity: capacity)
    store.initialize(
      repeating: Span(place: 0, length: 0, kind: .blend, texel: TexelRow(u: 0, v: 0, du: 0, dv: 0)),
      count: capacity)
  }

  deinit { store.deallocate() }

  /// Whether that many more spans fit.
  @inline(__always)
  func hasRoom(for more: Int) -> Bool { count &+ more <= capacity }

  /// There must be room.
  @inline(__always)
  func append(_ place: Int, _ length: Int, _ kind: Span.Kind, _ texel: TexelRow) {
    store[count] = Span(
      place: Int32(truncatingIfNeeded: place), length: UInt16(truncatingIfNeeded: length), kind: kind,
      texel: texel)
    count &+= 1
  }

  func removeAll() { count = 0 }

  @inline(__always)
  subscript(_ index: Int) -> Span { store[index] }
}
