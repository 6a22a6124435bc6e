import Foundation
import Testing
import VoiceIO
import YoobWire

@testable import Yoob

@MainActor @Suite("A conversation with an agent in the app")
struct ConversationAgentTests {
  private func open(
    _ bench: ConversationBench, _ agent: ScriptedSpeechAgent, _ options: YoobConversation.Options = .init()
  ) async throws -> YoobConversation {
    let conversation = YoobConversation(avatar: bench.avatar, options: options, agent: agent)
    try await bench.finish { try await conversation.start() }
    await bench.pass(0.02)
    return conversation
  }

  @Test(
    "it hears the user, is configured, and speaks through the avatar with words in time; no socket is opened")
  func talks() async throws {
    let bench = ConversationBench()
    let agent = ScriptedSpeechAgent()
    var options = YoobConversation.Options()
    options.instructions = "Be Luna."
    options.voice = "heart"
    let conversation = try await open(bench, agent, options)
    let captions = bench.avatar.captions
    #expect(conversation.state == .listening)
    #expect(agent.configuration?.instructions == "Be Luna.")
    #expect(agent.configuration?.voice == "heart")
    #expect(agent.configuration?.speed == 1.08)
    #expect(agent.configuration?.silenceMs == 450)
    #expect(agent.configuration?.wantsWords == true)
    #expect(agent.configuration?.wantsHolds == true)
    bench.microphone.hear(0.5)
    await bench.pass(0.05)
    #expect(abs(agent.heardBytes - 24_000) <= 1920)
    agent.tell(.speechStarted(audioMs: 0))
    agent.tell(.userTranscript(text: "what time", isFinal: false))
    await bench.pass(0.05)
    #expect(conversation.userTranscript == "what time")
    agent.tell(.speechStopped(audioMs: 500))
    agent.tell(.userTranscript(text: "what time is it", isFinal: true))
    await bench.pass(0.05)
    #expect(conversation.userTranscript == "what time is it")
    #expect(conversation.state == .thinking)
    agent.speak(2, words: ["It", "is", "noon", "here", "and", "so", "it", "is"])
    await bench.pass(0.9)
    #expect(conversation.state == .speaking)
    #expect(conversation.assistantTranscript.hasPrefix("It is"))
    #expect(conversation.assistantTranscript.count < 20)
    await bench.pass(1.5)
    #expect(conversation.state == .listening)
    #expect(conversation.assistantTranscript == "It is noon here and so it is")
    #expect(bench.speaker.playedSamples == 48_000)
    await conversation.stopNow(bench)
    #expect(agent.calls.contains(.close))
    #expect(bench.sockets.tries == 0)
    #expect(bench.running.withLock { $0 } == 0)
    var iterator = captions.makeAsyncIterator()
    var last: YoobCaption?
    while let caption = await iterator.next() {
      if caption.role == .assistant { last = caption }
      if caption.role == .assistant, caption.isFinal { break }
    }
    #expect(last?.words.count == 8)
    #expect(last?.words.last == .init(text: "is", start: 1.75, end: 1.95))
  }

  @Test("an interruption tells the agent what was heard")
  func interrupted() async throws {
    let bench = ConversationBench()
    let agent = ScriptedSpeechAgent()
    let conversation = try await open(bench, agent)
    agent.speak(3, words: ["one", "two"])
    await bench.pass(0.8)
    agent.tell(.speechStarted(audioMs: 100))
    await bench.pass(0.05)
    let heard = bench.speaker.playedSamples * 1000 / 24_000
    #expect(heard > 500 && heard < 850)
    #expect(
      agent.calls.contains(.interrupt(heardMs: heard)) || agent.calls.contains(.corrected(ms: heard)))
    #expect(conversation.state == .listening)
    await bench.pass(0.5)
    #expect(bench.speaker.playedSamples * 1000 / 24_000 == heard)
    await conversation.stopNow(bench)
  }

  @Test("a greeting and a typed message reach it; a held reply goes on")
  func asked() async throws {
    let bench = ConversationBench()
    let agent = ScriptedSpeechAgent()
    var options = YoobConversation.Options()
    options.greet = true
    let conversation = try await open(bench, agent, options)
    await bench.pass(0.05)
    #expect(agent.calls.contains(.respond))
    agent.speak(1, words: ["hello"], ends: false)
    await bench.pass(0.4)
    agent.tell(.responseHeld(responseID: "r", isHeld: true))
    await bench.pass(0.05)
    let held = bench.speaker.playedSamples
    await bench.pass(1)
    #expect(bench.speaker.playedSamples == held)
    agent.tell(.responseHeld(responseID: "r", isHeld: false))
    agent.tell(.responseFinished(responseID: "r", status: .completed))
    await bench.pass(1.2)
    #expect(bench.speaker.playedSamples == 24_000)
    conversation.send(text: "and now?")
    await bench.pass(0.05)
    #expect(agent.calls.contains(.text("and now?")))
    await conversation.stopNow(bench)
  }

  @Test("an agent that cannot be had, fails, or was used before is told in its own words")
  func failures() async throws {
    let bench = ConversationBench()
    func text(of conversation: YoobConversation) async -> String {
      do {
        try await bench.finish { try await conversation.start() }
        return ""
      } catch {
        return "\(error)"
      }
    }
    let missing = ScriptedSpeechAgent(isMissing: true)
    let first = YoobConversation(avatar: bench.avatar, agent: missing)
    #expect(await text(of: first).contains("no model is loaded"))
    #expect(first.state == .ended)
    #expect(missing.calls.contains(.close))
    let agent = ScriptedSpeechAgent()
    let conversation = try await open(bench, agent)
    agent.tell(.error(code: "voice_failed", message: "out of memory", isFatal: true))
    await bench.pass(1)
    #expect(conversation.state == .ended)
    #expect("\(conversation.lastError as Any)".contains("out of memory"))
    #expect(await text(of: conversation).contains("has ended"))
    let quitter = ScriptedSpeechAgent()
    let third = try await open(bench, quitter)
    quitter.vanish()
    await bench.pass(1)
    #expect(third.state == .ended)
    #expect(third.lastError != nil)
    #expect(bench.running.withLock { $0 } == 0)
  }
}
