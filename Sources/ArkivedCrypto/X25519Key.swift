import CCrypto

/// A secret key for agreeing on another (X25519, RFC 7748).
package struct X25519Key: Sendable {
  package let secret: [UInt8]
  /// The public key that belongs to it: 32 bytes.
  package let publicKey: [UInt8]

  /// Makes a new one.
  package init() {
    // Any 32 bytes are a valid key, so only an allocation can fail. There is no safe key to go on with.
    guard let key = try? X25519Key(secret: Secrets.random(Int(CRYPTO_KEY_SIZE))) else {
      preconditionFailure("No memory for a key.")
    }
    self = key
  }

  /// - Throws: `CryptoFailure` where it doesn't have 32 bytes.
  package init(secret: [UInt8]) throws {
    guard secret.count == Int(CRYPTO_KEY_SIZE) else { throw CryptoFailure() }
    self.secret = secret
    publicKey = try Secrets.made(Int(CRYPTO_KEY_SIZE)) { crypto_x25519_public(secret, $0) }
  }

  /// The secret shared with whoever has the key that belongs to a public one.
  ///
  /// - Throws: `CryptoFailure` where it is zero, as with a point of low order.
  package func shared(with point: [UInt8]) throws -> [UInt8] {
    guard point.count == Int(CRYPTO_KEY_SIZE) else { throw CryptoFailure() }
    return try Secrets.made(Int(CRYPTO_KEY_SIZE)) { crypto_x25519_shared(secret, point, $0) }
  }
}
