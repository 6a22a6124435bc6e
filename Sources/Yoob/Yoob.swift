/// The avatar SDK: characters that speak any sound on the device, in step with it.
public enum Yoob {
  /// Version of the SDK, "a.b.c"; characters may ask for a least one.
  public static let version = "0.7.0"
}
