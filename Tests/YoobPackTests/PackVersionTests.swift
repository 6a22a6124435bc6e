import Testing

@testable import YoobPack

@Suite("Versions of packs and SDKs")
struct PackVersionTests {
  @Test("versions are ordered as numbers, not as text")
  func order() throws {
    let texts = [
      "2025.12.31.99", "2026.01.02.3", "2026.11.30.2", "2026.11.30.9", "2026.11.30.10", "2027.01.01.0",
    ]
    let versions = try texts.map { try #require(PackVersion($0)) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(versions.map(\.description) == texts)
  }

  @Test(
    "anything but YYYY.MM.DD.n is no version",
    arguments: [
      "", "2026", "2026.11.30", "2026.11.30.", "2026.11.30.1.2", "2026.1.30.1", "2026.11.3.1", "2026.13.01.1",
      "2026.00.01.1", "2026.11.32.1", "2026.11.00.1", "2026.11.30.01", "2026.11.30.-1", "2026.11.30.+1",
      "2026.11.30.1 ", " 2026.11.30.1", "2026.11.30.1a", "2026.11.30.1234567890", "２０２６.11.30.1", "latest",
      "../2026.11.30.1", "2026.11.30.1\n", "2026/11/30/1",
    ])
  func refused(text: String) {
    #expect(PackVersion(text) == nil)
  }

  @Test("a manifest that needs a newer SDK is refused with both versions in the message")
  func minimumSDK() throws {
    var manifest = try MadePack.usual().manifest
    manifest.minSDK = "1.10.0"
    for (version, isFine) in [("1.9.9", false), ("1.10.0", true), ("1.10.1", true), ("2.0.0", true)] {
      let sdk = try #require(SDKVersion(version))
      if isFine {
        try manifest.requireSDK(sdk)
      } else {
        #expect(throws: PackError.unsupported(reason: "it needs version 1.10.0, this is 1.9.9")) {
          try manifest.requireSDK(sdk)
        }
      }
    }
  }

  @Test(
    "anything but a.b.c is no SDK version", arguments: ["", "1", "1.2", "1.2.3.4", "1.2.x", "01.2.3", "1..3"])
  func refusedSDK(text: String) {
    #expect(SDKVersion(text) == nil)
  }
}
