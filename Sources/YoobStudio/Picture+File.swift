import Foundation
import YoobPicture

extension Picture {
  /// Reads a PNG or JPEG and scales and crops it so that it covers `width` x `height`.
  public static func covering(
    width: Int, height: Int, contentsOf url: URL
  ) throws(StudioError) -> Picture {
    guard let head = try? FileHandle(forReadingFrom: url).read(upToCount: 8), head.count >= 4 else {
      throw .unreadablePicture(path: url.path, reason: "the file cannot be opened or is empty")
    }
    let isPNG = head.starts(with: [0x89, 0x50, 0x4E, 0x47])
    let isJPEG = head.starts(with: [0xFF, 0xD8, 0xFF])
    guard isPNG || isJPEG else {
      throw .unreadablePicture(path: url.path, reason: "it is neither PNG nor JPEG")
    }
    let filter =
      "scale=\(width):\(height):force_original_aspect_ratio=increase:flags=lanczos,crop=\(width):\(height)"
    let data = try ChildProcess.output(
      "ffmpeg",
      [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-f", isPNG ? "png_pipe" : "jpeg_pipe",
        "-i", url.path, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", "-pix_fmt", "rgba",
        "pipe:1",
      ])
    guard let data, data.count == width * height * 4 else {
      throw .unreadablePicture(path: url.path, reason: "its bytes are damaged")
    }
    return Picture(width: width, height: height, pixels: Array(data))
  }
}
