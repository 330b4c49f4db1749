import ArkivedCrypto
import Foundation

/// Wraps a file's key in a header's stanza, and unwraps it.
enum AgeWrapping {
  private static let x25519 = "X25519"
  private static let scrypt = "scrypt"
  private static let x25519Label = "age-encryption.org/v1/X25519"
  private static let scryptLabel = "age-encryption.org/v1/scrypt"
  private static let saltCount = 16
  /// The size of the key and its authentication tag.
  private static let wrappedCount = AgeFileKey.count + 16

  // MARK: Writing

  static func wrap(_ fileKey: AgeFileKey, for target: AgeTarget) throws -> [AgeHeader.Stanza] {
    switch target {
    case .recipients(let recipients):
      guard !recipients.isEmpty else { throw AgeFailure.key("Enter at least one public key.") }
      return try recipients.map { try wrap(fileKey, for: $0) }
    case .passphrase(let passphrase, let workFactor):
      let salt = Secrets.random(saltCount)
      let key = try stretched(passphrase, salt, workFactor)
      return [
        AgeHeader.Stanza(
          type: scrypt,
          arguments: [
            String(decoding: StrictBase64.encode(salt), as: UTF8.self), String(workFactor),
          ], body: try sealed(fileKey, key))
      ]
    }
  }

  private static func wrap(
    _ fileKey: AgeFileKey, for recipient: AgeRecipient
  ) throws -> AgeHeader.Stanza {
    let ephemeral = X25519Key()
    let share = ephemeral.publicKey
    guard
      let key = try? wrappingKey(ephemeral, with: recipient.bytes, salt: share + recipient.bytes)
    else { throw AgeFailure.key("The public key \(recipient) can’t be used.") }
    return AgeHeader.Stanza(
      type: x25519, arguments: [String(decoding: StrictBase64.encode(share), as: UTF8.self)],
      body: try sealed(fileKey, key))
  }

  private static func sealed(_ fileKey: AgeFileKey, _ key: [UInt8]) throws -> [UInt8] {
    try ChaChaPoly.seal(fileKey.bytes, key: key, nonce: zeroNonce)
  }

  // MARK: Reading

  /// Unwraps the file key.
  ///
  /// - Throws: `AgeFailure.noMatch` if nothing opens it, `.header` if a stanza is damaged.
  static func unwrap(_ header: AgeHeader, with unlocks: [AgeUnlock]) throws -> AgeFileKey {
    let stanzas = header.stanzas
    guard stanzas.count == 1 || !stanzas.contains(where: { $0.type == scrypt }) else {
      throw AgeFailure.header("if a file has a passphrase, that must be the only way to open it")
    }
    for unlock in unlocks {
      for stanza in stanzas {
        if let key = try unwrap(stanza, with: unlock) { return key }
      }
    }
    throw AgeFailure.noMatch
  }

  /// Returns true if a passphrase opens the file.
  static func wantsPassphrase(_ header: AgeHeader) -> Bool {
    header.stanzas.contains { $0.type == scrypt }
  }

  private static func unwrap(
    _ stanza: AgeHeader.Stanza, with unlock: AgeUnlock
  ) throws -> AgeFileKey? {
    switch unlock {
    case .fileKey(let key): return key
    case .identity(let identity):
      guard stanza.type == x25519 else { return nil }
      return try unwrap(stanza, with: identity)
    case .passphrase(let passphrase, let limit):
      guard stanza.type == scrypt else { return nil }
      return try unwrap(stanza, with: passphrase, limit)
    }
  }

  private static func unwrap(
    _ stanza: AgeHeader.Stanza, with identity: AgeIdentity
  ) throws -> AgeFileKey? {
    guard stanza.arguments.count == 1,
      let share = StrictBase64.decode(stanza.arguments[0].utf8), share.count == 32,
      stanza.body.count == wrappedCount,
      let key = try? wrappingKey(
        identity.key, with: share, salt: share + identity.recipient.bytes)
    else { throw AgeFailure.header("the part for a public key is damaged") }
    return opened(stanza.body, key)
  }

  private static func unwrap(
    _ stanza: AgeHeader.Stanza, with passphrase: String, _ limit: Int
  ) throws -> AgeFileKey? {
    guard stanza.arguments.count == 2,
      let salt = StrictBase64.decode(stanza.arguments[0].utf8), salt.count == saltCount,
      stanza.body.count == wrappedCount,
      let factor = workFactor(stanza.arguments[1])
    else { throw AgeFailure.header("the part for a passphrase is damaged") }
    guard factor <= limit else {
      throw AgeFailure.header(
        "its passphrase requires more computation (2^\(factor)) than is allowed here (2^\(limit))")
    }
    return opened(stanza.body, try stretched(passphrase, salt, factor))
  }

  /// Parses a number without a sign or leading zeros.
  private static func workFactor(_ text: String) -> Int? {
    guard let first = text.utf8.first, first != UInt8(ascii: "0"), text.utf8.count < 10,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func opened(_ body: [UInt8], _ key: [UInt8]) -> AgeFileKey? {
    (try? ChaChaPoly.open(body, key: key, nonce: zeroNonce)).map { AgeFileKey($0) }
  }

  // MARK: Keys

  /// A zero nonce is safe because each key is used only once.
  private static let zeroNonce = [UInt8](repeating: 0, count: ChaChaPoly.nonceCount)

  /// Derives the wrapping key.
  ///
  /// - Throws: an error if the shared secret is zero, as with a point of low order.
  private static func wrappingKey(
    _ own: X25519Key, with other: [UInt8], salt: [UInt8]
  ) throws -> [UInt8] {
    try Secrets.derivedKey(from: try own.shared(with: other), salt: salt, info: x25519Label)
  }

  private static func stretched(
    _ passphrase: String, _ salt: [UInt8], _ workFactor: Int
  ) throws -> [UInt8] {
    do {
      return try Secrets.stretchedKey(
        from: passphrase, salt: Array(scryptLabel.utf8) + salt, workFactor: workFactor)
    } catch {
      throw AgeFailure.key(
        "The key couldn’t be derived from the passphrase. This needs "
          + "\(max(1, 1 << (workFactor - 10))) MiB of memory.")
    }
  }
}
