import CCrypto

/// Random bytes, key derivation, and comparison in constant time.
package enum Secrets {
  /// Returns unpredictable random bytes.
  package static func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      // Without randomness, every key would be predictable.
      if crypto_random(start, count) != 1 { CryptoLibrary.stop(without: "random bytes") }
      initialized = count
    }
  }

  /// Compares two byte strings in constant time.
  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && crypto_is_equal(left, right, left.count) == 1
  }

  /// Returns the HMAC-SHA-256 (RFC 2104): 32 bytes.
  package static func authenticationCode(for bytes: [UInt8], key: [UInt8]) throws -> [UInt8] {
    try made(Int(CRYPTO_DIGEST_SIZE)) { crypto_hmac(key, key.count, bytes, bytes.count, $0) }
  }

  /// Derives a 32-byte key from another with HKDF and SHA-256 (RFC 5869).
  package static func derivedKey(from key: [UInt8], salt: [UInt8], info: String) throws -> [UInt8] {
    let info = Array(info.utf8)
    return try made(Int(CRYPTO_KEY_SIZE)) {
      crypto_hkdf(
        key, key.count, salt, salt.count, info, info.count, $0, Int(CRYPTO_KEY_SIZE))
    }
  }

  /// Derives a 32-byte key from a passphrase with scrypt (RFC 7914), with blocks of 1 KiB.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase.
  ///   - salt: random bytes.
  ///   - workFactor: the base-2 logarithm of the number of rounds; each round needs 1 KiB of
  ///     memory.
  /// - Returns: the key.
  /// - Throws: `CryptoFailure` if there is not enough memory.
  package static func stretchedKey(
    from passphrase: String, salt: [UInt8], workFactor: Int
  ) throws -> [UInt8] {
    guard (1..<48).contains(workFactor) else { throw CryptoFailure() }
    let passphrase = Array(passphrase.utf8)
    return try made(Int(CRYPTO_KEY_SIZE)) {
      crypto_scrypt(
        passphrase, passphrase.count, salt, salt.count, 1 << UInt64(workFactor), $0,
        Int(CRYPTO_KEY_SIZE))
    }
  }

  static func made(
    _ count: Int, _ work: (UnsafeMutablePointer<UInt8>) throws -> Int32
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      guard try work(start) == 1 else { throw CryptoFailure() }
      initialized = count
    }
  }
}

/// A failed computation: wrong key, modified bytes, or insufficient memory.
package struct CryptoFailure: Error, Hashable {
  package init() {}
}
