import Foundation
import RunAnywhere

/// `yoob models`: lists, fetches, verifies and removes models.
struct ModelsCommand {
  static let usage = """
    Usage: yoob models list [--json]
           yoob models download ID… [--quiet] [--json]
           yoob models verify [ID…] [--json]
           yoob models remove ID…

    list      every model that is known, its licence and whether it is here
    download  fetch and prepare models; what is here and intact stays
    verify    read and hash every file of these models (default: of all here)
    remove    delete the files of models
      --json   the result as JSON
      --quiet  no progress

    Models live under $YOOB_HOME/models ($YOOB_HOME is ~/.cache/yoob unless set).
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json", "--quiet"])
    guard let action = arguments.positional.first else {
      throw UsageError("Say list, download, verify or remove.")
    }
    let ids = Array(arguments.positional.dropFirst())
    let isJSON = arguments.has("--json")
    switch action {
    case "list":
      guard ids.isEmpty else { throw UsageError("list takes no model.") }
      return try list(isJSON: isJSON)
    case "download":
      guard !ids.isEmpty else { throw UsageError("Name the models to download.") }
      return try await download(ids, isQuiet: arguments.has("--quiet"), isJSON: isJSON)
    case "verify":
      return try verify(ids, isJSON: isJSON)
    case "remove":
      guard !ids.isEmpty else { throw UsageError("Name the models to remove.") }
      return try await remove(ids)
    default:
      throw UsageError("There is no “models \(action)”.")
    }
  }

  private static func list(isJSON: Bool) throws -> Int32 {
    let store = RunAnywhere.models.store
    let entries = RunAnywhere.models.list().map { ModelEntry($0, store: store) }
    if isJSON {
      let used = entries.reduce(0) { $0 + $1.bytes }
      try JSONOutput.write(
        ModelListing(
          models: entries, folder: store.root.path, storageUsed: used, storageFree: store.bytesFree))
      return 0
    }
    let width = entries.map(\.id.count).max() ?? 0
    for entry in entries {
      let id = entry.id.padding(toLength: width, withPad: " ", startingAt: 0)
      let category = entry.category.padding(toLength: 4, withPad: " ", startingAt: 0)
      let size = entry.bytes > 0 ? ModelSize.text(entry.bytes) : "-"
      let right = String(repeating: " ", count: max(0, 7 - size.count)) + size
      let mark = entry.isDefault ? "*" : " "
      Console.out("\(mark) \(id)  \(category)  \(right)  \(entry.summary)  \(entry.licence)")
    }
    Console.out("* used where nothing else is asked for. Folder: \(store.root.path)")
    let legend = [
      "not here": "`yoob models download ID` fetches it",
      "damaged": "`yoob models download ID` fetches it again",
      "by hand":
        "this version loads it once you have put its file there; `yoob models download ID` says where",
      "no engine": "this version cannot load it",
    ]
    Console.out("vad finds speech, turn its end; stt hears, llm answers, tts speaks")
    let marks = Set(entries.map(\.mark))
    for (mark, meaning) in legend.sorted(by: { $0.key < $1.key }) where marks.contains(mark) {
      Console.out("\(mark): \(Program.namingQuoted(meaning))")
    }
    return 0
  }

  private static func download(_ ids: [String], isQuiet: Bool, isJSON: Bool) async throws -> Int32 {
    for id in ids { _ = try RunAnywhere.models.get(id) }
    for id in ids {
      let bar = ProgressBar(id, isQuiet: isQuiet)
      defer { bar.finish() }
      for try await event in RunAnywhere.models.download(id) {
        switch event {
        case .progress(let progress):
          bar.update(progress.fraction, remark: remark(progress))
        case .extracting(let percent): bar.update(percent / 100, remark: "preparing")
        case .verifying: bar.update(1, remark: "verifying")
        case .started, .completed, .failed, .cancelled: break
        }
      }
      bar.finish()
      if !isJSON { Console.out("\(id): ready") }
    }
    if isJSON { return try list(isJSON: true) }
    return 0
  }

  private static func remark(_ progress: DownloadProgress) -> String {
    let speed = String(format: "%.1f MB/s", progress.bytesPerSecond / 1_000_000)
    guard let left = progress.etaSeconds else { return speed }
    return "\(speed), \(Int(left.rounded(.up))) s left"
  }

  private static func verify(_ ids: [String], isJSON: Bool) throws -> Int32 {
    let store = RunAnywhere.models.store
    let models =
      ids.isEmpty
      ? RunAnywhere.models.list { store.status(of: $0) != .absent }
      : try ids.map { try RunAnywhere.models.get($0) }
    var results: [VerifyResult] = []
    for model in models {
      do {
        let isKnown = try store.verify(model)
        results.append(
          VerifyResult(
            id: model.id, isIntact: true,
            message: isKnown ? "intact" : "readable, but its hash is not known"))
      } catch let error as SDKException {
        results.append(
          VerifyResult(id: model.id, isIntact: false, message: error.errorDescription ?? "\(error)"))
      }
    }
    let isFine = results.allSatisfy(\.isIntact)
    if isJSON {
      try JSONOutput.write(["models": results])
    } else {
      for result in results where result.isIntact { Console.out("\(result.id): \(result.message)") }
      for result in results where !result.isIntact {
        Console.note("\(Program.name) models: \(result.message)")
      }
      if results.isEmpty {
        Console.note("\(Program.name) models: there is no model here; ./run fetches the default ones.")
      }
    }
    return isFine ? 0 : 1
  }

  private static func remove(_ ids: [String]) async throws -> Int32 {
    for id in ids { _ = try RunAnywhere.models.get(id) }
    for id in ids {
      try await RunAnywhere.models.delete(id)
      Console.out("\(id): removed")
    }
    return 0
  }
}

private struct VerifyResult: Encodable {
  var id: String
  var isIntact: Bool
  var message: String

  enum CodingKeys: String, CodingKey {
    case id
    case isIntact = "intact"
    case message
  }
}

private struct ModelListing: Encodable {
  var models: [ModelEntry]
  var folder: String
  var storageUsed: Int
  var storageFree: Int?

  enum CodingKeys: String, CodingKey {
    case models, folder
    case storageUsed = "storage_used"
    case storageFree = "storage_free"
  }
}

/// One model as `list` shows it.
private struct ModelEntry: Encodable {
  var id: String
  var name: String
  var category: String
  /// `ready`, `absent` or `damaged`.
  var status: String
  var damagedFiles: [String]
  var bytes: Int
  var licence: String
  var home: String
  var isDefault: Bool
  var canDownload: Bool
  let hasEngine: Bool

  enum CodingKeys: String, CodingKey {
    case id, name, category, status, bytes, licence, home
    case damagedFiles = "damaged_files"
    case isDefault = "default"
    case canDownload = "downloadable"
  }

  init(_ model: ModelInfo, store: ModelStore) {
    id = model.id
    name = model.name
    category = model.category.rawValue
    licence = model.licence
    home = model.home
    isDefault = model.isDefault
    canDownload = ModelCatalogue.preparable.contains(model.id)
    hasEngine = ModelCatalogue.hasEngine(model.format)
    bytes = store.bytesUsed(by: model)
    damagedFiles = []
    switch store.status(of: model) {
    case .ready: status = "ready"
    case .absent: status = "absent"
    case .damaged(let files):
      status = "damaged"
      damagedFiles = files
    }
  }

  /// One or two words for the table.
  var mark: String {
    switch status {
    case "ready": "here"
    case "damaged": "damaged"
    default: canDownload ? "not here" : hasEngine ? "by hand" : "no engine"
    }
  }

  var summary: String { mark.padding(toLength: 9, withPad: " ", startingAt: 0) }
}

/// What a model takes on the disk, for people.
enum ModelSize {
  /// Millions of bytes, rounded.
  static func text(_ bytes: Int) -> String { "\((bytes + 500_000) / 1_000_000) MB" }
}
