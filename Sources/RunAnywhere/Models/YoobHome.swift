import Foundation

/// The folder under which set-up keeps models, engines and logs.
public enum YoobHome {
  /// `$YOOB_HOME`, or `~/.cache/yoob` when it is not set.
  public static var folder: URL {
    folder(environment: ProcessInfo.processInfo.environment)
  }

  static func folder(environment: [String: String]) -> URL {
    if let path = environment["YOOB_HOME"], !path.isEmpty {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return FileManager.default.homeDirectoryForCurrentUser
      .appendingPathComponent(".cache/yoob", isDirectory: true)
  }

  /// The checkout whose scripts can prepare models; nil for a program that was copied elsewhere.
  ///
  /// It is `$YOOB_CHECKOUT`, or the nearest folder above the program that has the scripts.
  public static var checkout: URL? {
    if let path = ProcessInfo.processInfo.environment["YOOB_CHECKOUT"], !path.isEmpty {
      let folder = URL(fileURLWithPath: path, isDirectory: true)
      return hasScripts(folder) ? folder : nil
    }
    guard let program = Bundle.main.executablePath else { return nil }
    var folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      if hasScripts(folder) { return folder }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func hasScripts(_ folder: URL) -> Bool {
    FileManager.default.isExecutableFile(
      atPath: folder.appendingPathComponent(ModelPreparation.script).path)
  }
}
