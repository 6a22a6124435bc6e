/// How far a download has come.
public struct DownloadProgress: Sendable, Equatable {
  /// Bytes that are here.
  public var bytesDone: Int
  /// 0 while it is not known.
  public var bytesTotal: Int
  /// Speed; 0 while it is not known.
  public var bytesPerSecond: Double
  /// Seconds left at this speed; nil while it is not known.
  public var etaSeconds: Double?
  /// Number of the retry; 0 is the first attempt.
  public var retryAttempt: Int
  /// Number of the file that is fetched, from 0.
  public var fileIndex: Int
  /// Files in all.
  public var fileCount: Int
  /// 0...1.
  public var fraction: Double {
    bytesTotal > 0 ? min(1, max(0, Double(bytesDone) / Double(bytesTotal))) : 0
  }

  /// How far it has come; what is not known is 0 or nil.
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
  /// It begins.
  case started
  /// Bytes are arriving.
  case progress(DownloadProgress)
  /// The files' hashes are checked.
  case verifying
  /// Files are unpacked or converted; 0...100.
  case extracting(percent: Double)
  /// The model can be loaded. The last event.
  case completed(ModelInfo)
  /// The stream then ends with the same error.
  case failed(SDKException)
  /// The task was cancelled. The last event.
  case cancelled
}
