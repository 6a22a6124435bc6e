import YoobWire

/// What a client may send: the members of each message of the protocol, and their kinds.
///
/// Names come in camel case or in snake case (the rule of protobuf JSON); what is read here is in camel case.
indirect enum GeminiSchema: Sendable {
  case text, flag, number
  /// One of these words.
  case word(Set<String>)
  /// Anything, as it stands.
  case free
  case list(GeminiSchema)
  case members([String: GeminiSchema])

  /// A message that the protocol does not know; `description` is worded like the provider's.
  struct Mistake: Error, Sendable, CustomStringConvertible { let description: String }

  /// The value with its names in camel case. Throws where a member is unknown or of another kind.
  func read(_ value: JSONValue, at path: String = "") throws(Mistake) -> JSONValue {
    switch (self, value) {
    case (.free, _), (.text, .string), (.flag, .bool), (.number, .int), (.number, .double): return value
    case (.word(let words), .string(let word)) where words.contains(word): return value
    case (.list(let schema), .array(let elements)):
      var read: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        read.append(try schema.read(element, at: "\(path)[\(index)]"))
      }
      return .array(read)
    case (.members(let members), .object(let object)):
      var read = JSONObject()
      for (name, value) in object.members {
        let camel = Self.camelCase(name)
        guard let schema = members[camel] else {
          throw Mistake(
            description:
              "Invalid JSON payload received. Unknown name \"\(name)\" at '\(path)': Cannot find field.")
        }
        guard read[camel] == nil else { throw Mistake(description: "\"\(path).\(camel)\" comes twice.") }
        read[camel] = try schema.read(value, at: path.isEmpty ? camel : "\(path).\(camel)")
      }
      return .object(read)
    default: throw Mistake(description: "Invalid value at '\(path)': \(value.text.prefix(40))")
    }
  }

  private static func camelCase(_ name: String) -> String {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    return String(parts[0]) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension GeminiSchema {
  private static let blob = members(["mimeType": .text, "data": .text])
  private static let content = members([
    "role": .word(["user", "model"]),
    "parts": .list(.members(["text": .text, "inlineData": blob, "thought": .flag])),
  ])

  private static let generation = members([
    "responseModalities": .list(.word(["AUDIO", "TEXT"])), "temperature": .number, "topP": .number,
    "topK": .number, "maxOutputTokens": .number, "seed": .number,
    "speechConfig": .members([
      "voiceConfig": .members(["prebuiltVoiceConfig": .members(["voiceName": .text])]), "languageCode": .text,
    ]),
  ])

  private static let activity = members([
    "disabled": .flag, "prefixPaddingMs": .number, "silenceDurationMs": .number,
    "startOfSpeechSensitivity": .word(["START_SENSITIVITY_HIGH", "START_SENSITIVITY_LOW"]),
    "endOfSpeechSensitivity": .word(["END_SENSITIVITY_HIGH", "END_SENSITIVITY_LOW"]),
  ])

  private static let setup = members([
    "model": .text, "generationConfig": generation, "systemInstruction": content,
    "tools": .list(
      .members([
        "functionDeclarations": .list(
          .members([
            "name": .text, "description": .text, "parameters": .free, "parametersJsonSchema": .free,
          ]))
      ])),
    "realtimeInputConfig": .members([
      "automaticActivityDetection": activity,
      "activityHandling": .word(["START_OF_ACTIVITY_INTERRUPTS", "NO_INTERRUPTION"]),
    ]),
    "sessionResumption": .members(["handle": .text]),
    "contextWindowCompression": .members([
      "triggerTokens": .number, "slidingWindow": .members(["targetTokens": .number]),
    ]),
    "inputAudioTranscription": .members([:]), "outputAudioTranscription": .members([:]),
  ])

  /// A message of a client.
  static let message = members([
    "setup": setup,
    "clientContent": .members(["turns": .list(content), "turnComplete": .flag]),
    "realtimeInput": .members([
      "audio": blob, "text": .text, "audioStreamEnd": .flag, "activityStart": .members([:]),
      "activityEnd": .members([:]),
    ]),
    "toolResponse": .members([
      "functionResponses": .list(.members(["id": .text, "name": .text, "response": .free]))
    ]),
  ])
}
