import Foundation
import Testing

@testable import RunAnywhere

@Suite("Model store")
struct ModelStoreTests {
  let temporary: TemporaryStore
  let model: ModelInfo
  var store: ModelStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    model = try temporary.model(["a.onnx": "first file", "b.txt": "second"])
  }

  private func writeAll() throws {
    try temporary.write("first file", to: "a.onnx", of: model)
    try temporary.write("second", to: "b.txt", of: model)
  }

  private func code(_ work: () throws -> Void) -> SDKException.Code? {
    do {
      try work()
      return nil
    } catch {
      return (error as? SDKException)?.code
    }
  }

  @Test("a model that is not there is absent and its check says modelNotFound and what to do")
  func absent() {
    #expect(store.status(of: model) == .absent)
    #expect {
      try store.checkedFolder(of: model)
    } throws: { error in
      let exception = error as? SDKException
      return exception?.code == .modelNotFound
        && exception?.errorDescription?.contains("./run models download silero-vad") == true
    }
  }

  @Test("a model with all its bytes is ready and intact")
  func ready() throws {
    try writeAll()
    #expect(store.status(of: model) == .ready)
    #expect(try store.verify(model))
    #expect(try store.checkedFolder(of: model) == store.folder(of: model))
  }

  @Test("a missing file is named")
  func missingFile() throws {
    try temporary.write("first file", to: "a.onnx", of: model)
    #expect(store.status(of: model) == .damaged(files: ["b.txt"]))
    #expect {
      try store.checkedFolder(of: model)
    } throws: { error in
      let exception = error as? SDKException
      return exception?.code == .modelStorageCorrupted && exception?.message.contains("b.txt") == true
    }
  }

  @Test("a truncated file is named with both sizes")
  func truncated() throws {
    try writeAll()
    try temporary.write("first", to: "a.onnx", of: model)
    #expect(store.status(of: model) == .damaged(files: ["a.onnx"]))
    #expect {
      try store.checkedFolder(of: model)
    } throws: { error in
      let message = (error as? SDKException)?.message ?? ""
      return message.contains("a.onnx") && message.contains("5 bytes instead of 10")
    }
  }

  @Test("wrong bytes of the right size fail the checksum")
  func corrupt() throws {
    try writeAll()
    try temporary.write("first filE", to: "a.onnx", of: model)
    #expect(code { _ = try store.checkedFolder(of: model) } == .checksumMismatch)
  }

  @Test("a file of zeros of the right size fails the checksum")
  func zeros() throws {
    try writeAll()
    try temporary.write(String(repeating: "\0", count: 10), to: "a.onnx", of: model)
    #expect(code { try store.verify(model) } == .checksumMismatch)
  }

  @Test("a folder in the place of a file counts as missing")
  func folderForFile() throws {
    try writeAll()
    let path = store.folder(of: model).appendingPathComponent("b.txt")
    try FileManager.default.removeItem(at: path)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    #expect(code { _ = try store.checkedFolder(of: model) } == .modelStorageCorrupted)
  }

  @Test("verify reads files again that the last check found intact")
  func verifyIgnoresStamps() throws {
    try writeAll()
    let path = store.folder(of: model).appendingPathComponent("a.onnx").path
    let time: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
    try FileManager.default.setAttributes(time, ofItemAtPath: path)
    _ = try store.checkedFolder(of: model)
    try Data("first filE".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(time, ofItemAtPath: path)
    #expect(code { _ = try store.checkedFolder(of: model) } == nil)
    #expect(code { try store.verify(model) } == .checksumMismatch)
  }

  @Test("a file that changed since the last check is read again")
  func changedFile() throws {
    try writeAll()
    _ = try store.checkedFolder(of: model)
    let path = store.folder(of: model).appendingPathComponent("a.onnx")
    try Data("first filE".utf8).write(to: path)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path.path)
    #expect(code { _ = try store.checkedFolder(of: model) } == .checksumMismatch)
  }

  @Test("damaged stamps are no obstacle")
  func damagedStamps() throws {
    try writeAll()
    try temporary.write("{]", to: VerifiedStamps.fileName, of: model)
    #expect(code { _ = try store.checkedFolder(of: model) } == nil)
  }

  @Test("a removed model is absent, and removing it again is no error")
  func remove() throws {
    try writeAll()
    try store.remove(model)
    #expect(store.status(of: model) == .absent)
    #expect(code { try store.remove(model) } == nil)
  }

  @Test("more space than the disk has is refused with insufficientStorage")
  func space() throws {
    #expect(code { try store.requireSpace(.max, for: model) } == .insufficientStorage)
    #expect(code { try store.requireSpace(1, for: model) } == nil)
  }

  @Test("bytes used are those of the files")
  func bytesUsed() throws {
    try writeAll()
    #expect(store.bytesUsed(by: model) == 16)
  }
}

@Suite("Files that set-up converts")
struct ConvertedFileTests {
  let temporary: TemporaryStore
  let model: ModelInfo
  var store: ModelStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    model = ModelInfo(
      id: "sherpa-onnx-whisper-tiny.en", name: "Converted", category: .stt, format: .whisperOnnx,
      files: [.init(name: "encoder.onnx")], licence: "MIT", home: "https://example.org")
    try temporary.write("converted", to: "encoder.onnx", of: model)
  }

  @Test("are held to the hash recorded at preparation")
  func recorded() throws {
    try temporary.record([("encoder.onnx", "converted")], of: model)
    #expect(try store.verify(model))
    try temporary.write("convertEd", to: "encoder.onnx", of: model)
    #expect {
      try store.verify(model)
    } throws: {
      ($0 as? SDKException)?.code == .checksumMismatch
    }
  }

  @Test("are held to the size recorded at preparation")
  func recordedSize() throws {
    try temporary.record([("encoder.onnx", "converted")], of: model)
    try temporary.write("conv", to: "encoder.onnx", of: model)
    #expect(store.status(of: model) == .damaged(files: ["encoder.onnx"]))
  }

  @Test("without a record are readable but not known to be intact")
  func unrecorded() throws {
    #expect(try store.verify(model) == false)
  }

  @Test("without a record and without bytes are refused")
  func empty() throws {
    try temporary.write("", to: "encoder.onnx", of: model)
    #expect {
      try store.verify(model)
    } throws: {
      ($0 as? SDKException)?.code == .modelStorageCorrupted
    }
  }

  @Test("with a damaged record are refused and the record is named")
  func damagedRecord() throws {
    try temporary.write("{\"format\": 1", to: PreparationRecord.fileName, of: model)
    #expect(store.status(of: model) == .damaged(files: [PreparationRecord.fileName]))
    #expect {
      try store.checkedFolder(of: model)
    } throws: { error in
      let exception = error as? SDKException
      return exception?.code == .modelStorageCorrupted
        && exception?.message.contains(PreparationRecord.fileName) == true
    }
  }
}
