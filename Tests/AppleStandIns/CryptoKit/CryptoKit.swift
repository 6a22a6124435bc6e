// What our code uses of CryptoKit, as Apple documents it.
import Foundation

public enum Curve25519 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var rawRepresentation: Data { Data() }
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
        false
      }
    }
    public struct PrivateKey: Sendable {
      public init() {}
      public init<D: ContiguousBytes>(rawRepresentation data: D) throws {}
      public var publicKey: PublicKey { fatalError("a stand-in") }
      public var rawRepresentation: Data { Data() }
      public func signature<D: DataProtocol>(for data: D) throws -> Data { Data() }
    }
  }
}

public protocol Digest: Hashable, ContiguousBytes, Sequence, Sendable where Element == UInt8 {
  static var byteCount: Int { get }
}

public struct SHA256Digest: Digest {
  public static var byteCount: Int { 32 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try [UInt8]().withUnsafeBytes(body)
  }
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public protocol HashFunction: Sendable {
  associatedtype Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}

extension HashFunction {
  public mutating func update<D: DataProtocol>(data: D) {}
  public static func hash<D: DataProtocol>(data: D) -> Digest { Self().finalize() }
}

public struct SHA256: HashFunction {
  public typealias Digest = SHA256Digest
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SymmetricKey: Sendable {
  public init<D: ContiguousBytes>(data: D) {}
}

public struct HMAC<H: HashFunction>: Sendable {
  public typealias MAC = HashedAuthenticationCode<H>
  public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
    MAC()
  }
}

public struct HashedAuthenticationCode<H: HashFunction>: Sendable, Sequence {
  public func makeIterator() -> [UInt8].Iterator { [].makeIterator() }
}
