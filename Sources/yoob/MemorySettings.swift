import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// How this program's memory is given out.
enum MemorySettings {
  /// Returns what engines free to the system: their work moves between threads, and glibc's habits, a heap
  /// for each thread and large blocks that are kept, cost a conversation 100 MB.
  static func holdLittle() {
    #if canImport(Glibc)
      typealias Setter = @convention(c) (Int32, Int32) -> Int32
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let set = unsafeBitCast(symbol, to: Setter.self)
      let (largeBlockFrom, mostHeaps): (Int32, Int32) = (-3, -8)  // malloc.h: M_MMAP_THRESHOLD, M_ARENA_MAX
      _ = set(largeBlockFrom, 1 << 20)
      _ = set(mostHeaps, 2)
    #endif
  }
}
