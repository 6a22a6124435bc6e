/// What publishing a pack did to a tree; paths are relative to it.
public struct PublishReport: Sendable, Equatable {
  /// Manifests that were written, in their order.
  public internal(set) var writtenManifests: [String] = []
  /// Manifests that stood there with the same bytes.
  public internal(set) var presentManifests: [String] = []
  /// Chunks that were written, each once.
  public internal(set) var writtenChunks: [String] = []
  /// Chunks that stood there, whole, each once.
  public internal(set) var presentChunks: [String] = []
  /// The version that `latest.json` goes on to name because it is newer; nil when it names this one.
  public internal(set) var newerLatest: PackVersion?

  /// Whether everything stood there before.
  public var isUnchanged: Bool { writtenManifests.isEmpty && writtenChunks.isEmpty }
}
