extension TokenServer {
  /// What `--help` prints.
  public static let help: String = {
    var lines = [
      "TokenServer [--host ADDRESS] [--port PORT]: exchanges your keys for short-lived grants.", "",
      "Routes, all POST: " + TokenRoute.allCases.map(\.rawValue).joined(separator: " "), "",
      "Listens on 127.0.0.1:3100. Variables (defaults in brackets):",
    ]
    let width = TokenServerSettings.variables.map(\.name.count).max() ?? 0
    for (name, meaning) in TokenServerSettings.variables {
      lines.append("  " + name + String(repeating: " ", count: width + 2 - name.count) + meaning)
    }
    return
      (lines + [
        "",
        "SIGTERM and Ctrl-C stop it: requests at work have \(Int(TokenServer.patience)) s, those left are answered with 503.",
        "A second signal ends it at once.",
        "", "README.md says what each route does and what you have to replace.", "",
      ])
      .joined(separator: "\n")
  }()
}
