import ArkivedCrypto
import Foundation

/// A public key that a file can be written to: `age1…`.
package struct AgeRecipient: Hashable, Sendable, CustomStringConvertible {
  private static let prefix = "age"

  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// - Throws: `AgeFailure.key` where the text is no public key of age's.
  package init(_ text: String) throws {
    guard let (prefix, bytes) = Bech32.decode(text), prefix == Self.prefix, bytes.count == 32
    else {
      let isSecret = text.uppercased().hasPrefix("AGE-SECRET-KEY-")
      throw AgeFailure.key(
        isSecret
          ? "This is a secret key. Enter the matching public key, which starts with age1."
          : """
          “\(text.prefix(80))” isn’t a valid age public key. It starts with age1 and has 62 \
          characters.
          """
      )
    }
    self.bytes = bytes
  }

  package var description: String { Bech32.encode(Self.prefix, bytes) }
}

/// A secret key: `AGE-SECRET-KEY-1…`. It never describes itself.
package struct AgeIdentity: Sendable {
  private static let prefix = "age-secret-key-"

  let key: X25519Key

  /// Makes a new one.
  package init() { key = X25519Key() }

  /// - Throws: `AgeFailure.key`, which does not repeat the text.
  package init(_ text: String) throws {
    guard let (prefix, bytes) = Bech32.decode(text), prefix == Self.prefix,
      let key = try? X25519Key(secret: bytes)
    else {
      throw AgeFailure.key("This isn’t a valid age secret key. It starts with AGE-SECRET-KEY-1.")
    }
    self.key = key
  }

  /// The secret key as text, for the file that keeps it.
  /// Returns the contents of a key file as age-keygen writes it: both keys, the public one as a comment.
  ///
  /// - Parameter created: the time of creation.
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

  /// The keys in a file as `age-keygen` writes it: one a line, `#` before remarks.
  /// - Throws: `AgeFailure.key` where a line is none, or there is none at all.
  package static func list(_ text: String) throws -> [AgeIdentity] {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !lines.isEmpty else { throw AgeFailure.key("The key file contains no key.") }
    return try lines.map { try AgeIdentity($0) }
  }
}

/// For whom a file is encrypted.
package enum AgeTarget: Sendable {
  /// Whoever has the secret key of one of these.
  case recipients([AgeRecipient])
  /// Whoever knows the passphrase. The work factor is the base-2 logarithm of scrypt's N.
  case passphrase(String, workFactor: Int = AgeTarget.usualWorkFactor)

  /// About a second on a computer of today, and 256 MiB while it lasts; age's own choice.
  package static let usualWorkFactor = 18
}

/// With what a file is opened.
package enum AgeUnlock: Sendable {
  case identity(AgeIdentity)
  /// - Parameter workLimit: a file that asks for more work is refused: 20 needs 1 GiB, 22 needs 4.
  case passphrase(String, workLimit: Int = AgeUnlock.usualWorkLimit)
  /// The key of the very file, which whoever has just written it has.
  case fileKey(AgeFileKey)

  package static let usualWorkLimit = 20
  /// The most that age itself does.
  package static let highestWorkLimit = 22
}

/// The key that one file's content is encrypted with.
package struct AgeFileKey: Sendable {
  static let count = 16

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A fresh one.
  init() { bytes = Secrets.random(Self.count) }

  func derived(salt: [UInt8], info: String) throws -> [UInt8] {
    try Secrets.derivedKey(from: bytes, salt: salt, info: info)
  }
}
