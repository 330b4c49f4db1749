import ArkivedBackup
import ArkivedCore
import ArkivedCrypto

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
    /// The device that this one received it from; nil for a key made here or received on joining.
    var giver: String?
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
      "giver": JSON(giver),
    ]
  }

  init(_ json: JSON) throws {
    guard let number = json["number"]?.int, let secret = json["secret"]?.string else {
      throw FieldError("keys", "has a damaged key")
    }
    self.init(
      number: number, identity: try AgeIdentity(secret),
      excluded: (json["excluded"]?.array ?? []).compactMap(\.string),
      giver: json["giver"]?.string)
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
