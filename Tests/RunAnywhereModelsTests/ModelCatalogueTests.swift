import Foundation
import Testing
import YoobCrypto

@testable import RunAnywhere

@Suite("Catalogue")
struct ModelCatalogueTests {
  @Test("ids are unique")
  func unique() {
    let ids = ModelCatalogue.models.map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  @Test(
    "each category of a conversation has exactly one default",
    arguments: [ModelInfo.Category.vad, .turn, .stt, .llm, .tts])
  func defaults(category: ModelInfo.Category) {
    #expect(ModelCatalogue.models.filter { $0.category == category && $0.isDefault }.count == 1)
  }

  @Test("nothing is fetched, and nothing is a default, that no engine loads")
  func loadable() {
    for model in ModelCatalogue.models where !ModelCatalogue.hasEngine(model.format) {
      #expect(!model.isDefault, "\(model.id)")
      #expect(!ModelCatalogue.preparable.contains(model.id), "\(model.id)")
    }
  }

  @Test(
    "every published id is there",
    arguments: [
      "sherpa-onnx-whisper-tiny.en", "vits-piper-en_US-lessac-medium", "lfm2-350m-q4_k_m", "silero-vad",
      "hibari-heart", "joe", "whisper-base", "smollm2-135m-instruct-q4_1", "qwen2.5-0.5b-instruct-q4_k_m",
      "smart-turn-v3.2",
    ])
  func published(id: String) {
    #expect(ModelCatalogue.model(id)?.files.isEmpty == false)
  }

  @Test("pinned hashes are SHA-256")
  func hashes() {
    let pinned = ModelCatalogue.models.flatMap(\.files).compactMap(\.sha256)
    #expect(!pinned.isEmpty)
    #expect(pinned.allSatisfy { SHA256Digest(hex: $0)?.hex == $0 })
  }

  @Test("the preparation recipes make the models of the catalogue, with the same files")
  func recipes() throws {
    let recipes = try Self.readRecipes()
    #expect(Set(recipes.keys) == ModelCatalogue.preparable)
    for (id, recipe) in recipes {
      let model = try #require(ModelCatalogue.model(id))
      #expect(model.isDefault == recipe.default)
      guard let files = recipe.files else { continue }
      #expect(Set(files.map(\.name)) == Set(model.files.map(\.name)), "\(id)")
      #expect(model.files.allSatisfy { $0.sha256 != nil && $0.size > 0 }, "\(id)")
    }
  }

  private struct Recipe: Decodable {
    struct File: Decodable { var name: String }
    var `default`: Bool
    var files: [File]?
  }

  private static func readRecipes() throws -> [String: Recipe] {
    let checkout = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: checkout.appendingPathComponent("scripts/models/recipes.json"))
    return try JSONDecoder().decode([String: Recipe].self, from: data)
  }
}
