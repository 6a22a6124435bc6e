import SwiftUI
import Yoob

/// Which microphone, how loud it is, and whether it is muted.
struct MicrophoneView: View {
  let model: CharacterModel
  @State private var selected: String?

  private var microphone: YoobMicrophone { model.avatar.microphone }

  var body: some View {
    HStack {
      Button(
        microphone.isMuted ? "Unmute" : "Mute",
        systemImage: microphone.isMuted ? "mic.slash" : "mic"
      ) { microphone.setMuted(!microphone.isMuted) }
      ProgressView(value: Double(microphone.level)).accessibilityLabel("Level of the microphone")
      Picker("Microphone", selection: $selected) {
        Text("Default").tag(String?.none)
        ForEach(microphone.inputs) { input in Text(input.name).tag(Optional(input.id)) }
      }
      .pickerStyle(.menu)
    }
    .onChange(of: selected) { _, id in Task { await model.select(id) } }
    // Another one took its place, or the choice was refused.
    .onChange(of: microphone.selectedInputID) { _, id in selected = id }
    if case .failed(let error) = microphone.state {
      Text(error.localizedDescription).font(.caption).foregroundStyle(.red)
    }
  }
}
