import Testing
import VoiceIO

@Suite("Relays")
struct RelayTests {
  @Test("what was set last is called, and nothing when nothing is set")
  func exchange() {
    let relay = Relay<Int>()
    let seen = Guarded<[Int]>([])
    relay.send(1)
    relay.set { number in seen.withLock { $0.append(number) } }
    relay.send(2)
    relay.set { number in seen.withLock { $0.append(-number) } }
    relay.send(3)
    relay.set(nil)
    relay.send(4)
    #expect(seen.withLock { $0 } == [2, -3])
  }

  @Test("half a million calls leave nothing that takes a deep stack to call or to release")
  func manyCalls() {
    var relay: Relay<Int>? = Relay<Int>()
    let sum = Guarded(0)
    relay?.set { number in sum.withLock { $0 += number } }
    for _ in 0..<500_000 { relay?.send(1) }
    #expect(sum.withLock { $0 } == 500_000)
    relay = nil
  }
}
