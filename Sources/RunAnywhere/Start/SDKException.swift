import Foundation

/// Every error of this product: what happened, and what to do about it.
public struct SDKException: Error, Sendable, LocalizedError, CustomStringConvertible {
  /// The part of the product that an error comes from.
  public enum Category: String, Sendable {
    /// The network, what was asked for, a model, a part of a session, files and devices, a key, this product
    /// itself, or its settings.
    case network, validation, model, component, io, auth, `internal`, configuration
  }

  /// Stable numbers that apps and logs may rely on.
  public enum Code: Int, Sendable, CaseIterable {
    /// `RunAnywhere.initialize` was not called.
    case notInitialized = 100
    /// `RunAnywhere.initialize` was called before.
    case alreadyInitialized = 101
    /// The product could not be made ready.
    case initializationFailed = 102
    /// A setting, such as an address, cannot be used.
    case invalidConfiguration = 103
    /// A parameter has a value that is not allowed.
    case invalidParameter = 106
    /// The catalogue has no such model, or its files are not here.
    case modelNotFound = 110
    /// The model's files are here and cannot be loaded.
    case modelLoadFailed = 111
    /// The model's files were checked and refused.
    case modelValidationFailed = 112
    /// The model is of another kind, or no registered engine loads it.
    case modelIncompatible = 113
    /// The file is not of the format that it should be.
    case invalidModelFormat = 114
    /// The folder of the models is damaged.
    case modelStorageCorrupted = 115
    /// The model is not in memory.
    case modelNotLoaded = 116
    /// The language model could not go on writing.
    case generationFailed = 130
    /// The language model did not answer in time.
    case generationTimeout = 131
    /// The conversation does not fit into the model's context.
    case contextTooLong = 132
    /// More tokens were asked for than there may be.
    case tokenLimitExceeded = 133
    /// A network could not be run.
    case inferenceFailed = 135
    /// Writing was cancelled.
    case generationCancelled = 136
    /// There is no network, or it may not be used.
    case networkUnavailable = 150
    /// A download did not succeed.
    case downloadFailed = 153
    /// Something took too long.
    case timeout = 155
    /// A download ended before its end; it goes on where it was.
    case partialDownload = 159
    /// The disk is full.
    case insufficientStorage = 180
    /// This machine cannot run it.
    case hardwareUnsupported = 220
    /// There is not enough memory.
    case insufficientMemory = 221
    /// A part of the product is not ready yet.
    case componentNotReady = 230
    /// The object was closed, or is in another state than the call needs.
    case invalidState = 231
    /// A service cannot be reached.
    case serviceNotAvailable = 232
    /// Another session uses it, such as the microphone.
    case serviceBusy = 233
    /// The recognizer or the voice failed; the session goes on.
    case processingFailed = 234
    /// This build or this platform cannot do it.
    case notSupported = 236
    /// What was given was checked and refused.
    case validationFailed = 250
    /// The text is longer than it may be.
    case textTooLong = 254
    /// An argument has a value that is not allowed.
    case invalidArgument = 259
    /// The sound has a format that is not read.
    case audioFormatNotSupported = 280
    /// A microphone or a loudspeaker is missing, or cannot be opened.
    case audioSessionFailed = 281
    /// The user, or the system, does not allow the microphone.
    case microphonePermissionDenied = 282
    /// There is too little sound to work with.
    case insufficientAudioData = 283
    /// There is no sound at all.
    case emptyAudioBuffer = 284
    /// No model here understands or speaks that language.
    case languageNotSupported = 300
    /// The model has no such voice.
    case voiceNotAvailable = 301
    /// It cannot be had piece by piece.
    case streamingNotSupported = 302
    /// The reader of a stream went away.
    case streamCancelled = 303
    /// An archive could not be unpacked.
    case extractionFailed = 350
    /// A file's hash is not the one that is pinned.
    case checksumMismatch = 351
    /// The archive is of a kind that is not read.
    case unsupportedArchive = 352
    /// The task was cancelled.
    case cancelled = 380
    /// It is not there in this version.
    case notImplemented = 800
    /// Something else; `underlying` may tell more.
    case unknown = 804
    /// A fault of this product.
    case `internal` = 805
  }

  /// What kind of error it is.
  public let code: Code
  /// Where it comes from.
  public let category: Category
  /// What happened, for the user.
  public let message: String
  /// What to do about it.
  public let recoverySuggestion: String?
  /// The error behind it; nil where there is none.
  public let underlying: (any Error)?

  /// An error with a message for the user.
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
