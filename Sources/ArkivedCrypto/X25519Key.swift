import CCrypto

/// A secret key for key agreement (X25519, RFC 7748).
package struct X25519Key: Sendable {
  package let secret: [UInt8]
  /// The corresponding public key: 32 bytes.
  package let publicKey: [UInt8]

  /// Generates a new key.
  package init() {
    // Any 32 bytes are a valid key, so only an allocation can fail. There is no safe key to
    // continue with.
    guard let key = try? X25519Key(secret: Secrets.random(Int(CRYPTO_KEY_SIZE))) else {
      CryptoLibrary.stop(without: "a key")
    }
    self = key
  }

  /// Creates a key from its bytes.
  ///
  /// - Throws: `CryptoFailure` if there aren't exactly 32.
  package init(secret: [UInt8]) throws {
    guard secret.count == Int(CRYPTO_KEY_SIZE) else { throw CryptoFailure() }
    self.secret = secret
    publicKey = try Secrets.made(Int(CRYPTO_KEY_SIZE)) { crypto_x25519_public(secret, $0) }
  }

  /// Returns the secret shared with the holder of the secret key that belongs to a public key.
  ///
  /// - Throws: `CryptoFailure` if the result is zero, as with a point of low order.
  package func shared(with point: [UInt8]) throws -> [UInt8] {
    guard point.count == Int(CRYPTO_KEY_SIZE) else { throw CryptoFailure() }
    return try Secrets.made(Int(CRYPTO_KEY_SIZE)) { crypto_x25519_shared(secret, point, $0) }
  }
}
