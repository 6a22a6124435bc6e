import SwiftUI
import Yoob

/// The whole app: a character, what is said, and the controls.
struct CharacterScreen: View {
  @State private var choice = CharacterChoice.anime
  @State private var model = CharacterModel(.anime)

  var body: some View {
    VStack(spacing: 12) {
      Picker("Character", selection: $choice) {
        ForEach(CharacterChoice.allCases) { choice in Text(choice.title).tag(choice) }
      }
      .pickerStyle(.segmented)
      ZStack(alignment: .bottom) {
        YoobAvatarView(model.avatar)
        CaptionsView(conversation: model.conversation)
      }
      .clipShape(.rect(cornerRadius: 16))
      StatusView(model: model)
      ControlsView(model: model)
      MicrophoneView(model: model)
    }
    .padding()
    .task { await model.prepare() }
    .onChange(of: choice) { _, choice in
      let old = model
      model = CharacterModel(choice)
      let new = model
      Task {
        // The session of the one before ends first.
        await old.close()
        await new.prepare()
      }
    }
  }
}

/// What both sides say.
private struct CaptionsView: View {
  let conversation: YoobConversation

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      if !conversation.userTranscript.isEmpty {
        Text(conversation.userTranscript).font(.callout).foregroundStyle(.secondary)
      }
      if !conversation.assistantTranscript.isEmpty {
        Text(conversation.assistantTranscript).font(.body)
      }
    }
    .frame(maxWidth: .infinity, alignment: .leading)
    .padding(12)
    .background(.regularMaterial, in: .rect(cornerRadius: 12))
    .opacity(conversation.userTranscript.isEmpty && conversation.assistantTranscript.isEmpty ? 0 : 1)
    .padding(12)
  }
}

/// Where the character and the conversation stand, and what went wrong.
private struct StatusView: View {
  let model: CharacterModel

  var body: some View {
    VStack(spacing: 6) {
      if case .downloading(let progress) = model.avatar.phase { ProgressView(value: progress.fraction) }
      Text(status).font(.caption).foregroundStyle(.secondary)
      if let problem { Text(problem).font(.callout).foregroundStyle(.red).multilineTextAlignment(.center) }
    }
  }

  private var status: String {
    if model.isTalking { return model.conversation.state.rawValue }
    return switch model.avatar.phase {
    case .notPrepared: "closed"
    case .downloading(let progress): "downloading, \(Int(progress.fraction * 100)) %"
    case .warming: "starting"
    case .ready: model.avatar.isHeartbeatDegraded ? "ready; the service cannot be reached" : "ready"
    case .speaking: "speaking"
    case .failed, .stopped: "stopped"
    }
  }

  private var problem: String? {
    if let problem = model.problem { return problem }
    if let error = model.conversation.lastError { return error.localizedDescription }
    switch model.avatar.phase {
    case .failed(let error), .stopped(let error): return error.localizedDescription
    default: return model.avatar.lastRendererError
    }
  }
}

private struct ControlsView: View {
  let model: CharacterModel
  @State private var line = ""

  var body: some View {
    VStack(spacing: 8) {
      HStack {
        Button(model.isTalking ? "End" : "Talk") { Task { await model.talk() } }
          .buttonStyle(.borderedProminent)
        Button("Say hello") { Task { await model.greet() } }
          .buttonStyle(.bordered)
          .disabled(!model.canGreet)
        if !isPrepared {
          Button("Try again") { Task { await model.prepare() } }.buttonStyle(.bordered)
        }
      }
      TextField("Type to her", text: $line)
        .disabled(!model.isTalking)
        .onSubmit {
          model.send(line)
          line = ""
        }
    }
  }

  private var isPrepared: Bool {
    switch model.avatar.phase {
    case .failed, .stopped: false
    default: true
    }
  }
}
