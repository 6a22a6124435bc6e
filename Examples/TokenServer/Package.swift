// swift-tools-version: 6.1
import PackageDescription

// To copy this example, set the path of the package, or its address.
let package = Package(
  name: "TokenServer",
  platforms: [.macOS(.v14)],
  dependencies: [
    // Without traits nothing of the voice engines is needed.
    .package(name: "yoob", path: "../..", traits: [])
  ],
  targets: [
    .target(
      name: "TokenServerCore",
      dependencies: ["YoobNet", "YoobWire", "YoobCrypto", "YoobServer"].map {
        .product(name: $0, package: "yoob")
      }),
    .executableTarget(
      name: "TokenServer",
      dependencies: ["TokenServerCore", .product(name: "YoobServer", package: "yoob")]),
  ]
)
