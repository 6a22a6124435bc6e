import Foundation
import VoiceIO
import Yoob
import YoobCrypto
import YoobNet
import YoobPack

/// The service that an avatar of a cloud character talks to, as small as it can be: a CDN with one signed
/// character, and an API that says yes.
final class LoopbackService: Sendable {
  /// Requests of sessions.
  struct Counts: Sendable {
    var beats = 0
    var ended = 0
  }

  let character: String
  private let keys: TrustedKeys
  private let server: HTTPServer
  private let counter = Guarded(Counts())

  /// Signs a copy of `pack` under `base` with a key of its own.
  init(_ pack: URL, in base: URL) throws {
    let copy = base.appendingPathComponent("copy")
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: pack, to: copy)
    let key = try SigningKey(privateKey: Ed25519PrivateKey.generate())
    keys = [key.id: key.privateKey.publicKey]
    let tree = base.appendingPathComponent("tree")
    let signed = try PackBuilder.sign(copy, with: key)
    character = try signed.open(trusting: keys).character
    try PackBuilder.publish(copy, signed, to: tree, trusting: keys)
    guard let files = StaticFiles(root: tree.path) else { throw FileFault("\(tree.path) cannot be served.") }
    let counter = counter
    server = HTTPServer(
      HTTPServerConfiguration(port: 0),
      handlers: HTTPServerHandlers(respond: { request in
        guard request.path.hasPrefix("/api/") else {
          return files.respond(to: request, path: String(request.path.dropFirst("/v1".count)))
        }
        counter.withLock { counts in
          if request.path.hasSuffix("/end") { counts.ended += 1 } else { counts.beats += 1 }
        }
        return HTTPResponse(
          status: 200, headers: ["content-type": "application/json"], body: .bytes(Array("{}".utf8)))
      }))
  }

  var counts: Counts { counter.withLock { $0 } }

  /// Begins to serve; returns a session with it.
  func start() async throws -> YoobCredentials {
    let base = "http://127.0.0.1:\(try await server.start())"
    return YoobCredentials(
      sessionToken: "bench", downloadToken: "bench", apiBase: base, cdnBase: base,
      signingKeys: keys.mapValues(\.base64))
  }

  func stop() async { await server.stop() }
}
