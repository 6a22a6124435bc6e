// What our code uses of SwiftUI, as Apple documents it.
@_exported import CoreGraphics
@_exported import Foundation
import Observation

#if canImport(UIKit)
  import UIKit
#else
  import AppKit
#endif

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a stand-in") }
}

/// A view of this module: it has no body.
@MainActor public protocol StandInView: View where Body == Never {}
extension StandInView {
  public var body: Never { fatalError("a stand-in") }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
    (repeat each Content)
  > { TupleView() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<A: View, B: View>(first: A) -> ConditionalContent<A, B> { .init() }
  public static func buildEither<A: View, B: View>(second: B) -> ConditionalContent<A, B> { .init() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("a stand-in") }
}

public struct EmptyView: StandInView { nonisolated public init() {} }
public struct TupleView<T>: StandInView { nonisolated init() {} }
public struct ConditionalContent<A, B>: StandInView { nonisolated init() {} }
/// What modifiers give; Apple's are opaque types too.
public struct ModifiedContent: StandInView { nonisolated init() {} }

public struct ZStack<Content: View>: StandInView {
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}
public struct VStack<Content: View>: StandInView {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct HStack<Content: View>: StandInView {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct Group<Content: View>: StandInView { public init(@ViewBuilder content: () -> Content) {} }
public struct Spacer: StandInView { public init(minLength: CGFloat? = nil) {} }
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StandInView {}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

public struct GeometryProxy { public var size: CGSize { .zero } }
public struct GeometryReader<Content: View>: StandInView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}

public struct Text: StandInView {
  nonisolated public init<S: StringProtocol>(_ content: S) {}
}
public struct Image: StandInView {
  nonisolated public init(systemName: String) {}
  nonisolated public init(decorative cgImage: CGImage, scale: CGFloat) {}
  public func resizable() -> Image { self }
}
public struct Label<Title: View, Icon: View>: StandInView {}
extension Label where Title == Text, Icon == Image {
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}
public struct Button<Label: View>: StandInView {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}
extension Button where Label == SwiftUI.Label<Text, Image> {
  public init<S: StringProtocol>(
    _ title: S, systemImage: String, action: @escaping @MainActor () -> Void
  ) {}
}
public struct Picker<Label: View, Selection: Hashable, Content: View>: StandInView {}
extension Picker where Label == Text {
  public init<S: StringProtocol>(
    _ title: S, selection: Binding<Selection>, @ViewBuilder content: () -> Content
  ) {}
}
public struct TextField<Label: View>: StandInView {}
extension TextField where Label == Text {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}
public struct ProgressView<Label: View, CurrentValueLabel: View>: StandInView {}
extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
  public init() {}
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) {}
}

public enum ContentMode: Hashable, CaseIterable, Sendable { case fit, fill }
public enum TextAlignment: Hashable, Sendable { case leading, center, trailing }
public struct Alignment: Equatable, Sendable {
  public static let center = Alignment()
  public static let bottom = Alignment()
  public static let leading = Alignment()
}
public struct HorizontalAlignment: Equatable, Sendable {
  public static let center = HorizontalAlignment()
  public static let leading = HorizontalAlignment()
}
public struct VerticalAlignment: Equatable, Sendable { public static let center = VerticalAlignment() }

public struct Font: Hashable, Sendable {
  public static let body = Font()
  public static let callout = Font()
  public static let caption = Font()
  public static let headline = Font()
}
public protocol ShapeStyle: Sendable {}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var primary: HierarchicalShapeStyle { .init() }
  public static var secondary: HierarchicalShapeStyle { .init() }
}
public struct Color: ShapeStyle, Hashable, Sendable {
  public static let red = Color()
  public static let black = Color()
}
extension ShapeStyle where Self == Color {
  public static var red: Color { .red }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
  public static var regularMaterial: Material { .init() }
}
public protocol Shape: Sendable {}
public struct RoundedRectangle: Shape { public init(cornerRadius: CGFloat) {} }
extension Shape where Self == RoundedRectangle {
  public static func rect(cornerRadius: CGFloat) -> RoundedRectangle { .init(cornerRadius: cornerRadius) }
}
public struct Animation: Equatable, Sendable {
  public static func linear(duration: TimeInterval) -> Animation { Animation() }
}
public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let isImage = AccessibilityTraits(rawValue: 1)
}
public struct AccessibilityChildBehavior: Hashable, Sendable {
  public static let ignore = AccessibilityChildBehavior()
}
public protocol PickerStyle {}
public struct SegmentedPickerStyle: PickerStyle {}
extension PickerStyle where Self == SegmentedPickerStyle {
  public static var segmented: SegmentedPickerStyle { .init() }
}
public struct MenuPickerStyle: PickerStyle {}
extension PickerStyle where Self == MenuPickerStyle {
  public static var menu: MenuPickerStyle { .init() }
}
public protocol PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  public static var borderedProminent: BorderedProminentButtonStyle { .init() }
}
public struct BorderedButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  public static var bordered: BorderedButtonStyle { .init() }
}
