import Foundation
import Testing
import VoiceIO
import YoobCrypto
import YoobPack
import YoobTesting

@testable import Yoob

@MainActor @Suite("Characters and sessions of the cloud")
struct CloudTests {
  @MainActor private final class Bench {
    let clock = ManualClock()
    let cloud: FakeCloud
    let cache: PackCache
    let opened = Guarded(0)
    let keys: [String: String]
    let base: String?
    /// What the next credentials wait for, one after the other.
    let gates = Guarded<[OneShot]>([])
    private(set) var avatar: YoobAvatar

    init(
      version: String? = nil, keys: [String: String]? = nil, grace: Int = 600, base: String? = nil
    ) throws {
      self.base = base
      let published = try #require(FakeCloud.published)
      cloud = FakeCloud(published.folder)
      self.keys = keys ?? published.keys
      cache = PackCache(
        folder: FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID())"))
      avatar = Self.make(version, cloud, cache, clock, opened, self.keys, grace, base, gates)
    }

    func again(version: String? = nil) {
      avatar = Self.make(version, cloud, cache, clock, opened, keys, 600, base, gates)
    }

    /// The next session is asked for, and comes when this fires.
    func holdCredentials() -> OneShot {
      let gate = OneShot()
      gates.withLock { $0.append(gate) }
      return gate
    }

    /// Nothing holds the sessions after the one that is held.
    func releaseNext() { gates.withLock { $0 = [] } }

    private static func make(
      _ version: String?, _ cloud: FakeCloud, _ cache: PackCache, _ clock: ManualClock,
      _ opened: Guarded<Int>, _ keys: [String: String], _ grace: Int, _ base: String?,
      _ gates: Guarded<[OneShot]>
    ) -> YoobAvatar {
      YoobAvatar(
        .cloud(character: "luna-anime") {
          let number = opened.withLock { opened in
            opened += 1
            return opened
          }
          let gate = gates.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          await gate?.value()
          return YoobCredentials(
            sessionToken: "session-\(number)", downloadToken: "download-\(number)", heartbeatSeconds: 15,
            apiBase: base, cdnBase: base, signingKeys: keys)
        }, version: version, heartbeatOutageGraceSeconds: grace,
        devices: AvatarDevices(sink: RecordingSink(clock: clock), clock: clock, http: cloud, cache: cache))
    }

    func pass(_ seconds: Double, step: Double = 0.5) async {
      for _ in 0..<Int((seconds / step).rounded()) {
        clock.advance(by: step)
        for _ in 0..<20 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(1))
      }
    }

    /// Lets time go by until something holds, for some minutes of it.
    func wait(_ condition: @MainActor () -> Bool) async -> Bool {
      for _ in 0..<3000 {
        if condition() { return true }
        await pass(0.5)
      }
      return condition()
    }
  }

  @Test("a character is downloaded once; the next avatar finds it on the disk")
  func downloads() async throws {
    let bench = try Bench()
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
    #expect(bench.avatar.manifest?.character == "luna-anime")
    #expect(bench.avatar.posterData != nil)
    #expect(bench.cloud.state.withLock { $0.tokens.allSatisfy { $0 == "Bearer download-1" } })
    let chunks = bench.cloud.count("/chunks/")
    #expect(chunks > 2)
    await bench.avatar.close()
    #expect(bench.cloud.count("sessions/end") == 1)
    bench.again()
    try await bench.avatar.prepare()
    #expect(bench.cloud.count("/chunks/") == chunks)
    #expect(bench.opened.withLock { $0 } == 2)
  }

  @Test("a download that breaks off goes on with the chunks that are missing")
  func resumes() async throws {
    let bench = try Bench()
    bench.cloud.state.withLock { $0.cutAfter = 5000 }
    let prepared = Task { try await bench.avatar.prepare() }
    #expect(await bench.wait { bench.avatar.phase == .ready })
    try await prepared.value
    let asked = bench.cloud.asked.filter { $0.contains("/chunks/") }
    #expect(asked.count == Set(asked).count + 1)
  }

  @Test(
    "without the CDN a complete character starts, also by its number; another version and an empty disk do not"
  )
  func offline() async throws {
    let bench = try Bench()
    bench.cloud.state.withLock { $0.isOffline = true }
    let first = Task { try await bench.avatar.prepare() }
    #expect(await bench.wait { if case .failed(.network) = bench.avatar.phase { true } else { false } })
    await #expect(throws: YoobError.self) { try await first.value }
    bench.cloud.state.withLock { $0.isOffline = false }
    try await bench.avatar.prepare()
    await bench.avatar.close()
    bench.cloud.state.withLock { $0.isOffline = true }
    bench.again()
    let second = Task { try await bench.avatar.prepare() }
    #expect(await bench.wait { bench.avatar.phase == .ready })
    try await second.value
    let version = try #require(bench.avatar.manifest?.version)
    await bench.avatar.close()
    bench.again(version: version)
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
    await bench.avatar.close()
    bench.again(version: "2020.01.01.1")
    let third = Task { try await bench.avatar.prepare() }
    #expect(await bench.wait { if case .failed(.network) = bench.avatar.phase { true } else { false } })
    await #expect(throws: YoobError.self) { try await third.value }
  }

  @Test("a newer version that cannot be written leaves the older one; asked for by number it fails")
  func unwritable() async throws {
    let published = try #require(FakeCloud.published)
    let files = FileManager.default
    let base = files.temporaryDirectory.appendingPathComponent("newer-\(UUID())")
    defer { try? files.removeItem(at: base) }
    let (tree, source) = (base.appendingPathComponent("tree"), base.appendingPathComponent("source"))
    try files.createDirectory(at: base, withIntermediateDirectories: true)
    try files.copyItem(at: published.folder, to: tree)
    try files.copyItem(
      at: published.folder.deletingLastPathComponent().appendingPathComponent("source"), to: source)
    let manifest = source.appendingPathComponent("character.json")
    var fields = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
    let old = try #require(fields["version"] as? String)
    fields["version"] = "2099.01.01.1"
    try JSONSerialization.data(withJSONObject: fields).write(to: manifest)
    let key = try SigningKey(privateKey: Ed25519PrivateKey.generate())
    try PackBuilder.publish(
      source, PackBuilder.sign(source, with: key), to: tree, trusting: [key.id: key.privateKey.publicKey])

    let cache = PackCache(folder: base.appendingPathComponent("cache"))
    // A folder stands where the newer manifest would be written, until the cache is tidied.
    func block() throws {
      try files.createDirectory(
        at: cache.folder.appendingPathComponent("manifests/luna-anime/2099.01.01.1.json/x"),
        withIntermediateDirectories: true)
    }
    func load(_ folder: URL, version: String? = nil) async throws -> String {
      var names = published.keys
      names[key.id] = key.privateKey.publicKey.base64
      let trusted = try TrustedKeys(json: [UInt8](JSONEncoder().encode(names)))
      let loader = CharacterLoader(cache: cache, http: FakeCloud(folder), clock: ManualClock())
      let access = CharacterLoader.Access(
        character: "luna-anime", version: version, keys: trusted, cdnBase: "https://cdn", token: { nil })
      return try await loader.load(access, progress: { _ in }, poster: { _ in }).manifest.version
    }
    try block()
    await #expect(throws: YoobError.self) { try await load(tree) }
    #expect(try await load(published.folder) == old)
    try block()
    #expect(try await load(tree) == old)
    await #expect(throws: YoobError.self) { try await load(tree, version: "2099.01.01.1") }
  }

  @Test("foreign keys, no keys and unknown versions are refused, and their session is ended")
  func refusals() async throws {
    let foreign = try Bench(keys: ["key-0": "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="])
    await #expect(throws: YoobError.self) { try await foreign.avatar.prepare() }
    guard case .failed(.invalidAssets) = foreign.avatar.phase else {
      Issue.record("\(foreign.avatar.phase)")
      return
    }
    #expect(await foreign.wait { foreign.cloud.count("sessions/end") == 1 })
    let none = try Bench(keys: [:])
    await #expect(throws: YoobError.self) { try await none.avatar.prepare() }
    #expect(none.cloud.state.withLock { $0.calls } == ["POST /api/v1/sessions/end Bearer session-1 0"])
    let unknown = try Bench(version: "2020.01.01.1")
    await #expect(throws: YoobError.self) { try await unknown.avatar.prepare() }
    guard case .failed(.unsupported) = unknown.avatar.phase else {
      Issue.record("\(unknown.avatar.phase)")
      return
    }
    #expect(await unknown.wait { unknown.cloud.count("sessions/end") == 1 })
  }

  @Test("a session that ends while the character is loaded is the reason that is told")
  func endedWhileLoading() async throws {
    let bench = try Bench()
    bench.cloud.state.withLock {
      $0.beat = .status(402)
      $0.holdsChunks = true
    }
    let prepared = Task { try await bench.avatar.prepare() }
    #expect(await bench.wait { bench.avatar.phase == .stopped(.outOfCredit) })
    bench.cloud.state.withLock { $0.holdsChunks = false }
    await #expect(throws: YoobError.outOfCredit) { try await prepared.value }
  }

  @Test("who gives up waits no longer, and the download goes on for the others")
  func cancelledWait() async throws {
    let bench = try Bench()
    bench.cloud.state.withLock { $0.holdsChunks = true }
    let first = Task { try await bench.avatar.prepare() }
    let second = Task { try await bench.avatar.prepare() }
    await bench.pass(1)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    bench.cloud.state.withLock { $0.holdsChunks = false }
    try await first.value
    #expect(bench.avatar.phase == .ready)
  }

  @Test("a session that comes after the close is ended, and so is one that a renewal brings too late")
  func unkeptSessions() async throws {
    let bench = try Bench()
    let gate = bench.holdCredentials()
    let prepared = Task { try await bench.avatar.prepare() }
    await bench.pass(1)
    await bench.avatar.close()
    gate.fire()
    await #expect(throws: CancellationError.self) { try await prepared.value }
    #expect(await bench.wait { bench.cloud.count("sessions/end") == 1 })
    try await bench.avatar.prepare()
    let late = bench.holdCredentials()
    bench.cloud.state.withLock { $0.beat = .status(404) }
    #expect(await bench.wait { bench.opened.withLock { $0 } == 3 })
    // The third session is awaited; after half a minute a fourth is asked for.
    bench.cloud.state.withLock { $0.beat = .fine }
    await bench.pass(31)
    bench.releaseNext()
    #expect(await bench.wait { bench.opened.withLock { $0 } == 4 })
    late.fire()
    #expect(
      await bench.wait {
        bench.cloud.state.withLock { $0.calls.contains("POST /api/v1/sessions/end Bearer session-3 0") }
      })
    await bench.avatar.close()
    #expect(
      bench.cloud.state.withLock { $0.calls.last } == "POST /api/v1/sessions/end Bearer session-4 0")
  }

  @Test("an outage that ended with a failed start is over with the next session")
  func outageOverFailure() async throws {
    let bench = try Bench()
    var recovered = 0
    bench.avatar.onHeartbeatRecovered = { recovered += 1 }
    bench.cloud.state.withLock { $0.holdsChunks = true }
    let prepared = Task { try await bench.avatar.prepare() }
    bench.cloud.state.withLock { $0.beat = .broken }
    #expect(await bench.wait { bench.avatar.isHeartbeatDegraded })
    bench.cloud.state.withLock {
      $0.isOffline = true
      $0.holdsChunks = false
    }
    #expect(await bench.wait { if case .failed = bench.avatar.phase { true } else { false } })
    await #expect(throws: YoobError.self) { try await prepared.value }
    #expect(!bench.avatar.isHeartbeatDegraded)
    bench.cloud.state.withLock {
      $0.isOffline = false
      $0.beat = .fine
    }
    try await bench.avatar.prepare()
    #expect(!bench.avatar.isHeartbeatDegraded)
    #expect(recovered == 1)
  }

  @Test("addresses may end in a slash; those that would send tokens in the clear are refused")
  func bases() async throws {
    let bench = try Bench(base: "https://service.example/")
    try await bench.avatar.prepare()
    await bench.pass(16)
    #expect(
      bench.cloud.state.withLock { $0.calls } == ["POST /api/v1/sessions/heartbeat Bearer session-1 0"])
    let clear = try Bench(base: "http://service.example")
    await #expect(throws: YoobError.self) { try await clear.avatar.prepare() }
    guard case .failed(.unsupported(let text)) = clear.avatar.phase else {
      Issue.record("\(clear.avatar.phase)")
      return
    }
    #expect(text.contains("https://"))
    #expect(clear.cloud.asked.allSatisfy { !$0.contains("/chunks/") })
  }

  @Test("heartbeats come every interval, bring new download tokens, and beat at once when asked")
  func beats() async throws {
    let bench = try Bench()
    try await bench.avatar.prepare()
    await bench.pass(46)
    #expect(bench.cloud.count("/heartbeat") == 3)
    await bench.avatar.refreshSession()
    await bench.pass(1)
    #expect(bench.cloud.count("/heartbeat") == 4)
    #expect(bench.avatar.keeper?.downloadToken == "newer")
    await bench.avatar.close()
    await bench.pass(60)
    #expect(bench.cloud.count("/heartbeat") == 4)
  }

  @Test("a view that comes back to the front lets the session beat at once, and only then")
  func foreground() async throws {
    let bench = try Bench()
    try await bench.avatar.prepare()
    let stage = AvatarStage(bench.avatar)
    stage.setInForeground(true)
    await bench.pass(1)
    #expect(bench.cloud.count("/heartbeat") == 0)
    stage.setInForeground(false)
    await bench.pass(1)
    #expect(bench.cloud.count("/heartbeat") == 0)
    stage.setInForeground(true)
    await bench.pass(1)
    #expect(bench.cloud.count("/heartbeat") == 1)
    await bench.avatar.close()
  }

  @Test("an outage is told of once, and its end too")
  func outage() async throws {
    let bench = try Bench()
    var told: [String] = []
    bench.avatar.onHeartbeatDegraded = { _ in told.append("degraded") }
    bench.avatar.onHeartbeatRecovered = { told.append("recovered") }
    try await bench.avatar.prepare()
    bench.cloud.state.withLock { $0.beat = .broken }
    await bench.pass(60)
    #expect(told == ["degraded"])
    #expect(bench.avatar.isHeartbeatDegraded)
    #expect(bench.avatar.phase == .ready)
    bench.cloud.state.withLock { $0.beat = .fine }
    await bench.pass(30)
    #expect(told == ["degraded", "recovered"])
    #expect(!bench.avatar.isHeartbeatDegraded)
  }

  @Test(
    "a session that ends stops the avatar: it refuses to speak with the same error until it is prepared again",
    arguments: [
      (401, "", YoobError.unauthorized), (402, "", .outOfCredit),
      (403, #"{"stop": true, "reason": "suspended"}"#, .sessionEnded("suspended")),
    ])
  func ends(status: Int, body: String, error: YoobError) async throws {
    let bench = try Bench()
    var told: [YoobError] = []
    bench.avatar.onSessionEnded = { told.append($0) }
    try await bench.avatar.prepare()
    try bench.avatar.speak(pcm: AvatarBench.speech(30))
    bench.cloud.state.withLock { $0.beat = .status(status, body: body) }
    #expect(await bench.wait { bench.avatar.phase == .stopped(error) })
    #expect(told == [error])
    #expect(throws: error) { try bench.avatar.speak(pcm: AvatarBench.speech(1)) }
    #expect(throws: error) { try bench.avatar.appendAudio(pcm: AvatarBench.speech(1)) }
    bench.cloud.state.withLock { $0.beat = .fine }
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
    #expect(bench.opened.withLock { $0 } == 2)
  }

  @Test("a conversation with an avatar whose session has ended opens another one first")
  func conversationAfterEnd() async throws {
    let bench = try Bench()
    try await bench.avatar.prepare()
    bench.cloud.state.withLock { $0.beat = .status(402) }
    #expect(await bench.wait { bench.avatar.phase == .stopped(.outOfCredit) })
    bench.cloud.state.withLock { $0.beat = .fine }
    let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
    // It gets as far as the microphone, which this avatar has not.
    await #expect(throws: YoobError.renderer("there is no microphone here")) {
      try await conversation.start()
    }
    #expect(bench.avatar.phase == .ready)
    #expect(bench.opened.withLock { $0 } == 2)
    #expect(conversation.state == .ended)
  }

  @Test("a conversation that waits for another session of its avatar can be stopped")
  func stopsWhileWaitingForSession() async throws {
    let bench = try Bench()
    try await bench.avatar.prepare()
    bench.cloud.state.withLock { $0.beat = .status(402) }
    #expect(await bench.wait { bench.avatar.phase == .stopped(.outOfCredit) })
    bench.cloud.state.withLock { $0.beat = .fine }
    let gate = bench.holdCredentials()
    let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
    let starting = Task { try await conversation.start() }
    #expect(await bench.wait { bench.opened.withLock { $0 } == 2 })
    #expect(conversation.state == .connecting)
    await conversation.close()
    await #expect(throws: CancellationError.self) { try await starting.value }
    #expect(conversation.state == .ended)
    gate.fire()
    // The character goes on being prepared, for whoever shows it.
    #expect(await bench.wait { bench.avatar.phase == .ready })
  }

  @Test("a session that is gone is opened again, unheard; an outage longer than the grace ends it")
  func renewal() async throws {
    let bench = try Bench(grace: 30)
    try await bench.avatar.prepare()
    bench.cloud.state.withLock { $0.beat = .status(410) }
    #expect(await bench.wait { bench.opened.withLock { $0 } == 2 })
    bench.cloud.state.withLock { $0.beat = .fine }
    await bench.pass(20)
    #expect(bench.avatar.phase == .ready)
    bench.cloud.state.withLock { $0.beat = .status(500) }
    #expect(await bench.wait { bench.avatar.phase == .stopped(.sessionEnded("unreachable")) })
  }

  @Test("credentials are read in both spellings, and refusals say what they are")
  func credentials() throws {
    let snake = Data(
      #"{"session_token": "s", "download_token": "d", "heartbeat_seconds": 2, "signing_keys": {"a": "b"}}"#
        .utf8)
    let decoded = try JSONDecoder().decode(YoobCredentials.self, from: snake)
    #expect(decoded.grant.heartbeatSeconds == 5)
    #expect(decoded.grant.signingKeys == ["a": "b"])
    let camel = Data(#"{"sessionToken": "s", "downloadToken": "d", "apiBase": "https://a.example"}"#.utf8)
    #expect(try JSONDecoder().decode(YoobCredentials.self, from: camel).grant.apiBase == "https://a.example")
    #expect(throws: YoobError.outOfCredit) {
      try JSONDecoder().decode(
        YoobCredentials.self, from: Data(#"{"error": "no credit", "code": "quota_exceeded"}"#.utf8))
    }
    #expect(throws: YoobError.self) { try YoobCredentials(json: Data("<html>".utf8)) }
  }
}
