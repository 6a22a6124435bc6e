/// Lets other work go on until `isMet`, which is asked where the caller is; false when five minutes have passed.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ isMet: () -> Bool
) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(300)
  while !isMet() {
    guard clock.now < deadline else { return false }
    try? await clock.sleep(for: .milliseconds(5))
  }
  return true
}
