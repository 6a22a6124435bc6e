import Foundation
import Yoob

/// The characters of the app.
enum CharacterChoice: String, CaseIterable, Identifiable {
  case anime = "luna-anime"
  case realistic = "luna-realistic"

  var id: String { rawValue }

  /// What people call it.
  var title: String {
    switch self {
    case .anime: "Anime"
    case .realistic: "Realistic"
    }
  }

  /// The pack in the app's bundle, where it is shipped with one (Characters/luna-anime); else the cloud's.
  var source: YoobSource {
    let id = rawValue
    if let folder = Bundle.main.resourceURL?.appendingPathComponent("Characters/\(id)"),
      FileManager.default.fileExists(atPath: folder.appendingPathComponent("character.json").path)
    {
      return .local(folder)
    }
    return .cloud(character: id) { try await TokenServer.local.session(id) }
  }
}
