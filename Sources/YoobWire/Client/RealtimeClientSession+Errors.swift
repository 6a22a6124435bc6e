/// Errors that the provider reports; the connection stays open.
extension RealtimeClientSession {
  mutating func fault(_ event: RealtimeServerMessage, at now: Double) -> [ConversationAction] {
    guard let error = event.object["error"]?.object else { return [] }
    let code = error["code"]?.string ?? ""
    let eventID = error["event_id"]?.string
    if code.contains("response_cancel") || code.contains("no_active_response") {
      cancelling = nil
      return respondIfDue(at: now)
    }
    switch code {
    case "conversation_already_has_active_response": return refusedCreate(eventID, at: now)
    case "yoob_voice_locked", "yoob_instructions_locked": return confirm(at: now)
    case "session_expired": return []
    case "invalid_api_key", "expired_api_key":
      return end(.unauthorized("The voice service refused the key or token. Get a new one."), at: now)
    default: break
    }
    if let eventID, eventID.hasPrefix("yoob_quiet_") { return [] }
    if let eventID, eventID == lastCreateID {
      createDeadline = nil
      discardsNextUntil = nil
      core.replyDeadline = nil
    }
    let failure = ConversationFailure.network(Self.failureText(.object(error)))
    if let eventID, eventID == updateID, !core.link.isReady { return end(failure, at: now) }
    return [.failure(failure)]
  }

  /// Another response was faster: a message or a result is answered after it.
  private mutating func refusedCreate(_ eventID: String?, at now: Double) -> [ConversationAction] {
    guard let lastCreateID, eventID == nil || eventID == lastCreateID else { return [] }
    let wasUnwanted = discardsNextUntil != nil
    createDeadline = nil
    discardsNextUntil = nil
    // A greeting is no matter once somebody speaks.
    guard refusedCreates < 5, !wasUnwanted, !lastCreateID.hasPrefix("yoob_greet_") else {
      if activeID == nil { core.replyDeadline = nil }
      return respondIfDue(at: now)
    }
    refusedCreates += 1
    wantsResponse = true
    retryCreateAt = now + Self.cancelTimeout
    return []
  }

  static func failureText(_ error: JSONValue?) -> String {
    let message = (error?["message"]?.string ?? "").trimmedPrefix(
      maximumBytes: ConversationFailure.maximumText)
    return message.isEmpty
      ? "The voice service failed to answer. Try again." : "The voice service says: " + message
  }
}
