import Foundation
import VoiceIO
import YoobFace
import YoobPack
import YoobPicture

/// A character whose files are checked and decoded.
struct LoadedCharacter: Sendable {
  /// Keeps the files in use while the character lives.
  let pack: any CharacterPack
  let face: FaceBox
  let atlas: PixelImage
  let puppet: Puppet

  /// Reads every file of the pack that a face needs.
  static func load(_ pack: any CharacterPack, seed: UInt64 = 1) throws(YoobError) -> LoadedCharacter {
    func bytes(_ name: String) throws(YoobError) -> [UInt8] {
      do { return try pack.read(name) } catch { throw YoobError(error) }
    }
    let mouth = pack.manifest.files.contains { $0.path == "mouth.bin" } ? try bytes("mouth.bin") : []
    let atlas: PixelImage
    do {
      atlas = try PNGImage.decode(try bytes("atlas.png"), name: "atlas.png").atlas
    } catch let error as YoobError {
      throw error
    } catch {
      throw .invalidAssets(error.localizedDescription)
    }
    do {
      let engine = try FaceEngine(puppet: try bytes("puppet.bin"), mouth: mouth, seed: seed)
      let puppet = engine.puppet
      return LoadedCharacter(
        pack: pack, face: FaceBox(engine), atlas: atlas, puppet: puppet)
    } catch let error as YoobError {
      throw error
    } catch {
      throw .invalidAssets("\(error)")
    }
  }
}

extension YoobError {
  /// What a refused pack means to the app.
  init(_ error: PackError) {
    switch error {
    case .unsupported(let reason): self = .unsupported(reason)
    case .busy, .unwritable: self = .renderer(error.errorDescription ?? "\(error)")
    default: self = .invalidAssets(error.errorDescription ?? "\(error)")
    }
  }
}
