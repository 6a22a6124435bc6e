import Foundation

#if canImport(Glibc)
  import Glibc
#endif

// A reader that goes away must not end the program without a word.
signal(SIGPIPE, SIG_IGN)
// Nor must a limit of the size of files (ulimit -f): the write fails, and that is told.
signal(SIGXFSZ, SIG_IGN)

exit(await CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
