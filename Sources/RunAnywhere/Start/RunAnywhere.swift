/// Speech, language and voice models that run on this device.
public enum RunAnywhere {
  /// Makes an engine known, so that models of its formats can be loaded.
  public static func register(_ provider: any EngineProvider) {
    EngineRegistry.shared.register(provider)
  }
}
