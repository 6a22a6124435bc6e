import Foundation

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError("a stand-in") }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError("a stand-in") }
}
extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(initialValue: nil) }
}
extension State: Sendable where Value: Sendable {}

@propertyWrapper public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError("a stand-in") }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError("a stand-in") }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public struct EnvironmentValues: Sendable {
  public var accessibilityReduceMotion: Bool { false }
  public var scenePhase: ScenePhase { .active }
}
