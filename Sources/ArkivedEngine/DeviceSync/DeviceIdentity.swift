import ArkivedBackup
package import ArkivedCore
import ArkivedCrypto
import ArkivedStore
import Foundation

/// This device as one of those that share the archive: its keys, and the data needed to read the
/// other devices' files.
///
/// It is stored in the archive’s database, which only the owner’s account may read, and isn't
/// included in any backup.
struct DeviceIdentity {
  /// The ID, derived from the signing key, so no other device can have it.
  let id: String
  var name: String
  let signing: Ed25519Key
  let encryption: AgeIdentity
  /// The group of devices: the name of its folder in the shared folder, and part of everything that
  /// is signed.
  var circle: String
  /// The key from which the names of attached files are derived.
  var nameKey: [UInt8]
  /// The group’s keys, the newest last.
  var keys: [CircleKey]
  /// The shared folder.
  var folder: String
  /// Other values stored between exchanges.
  var notes: JSONObject

  /// A key that all devices of the group have.
  struct CircleKey {
    var number: Int
    var identity: AgeIdentity
    /// The revoked devices that did not receive it.
    var excluded: [String]
  }

  init(
    name: String, circle: String, nameKey: [UInt8], keys: [CircleKey], folder: String,
    signing: Ed25519Key
  ) {
    self.signing = signing
    encryption = AgeIdentity()
    id = Self.id(of: signing.publicKey)
    self.name = name
    self.circle = circle
    self.nameKey = nameKey
    self.keys = keys
    self.folder = folder
    notes = JSONObject()
  }

  static func id(of publicKey: [UInt8]) -> String {
    String(SHA256.hash(data: publicKey).hexadecimal.prefix(16))
  }

  var latestKey: CircleKey? {
    keys.max { ($0.number, $0.identity.secretText) < ($1.number, $1.identity.secretText) }
  }

  // MARK: As JSON

  var json: JSON {
    [
      "name": .string(name), "signing": .string(signing.secret.hexadecimal),
      "encryption": .string(encryption.secretText), "circle": .string(circle),
      "nameKey": .string(nameKey.hexadecimal), "keys": .array(keys.map(\.json)),
      "folder": .string(folder), "notes": .object(notes),
    ]
  }

  /// - Throws: `FieldError`, `AgeFailure`, `CryptoFailure` if something is missing.
  init(_ json: JSON) throws {
    func text(_ key: String) throws -> String {
      guard let text = json[key]?.string else { throw FieldError(key, "is missing") }
      return text
    }
    signing = try Ed25519Key(secret: [UInt8](hexadecimal: try text("signing")) ?? [])
    encryption = try AgeIdentity(try text("encryption"))
    id = Self.id(of: signing.publicKey)
    name = try text("name")
    circle = try text("circle")
    nameKey = [UInt8](hexadecimal: try text("nameKey")) ?? []
    keys = try (json["keys"]?.array ?? []).map(CircleKey.init)
    folder = try text("folder")
    notes = json["notes"]?.object ?? JSONObject()
  }
}

extension DeviceIdentity.CircleKey {
  /// A marker that distinguishes keys of the same number and reveals nothing about them.
  var mark: String {
    String(SHA256.hash(data: identity.secretText.utf8).hexadecimal.prefix(12))
  }

  var json: JSON {
    [
      "number": JSON(number), "secret": .string(identity.secretText), "excluded": JSON(excluded),
    ]
  }

  init(_ json: JSON) throws {
    guard let number = json["number"]?.int, let secret = json["secret"]?.string else {
      throw FieldError("keys", "has a damaged key")
    }
    self.init(
      number: number, identity: try AgeIdentity(secret),
      excluded: (json["excluded"]?.array ?? []).compactMap(\.string))
  }
}

extension [UInt8] {
  /// Reads hexadecimal digits; nil if there are other characters.
  init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16)
      else { return nil }
      append(byte)
    }
  }
}

/// One of the owner’s devices, as known to all of them.
package struct OwnDevice: Hashable, Sendable {
  package var id: String
  package var name: String
  var signingKey: [UInt8]
  var recipient: String
  package var isRevoked: Bool
  /// The last segment of a revoked device's log that counts.
  var revokedAt: Int
  /// The time and device of its revocation; nil if it wasn't revoked, or was revoked by an older
  /// version.
  package var removal: Removal?

  package struct Removal: Hashable, Sendable {
    package var at: Instant
    /// The ID of the device that revoked it.
    var by: String
  }

  static let type = "devices"

  var key: ReplicaKey { ReplicaKey(type: Self.type, id: id) }

  var values: [String: JSON] {
    [
      "name": .string(name), "signingKey": .string(signingKey.hexadecimal),
      "recipient": .string(recipient),
    ]
  }

  /// Fails if the keys don't match the ID.
  init?(id: String, _ values: [String: JSON]) {
    guard let key = values["signingKey"]?.string.flatMap({ [UInt8](hexadecimal: $0) }),
      let recipient = values["recipient"]?.string, DeviceIdentity.id(of: key) == id
    else { return nil }
    self.init(
      id: id, name: Self.plain(values["name"]?.string ?? "", or: id), signingKey: key,
      recipient: recipient,
      isRevoked: values["revoked"]?.bool ?? false, revokedAt: values["revokedAt"]?.int ?? 0)
    if isRevoked, let at = values["revokedOn"]?.string.flatMap({ Instant($0) }) {
      removal = Removal(at: at, by: values["revokedBy"]?.string ?? "")
    }
  }

  /// Returns a name on one line, without control characters.
  private static func plain(_ name: String, or id: String) -> String {
    let shown = name.unicodeScalars.filter { !CharacterSet.controlCharacters.contains($0) }
    let name = String(String(String.UnicodeScalarView(shown)).prefix(60))
      .trimmingCharacters(in: .whitespaces)
    return name.isEmpty ? id : name
  }

  init(
    id: String, name: String, signingKey: [UInt8], recipient: String, isRevoked: Bool = false,
    revokedAt: Int = 0
  ) {
    self.id = id
    self.name = name
    self.signingKey = signingKey
    self.recipient = recipient
    self.isRevoked = isRevoked
    self.revokedAt = revokedAt
  }

  init(_ identity: DeviceIdentity) {
    self.init(
      id: identity.id, name: identity.name, signingKey: identity.signing.publicKey,
      recipient: identity.encryption.recipient.description)
  }
}
