#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("Pieces that wait for the reader")
  struct HeldPiecesTests {
    /// A network whose orders are written down.
    private struct Network {
      let transfer: HTTPTransfer
      let pieces: HeldPieces
      private let log = Locked([HeldPieces.Order]())

      init(maxBodyBytes: Int = 1 << 30) {
        let transfer = HTTPTransfer(maxBodyBytes: maxBodyBytes)
        let pieces = HeldPieces(transfer) { [log] order in log.withLock { $0.append(order) } }
        transfer.onSignal { [weak pieces] signal in if case .resume = signal { pieces?.goOn() } }
        (self.transfer, self.pieces) = (transfer, pieces)
      }

      var orders: [HeldPieces.Order] { log.withLock { $0 } }
    }

    private let full = [UInt8](repeating: 1, count: HTTPTransfer.window)

    @Test("what comes while another piece is held does not overtake it")
    func order() async {
      let network = Network()
      network.pieces.take(full)
      network.pieces.take([2])
      network.pieces.take([3])
      network.pieces.take([4])
      #expect(network.orders == [.suspend])
      #expect(await network.transfer.next() == .bytes(full))
      #expect(network.orders == [.suspend, .resume])
      network.pieces.take([5])
      #expect(await network.transfer.next() == .bytes([2, 3, 4, 5]))
    }

    @Test("the end waits for what is held", arguments: [nil, NetError.closedEarly(host: "h")])
    func end(error: NetError?) async {
      let network = Network()
      network.pieces.take(full)
      network.pieces.take([2])
      network.pieces.complete(error)
      #expect(await network.transfer.next() == .bytes(full))
      #expect(await network.transfer.next() == .bytes([2]))
      #expect(await network.transfer.next() == .end(error))
    }

    @Test("an end without anything held is told at once")
    func emptyEnd() async {
      let network = Network()
      network.pieces.complete(nil)
      #expect(await network.transfer.next() == .end(nil))
      #expect(network.orders.isEmpty)
    }

    @Test("a body that is too large, and one that nobody reads, end the network")
    func stop() async {
      let network = Network(maxBodyBytes: 3)
      network.pieces.take([1, 2, 3, 4])
      #expect(network.orders == [.cancel])
      #expect(await network.transfer.next() == .end(.tooLarge(.body, limit: 3)))
      let unread = Network()
      unread.pieces.take(full)
      unread.pieces.take([2])
      unread.transfer.cancel()
      unread.pieces.goOn()
      #expect(unread.orders == [.suspend, .cancel])
    }

    @Test("a transfer that was cancelled lets the network go")
    func release() {
      let transfer = HTTPTransfer(maxBodyBytes: 1)
      weak var kept: HeldPieces?
      do {
        let pieces = HeldPieces(transfer) { _ in }
        transfer.onSignal { _ in pieces.goOn() }
        kept = pieces
      }
      #expect(kept != nil)
      transfer.cancel()
      #expect(kept == nil)
    }

    /// A network on a thread of its own, which has one more piece under way when it is suspended.
    private final class ThreadedNetwork: @unchecked Sendable {  // `gate` guards it
      private let gate = NSCondition()
      private var isSuspended = false

      func carryOut(_ order: HeldPieces.Order) {
        gate.lock()
        isSuspended = order == .suspend
        gate.broadcast()
        gate.unlock()
      }

      func waitUntilResumed() {
        gate.lock()
        while isSuspended { gate.wait() }
        gate.unlock()
      }
    }

    @Test("a reader that empties the transfer at any moment gets everything in order, and the end")
    func threads() async {
      let network = ThreadedNetwork()
      let transfer = HTTPTransfer(maxBodyBytes: 1 << 30)
      let pieces = HeldPieces(transfer) { network.carryOut($0) }
      transfer.onSignal { [weak pieces] signal in if case .resume = signal { pieces?.goOn() } }
      let count = 1000
      let size = HTTPTransfer.window / 2 + 1
      Thread {
        for number in 0..<count {
          if number % 2 == 0 { network.waitUntilResumed() }
          pieces.take([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
        }
        pieces.complete(nil)
      }.start()
      var received = 0
      var isInOrder = true
      while case .bytes(let bytes) = await transfer.next() {
        for start in stride(from: 0, to: bytes.count, by: size) {
          let number = UInt8(truncatingIfNeeded: (received + start) / size)
          isInOrder = isInOrder && bytes[start] == number && bytes[start + size - 1] == number
        }
        received += bytes.count
      }
      #expect(isInOrder && received == count * size)
      transfer.cancel()
    }
  }
#endif
