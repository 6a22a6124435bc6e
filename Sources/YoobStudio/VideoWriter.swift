import Foundation
import VoiceAudio

/// Writes a film with sound through the `ffmpeg` program; the file appears whole or not at all.
///
/// ```swift
/// let writer = try VideoWriter(output: url, width: 720, height: 1280, fps: 30, sound: clip)
/// for frame in frames { try writer.append(frame) }
/// try writer.finish()
/// ```
public final class VideoWriter {
  /// A mark in the film that players list.
  public struct Chapter: Sendable, Equatable {
    public var title: String
    /// Seconds.
    public var start: Double
    public var end: Double
    public init(title: String, start: Double, end: Double) {
      self.title = title
      self.start = start
      self.end = end
    }
  }

  private let output: URL
  private let partial: URL
  private let folder: URL
  private let process: ChildProcess
  private let frameBytes: Int
  private var isOpen = true

  /// Opens the film. `output` ends in `.mp4`, `.webm` or `.mov`; the last two keep transparency.
  ///
  /// - Parameters:
  ///   - width: pixels, even.
  ///   - height: pixels, even.
  ///   - fps: frames per second.
  ///   - sound: the whole sound, from the first frame on.
  ///   - subtitles: the text of an SRT file, with one cue or more, to draw into the picture, if any.
  public init(
    output: URL, width: Int, height: Int, fps: Int, sound: AudioClip, isTransparent: Bool = false,
    chapters: [Chapter] = [], subtitles: String? = nil
  ) throws(StudioError) {
    let output = output.resolvingSymlinksInPath()
    self.output = output
    let kind = output.pathExtension.lowercased()
    LeftOvers.sweep(film: output)
    partial = LeftOvers.part(of: output)
    folder = LeftOvers.temporaryName()
    frameBytes = width * height * 4
    TemporaryFiles.add(folder)
    TemporaryFiles.add(partial)
    let wav = folder.appendingPathComponent("sound.wav")
    let marks = folder.appendingPathComponent("chapters.txt")
    do {
      try LeftOvers.makeFolder(folder)
      try Self.write(sound, to: wav)
      try Data(Self.metadata(chapters).utf8).write(to: marks)
      if let subtitles { try Data(subtitles.utf8).write(to: folder.appendingPathComponent("s.srt")) }
    } catch {
      TemporaryFiles.remove(folder)
      throw .unwritable(path: folder.path, reason: WriteFault.reason(error))
    }
    var arguments = [
      "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
      "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(width)x\(height)", "-r", "\(fps)", "-i", "pipe:0",
      "-i", wav.path, "-i", marks.path, "-map", "0:v", "-map", "1:a", "-map_metadata", "2",
    ]
    // By its name alone, which needs no escapes: the program runs in the folder.
    if subtitles != nil { arguments += ["-vf", "subtitles=s.srt"] }
    switch (kind, isTransparent) {
    case ("mp4", false):
      arguments += [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p",
        "-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart",
      ]
    case ("webm", _):
      arguments += [
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1",
        "-crf", "28", "-b:v", "0", "-pix_fmt", isTransparent ? "yuva420p" : "yuv420p",
        "-c:a", "libopus", "-b:a", "96k",
      ]
    case ("mov", true):
      arguments += ["-c:v", "png", "-pix_fmt", "rgba", "-c:a", "pcm_s16le"]
    case ("mov", false):
      arguments += [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p",
        "-c:a", "aac", "-b:a", "128k",
      ]
    default:
      TemporaryFiles.remove(folder)
      throw .unsupportedFormat(output.lastPathComponent)
    }
    do {
      process = try ChildProcess("ffmpeg", arguments + [partial.path], in: folder)
    } catch {
      TemporaryFiles.remove(folder)
      throw error
    }
  }

  deinit { cancel() }

  /// Adds a frame: `width` x `height` RGBA, straight alpha, rows from the top.
  public func append(_ pixels: UnsafeRawBufferPointer) throws(StudioError) {
    guard isOpen, pixels.count == frameBytes else {
      throw .encoderFailed("a frame of \(pixels.count) bytes instead of \(frameBytes)")
    }
    try process.write(pixels)
  }

  /// Completes the film and puts it in its place.
  public func finish() throws(StudioError) {
    guard isOpen else { return }
    isOpen = false
    defer { TemporaryFiles.remove(folder) }
    do {
      try process.finish()
    } catch {
      TemporaryFiles.remove(partial)
      throw error
    }
    guard rename(partial.path, output.path) == 0 else {
      let reason = WriteFault.reason(errno)
      TemporaryFiles.remove(partial)
      throw .unwritable(path: output.path, reason: reason)
    }
    TemporaryFiles.keep(partial)
  }

  /// Gives up: nothing stays behind. Does nothing after `finish()`.
  public func cancel() {
    guard isOpen else { return }
    isOpen = false
    process.cancel()
    TemporaryFiles.remove(partial)
    TemporaryFiles.remove(folder)
  }

  /// Writes the sound in pieces: as bytes, hours of it would take as much memory again.
  private static func write(_ sound: AudioClip, to url: URL) throws {
    try Data(WAV.header(sampleRate: sound.sampleRate, dataBytes: sound.samples.count * 2)).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.seekToEnd()
    let piece = 1 << 20
    for start in stride(from: 0, to: sound.samples.count, by: piece) {
      let end = min(start + piece, sound.samples.count)
      try file.write(contentsOf: Data(PCM16.encode(Array(sound.samples[start..<end]))))
    }
  }

  private static func metadata(_ chapters: [Chapter]) -> String {
    var text = ";FFMETADATA1\n"
    for chapter in chapters {
      text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(Int(chapter.start * 1000))\n"
      text += "END=\(Int(chapter.end * 1000))\ntitle=\(escape(chapter.title))\n"
    }
    return text
  }

  private static func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      if "=;#\\\n".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
