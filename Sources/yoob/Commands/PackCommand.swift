import Foundation
import VoiceIO
import YoobPack
import YoobStudio

/// `yoob pack`: makes, signs and checks the folders that characters come in.
struct PackCommand {
  static let usage = """
    Usage: yoob pack build DIR [--output DIR]
           yoob pack sign DIR --key FILE [--publish DIR]
           yoob pack verify DIR|URL [--keys FILE] [--cache DIR] [--quiet]
           yoob pack inspect DIR|URL [--json]

    build    find and hash the files of the character that DIR/character.json
             describes, and write its manifest
      --output DIR   write the pack there instead of into the same folder
    sign     write DIR/character.signed.json, after every file was found right
      --key FILE     a key of `yoob keys signing create`
      --publish DIR  also add the character to a folder that a web server can
                     serve below /v1
    verify   read every file; for a signed pack, check the signature first
      --keys FILE    trusted keys, as JSON: {"id": "public key in base64"}, or the
                     file of a signing key
      --cache DIR    keep what was downloaded there, and go on from it after an
                     interruption
      --quiet        no progress
    inspect  show what the pack says about itself, without checking it
      --json         the same as JSON

    URL is where a server publishes a character: https://HOST/v1/characters/ID, or
    …/ID/VERSION.json for one version of it (latest.json for the newest). A server
    that wants a download token gets the one in YOOB_DOWNLOAD_TOKEN.
    Docs/FORMAT.md describes packs.
    """

  static func run(_ words: [String]) async throws -> Int32 {
    guard let action = words.first, !action.hasPrefix("-") else {
      throw UsageError("Say build, sign, verify or inspect.")
    }
    let rest = Array(words.dropFirst())
    do {
      switch action {
      case "build": try build(rest)
      case "sign": try sign(rest)
      case "verify": try await verify(rest)
      case "inspect": try await inspect(rest)
      default: throw UsageError("There is no “pack \(action)”.")
      }
    } catch let PackError.keyNeeded(id) {
      throw FileFault("The pack is signed with the key “\(id)”. Name a file with its public key by --keys.")
    }
    return 0
  }

  private static func build(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--output"])
    let folder = try folder(arguments, of: "build")
    let output = arguments["--output"].map { URL(fileURLWithPath: $0, isDirectory: true) } ?? folder
    let (source, target) = (folder.resolvingSymlinksInPath().path, output.resolvingSymlinksInPath().path)
    guard source == target || !target.hasPrefix(source + "/") else {
      throw FileFault("\(output.path) lies inside \(folder.path). Name a folder outside it with --output.")
    }
    let manifest = try PackBuilder.build(folder)
    if source != target { try PackBuilder.copy(manifest, from: folder, to: output) }
    try PackBuilder.write(manifest, to: output)
    Console.out("\(summary(manifest)): \(output.appendingPathComponent(LocalPack.manifestName).path)")
  }

  private static func sign(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--key", "--publish"])
    let folder = try folder(arguments, of: "sign")
    guard let file = arguments["--key"] else {
      throw UsageError("sign needs --key FILE (yoob keys signing create --output FILE makes one).")
    }
    let key: SigningKey
    do throws(PackError) { key = try SigningKey(file: file) } catch {
      guard case .missingFile = error else { throw error }
      throw FileFault("There is no key \(file). Make one: yoob keys signing create --output \(file)")
    }
    let place = folder.appendingPathComponent(LocalPack.signedManifestName)
    let before = FileManager.default.contents(atPath: place.path)
    let signed = try PackBuilder.sign(folder, with: key)
    let isSame = before.map { [UInt8]($0) == signed.json } ?? false
    Console.out("\(isSame ? "already signed" : "signed") by \(key.id): \(place.path)")
    if let tree = arguments["--publish"] {
      let report = try PackBuilder.publish(
        folder, signed, to: URL(fileURLWithPath: tree, isDirectory: true),
        trusting: [key.id: key.privateKey.publicKey])
      for line in lines(of: report, in: tree) { Console.out(line) }
    }
  }

  /// What publishing did: manifests by their names, chunks by their number.
  private static func lines(of report: PublishReport, in tree: String) -> [String] {
    func list(_ manifests: [String], _ chunks: [String]) -> String {
      let count = chunks.count == 1 ? "1 chunk" : "\(chunks.count) chunks"
      return (manifests + (chunks.isEmpty ? [] : [count])).joined(separator: ", ")
    }
    let present = list(report.presentManifests, report.presentChunks)
    var lines: [String] = []
    if report.isUnchanged {
      lines.append("nothing changed: \(tree)")
    } else {
      lines.append("published: \(tree)")
      lines.append("  written: \(list(report.writtenManifests, report.writtenChunks))")
    }
    if !present.isEmpty { lines.append("  there already: \(present)") }
    if let newer = report.newerLatest {
      lines.append("  latest.json goes on to name \(newer), which is newer")
    }
    return lines
  }

  private static func verify(_ words: [String]) async throws {
    let arguments = try Arguments(words, options: ["--keys", "--cache"], flags: ["--quiet"])
    let place = try place(arguments, of: "verify")
    let keys = try TrustedKeys.named(arguments["--keys"])
    let manifest: CharacterManifest
    let signer: String?
    switch place {
    case .folder(let folder):
      guard arguments["--cache"] == nil else { throw UsageError("--cache belongs to an address.") }
      let pack = try LocalPack.open(folder, trusting: keys)
      guard keys.isEmpty || pack.signed != nil else {
        throw FileFault(
          "The pack is not signed, so no key can check it. Sign it: yoob pack sign DIR --key FILE")
      }
      try pack.verify()
      (manifest, signer) = (pack.manifest, pack.signed?.keyID)
    case .address(let address):
      if keys.isEmpty { throw PackError.keyNeeded(id: try await address.manifest().keyID) }
      let kept = arguments["--cache"].map { URL(fileURLWithPath: $0, isDirectory: true) }
      let folder =
        kept ?? FileManager.default.temporaryDirectory.appendingPathComponent("yoob-pack-\(UUID())")
      if kept == nil { TemporaryFiles.add(folder) }
      defer { if kept == nil { TemporaryFiles.remove(folder) } }
      let bar = Guarded(ProgressBar("Downloading", isQuiet: arguments.has("--quiet")))
      defer { bar.withLock { $0.finish() } }
      let pack = try await address.load(into: PackCache(folder: folder), trusting: keys) { done, total in
        bar.withLock { $0.update(total > 0 ? Double(done) / Double(total) : 0) }
      }
      (manifest, signer) = (pack.manifest, pack.signed.keyID)
    }
    Console.out("\(summary(manifest)): intact, \(signer.map { "signed by \($0)" } ?? "unsigned")")
  }

  private static func inspect(_ words: [String]) async throws {
    let arguments = try Arguments(words, flags: ["--json"])
    let manifest: CharacterManifest
    let keyID: String?
    switch try place(arguments, of: "inspect") {
    case .folder(let folder): (manifest, keyID) = try LocalPack.inspect(folder)
    case .address(let address): (manifest, keyID) = try await address.manifest()
    }
    if arguments.has("--json") {
      try JSONOutput.write(PackDocument(manifest, signedBy: keyID))
      return
    }
    Console.out(summary(manifest))
    Console.out("\(manifest.displayName), \(manifest.width) x \(manifest.height), engine \(manifest.engine)")
    Console.out("SDK: \(manifest.minSDK.map { "\($0) or later" } ?? "any version")")
    Console.out(keyID.map { "signed by \($0) (not checked; yoob pack verify does)" } ?? "unsigned")
    let width = manifest.files.map(\.path.count).max() ?? 0
    for file in manifest.files {
      let path = file.path.padding(toLength: width, withPad: " ", startingAt: 0)
      Console.out("  tier \(file.tier)  \(path)  \(file.size) bytes  \(file.sha256)")
    }
  }

  /// Where a character is.
  private enum Place {
    case folder(URL)
    case address(PackAddress)
  }

  private static func place(_ arguments: Arguments, of action: String) throws -> Place {
    guard arguments.positional.count == 1, let name = arguments.positional.first else {
      throw UsageError("\(action) takes one folder or address.")
    }
    return PackAddress.isAddress(name)
      ? .address(try PackAddress(name)) : .folder(URL(fileURLWithPath: name, isDirectory: true))
  }

  /// The one folder that is named.
  private static func folder(_ arguments: Arguments, of action: String) throws -> URL {
    guard arguments.positional.count == 1, let name = arguments.positional.first else {
      throw UsageError("\(action) takes one folder.")
    }
    guard !PackAddress.isAddress(name) else {
      throw FileFault("\(name) is an address, and \(action) works on a folder. Name one.")
    }
    return URL(fileURLWithPath: name, isDirectory: true)
  }

  private static func summary(_ manifest: CharacterManifest) -> String {
    let bytes = manifest.files.reduce(0) { $0 + $1.size }
    let files = manifest.files.count == 1 ? "1 file" : "\(manifest.files.count) files"
    return "\(manifest.character) \(manifest.version): \(files), \(bytes) bytes"
  }
}
