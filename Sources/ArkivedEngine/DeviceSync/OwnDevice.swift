import ArkivedBackup
package import ArkivedCore
import ArkivedCrypto
import ArkivedStore
import Foundation

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

  /// The device as one card, which it passes on when devices are paired.
  var card: JSONObject {
    var card = JSONObject()
    card["id"] = .string(id)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { card[key] = value }
    return card
  }

  /// Fails if it isn't a card, or if the keys don't match the ID.
  init?(card: JSON) {
    guard let object = card.object, let id = object["id"]?.string else { return nil }
    self.init(id: id, Dictionary(object.members.map { ($0.key, $0.value) }) { $1 })
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
