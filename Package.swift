// swift-tools-version: 6.1
import PackageDescription

// Engines come from libraries that set-up puts under $YOOB_HOME/runtime; `pkg-config` finds them
// through $YOOB_HOME/runtime/pkgconfig (`./run` sets PKG_CONFIG_PATH). A trait removes each of them.
let package = Package(
  name: "yoob",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Yoob", targets: ["Yoob"]),
    .library(name: "RunAnywhere", targets: ["RunAnywhere"]),
    .library(name: "RunAnywhereHTTP", targets: ["RunAnywhereHTTP"]),
    .library(name: "RunAnywhereHibari", targets: ["RunAnywhereHibari"]),
    .library(name: "RunAnywhereLlama", targets: ["RunAnywhereLlama"]),
    .library(name: "RunAnywhereSherpa", targets: ["RunAnywhereSherpa"]),
    .library(name: "VoiceAudio", targets: ["VoiceAudio"]),
    .library(name: "VoiceIO", targets: ["VoiceIO"]),
    .library(name: "VoiceProcessing", targets: ["VoiceProcessing"]),
    .library(name: "YoobTesting", targets: ["YoobTesting"]),
    .library(name: "YoobFace", targets: ["YoobFace"]),
    .library(name: "YoobServer", targets: ["YoobServer"]),
    .library(name: "YoobNet", targets: ["YoobNet"]),
    .library(name: "YoobWire", targets: ["YoobWire"]),
    .library(name: "YoobCrypto", targets: ["YoobCrypto"]),
    .library(name: "YoobWindow", targets: ["YoobWindow"]),
    .executable(name: "yoob", targets: ["yoob"]),
    .executable(name: "YoobFaceWasm", targets: ["YoobFaceWasm"]),
  ],
  traits: [
    .default(enabledTraits: ["Sherpa", "Llama", "Pulse", "EchoCancellation", "Window"]),
    .trait(name: "Sherpa", description: "Speech engines on onnxruntime"),
    .trait(name: "Llama", description: "Language models on llama.cpp"),
    .trait(name: "EchoCancellation", description: "Echo cancellation by WebRTC's audio processing"),
    .trait(name: "Pulse", description: "Microphones and loudspeakers of PulseAudio and PipeWire"),
    .trait(name: "Window", description: "A window for an avatar, by SDL2"),
  ],
  targets: [
    // Pure cores: no Foundation, no clock, no I/O; they build to WebAssembly too.
    .target(name: "VoiceAudio"),
    .target(name: "YoobFace", dependencies: ["VoiceAudio"]),
    .target(name: "CWasmRuntime"),
    .executableTarget(name: "YoobFaceWasm", dependencies: ["YoobFace", "CWasmRuntime"]),
    // The native half of `scripts/wasm-equality`.
    .executableTarget(name: "YoobFaceGolden", dependencies: ["YoobFace"]),

    // Counts what a program that links it allocates; see its header.
    .target(name: "CAllocationCounter"),
    .executableTarget(
      name: "YoobFaceAllocations",
      dependencies: ["YoobFace", "YoobPicture", "YoobStudio", "CAllocationCounter"]),

    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "YoobCrypto",
      dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    .target(name: "YoobPack", dependencies: ["YoobCrypto"]),
    .target(name: "YoobWire"),
    .systemLibrary(
      name: "CLWS", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
    .target(
      name: "YoobNet",
      dependencies: [
        "YoobWire", .target(name: "CLWS", condition: .when(platforms: [.linux])),
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .target(
      name: "VoiceIO",
      dependencies: [
        "VoiceAudio", .target(name: "CPulse", condition: .when(platforms: [.linux], traits: ["Pulse"])),
      ]),
    .systemLibrary(name: "CVoiceProcessing", pkgConfig: "yoob-voice-processing"),
    .target(
      name: "VoiceProcessing",
      dependencies: [
        "VoiceAudio",
        .target(
          name: "CVoiceProcessing",
          condition: .when(platforms: [.linux], traits: ["EchoCancellation"])),
      ]),

    .target(name: "RunAnywhere", dependencies: ["VoiceAudio", "VoiceIO", "YoobCrypto"]),
    .systemLibrary(name: "COrt", pkgConfig: "yoob-onnxruntime"),
    .systemLibrary(name: "CLlama", pkgConfig: "yoob-llama"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "RunAnywhereOnnx",
      dependencies: [.target(name: "COrt", condition: .when(platforms: [.linux], traits: ["Sherpa"]))]),
    .target(name: "RunAnywhereSherpa", dependencies: ["RunAnywhere", "RunAnywhereOnnx", "VoiceAudio"]),
    .target(
      name: "RunAnywhereHibari",
      dependencies: ["RunAnywhere", "RunAnywhereOnnx", "VoiceAudio", "VoiceIO", "CZlib"]),
    .target(
      name: "RunAnywhereLlama",
      dependencies: [
        "RunAnywhere",
        .target(name: "CLlama", condition: .when(platforms: [.linux], traits: ["Llama"])),
      ]),

    .target(name: "RunAnywhereHTTP", dependencies: ["RunAnywhere", "VoiceIO", "YoobNet"]),

    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(
      name: "YoobPicture",
      dependencies: ["YoobFace", .target(name: "CPNG", condition: .when(platforms: [.linux]))]),
    .target(name: "YoobStudio", dependencies: ["YoobFace", "YoobPack", "YoobPicture", "VoiceAudio"]),
    .target(
      name: "Yoob",
      dependencies: [
        "VoiceAudio", "VoiceIO", "VoiceProcessing", "YoobFace", "YoobPicture", "YoobPack", "YoobWire",
        "YoobNet",
      ]),
    .systemLibrary(name: "CSDL", providers: [.apt(["libsdl2-dev", "libsdl2-ttf-dev"])]),
    .target(
      name: "YoobWindow",
      dependencies: [
        "Yoob", "VoiceIO", .target(name: "CSDL", condition: .when(platforms: [.linux], traits: ["Window"])),
      ]),
    // Scores of lip movement against phones whose times are known.
    .target(name: "YoobLipSync", dependencies: ["YoobFace", "VoiceAudio"]),
    .target(name: "YoobServer", dependencies: ["YoobWire", "YoobNet"]),
    .target(name: "YoobLocalVoice", dependencies: ["RunAnywhere", "YoobWire", "VoiceAudio", "VoiceIO"]),
    .target(name: "YoobTesting", dependencies: ["RunAnywhere", "VoiceIO", "VoiceAudio", "YoobWire"]),
    .executableTarget(
      name: "yoob",
      dependencies: [
        "VoiceAudio", "YoobFace", "YoobPack", "YoobCrypto", "YoobWire", "YoobNet", "VoiceIO",
        "VoiceProcessing", "RunAnywhere", "RunAnywhereSherpa", "RunAnywhereHibari", "RunAnywhereLlama",
        "RunAnywhereHTTP", "YoobStudio", "YoobPicture", "YoobLipSync",
        "YoobServer", "YoobLocalVoice", "YoobTesting", "Yoob", "YoobWindow",
      ]),

    .testTarget(name: "YoobPackTests", dependencies: ["YoobPack", "YoobCrypto"]),
    .testTarget(name: "VoiceAudioTests", dependencies: ["VoiceAudio"]),
    .testTarget(
      name: "VoiceIOTests",
      dependencies: ["VoiceIO", "VoiceAudio", "VoiceProcessing", "YoobTesting"]),
    .testTarget(name: "VoiceProcessingTests", dependencies: ["VoiceProcessing", "VoiceAudio", "VoiceIO"]),
    .testTarget(
      name: "RunAnywhereTests", dependencies: ["RunAnywhere", "VoiceIO", "VoiceAudio", "YoobTesting"]),
    .testTarget(name: "YoobCryptoTests", dependencies: ["YoobCrypto"]),
    .testTarget(
      name: "RunAnywhereEnginesTests",
      dependencies: [
        "RunAnywhere", "RunAnywhereOnnx", "RunAnywhereSherpa", "RunAnywhereHibari", "RunAnywhereLlama",
        "RunAnywhereHTTP", "VoiceAudio", "VoiceIO", "VoiceProcessing", "YoobFace",
      ]),
    .testTarget(
      name: "RunAnywhereHTTPTests",
      dependencies: ["RunAnywhereHTTP", "RunAnywhere", "VoiceAudio", "VoiceIO", "YoobNet"]),
    .testTarget(name: "YoobPictureTests", dependencies: ["YoobPicture", "YoobFace"]),
    .testTarget(name: "YoobStudioTests", dependencies: ["YoobStudio", "YoobPicture"]),
    .testTarget(
      name: "YoobTests",
      dependencies: [
        "Yoob", "YoobFace", "YoobNet", "YoobPack", "YoobCrypto", "YoobWire", "VoiceIO", "VoiceAudio",
        "YoobTesting", "YoobServer", "ScriptedAgent", "ScriptedGemini",
      ]),
    .testTarget(name: "YoobWindowTests", dependencies: ["YoobWindow", "Yoob", "VoiceIO"]),
    .testTarget(name: "YoobFaceTests", dependencies: ["YoobFace", "YoobPicture", "VoiceAudio"]),
    .testTarget(name: "YoobLipSyncTests", dependencies: ["YoobLipSync", "YoobFace"]),
    .testTarget(
      name: "RunAnywhereModelsTests", dependencies: ["RunAnywhere", "VoiceAudio", "YoobCrypto"]),
    .testTarget(name: "YoobWireTests", dependencies: ["YoobWire", "VoiceAudio"]),
    .testTarget(name: "YoobNetTests", dependencies: ["YoobNet"]),
    .testTarget(name: "YoobServerTests", dependencies: ["YoobServer", "YoobNet", "YoobWire"]),
    .testTarget(
      name: "YoobLocalVoiceTests",
      dependencies: [
        "YoobLocalVoice", "YoobTesting", "RunAnywhere", "VoiceIO", "VoiceAudio", "YoobWire",
      ]),
    // Examples are packages of their own; these targets compile and test them here.
    .target(
      name: "TokenServerCore", dependencies: ["YoobNet", "YoobWire", "YoobCrypto", "YoobServer"],
      path: "Examples/TokenServer/Sources/TokenServerCore"),
    .executableTarget(
      name: "TokenServer", dependencies: ["TokenServerCore", "YoobServer"],
      path: "Examples/TokenServer/Sources/TokenServer"),
    .testTarget(
      name: "TokenServerTests",
      dependencies: ["TokenServerCore", "YoobNet", "YoobWire", "YoobCrypto", "YoobServer"]),
    // The server that the clients of Tests/wire talk to.
    .executableTarget(
      name: "YoobWireTestServer",
      dependencies: ["YoobServer", "YoobWire", "YoobNet", "ScriptedAgent", "ScriptedGemini"],
      path: "Tests/wire/Server"),
    // What the clients of others talk to, and our own: an agent and a provider's service, by a script.
    .target(name: "ScriptedAgent", dependencies: ["YoobWire"], path: "Tests/wire/ScriptedAgent"),
    .target(
      name: "ScriptedGemini", dependencies: ["YoobNet", "YoobWire"], path: "Tests/wire/ScriptedGemini"),
  ]
)
