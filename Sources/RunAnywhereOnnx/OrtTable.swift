#if canImport(COrt)
  import COrt
#endif

/// The entries of onnxruntime's function table that are used here.
///
/// Entries are found by their place in `OrtApi`, which onnxruntime only ever extends at its end;
/// the places are those of version 17 and hold for every later library.
struct OrtTable: Sendable {
  typealias Handle = OpaquePointer
  typealias Out = UnsafeMutablePointer<OpaquePointer?>
  typealias Name = UnsafePointer<CChar>

  typealias ErrorCode = @convention(c) (Handle) -> Int32
  typealias ErrorMessage = @convention(c) (Handle) -> Name?
  typealias CreateEnv = @convention(c) (Int32, Name, Out) -> Handle?
  typealias CreateSession = @convention(c) (Handle, Name, Handle, Out) -> Handle?
  typealias CreateSessionFromArray =
    @convention(c) (
      Handle, UnsafeRawPointer?, Int, Handle, Out
    ) -> Handle?
  typealias Run =
    @convention(c) (
      Handle, Handle?, UnsafePointer<Name?>, UnsafePointer<Handle?>, Int, UnsafePointer<Name?>, Int, Out
    ) -> Handle?
  typealias Create = @convention(c) (Out) -> Handle?
  typealias SetInt = @convention(c) (Handle, Int32) -> Handle?
  typealias Toggle = @convention(c) (Handle) -> Handle?
  typealias CreateTensor =
    @convention(c) (
      Handle, UnsafeMutableRawPointer?, Int, UnsafePointer<Int64>?, Int, Int32, Out
    ) -> Handle?
  typealias TensorData =
    @convention(c) (
      Handle, UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Handle?
  typealias ElementType = @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Handle?
  typealias Count = @convention(c) (Handle, UnsafeMutablePointer<Int>) -> Handle?
  typealias Dimensions = @convention(c) (Handle, UnsafeMutablePointer<Int64>, Int) -> Handle?
  typealias TensorInfo = @convention(c) (Handle, Out) -> Handle?
  typealias CreateMemoryInfo = @convention(c) (Int32, Int32, Out) -> Handle?
  typealias Release = @convention(c) (Handle?) -> Void

  let errorCode: ErrorCode
  let errorMessage: ErrorMessage
  let createEnv: CreateEnv
  let createSession: CreateSession
  let createSessionFromArray: CreateSessionFromArray
  let run: Run
  let createSessionOptions: Create
  let disableMemoryPattern: Toggle
  let disableArena: Toggle
  let setLogSeverity: SetInt
  let setIntraOpThreads: SetInt
  let setInterOpThreads: SetInt
  let createTensor: CreateTensor
  let tensorData: TensorData
  let elementType: ElementType
  let dimensionCount: Count
  let dimensions: Dimensions
  let tensorInfo: TensorInfo
  let createCpuMemoryInfo: CreateMemoryInfo
  let releaseStatus: Release
  let releaseSession: Release
  let releaseValue: Release
  let releaseTensorInfo: Release
  let releaseSessionOptions: Release

  /// The table of the linked library; throws when there is none.
  init() throws(OnnxError) {
    #if canImport(COrt)
      let version: UInt32 = 17
      guard let base = OrtGetApiBase(), let entry = base.pointee.GetApi, let table = entry(version) else {
        throw OnnxError(
          code: -1, message: "The onnxruntime library is older than version 1.\(version). Run set-up again.")
      }
      func slot<T>(_ index: Int, _ type: T.Type) -> T {
        table.load(fromByteOffset: index * MemoryLayout<UnsafeRawPointer>.size, as: type)
      }
      errorCode = slot(1, ErrorCode.self)
      errorMessage = slot(2, ErrorMessage.self)
      createEnv = slot(3, CreateEnv.self)
      createSession = slot(7, CreateSession.self)
      createSessionFromArray = slot(8, CreateSessionFromArray.self)
      run = slot(9, Run.self)
      createSessionOptions = slot(10, Create.self)
      disableMemoryPattern = slot(17, Toggle.self)
      disableArena = slot(19, Toggle.self)
      setLogSeverity = slot(22, SetInt.self)
      setIntraOpThreads = slot(24, SetInt.self)
      setInterOpThreads = slot(25, SetInt.self)
      createTensor = slot(49, CreateTensor.self)
      tensorData = slot(51, TensorData.self)
      elementType = slot(60, ElementType.self)
      dimensionCount = slot(61, Count.self)
      dimensions = slot(62, Dimensions.self)
      tensorInfo = slot(65, TensorInfo.self)
      createCpuMemoryInfo = slot(69, CreateMemoryInfo.self)
      releaseStatus = slot(93, Release.self)
      releaseSession = slot(95, Release.self)
      releaseValue = slot(96, Release.self)
      releaseTensorInfo = slot(99, Release.self)
      releaseSessionOptions = slot(100, Release.self)
    #else
      throw .unavailable
    #endif
  }

  /// Throws what a status says, and releases it.
  func check(_ status: Handle?) throws(OnnxError) {
    guard let status else { return }
    let code = Int(errorCode(status))
    let message = errorMessage(status).map { String(cString: $0) } ?? "no message"
    releaseStatus(status)
    throw OnnxError(code: code, message: message)
  }
}
