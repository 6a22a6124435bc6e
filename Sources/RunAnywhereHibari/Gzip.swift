import CZlib
import Foundation

/// Reading of gzip files.
enum Gzip {
  struct Damaged: Error, LocalizedError {
    var errorDescription: String? { "it is damaged or no gzip file" }
  }

  /// The content of a gzip file, at most `limit` bytes.
  static func inflate(_ data: Data, limit: Int = 64 << 20) throws -> [UInt8] {
    var stream = z_stream()
    let gzipWindow: Int32 = 15 + 16
    guard
      inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw Damaged() }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    output.reserveCapacity(min(limit, data.count * 5))
    var input = [UInt8](data)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let status: Int32 = input.withUnsafeMutableBufferPointer { input in
      block.withUnsafeMutableBufferPointer { block in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(clamping: input.count)
        var status = Z_OK
        while status == Z_OK, output.count <= limit {
          stream.next_out = block.baseAddress
          stream.avail_out = UInt32(block.count)
          status = CZlib.inflate(&stream, Z_NO_FLUSH)
          output.append(contentsOf: block[..<(block.count - Int(stream.avail_out))])
        }
        return status
      }
    }
    guard status == Z_STREAM_END, output.count <= limit else { throw Damaged() }
    return output
  }
}
