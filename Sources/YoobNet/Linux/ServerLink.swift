#if os(Linux)
  import CLWS

  /// A connection as the server's loop knows it.
  final class ServerLink {
    /// What is being waited for.
    enum Phase {
      /// The first byte of a request.
      case idle
      /// The end of a request's head, or of its body.
      case head, body
      /// The handler's answer.
      case working
      /// That the answer is out.
      case writing
      /// That the peer closes: what it still sends is dropped.
      case lingering
      /// A WebSocket's frames.
      case socket

      /// Whether no request is lost when the connection ends.
      var isIdle: Bool { self == .idle || self == .lingering }
      /// Whether a request is on its way in.
      var isReading: Bool { self == .head || self == .body }
    }

    let id: Int
    let wsi: OpaquePointer
    var phase = Phase.idle
    /// The phase that the timer is for.
    var timedPhase: Phase?
    /// Rises with the time at which it began to wait for a request.
    var waitingSince: Int
    /// Whether it gives way to another.
    var isLeaving = false
    /// Whether the library's timeout, which is the handshake's at first, is this side's.
    var ownsTimeout = false
    /// Whether the network is read.
    var reads = true

    // MARK: Requests

    var reader = RequestReader()
    /// What came behind a request that is being answered.
    var input: [UInt8] = []
    /// Counts the requests, so that a late answer meets no later request.
    var requestNumber = 0
    var request: HTTPRequest?
    var bodyLeft = 0
    var task: Task<Void, Never>?
    /// Seconds for which the client of a request at work has sent nothing more for good.
    var silentSeconds = 0
    var response: HTTPResponse?
    /// Bytes of the response's body that were written; nil before the header.
    var written: Int?
    /// Whether the connection ends after this response.
    var closesAfterResponse = false
    /// Whether bytes of the request may still come that nobody reads.
    var isCutShort = false
    /// Bytes to be written before anything else.
    var output: [UInt8] = []
    /// Bytes that were dropped while lingering.
    var dropped = 0

    // MARK: WebSockets

    var socket: WebSocketConnection?
    var frames: FrameReader?
    /// Whether the network waits for the reader of the messages.
    var isPaused = false
    var hasSentClose = false
    /// Whether the connection ends when the output is out.
    var endsAfterOutput = false
    /// Seconds of silence that were counted.
    var silence = 0

    init(id: Int, wsi: OpaquePointer) {
      self.id = id
      self.wsi = wsi
      waitingSince = id
    }
  }
#endif
