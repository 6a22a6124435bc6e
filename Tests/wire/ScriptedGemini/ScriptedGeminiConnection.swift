import YoobNet
import YoobWire

/// One connection to the scripted service.
public actor ScriptedGeminiConnection {
  /// Samples a second of replies.
  static let rate = 24_000

  /// The token that it was opened with, if any.
  public nonisolated let token: String?
  /// The path that it was opened at.
  public nonisolated var path: String { socket.request.path }
  private nonisolated let socket: WebSocketConnection
  private nonisolated let service: ScriptedGemini
  private nonisolated let received = Locked<[JSONValue]>([])

  private var isSetUp = false
  private var isManual = false
  private var transcribesInput = false
  private var transcribesOutput = false
  private var resumes = false
  private var hasTime = false
  /// What the session knows: "user: …" and "model: …".
  private var known: [String] = []
  private var heardBytes = 0
  private var reply: Task<Void, Never>?
  private var departure: Task<Void, Never>?
  private var lastCall = 0
  private var calls: Set<String> = []

  init(_ socket: WebSocketConnection, token: String?, service: ScriptedGemini) {
    self.socket = socket
    self.token = token
    self.service = service
  }

  // MARK: For tests

  /// What the client has sent, with names in camel case.
  public nonisolated var messages: [JSONValue] { received.withLock { $0 } }

  /// Sends any message.
  public nonisolated func tell(_ message: JSONObject) { send(message) }

  /// Closes the connection.
  public nonisolated func close(code: Int, reason: String = "") { socket.close(code: code, reason: reason) }

  // MARK: The protocol

  func run() async {
    for await message in socket.messages {
      let value: JSONValue?
      switch message {
      case .text(let text): value = try? JSONValue(parsing: text)
      case .binary(let bytes): value = try? JSONValue(parsing: bytes)
      }
      do throws(GeminiSchema.Mistake) {
        guard let value else { throw .init(description: "Invalid JSON payload received.") }
        try await take(try GeminiSchema.message.read(value))
      } catch {
        socket.close(code: 1007, reason: error.description)
      }
    }
    departure?.cancel()
    await endReply()
  }

  private func take(_ message: JSONValue) async throws(GeminiSchema.Mistake) {
    received.withLock { $0.append(message) }
    guard let object = message.object, object.members.count == 1, let (name, value) = object.members.first
    else {
      throw .init(description: "A message has one member.")
    }
    guard isSetUp != (name == "setup") else {
      throw .init(description: isSetUp ? "setup comes once" : "setup must be sent first")
    }
    switch name {
    case "setup": setUp(value)
    case "clientContent": await takeContent(value)
    case "realtimeInput": try await takeInput(value)
    case "toolResponse": try await takeResults(value)
    default: break
    }
  }

  private func setUp(_ setup: JSONValue) {
    guard let model = setup["model"]?.string, ScriptedGemini.models.contains(model) else {
      return socket.close(
        code: 1008, reason: "\(setup["model"]?.string ?? "?") is not found, or not supported here.")
    }
    if let handle = setup["sessionResumption"]?["handle"]?.string {
      guard let session = service.session(handle) else {
        return socket.close(code: 1008, reason: "The session of this handle is not found.")
      }
      known = session
    }
    isSetUp = true
    isManual = setup["realtimeInputConfig"]?["automaticActivityDetection"]?["disabled"]?.bool == true
    transcribesInput = setup["inputAudioTranscription"] != nil
    transcribesOutput = setup["outputAudioTranscription"] != nil
    resumes = setup["sessionResumption"] != nil
    hasTime =
      setup["tools"]?.array?.contains { tool in
        tool["functionDeclarations"]?.array?.contains { $0["name"]?.string == "time" } == true
      } == true
    send(["setupComplete": [:]])
  }

  private func takeContent(_ content: JSONValue) async {
    var question: String?
    for turn in content["turns"]?.array ?? [] {
      let text = (turn["parts"]?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: " ")
      known.append("\(turn["role"]?.string ?? "user"): \(text)")
      question = turn["role"]?.string == "model" ? nil : text
    }
    guard content["turnComplete"]?.bool != false else { return }
    await interrupt()
    if let question { answer(question) }
  }

  private func takeInput(_ input: JSONValue) async throws(GeminiSchema.Mistake) {
    if let text = input["text"]?.string {
      await interrupt()
      known.append("user: \(text)")
      answer(text)
    } else if let audio = input["audio"] {
      guard audio["mimeType"]?.string == "audio/pcm;rate=16000", let data = audio["data"]?.string,
        let bytes = Base64.decode(data), bytes.count % 2 == 0
      else { throw .init(description: "Invalid value at 'realtime_input.audio'.") }
      heardBytes += bytes.count
      if !isManual, heardBytes >= 32_000 { await hear() }
    } else if input["activityStart"] != nil, isManual {
      heardBytes = 0
      await interrupt()
    } else if input["activityEnd"] != nil || input["audioStreamEnd"]?.bool == true {
      if heardBytes >= 3200 { await hear() }
    }
  }

  /// The user's turn is over.
  private func hear() async {
    heardBytes = 0
    await interrupt()
    if transcribesInput {
      send(["serverContent": ["inputTranscription": ["text": "what time "]]])
      send(["serverContent": ["inputTranscription": ["text": "is it", "finished": true]]])
    }
    known.append("user: what time is it")
    answer("what time is it")
  }

  private func takeResults(_ response: JSONValue) async throws(GeminiSchema.Mistake) {
    for result in response["functionResponses"]?.array ?? [] {
      guard let id = result["id"]?.string, calls.remove(id) != nil, result["name"]?.string == "time",
        let output = result["response"]?.object
      else { throw .init(description: "Invalid value at 'tool_response'.") }
      known.append("tool: \(JSONValue.object(output).text)")
      await interrupt()
      speak("The answer is \(output["output"]?.string ?? JSONValue.object(output).text)", pieces: 5)
    }
  }

  // MARK: Replies

  private func answer(_ text: String) {
    switch text {
    case "long": speak((1...200).map(String.init).joined(separator: " "), pieces: 200, isLive: true)
    case "recall": speak("I know: " + known.dropLast().joined(separator: " | "), pieces: 5)
    case "tool" where hasTime, "tool cancelled" where hasTime:
      lastCall += 1
      let id = "call-\(lastCall)"
      send(["toolCall": ["functionCalls": [["id": .string(id), "name": "time", "args": ["zone": "UTC"]]]]])
      guard text == "tool cancelled" else { return _ = calls.insert(id) }
      send(["toolCallCancellation": ["ids": [.string(id)]]])
      speak("Never mind.", pieces: 5)
    case "go away":
      leave()
      speak("I have to go.", pieces: 5)
    case "drop":
      for piece in 0..<5 { sendPiece(piece == 0 ? "Half a reply that breaks off" : nil) }
      socket.close(code: 1011, reason: "Internal error encountered.")
    case _ where text.hasPrefix("close "):
      let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
      socket.close(code: Int(parts[1]) ?? 1000, reason: parts.count > 2 ? parts[2] : "")
    default: speak("You said: \(text)", pieces: 5)
    }
  }

  /// Announces the end of the connection, and ends it after so many seconds.
  public func leave(after seconds: Int = 1) {
    send(["goAway": ["timeLeft": .string("\(seconds)s")]])
    departure?.cancel()
    departure = Task {
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled {
        socket.close(code: 1001, reason: "The connection has reached its limit of time.")
      }
    }
  }

  /// Speaks in pieces of a tenth of a second; each live piece waits for its time and brings its own word.
  private func speak(_ text: String, pieces: Int, isLive: Bool = false) {
    let words = isLive ? text.split(separator: " ").map { "\($0) " } : []
    reply = Task {
      for piece in 0..<pieces {
        if isLive { try? await Task.sleep(for: .milliseconds(100)) }
        guard !Task.isCancelled else { return }
        sendPiece(isLive ? words[piece] : piece == 0 ? text : nil)
      }
      known.append("model: \(text)")
      send(["serverContent": ["generationComplete": true]])
      send(["serverContent": ["turnComplete": true], "usageMetadata": ["totalTokenCount": 7]])
      if resumes {
        send(["sessionResumptionUpdate": ["newHandle": .string(service.save(known)), "resumable": true]])
      }
      reply = nil
    }
  }

  private func sendPiece(_ text: String?) {
    if let text, transcribesOutput {
      send(["serverContent": ["outputTranscription": ["text": .string(text)]]])
    }
    let pcm = (0..<Self.rate / 10).flatMap { index -> [UInt8] in
      let sample = Int16(index % 100 * 100 - 5000)
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    send([
      "serverContent": [
        "modelTurn": [
          "parts": [
            [
              "inlineData": [
                "mimeType": .string("audio/pcm;rate=\(Self.rate)"), "data": .string(Base64.encode(pcm)),
              ]
            ]
          ]
        ]
      ]
    ])
  }

  /// Ends a reply that goes on, as the provider does when the user begins.
  private func interrupt() async {
    guard reply != nil else { return }
    await endReply()
    send(["serverContent": ["interrupted": true]])
    send(["serverContent": ["turnComplete": true]])
  }

  private func endReply() async {
    let task = reply
    reply = nil
    task?.cancel()
    await task?.value
  }

  /// In binary frames, as the provider does.
  private nonisolated func send(_ message: JSONObject) {
    socket.send(Array(JSONValue.object(message).text.utf8))
  }
}
