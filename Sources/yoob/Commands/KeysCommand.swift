import Foundation
import YoobCrypto
import YoobPack

/// `yoob keys`: makes the keys that characters are signed with.
struct KeysCommand {
  static let usage = """
    Usage: yoob keys signing create --output FILE [--id ID]

    Makes a key that signs characters (yoob pack sign) and writes it to a new file
    that only you can read. Whoever has the file can sign in your name: keep it,
    back it up, and give away the public key only.
      --output FILE  where to write it; a file that is there is never replaced
      --id ID        what packs call the key: letters, digits, dots, _ and -
                     (default: made from the key itself)
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, options: ["--output", "--id"])
    guard arguments.positional == ["signing", "create"] else {
      let given = arguments.positional.joined(separator: " ")
      throw UsageError(
        given.isEmpty
          ? "Say what to make: keys signing create --output FILE." : "There is no “keys \(given)”.")
    }
    guard let output = arguments["--output"] else { throw UsageError("signing create needs --output FILE.") }
    let key = try SigningKey(id: arguments["--id"], privateKey: .generate())
    try key.create(at: output)
    Console.out("id: \(key.id)")
    Console.out("public key: \(key.privateKey.publicKey.base64)")
    return 0
  }
}
