import Foundation

/// Characters on this machine's disk, fetched once and checked whenever they are used.
///
/// ```swift
/// let cache = PackCache(folder: folder)
/// let pack = try await cache.load(
///   PackRequest(character: "luna-anime", keys: keys, sdk: sdk), from: fetcher
/// ) { completed, total in … }
/// let puppet = try pack.read("puppet.bin")
/// ```
///
/// Several programs may share the folder. Nothing in it is believed, a program may be killed at any time,
/// and what was fetched is not fetched again. Docs/FORMAT.md describes the folder.
public actor PackCache {
  /// The folder that holds everything; made when it is missing.
  public nonisolated let folder: URL
  nonisolated let store: ChunkStore
  private let flights = SingleFlight<PackRequest, LoadedPack>()
  private var reports: [PackRequest: LoadReport] = [:]

  /// The characters of this folder.
  public init(folder: URL) {
    self.folder = folder
    store = ChunkStore(root: folder.path)
  }

  /// Fetches what is missing of a character, and returns it when every file was found right.
  ///
  /// Calls for the same request at the same time share one load, with the fetcher of the first; one that
  /// is cancelled leaves the others alone. A version that is asked for by its number and was kept needs
  /// no manifest from the fetcher. The latest version must not be older than one that is complete here.
  /// An interrupted load goes on where it was: only chunks that were on their way are fetched again.
  ///
  /// - Parameters:
  ///   - progress: Bytes that are here and bytes in all, growing; called from any thread, returns quickly.
  ///   - tierReady: Called once all files up to that tier (0...3) can be read, before the rest has arrived;
  ///     from any thread. Progress waits until it returns.
  /// - Throws: `PackError`, what the fetcher throws, or `CancellationError`.
  public func load(
    _ request: PackRequest, from fetcher: any PackFetching, retrying retry: RetryPolicy = .standard,
    progress: @escaping @Sendable (_ completedBytes: Int, _ totalBytes: Int) -> Void = { _, _ in },
    tierReady: @escaping @Sendable (_ tier: Int, _ pack: LoadedPack) -> Void = { _, _ in }
  ) async throws -> LoadedPack {
    let report = reports[request] ?? LoadReport()
    reports[request] = report
    let observer = UUID()
    report.add(.init(progress: progress, tierReady: tierReady), as: observer)
    defer { if report.remove(observer), reports[request] === report { reports[request] = nil } }
    let load = PackLoad(request: request, store: store, fetcher: fetcher, retry: retry, report: report)
    return try await flights.value(for: request) { try await load.run() }
  }

  /// The newest version of a character that is here, whole and right, for a start without the network.
  ///
  /// Every file is read and hashed; a version that was damaged or that needs a newer SDK is passed over.
  /// Nil when there is none. `request.version` asks for that version alone.
  public func newestComplete(_ request: PackRequest) async throws -> LoadedPack? {
    try request.validate()
    try store.prepare()
    let gate = try await FileLock.wait(store.gate, .shared, patience: PackLoad.patience)
    defer { withExtendedLifetime(gate) {} }
    for reference in store.versions(of: request.character) {
      guard let signed = store.envelope(reference), let manifest = try? request.open(signed),
        manifest.version == "\(reference.version)"
      else { continue }
      let lock = try await FileLock.wait(store.lockPath(reference), .shared, patience: PackLoad.patience)
      guard try store.verifies(manifest) else { continue }
      return LoadedPack(
        manifest: manifest, signed: signed, reference: reference, store: store, lock: lock)
    }
    return nil
  }
}
