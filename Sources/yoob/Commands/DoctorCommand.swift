import Foundation
import RunAnywhere

/// `yoob doctor`: what this machine has, what is missing and the command that mends it.
struct DoctorCommand {
  static let usage = """
    Usage: yoob doctor [--json]

    Looks at the tools, libraries, models and resources of this machine, and names
    the command that mends what is missing. Exit code 1 when something is missing
    that a conversation needs.
      --json  the same as JSON
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json"])
    guard arguments.positional.isEmpty else { throw UsageError("doctor takes no argument.") }
    let findings = await Doctor.standard.examine()
    let isFit = !findings.contains { $0.state == .missing && $0.isEssential }
    if arguments.has("--json") {
      try JSONOutput.write(DoctorReport(isFit: isFit, findings: findings))
      return isFit ? 0 : 1
    }
    for finding in findings {
      let mark =
        switch finding.state {
        case .fine: "ok     "
        case .missing: finding.isEssential ? "MISSING" : "missing"
        case .poor: "note   "
        }
      Console.out("\(mark)  \(finding.subject): \(finding.detail)")
      if let remedy = finding.remedy { Console.out("         mend it: \(remedy)") }
    }
    let missing = findings.filter { $0.state == .missing }.count
    Console.out(
      isFit
        ? (missing == 0
          ? "Everything is here."
          : "Ready to talk. Not needed for that, and missing: \(missing); see above.")
        : "Not ready to talk; see MISSING above.")
    return isFit ? 0 : 1
  }
}

private struct DoctorReport: Encodable {
  var isFit: Bool
  var findings: [Doctor.Finding]

  enum CodingKeys: String, CodingKey {
    case isFit = "ready"
    case findings
  }
}
