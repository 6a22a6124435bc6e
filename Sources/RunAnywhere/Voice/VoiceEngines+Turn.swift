extension VoiceEngines {
  /// The catalogue's model that tells from the sound whether the user has finished.
  package static let turnModel = "smart-turn-v3.2"

  /// Loads the turn detector; where it cannot be had, the words alone end a turn and `turnMissing`
  /// says why. Throws only what a cancelled task throws.
  package mutating func loadTurnDetector(
    _ load: (String) async throws -> LoadedEngine
  ) async throws {
    do {
      guard case .turn(let detector) = try await load(Self.turnModel) else {
        turnMissing = "\"\(Self.turnModel)\" was loaded as another kind of model."
        return
      }
      turn = detector
      turnMissing = nil
    } catch let error as SDKException {
      turnMissing = [error.message, error.recoverySuggestion ?? ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    } catch {
      turnMissing = error.localizedDescription
    }
    try Task.checkCancellation()
  }
}
