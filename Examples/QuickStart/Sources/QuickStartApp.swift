import SwiftUI

@main struct QuickStartApp: App {
  var body: some Scene {
    WindowGroup { CharacterScreen() }
  }
}
