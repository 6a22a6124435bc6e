import Foundation
import Testing
import VoiceIO
import YoobNet
import YoobPack

@testable import Yoob

@Suite("Fetching from a CDN")
struct CDNFetcherTests {
  /// What a server does with one request.
  struct Answer: Sendable {
    var status = 200
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
    var error: NetError?
  }

  /// Answers requests in their order, and remembers them.
  final class ScriptedHTTP: HTTPClient {
    private let state: Locked<(answers: [Answer], asked: [HTTPClientRequest])>

    init(_ answers: Answer...) { state = Locked((answers, [])) }

    var asked: [HTTPClientRequest] { state.withLock { $0.asked } }

    func stream(
      _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
      receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(NetError) {
      let answer = state.withLock { state in
        state.asked.append(request)
        return state.answers.isEmpty ? Answer(status: 500) : state.answers.removeFirst()
      }
      if answer.status > 0 {
        guard onHead(answer.status, answer.headers) else { return }
        for start in stride(from: 0, to: answer.body.count, by: 3) {
          guard receive(Array(answer.body[start..<min(start + 3, answer.body.count)])) else { return }
        }
      }
      if let error = answer.error { throw error }
    }
  }

  static let sha256 = String(repeating: "0123456789abcdef", count: 4)
  static let place = "http://cdn.example/v1/chunks/" + sha256

  private func fetcher(_ http: ScriptedHTTP) -> CDNFetcher {
    CDNFetcher(base: "http://cdn.example/", http: http, token: { "t" })
  }

  /// The bytes that come, or the fault.
  private func chunk(
    _ http: ScriptedHTTP, size: Int = 10, from offset: Int = 0
  ) async throws -> Result<[UInt8], FetchFault> {
    let got = Locked<[UInt8]>([])
    do {
      try await fetcher(http).chunk(sha256: Self.sha256, size: size, from: offset) { bytes in
        got.withLock { $0 += bytes }
      }
    } catch let fault as FetchFault { return .failure(fault) }
    return .success(got.withLock { $0 })
  }

  private func fault(_ answer: Answer, size: Int = 10) async throws -> FetchFault? {
    guard case .failure(let fault) = try await chunk(ScriptedHTTP(answer), size: size) else { return nil }
    return fault
  }

  private func manifestFault(_ answer: Answer) async -> FetchFault? {
    do {
      _ = try await fetcher(ScriptedHTTP(answer)).manifest(character: "luna", version: nil)
      return nil
    } catch { return error as? FetchFault }
  }

  static let content: [UInt8] = Array(10...19)

  @Test("a chunk comes with a least rate, and a manifest within 15 s")
  func limits() async throws {
    let http = ScriptedHTTP(Answer(body: Self.content), Answer(body: [0x7B, 0x7D]))
    #expect(try await chunk(http) == .success(Self.content))
    #expect(try await fetcher(http).manifest(character: "luna", version: "2026.11.30.1") == [0x7B, 0x7D])
    #expect(http.asked.map(\.leastRate) == [LeastRate(bytes: 5000, in: 10), nil])
    #expect(http.asked.map(\.totalTimeout) == [600, 15])
    #expect(http.asked.map(\.maxRedirects) == [0, 0])
    #expect(
      http.asked.map(\.url) == [Self.place, "http://cdn.example/v1/characters/luna/2026.11.30.1.json"])
  }

  @Test(
    "the rest of a chunk is asked for, and comes alone or behind what was there",
    arguments: [
      [Answer(status: 206, headers: ["content-range": "bytes 4-9/10"], body: Array(14...19))],
      [Answer(body: content)],
      [Answer(status: 416), Answer(body: content)],
      [
        Answer(status: 206, headers: ["content-range": "bytes 3-9/10"], body: Array(13...19)),
        Answer(body: content),
      ],
      [Answer(status: 206, headers: ["content-range": "bytes 4-8/9"], body: [0]), Answer(body: content)],
    ])
  func rest(answers: [Answer]) async throws {
    let http = answers.count == 1 ? ScriptedHTTP(answers[0]) : ScriptedHTTP(answers[0], answers[1])
    #expect(try await chunk(http, from: 4) == .success(Array(14...19)))
    let ranges = http.asked.map { $0.headers.first { $0.name == "Range" }?.value }
    #expect(ranges == (answers.count == 1 ? ["bytes=4-"] : ["bytes=4-", nil]))
  }

  @Test(
    "a server that lies about the length is told with the address, the chunk, what came and what was wanted")
  func lengths() async throws {
    let short = try #require(
      try await fault(Answer(headers: ["content-length": "5"], body: [1, 2, 3, 4, 5])))
    #expect(
      short.description.hasPrefix(Self.place + ": 5 bytes were announced for chunk 0123456789ab of 10 bytes"))
    #expect(short.isFinal)
    let long = try #require(try await fault(Answer(status: 0, error: .tooLarge(.body, limit: 10))))
    #expect(long.description.contains("more bytes came for chunk 0123456789ab of 10 bytes"))
    #expect(long.isFinal)
    #expect(!short.isRefusal && !long.isRefusal)
  }

  @Test(
    "a web page is told from a chunk, whether its length is announced or not",
    arguments: [
      ["content-type": "text/html; charset=utf-8"], ["content-type": "Text/HTML", "content-length": "6"],
    ]
      as [HTTPHeaders])
  func pages(headers: HTTPHeaders) async throws {
    let found = try #require(try await fault(Answer(headers: headers, body: Array("<html>".utf8))))
    #expect(found.reason == .page)
    #expect(found.description.contains("a web page came instead of chunk 0123456789ab"))
    #expect(found.isFinal)
    let manifest = try #require(await manifestFault(Answer(headers: headers, body: Array("\n<html>".utf8))))
    #expect(
      manifest.description.contains("http://cdn.example/v1/characters/luna/latest.json: a web page came"))
  }

  @Test("a chunk that looks like a page, or is served as one, is a chunk")
  func noPage() async throws {
    let page = Array("<html>abcd".utf8)
    #expect(try await chunk(ScriptedHTTP(Answer(body: page))) == .success(page))
    let typed = Answer(headers: ["content-type": "text/html", "content-length": "10"], body: Self.content)
    #expect(try await chunk(ScriptedHTTP(typed)) == .success(Self.content))
  }

  @Test("a redirect names both addresses and is not followed")
  func redirects() async throws {
    for target in ["https://other.example/x", "http://cdn.example/loop", Self.place] {
      let answer = Answer(status: 302, headers: ["location": target])
      let found = try #require(try await fault(answer))
      #expect(found.description.hasPrefix(Self.place))
      #expect(found.description.contains("leads to \(target) for chunk 0123456789ab"))
      #expect(found.isFinal && !found.isRefusal)
      #expect(try #require(await manifestFault(answer)).description.contains("leads to \(target)"))
    }
  }

  @Test(
    "what another attempt would find again is not tried again",
    arguments: [
      (400, true), (401, true), (402, true), (403, true), (404, true), (405, true), (408, false), (410, true),
      (418, true), (429, false), (500, false), (502, false), (503, false), (204, true), (206, true),
      (301, true),
    ])
  func statuses(status: Int, isFinal: Bool) async throws {
    let found = try #require(try await fault(Answer(status: status)))
    #expect(found.isFinal == isFinal)
    #expect(found.description.hasPrefix(Self.place))
    #expect(CDNFetcher.retries(MonotonicClock()).isWorthRetrying(found) != isFinal)
  }

  @Test("a chunk that comes too slowly is tried again, a manifest is not")
  func slow() async throws {
    let slow = NetError.tooSlow(host: "cdn.example:80", bytes: 7, seconds: 10)
    let found = try #require(try await fault(Answer(status: 0, error: slow)))
    #expect(!found.isFinal)
    #expect(found.description.contains("cdn.example:80 sends too slowly (7 bytes in 10 s)"))
    let manifest = try #require(
      await manifestFault(
        Answer(body: [1, 2, 3, 4], error: .timedOut(host: "cdn.example:80", .finishing, seconds: 15))))
    #expect(manifest.isFinal)
    #expect(manifest.description.contains("latest.json: cdn.example:80 sends too slowly (4 bytes in 15 s)"))
    guard case .network = manifest.error else {
      Issue.record("\(manifest.error)")
      return
    }
  }

  @Test("refusals mean to the app what they always have")
  func refusals() async throws {
    #expect(try await fault(Answer(status: 401))?.error == .unauthorized)
    #expect(try await fault(Answer(status: 403))?.error == .unauthorized)
    #expect(try await fault(Answer(status: 402))?.error == .outOfCredit)
    guard case .unsupported? = await manifestFault(Answer(status: 404))?.error else {
      Issue.record("404")
      return
    }
  }
}
