/// How far a download has come.
public struct DownloadProgress: Sendable, Equatable {
  public var bytesDone: Int
  /// 0 while it is not known.
  public var bytesTotal: Int
  public var bytesPerSecond: Double
  /// Seconds left at this speed; nil while it is not known.
  public var etaSeconds: Double?
  public var retryAttempt: Int
  public var fileIndex: Int
  public var fileCount: Int
  /// 0...1.
  public var fraction: Double {
    bytesTotal > 0 ? min(1, max(0, Double(bytesDone) / Double(bytesTotal))) : 0
  }

  public init(
    bytesDone: Int, bytesTotal: Int, bytesPerSecond: Double = 0, etaSeconds: Double? = nil,
    retryAttempt: Int = 0, fileIndex: Int = 0, fileCount: Int = 1
  ) {
    self.bytesDone = bytesDone
    self.bytesTotal = bytesTotal
    self.bytesPerSecond = bytesPerSecond
    self.etaSeconds = etaSeconds
    self.retryAttempt = retryAttempt
    self.fileIndex = fileIndex
    self.fileCount = fileCount
  }
}

/// What happens while a model is fetched.
public enum DownloadEvent: Sendable {
  case started
  case progress(DownloadProgress)
  /// The files' hashes are checked.
  case verifying
  /// Files are unpacked or converted; 0...100.
  case extracting(percent: Double)
  case completed(ModelInfo)
  /// The stream then ends with the same error.
  case failed(SDKException)
  case cancelled
}
