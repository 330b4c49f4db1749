import CCrypto

/// ChaCha20-Poly1305 (RFC 8439), with keys of 32 bytes and nonces of 12.
///
/// Sealed data ends with its tag.
package enum ChaChaPoly {
  package static let nonceCount = Int(CRYPTO_NONCE_SIZE)
  package static let tagCount = Int(CRYPTO_TAG_SIZE)

  package static func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) throws -> [UInt8] {
    guard isUsable(key, nonce) else { throw CryptoFailure() }
    return try Secrets.made(plain.count + tagCount) {
      crypto_seal(key, nonce, plain, plain.count, $0)
    }
  }

  /// Decrypts sealed data.
  ///
  /// - Throws: `CryptoFailure` if anything was modified.
  package static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) throws -> [UInt8] {
    guard isUsable(key, nonce), sealed.count >= tagCount else { throw CryptoFailure() }
    var plain = [UInt8](repeating: 0, count: sealed.count)
    guard crypto_open(key, nonce, sealed, sealed.count, &plain) == 1 else { throw CryptoFailure() }
    plain.removeLast(tagCount)
    return plain
  }

  private static func isUsable(_ key: [UInt8], _ nonce: [UInt8]) -> Bool {
    key.count == Int(CRYPTO_KEY_SIZE) && nonce.count == nonceCount
  }
}
