/// The largest pack that is accepted. A manifest that says more is refused before anything is fetched.
public enum PackLimits {
  /// Bytes of a manifest: 4 MiB.
  public static let manifestBytes = 4 << 20
  /// Bytes of the signed envelope around it.
  public static let envelopeBytes = manifestBytes / 3 * 4 + 4 + (64 << 10)
  /// Files of a pack.
  public static let files = 1024
  /// Bytes of all files together: 512 MiB.
  public static let bytes = 512 << 20
  /// Chunks of all files together.
  public static let chunks = 16_384
  /// Bytes of a chunk: 16 MiB.
  public static let chunkBytes = 16 << 20
  /// Frames that are shown before the face moves.
  public static let idleFrames = 1024
}
