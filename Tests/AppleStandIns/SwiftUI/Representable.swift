import Foundation

#if canImport(UIKit)
  import UIKit

  @MainActor @preconcurrency public struct UIViewRepresentableContext<Representable> {}
  @MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Context)
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
  }
  extension UIViewRepresentable {
    public var body: Never { fatalError("a stand-in") }
  }
#else
  import AppKit

  @MainActor @preconcurrency public struct NSViewRepresentableContext<Representable> {}
  @MainActor @preconcurrency public protocol NSViewRepresentable: View where Body == Never {
    associatedtype NSViewType: NSView
    associatedtype Coordinator = Void
    typealias Context = NSViewRepresentableContext<Self>
    func makeNSView(context: Context) -> NSViewType
    func updateNSView(_ nsView: NSViewType, context: Context)
    static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator)
  }
  extension NSViewRepresentable {
    public var body: Never { fatalError("a stand-in") }
  }
#endif
