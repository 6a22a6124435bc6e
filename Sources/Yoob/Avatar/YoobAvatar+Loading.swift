import Foundation
import VoiceIO
import YoobNet
import YoobPack
import YoobWire

extension YoobAvatar {
  /// Loads the character and starts its face; a cloud character's session is opened and kept alive from here
  /// on. A second call waits for the first, and one after a failure, or after the session's end, goes on where
  /// the download stopped.
  ///
  /// Throws `YoobError`, and `CancellationError` where the task was cancelled, which changes no phase.
  public func prepare() async throws {
    switch phase {
    case .ready, .speaking: return
    default: break
    }
    let task = preparing ?? begin()
    let opening = opening
    let done = OneShot()
    Task {
      _ = await task.value
      done.fire()
    }
    // Who gives up waits no longer; the load goes on for the others.
    await withTaskCancellationHandler {
      await done.value()
    } onCancel: {
      done.fire()
    }
    try Task.checkCancellation()
    guard self.opening == opening else {
      if case .stopped(let error) = phase { throw error }
      throw CancellationError()
    }
    _ = try await task.value.get()
  }

  /// Beats now instead of after the interval, as when the app comes back to the front.
  public func refreshSession() async { keeper?.refresh() }

  /// Ends everything: sound, frames, loading, and the metered session. Files stay on the disk, and the avatar
  /// can be prepared again. Idempotent.
  public func close() async {
    let keeper = keeper
    tearDown()
    phase = .notPrepared
    speechChanged()
    await keeper?.end()
  }

  private func begin() -> Task<Result<LoadedCharacter, YoobError>, Never> {
    opening += 1
    let opening = opening
    phase = .downloading(YoobProgress())
    voice.pump.set(face: .coming)
    let task = Task { () -> Result<LoadedCharacter, YoobError> in
      let result: Result<LoadedCharacter, YoobError>
      do throws(YoobError) {
        result = .success(try await load(opening))
      } catch {
        result = .failure(error)
      }
      guard self.opening == opening else { return result }
      preparing = nil
      settle(result)
      return result
    }
    preparing = task
    return task
  }

  private func load(_ opening: Int) async throws(YoobError) -> LoadedCharacter {
    switch source.kind {
    case .local(let folder): return try await loadLocal(folder, opening)
    case .cloud(let character, let credentials):
      return try await loadCloud(character, credentials, opening)
    }
  }

  private func loadLocal(_ folder: URL, _ opening: Int) async throws(YoobError) -> LoadedCharacter {
    let pack: LocalPack
    do {
      pack = try LocalPack.open(folder, trusting: try Self.trustedKeys(of: nil))
    } catch let error as PackError {
      throw YoobError(error)
    } catch {
      throw (error as? YoobError) ?? .invalidAssets("\(error)")
    }
    if let version, version != pack.manifest.version {
      throw .unsupported("the pack has version \(pack.manifest.version), and \(version) is asked for")
    }
    return try await warm(pack, opening)
  }

  private func loadCloud(
    _ character: String, _ credentials: @escaping SessionKeeper.Credentials, _ opening: Int
  ) async throws(YoobError) -> LoadedCharacter {
    let grant: SessionGrant
    do {
      grant = try await credentials().grant
    } catch {
      throw (error as? YoobError) ?? .network(error.localizedDescription)
    }
    let settings = Yoob.settings.withLock { $0 }
    let http = devices.http ?? Self.systemHTTP
    let keys: TrustedKeys
    do throws(YoobError) {
      try requireCurrent(opening)
      for base in [grant.apiBase ?? settings.apiBase, grant.cdnBase ?? settings.cdnBase]
      where !VoiceURL.isSafeBase(base) {
        throw .unsupported(
          "“\(base)” is no address for a session: it begins with https://, or is on this machine")
      }
      keys = try Self.trustedKeys(of: grant)
      guard !keys.isEmpty else {
        throw .invalidAssets("the session names no key that may sign characters")
      }
    } catch {
      // A session that shows nothing is not paid for.
      await SessionKeeper.end(grant, http: http, apiBase: settings.apiBase)
      throw error
    }
    let keeper = keep(grant, credentials, http, apiBase: settings.apiBase, opening)
    let loader = CharacterLoader(cache: devices.cache ?? Yoob.cache, http: http, clock: clock)
    let access = CharacterLoader.Access(
      character: character, version: version, keys: keys, cdnBase: grant.cdnBase ?? settings.cdnBase,
      token: { [weak keeper] in keeper?.downloadToken })
    let pack: LoadedPack
    do {
      pack = try await loader.load(access) { progress in
        Task { @MainActor [weak self] in self?.show(progress, opening) }
      } poster: { pack in
        let poster = try? pack.read(pack.manifest.poster)
        Task { @MainActor [weak self] in self?.show(pack.manifest, poster: poster, opening) }
      }
    } catch {
      throw (error as? YoobError) ?? .network("\(error)")
    }
    return try await warm(pack, opening)
  }

  private func warm(_ pack: any CharacterPack, _ opening: Int) async throws(YoobError) -> LoadedCharacter {
    try requireCurrent(opening)
    if posterData == nil || manifest != pack.manifest {
      let poster = await Task.detached { try? pack.read(pack.manifest.poster) }.value
      show(pack.manifest, poster: poster, opening)
    }
    try requireCurrent(opening)
    phase = .warming
    let loading = Task.detached { () -> Result<LoadedCharacter, YoobError> in
      do throws(YoobError) { return .success(try LoadedCharacter.load(pack)) } catch {
        return .failure(error)
      }
    }
    return try await loading.value.get()
  }

  private func requireCurrent(_ opening: Int) throws(YoobError) {
    guard self.opening == opening else { throw .renderer("it was closed while it was loading") }
  }

  private func show(_ progress: YoobProgress, _ opening: Int) {
    guard self.opening == opening, case .downloading(let before) = phase,
      progress.completedBytes > before.completedBytes || progress.totalBytes != before.totalBytes
    else { return }
    phase = .downloading(progress)
  }

  private func show(_ manifest: CharacterManifest, poster: [UInt8]?, _ opening: Int) {
    guard self.opening == opening else { return }
    self.manifest = manifest
    posterData = poster ?? posterData
  }

  private func settle(_ result: Result<LoadedCharacter, YoobError>) {
    switch result {
    case .success(let character):
      lastRendererError = nil
      loaded = character
      character.face.change { face in
        face.setEmotion(emotion, intensity: emotionIntensity)
        face.gaze = gaze
        face.state = attention
        face.calm = reducesMotion
        face.movesWithSpeech = movesWithSpeech
      }
      voice.show(character.face)
      voice.pump.set(face: .ready)
      phase = voice.isBusy ? .speaking : .ready
      speechChanged()
    case .failure(let error):
      lastRendererError = error.localizedDescription
      voice.pump.set(face: .absent)
      phase = .failed(error)
      // A session that shows nothing is not paid for.
      let keeper = keeper
      self.keeper = nil
      isHeartbeatDegraded = false
      Task { await keeper?.end() }
    }
  }

  // MARK: The session

  private func keep(
    _ grant: SessionGrant, _ credentials: @escaping SessionKeeper.Credentials, _ http: any HTTPClient,
    apiBase: String, _ opening: Int
  ) -> SessionKeeper {
    self.keeper?.stop()
    let keeper = SessionKeeper(
      grant, graceSeconds: heartbeatOutageGraceSeconds, credentials: credentials, http: http, clock: clock,
      apiBase: apiBase
    ) { change in
      Task { @MainActor [weak self] in self?.take(change, opening) }
    }
    self.keeper = keeper
    if toldDegraded {
      // Another session was opened, so the service is there again.
      isHeartbeatDegraded = false
      toldDegraded = false
      onHeartbeatRecovered?()
    }
    keeper.start()
    return keeper
  }

  private func take(_ change: SessionKeeper.Change, _ opening: Int) {
    guard self.opening == opening else { return }
    switch change {
    case .degraded(let reason):
      isHeartbeatDegraded = true
      toldDegraded = true
      onHeartbeatDegraded?(reason)
    case .recovered:
      isHeartbeatDegraded = false
      toldDegraded = false
      onHeartbeatRecovered?()
    case .ended(let end):
      let error = YoobError(end)
      tearDown()
      phase = .stopped(error)
      speechChanged()
      onSessionEnded?(error)
    }
  }

  /// Ends what runs; the phase is the caller's.
  private func tearDown() {
    opening += 1
    preparing?.cancel()
    preparing = nil
    keeper = nil
    isHeartbeatDegraded = false
    for end in endings.values { end() }
    microphone.stop()
    _ = voice.interrupt()
    voice.show(nil as FaceBox?)
    voice.pump.set(face: .absent)
    if let feeling {
      // What was to pass by itself has passed.
      feeling.cancel()
      self.feeling = nil
      setEmotion(.neutral)
    }
    for stream in streams { stream.stop() }
    streams = []
    loaded = nil
  }

  /// The keys that may sign a character: those of the configuration, else those of the session.
  private static func trustedKeys(of grant: SessionGrant?) throws(YoobError) -> TrustedKeys {
    guard let keys = Yoob.settings.withLock({ $0.trustedKeys }) ?? grant?.signingKeys, !keys.isEmpty else {
      return [:]
    }
    do {
      return try TrustedKeys(json: [UInt8](JSONEncoder().encode(keys)))
    } catch let error as PackError {
      throw YoobError(error)
    } catch {
      throw .invalidAssets("\(error)")
    }
  }

  private static let systemHTTP: any HTTPClient = SystemHTTPClient()
}
