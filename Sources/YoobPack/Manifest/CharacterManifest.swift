/// What a character pack says about itself, schema 1: its picture, its files and their hashes.
public struct CharacterManifest: Sendable, Codable, Equatable {
  /// One file of the pack, in chunks whose address is their hash.
  public struct File: Sendable, Codable, Equatable {
    /// A part of a file, fetched by its hash.
    public struct Chunk: Sendable, Codable, Equatable {
      /// SHA-256 of the chunk, lowercase hex.
      public var sha256: String
      /// Bytes, 1...16 MiB.
      public var size: Int
    }
    /// Path inside the pack: relative, with `/`, without `.` or `..`.
    public var path: String
    /// Bytes.
    public var size: Int
    /// SHA-256 of the whole file, lowercase hex.
    public var sha256: String
    /// 0 poster, 1 idle, 2 models, 3 rest.
    public var tier: Int
    /// In the order of the file; their sizes add up to its size.
    public var chunks: [Chunk]
  }

  /// Frames that are shown before the face moves; ours are drawn, so the list is empty.
  public struct Idle: Sendable, Codable, Equatable {
    /// Paths of pictures.
    public var frames: [String]
    /// Frames per second, above 0 and at most 60.
    public var fps: Double
  }

  /// A square of the canvas, in its pixels.
  public struct Crop: Sendable, Codable, Equatable {
    /// Columns left of the square.
    public var x: Int
    /// Rows above the square.
    public var y: Int
    /// Length of a side.
    public var size: Int
  }

  /// 1.
  public var schema: Int
  /// `^[a-z0-9][a-z0-9-]{0,63}$`.
  public var character: String
  /// `YYYY.MM.DD.n`.
  public var version: String
  /// How the pack is drawn: "puppet".
  public var engine: String
  /// What people call the character.
  public var displayName: String
  /// Size of the canvas in pixels, 1...4096 each.
  public var width: Int
  /// Rows of the canvas.
  public var height: Int
  /// The head and shoulders, within the canvas; nil where the pack does not say.
  public var crop: Crop?
  /// Path of the picture that stands until the face is drawn.
  public var poster: String
  /// Pictures that move before the face does; nil where there are none.
  public var idle: Idle?
  /// Oldest version of the SDK that draws it, "a.b.c".
  public var minSDK: String?
  /// Every file of the pack, the poster included.
  public var files: [File]
}
