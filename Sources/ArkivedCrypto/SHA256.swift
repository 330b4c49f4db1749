import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
package struct SHA256: Sendable {
  private var digest = Digest()

  package init() {}

  package mutating func update(data: some Sequence<UInt8>) {
    let hashed: Void? = data.withContiguousStorageIfAvailable {
      update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if hashed == nil { Array(data).withUnsafeBytes { update(bufferPointer: $0) } }
  }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    // A copy of this value goes on by itself.
    if !isKnownUniquelyReferenced(&digest) { digest = Digest(copying: digest) }
    digest.update(start, bytes.count)
  }

  /// The sum of all that came: 32 bytes.
  package func finalize() -> [UInt8] { Digest(copying: digest).finish() }

  /// The sum of some bytes: 32 bytes.
  package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: data)
    return hash.digest.finish()
  }

  /// OpenSSL's state of a running digest.
  ///
  /// Unchecked, because a C pointer is never Sendable: SHA256 copies the digest before it changes one that is shared.
  /// SHA-256 itself cannot fail. Allocating its few hundred bytes can, and then Swift's own collections trap as well;
  /// going on with a wrong hash would name a file after content it doesn't have.
  private final class Digest: @unchecked Sendable {
    private let state: OpaquePointer

    init() {
      guard let state = crypto_digest_new() else { preconditionFailure("No memory for SHA-256.") }
      self.state = state
    }

    init(copying other: Digest) {
      guard let state = crypto_digest_copy(other.state) else {
        preconditionFailure("No memory for SHA-256.")
      }
      self.state = state
    }

    deinit { crypto_digest_free(state) }

    func update(_ start: UnsafeRawPointer, _ count: Int) {
      precondition(crypto_digest_update(state, start, count) == 1)
    }

    func finish() -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: Int(CRYPTO_DIGEST_SIZE)) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        precondition(crypto_digest_finish(state, start) == 1)
        count = buffer.count
      }
    }
  }
}
