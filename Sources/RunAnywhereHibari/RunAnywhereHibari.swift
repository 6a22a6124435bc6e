import Foundation
import RunAnywhere

/// Luna's voice.
public enum RunAnywhereHibari {
  /// Makes the engine known to `RunAnywhere`.
  public static func register() { RunAnywhere.register(HibariProvider()) }
}
