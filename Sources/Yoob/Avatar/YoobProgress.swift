/// How far a download has come.
public struct YoobProgress: Sendable, Equatable {
  /// Bytes that are here, those of earlier tries included.
  public var completedBytes: Int
  /// Bytes of the character; 0 while they are not known.
  public var totalBytes: Int

  /// So many bytes of so many.
  public init(completedBytes: Int = 0, totalBytes: Int = 0) {
    self.completedBytes = completedBytes
    self.totalBytes = totalBytes
  }

  /// 0...1; 0 while the total is not known.
  public var fraction: Double {
    totalBytes > 0 ? min(1, max(0, Double(completedBytes) / Double(totalBytes))) : 0
  }
}
