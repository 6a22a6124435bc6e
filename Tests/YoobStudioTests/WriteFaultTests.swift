import Foundation
import Testing

@testable import YoobStudio

@Suite("Reasons why something cannot be written")
struct WriteFaultTests {
  private static let cases: [(Int32, String, String)] = [
    (ENOSPC, "the disk is full", "Free some space"), (EDQUOT, "quota", "Free some space"),
    (EFBIG, "too large", "ulimit -f"), (EACCES, "no permission", "Write elsewhere"),
    (EROFS, "read-only", "Write elsewhere"), (ENOENT, "does not exist", "Create it"),
  ]

  @Test("each says why and what to do", arguments: cases)
  func codes(code: Int32, why: String, what: String) {
    #expect(WriteFault.reason(code).contains(why))
    #expect(WriteFault.reason(code).contains(what))
  }

  @Test("an error of Foundation is told by the error below it", arguments: cases)
  func foundation(code: Int32, why: String, what: String) {
    let below = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
    let error = NSError(domain: NSCocoaErrorDomain, code: 512, userInfo: [NSUnderlyingErrorKey: below])
    #expect(WriteFault.reason(error) == WriteFault.reason(code))
  }

  @Test("Foundation's own codes are known too")
  func cocoa() {
    #expect(WriteFault.reason(CocoaError(.fileWriteOutOfSpace)) == WriteFault.reason(ENOSPC))
    #expect(WriteFault.reason(CocoaError(.fileWriteNoPermission)) == WriteFault.reason(EACCES))
    #expect(WriteFault.reason(CocoaError(.fileWriteVolumeReadOnly)) == WriteFault.reason(EROFS))
  }

  @Test("what cannot be read is not to be written elsewhere")
  func reading() {
    #expect(WriteFault.reading(CocoaError(.fileReadNoPermission)).contains("Change its permissions"))
    #expect(WriteFault.reading(CocoaError(.fileReadNoSuchFile)) == "it does not exist")
    let error = NSError(domain: NSPOSIXErrorDomain, code: Int(EIO))
    #expect(WriteFault.reading(error) == String(cString: strerror(EIO)))
  }

  @Test("a real failure of a write is told")
  func realFailure() {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)/x"
    do {
      try Data([1]).write(to: URL(fileURLWithPath: path), options: .atomic)
      Issue.record("\(path) was written")
    } catch {
      #expect(WriteFault.reason(error) == WriteFault.reason(ENOENT))
    }
  }

  @Test("a program's complaint is told as the reason that it names")
  func complaint() {
    #expect(WriteFault.reason(in: "av_interleaved_write_frame(): File too large") == WriteFault.reason(EFBIG))
    #expect(WriteFault.reason(in: "x.mp4: No space left on device\n") == WriteFault.reason(ENOSPC))
    #expect(WriteFault.reason(in: "Unknown encoder") == nil)
  }
}
