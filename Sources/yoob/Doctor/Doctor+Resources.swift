import Foundation
import VoiceIO
import YoobWindow

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Doctor {
  private static let gigabyte = 1_000_000_000.0

  func disk() -> Finding {
    guard let free = store.bytesFree else { return .poor("disk", "the system does not say how much is free") }
    let text = String(format: "%.1f GB free for %@", Double(free) / Self.gigabyte, home.path)
    return free > 2_000_000_000
      ? .fine("disk", text)
      : .poor("disk", text + "; set-up needs about 2 GB", remedy: "free some space, or set YOOB_HOME")
  }

  func memory() -> Finding {
    let bytes = Double(ProcessInfo.processInfo.physicalMemory)
    let text = String(format: "%.1f GB", bytes / Self.gigabyte)
    return bytes > 1.8 * Self.gigabyte
      ? .fine("memory", text) : .poor("memory", text + "; a conversation takes about 0.7 GB, a build 2 GB")
  }

  func processor() -> Finding {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("flags") }
      .map { Set($0.split(separator: " ").map(String.init)) }
    if let flags, !flags.contains("avx2") || !flags.contains("fma") {
      return .missing(
        "processor", "\(cores) cores without AVX2 and FMA, which the language model's engine needs",
        essential: true, remedy: nil)
    }
    return cores >= 2
      ? .fine("processor", "\(cores) cores")
      : .poor("processor", "1 core; replies are slow to start with fewer than 2")
  }

  /// The microphone and the loudspeaker of `yoob talk`.
  func sound() -> Finding {
    do {
      let devices = try AudioDevice.list()
      let chosen = try [AudioDevice.Kind.microphone, .loudspeaker].map { try devices.choose(nil, $0).name }
      return .fine("sound", "microphone “\(chosen[0])”, loudspeaker “\(chosen[1])”")
    } catch {
      return .poor("sound", "\(error.text) The page needs none of this.")
    }
  }

  /// The display of `yoob talk --window`.
  func window() async -> Finding {
    do {
      return .fine("window", try await AvatarWindow.examine())
    } catch {
      return .poor("window", "\(error.text) The page and the terminal need none of this.")
    }
  }

  /// Whether the page's default port can be listened on.
  func port(_ number: UInt16) -> Finding {
    let subject = "port \(number)"
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return .poor(subject, "not looked at: no socket to be had") }
    defer { close(descriptor) }
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if bound == 0 { return .fine(subject, "free on 127.0.0.1") }
    return .poor(
      subject, "in use: \(String(cString: strerror(errno)))",
      remedy: "./run serve --demo --port \(number + 1)")
  }
}
