import ArkivedCrypto
import Foundation

/// A public key to which a file can be encrypted: `age1…`.
package struct AgeRecipient: Hashable, Sendable, CustomStringConvertible {
  private static let prefix = "age"

  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a public key.
  ///
  /// - Throws: `AgeFailure.key` if the text isn't an age public key.
  package init(_ text: String) throws {
    guard let (prefix, bytes) = Bech32.decode(text), prefix == Self.prefix, bytes.count == 32
    else {
      let isSecret = text.uppercased().hasPrefix("AGE-SECRET-KEY-")
      throw AgeFailure.key(
        isSecret
          ? "This is a secret key. Enter the matching public key, which starts with age1."
          : """
          “\(text.prefix(80))” isn’t a valid age public key. A valid one starts with age1 and has \
          62 characters.
          """
      )
    }
    self.bytes = bytes
  }

  package var description: String { Bech32.encode(Self.prefix, bytes) }
}

/// A secret key: `AGE-SECRET-KEY-1…`.
///
/// Its description never reveals it.
package struct AgeIdentity: Sendable {
  private static let prefix = "age-secret-key-"

  let key: X25519Key

  /// Generates a new key.
  package init() { key = X25519Key() }

  /// Parses a secret key.
  ///
  /// - Throws: `AgeFailure.key`, which doesn't repeat the text.
  package init(_ text: String) throws {
    guard let (prefix, bytes) = Bech32.decode(text), prefix == Self.prefix,
      let key = try? X25519Key(secret: bytes)
    else {
      throw AgeFailure.key(
        "This isn’t a valid age secret key. A valid one starts with "
          + "AGE-SECRET-KEY-1.")
    }
    self.key = key
  }

  /// The secret key as text, for the file that stores it.
  ///
  /// Returns the contents of a key file as age-keygen writes it: both keys, the public one as a
  /// comment.
  ///
  /// - Parameter created: the time of creation.
  /// - Returns: the file's text.
  package func fileText(created: String) -> String {
    """
    # created: \(created)
    # public key: \(recipient)
    \(secretText)

    """
  }

  package var secretText: String {
    Bech32.encode(Self.prefix, key.secret).uppercased()
  }

  package var recipient: AgeRecipient { AgeRecipient(bytes: key.publicKey) }

  /// Parses the keys in a file as `age-keygen` writes it: one per line, with comments after `#`.
  ///
  /// - Throws: `AgeFailure.key` if a line is invalid, or the file contains no key.
  package static func list(_ text: String) throws -> [AgeIdentity] {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !lines.isEmpty else { throw AgeFailure.key("The key file contains no key.") }
    return try lines.map { try AgeIdentity($0) }
  }
}

/// The target of encryption.
package enum AgeTarget: Sendable {
  /// Anyone with the secret key of one of these.
  case recipients([AgeRecipient])
  /// Anyone who knows the passphrase.
  ///
  /// The work factor is the base-2 logarithm of scrypt's N.
  case passphrase(String, workFactor: Int = AgeTarget.usualWorkFactor)

  /// The default of age: about a second on a current computer, during which it uses 256 MiB.
  package static let usualWorkFactor = 18
}

/// A means of opening a file.
package enum AgeUnlock: Sendable {
  case identity(AgeIdentity)
  /// A passphrase; a file that requires more work than `workLimit` is refused: 20 needs 1 GiB, 22
  /// needs 4.
  ///
  /// - Parameter workLimit: the maximum work factor.
  case passphrase(String, workLimit: Int = AgeUnlock.usualWorkLimit)
  /// The key of the file itself, which its writer has.
  case fileKey(AgeFileKey)

  package static let usualWorkLimit = 20
  /// The highest limit that age itself accepts.
  package static let highestWorkLimit = 22
}

/// The key that encrypts one file's content.
package struct AgeFileKey: Sendable {
  static let count = 16

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Generates a new key.
  init() { bytes = Secrets.random(Self.count) }

  func derived(salt: [UInt8], info: String) throws -> [UInt8] {
    try Secrets.derivedKey(from: bytes, salt: salt, info: info)
  }
}
