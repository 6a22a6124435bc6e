// POSIX as Linux has it, and what is named otherwise on Apple's systems.
@_exported import Glibc

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}
