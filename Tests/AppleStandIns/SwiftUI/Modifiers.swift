import Foundation

extension View {
  public func id<ID: Hashable>(_ id: ID) -> some View { ModifiedContent() }
  public func tag<V: Hashable>(_ tag: V) -> some View { ModifiedContent() }
  public func opacity(_ opacity: Double) -> some View { ModifiedContent() }
  public func clipped(antialiased: Bool = false) -> some View { ModifiedContent() }
  public func clipShape<S: Shape>(_ shape: S) -> some View { ModifiedContent() }
  public func ignoresSafeArea() -> some View { ModifiedContent() }
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { ModifiedContent() }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
    -> some View
  { ModifiedContent() }
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { ModifiedContent() }
  public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
    ModifiedContent()
  }
  public func padding(_ length: CGFloat) -> some View { ModifiedContent() }
  public func padding() -> some View { ModifiedContent() }
  public func font(_ font: Font?) -> some View { ModifiedContent() }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { ModifiedContent() }
  public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
    ModifiedContent()
  }
  public func disabled(_ disabled: Bool) -> some View { ModifiedContent() }
  public func lineLimit(_ number: Int?) -> some View { ModifiedContent() }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { ModifiedContent() }
  public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { ModifiedContent() }
  public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { ModifiedContent() }
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { ModifiedContent() }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { ModifiedContent() }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { ModifiedContent() }
  public func onSubmit(_ action: @escaping (() -> Void)) -> some View { ModifiedContent() }
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View { ModifiedContent() }
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { ModifiedContent() }
  public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { ModifiedContent() }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
    ModifiedContent()
  }
  public func accessibilityLabel(_ label: Text) -> some View { ModifiedContent() }
  public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { ModifiedContent() }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { ModifiedContent() }
  public func accessibilityHidden(_ hidden: Bool) -> some View { ModifiedContent() }
}
