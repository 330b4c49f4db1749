import CCrypto

/// A secret key for signing (Ed25519, RFC 8032).
package struct Ed25519Key: Sendable {
  package let secret: [UInt8]
  /// The public key that belongs to it: 32 bytes.
  package let publicKey: [UInt8]

  /// Creates a key.
  package init() {
    // Any 32 bytes are a valid key, so only an allocation can fail. There is no safe key to
    // continue with.
    guard let key = try? Ed25519Key(secret: Secrets.random(Int(CRYPTO_KEY_SIZE))) else {
      CryptoLibrary.stop(without: "a key")
    }
    self = key
  }

  /// - Throws: `CryptoFailure` if it isn't 32 bytes long.
  package init(secret: [UInt8]) throws {
    guard secret.count == Int(CRYPTO_KEY_SIZE) else { throw CryptoFailure() }
    self.secret = secret
    publicKey = try Secrets.made(Int(CRYPTO_KEY_SIZE)) { crypto_ed25519_public(secret, $0) }
  }

  /// Signs bytes: 64 bytes.
  package func signature(of bytes: [UInt8]) throws -> [UInt8] {
    try Secrets.made(Int(CRYPTO_SIGNATURE_SIZE)) {
      crypto_ed25519_sign(secret, bytes, bytes.count, $0)
    }
  }

  /// Returns true if the bytes were signed with the secret key that belongs to the public key.
  package static func isSignature(
    _ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    signature.count == Int(CRYPTO_SIGNATURE_SIZE) && publicKey.count == Int(CRYPTO_KEY_SIZE)
      && crypto_ed25519_verify(publicKey, bytes, bytes.count, signature) == 1
  }
}
