import Foundation

/// Every error of this product: what happened, and what to do about it.
public struct SDKException: Error, Sendable, LocalizedError, CustomStringConvertible {
  public enum Category: String, Sendable {
    case network, validation, model, component, io, auth, `internal`, configuration
  }

  /// Stable numbers that apps and logs may rely on.
  public enum Code: Int, Sendable, CaseIterable {
    case notInitialized = 100
    case alreadyInitialized = 101
    case initializationFailed = 102
    case invalidConfiguration = 103
    case invalidParameter = 106
    case modelNotFound = 110
    case modelLoadFailed = 111
    case modelValidationFailed = 112
    case modelIncompatible = 113
    case invalidModelFormat = 114
    case modelStorageCorrupted = 115
    case modelNotLoaded = 116
    case generationFailed = 130
    case generationTimeout = 131
    case contextTooLong = 132
    case tokenLimitExceeded = 133
    case inferenceFailed = 135
    case generationCancelled = 136
    case networkUnavailable = 150
    case downloadFailed = 153
    case timeout = 155
    case partialDownload = 159
    case insufficientStorage = 180
    case hardwareUnsupported = 220
    case insufficientMemory = 221
    case componentNotReady = 230
    case invalidState = 231
    case serviceNotAvailable = 232
    case serviceBusy = 233
    case processingFailed = 234
    case notSupported = 236
    case validationFailed = 250
    case textTooLong = 254
    case invalidArgument = 259
    case audioFormatNotSupported = 280
    case audioSessionFailed = 281
    case microphonePermissionDenied = 282
    case insufficientAudioData = 283
    case emptyAudioBuffer = 284
    case languageNotSupported = 300
    case voiceNotAvailable = 301
    case streamingNotSupported = 302
    case streamCancelled = 303
    case extractionFailed = 350
    case checksumMismatch = 351
    case unsupportedArchive = 352
    case cancelled = 380
    case notImplemented = 800
    case unknown = 804
    case `internal` = 805
  }

  public let code: Code
  public let category: Category
  /// What happened, for the user.
  public let message: String
  /// What to do about it.
  public let recoverySuggestion: String?
  public let underlying: (any Error)?

  public init(
    _ code: Code, category: Category, _ message: String, recoverySuggestion: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.category = category
    self.message = message
    self.recoverySuggestion = recoverySuggestion
    self.underlying = underlying
  }

  public var errorDescription: String? {
    recoverySuggestion.map { "\(message) \($0)" } ?? message
  }

  public var description: String { "\(code) (\(code.rawValue)): \(errorDescription ?? message)" }
}
