import Foundation
import RunAnywhere
import YoobNet

/// A language model behind an OpenAI-compatible address: Ollama, llama-server, vLLM or a provider.
///
/// ```swift
/// let llm = try HTTPLanguageModel("http://127.0.0.1:11434/v1#llama3.2")
/// ```
public struct HTTPLanguageModel: LlmEngine {
  /// Where `/chat/completions` lies, without a slash at the end.
  public let base: String
  /// The model's name; nil takes the first that the server lists.
  public let model: String?
  private let key: String?
  private let connectTimeout: Int
  private let idleTimeout: Int

  /// An engine for `http[s]://HOST[:PORT][/PATH][#MODEL]`; the path is `/v1` where none is given.
  ///
  /// - Parameters:
  ///   - key: sent as a bearer token, if any; over plain http to this machine only.
  ///   - connectTimeout: seconds.
  ///   - idleTimeout: seconds without a byte until the request fails.
  /// - Throws: `SDKException.invalidConfiguration` for anything else.
  public init(
    _ address: String, key: String? = nil, connectTimeout: Int = 5, idleTimeout: Int = 20
  ) throws {
    guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil
    else {
      throw SDKException(
        .invalidConfiguration, category: .configuration,
        "“\(address)” is not the address of a language model.",
        recoverySuggestion: "Use http://HOST:PORT/v1, with #MODEL behind it to choose a model.")
    }
    var key = key
    if let given = key, !given.isEmpty, scheme == "http", !Self.isLoopback(host) {
      throw SDKException(
        .invalidConfiguration, category: .configuration,
        "The key would travel unprotected to \(host).", recoverySuggestion: "Use https.")
    }
    if key?.isEmpty == true { key = nil }
    var bare = parts
    bare.fragment = nil
    bare.query = nil
    var text = bare.string ?? address
    while text.hasSuffix("/") { text.removeLast() }
    if parts.path.isEmpty || parts.path == "/" { text += "/v1" }
    if text.hasSuffix("/chat/completions") { text.removeLast("/chat/completions".count) }
    base = text
    model = parts.fragment?.removingPercentEncoding.flatMap { $0.isEmpty ? nil : $0 }
    self.key = key
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
  }

  public func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    let name: String
    if let model { name = model } else { name = try await firstModel() }
    let reader = CompletionReader(options, onText: onText)
    let body = try JSONEncoder().encode(CompletionRequest(name, messages, options))
    let answer = await HTTPExchange.run(request("/chat/completions", body: Array(body))) { bytes in
      reader.take(bytes)
    }
    try Task.checkCancellation()
    if answer.status == 404 {
      var refusal = ServerRefusal(status: 404, body: reader.body)
      refusal.model = name
      refusal.known = (try? await models()) ?? []
      throw refusal.exception(from: base)
    }
    return try reader.result(answer, from: base)
  }

  private func firstModel() async throws -> String {
    guard let first = try await models().first else {
      throw SDKException(
        .modelNotFound, category: .network, "\(base) lists no model.",
        recoverySuggestion: "Name one behind the address: \(base)#MODEL.")
    }
    return first
  }

  /// The names that the server lists; none where its answer is no list.
  private func models() async throws -> [String] {
    struct List: Decodable {
      struct Entry: Decodable { let id: String }
      let data: [Entry]
    }
    let collected = ByteCollector(limit: 1 << 20)
    let answer = await HTTPExchange.run(request("/models", body: nil)) { collected.take($0) }
    try Task.checkCancellation()
    try CompletionReader.check(answer, body: collected.bytes, from: base)
    let list = try? JSONDecoder().decode(List.self, from: Data(collected.bytes))
    return list?.data.map(\.id) ?? []
  }

  private func request(_ path: String, body: [UInt8]?) -> HTTPClientRequest {
    var request = HTTPClientRequest(method: body == nil ? "GET" : "POST", url: base + path, body: body)
    request.headers = [
      ("Content-Type", "application/json"), ("Accept", "text/event-stream, application/json"),
    ]
    if let key { request.headers.append(("Authorization", "Bearer \(key)")) }
    request.connectTimeout = Double(connectTimeout)
    request.idleTimeout = Double(idleTimeout)
    // A reply takes as long as it takes, while something comes.
    request.totalTimeout = .infinity
    request.maxBodyBytes = 64 << 20
    return request
  }

  private static func isLoopback(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
  }
}
