import VoiceIO

/// `yoob devices`: lists the microphones and loudspeakers of this machine.
struct DevicesCommand {
  static let usage = """
    Usage: yoob devices [--json]

    Lists the microphones and loudspeakers of this machine; * marks those that are
    taken when none is named.
      --json  the same as JSON
    """

  private struct Document: Encodable {
    struct Device: Encodable {
      var id: String
      var name: String
      var kind: String
      var isDefault: Bool

      enum CodingKeys: String, CodingKey {
        case id, name, kind
        case isDefault = "default"
      }
    }
    var devices: [Device]
  }

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, flags: ["--json"])
    guard arguments.positional.isEmpty else {
      throw UsageError("“\(arguments.positional[0])” belongs to no option.")
    }
    let devices = try AudioDevice.list()
    if arguments.has("--json") {
      let document = Document(
        devices: devices.map {
          .init(id: $0.id, name: $0.name, kind: $0.kind.rawValue, isDefault: $0.isDefault)
        })
      try JSONOutput.write(document)
      return 0
    }
    for (kind, title) in [(AudioDevice.Kind.microphone, "Microphones"), (.loudspeaker, "Loudspeakers")] {
      Console.out("\(title):")
      let some = devices.filter { $0.kind == kind }
      if some.isEmpty { Console.out("    none") }
      for device in some {
        Console.out("  \(device.isDefault ? "*" : " ") \(device.name)  (\(device.id))")
      }
    }
    return 0
  }
}
