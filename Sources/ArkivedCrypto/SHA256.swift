import CCrypto

/// An incremental SHA-256 computation (FIPS 180-4).
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
    // A copy of this value continues independently.
    if !isKnownUniquelyReferenced(&digest) { digest = Digest(copying: digest) }
    digest.update(start, bytes.count)
  }

  /// Returns the digest of all the bytes: 32 bytes.
  package func finalize() -> [UInt8] { Digest(copying: digest).finish() }

  /// Returns the digest of some bytes: 32 bytes.
  package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: data)
    return hash.digest.finish()
  }

  /// OpenSSL's state of a running digest.
  ///
  /// Unchecked, because a C pointer is never Sendable: SHA256 copies a shared digest before
  /// changing it. SHA-256 itself can't fail. Allocating its few hundred bytes can fail, and then
  /// Swift's own collections trap as well; continuing with a wrong hash would name a file after
  /// content it doesn't have.
  private final class Digest: @unchecked Sendable {
    private let state: OpaquePointer

    init() {
      guard let state = crypto_digest_new() else { CryptoLibrary.stop(without: "SHA-256") }
      self.state = state
    }

    init(copying other: Digest) {
      guard let state = crypto_digest_copy(other.state) else {
        CryptoLibrary.stop(without: "SHA-256")
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
