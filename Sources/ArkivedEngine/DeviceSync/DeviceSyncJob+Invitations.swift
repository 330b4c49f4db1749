import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedStore
import Foundation

/// Inviting another device and letting it in.
extension DeviceSyncJob {
  /// Creates a code with which another device can join within an hour.
  package mutating func invite() throws -> String {
    try alone { job in try job.makeInvitation() }
  }

  private mutating func makeInvitation() throws -> String {
    try refuseRemoved()
    guard folder.isThere else {
      throw ArchiveError.notFound("Shared folder not found: \(identity.folder).")
    }
    let secret = PairingSecret()
    var card = OwnDevice(identity).card
    card["circle"] = .string(identity.circle)
    withdrawInvitation()
    try folder.write(
      try secret.sealed(.object(card)), as: "invite-\(secret.place)", of: identity.id)
    try send()
    identity.notes["invitation"] = [
      "code": .string(secret.text),
      "until": JSON(archive.clock.now.adding(seconds: DevicePairing.validSeconds)),
    ]
    try keepSettings()
    return secret.text
  }

  /// The code that another device can use now.
  package var validCode: String? {
    guard let invitation = identity.notes["invitation"],
      let until = invitation["until"]?.string.flatMap({ Instant($0) }), archive.clock.now < until
    else { return nil }
    return invitation["code"]?.string
  }

  /// Makes the code invalid.
  package mutating func withdraw() throws {
    try alone { job in
      job.withdrawInvitation()
      try job.send()
      job.identity.notes["invitation"] = nil
      try job.keepSettings()
    }
  }

  private func withdrawInvitation() {
    for name in folder.names(in: folder.folder(of: identity.id)) where name.hasPrefix("invite-") {
      folder.remove(name, of: identity.id)
    }
  }

  /// The device that has answered the code; nil if none has yet, or when the hour is over.
  package func request() throws -> DevicePairing.Request? {
    guard let invitation = identity.notes["invitation"],
      let until = invitation["until"]?.string.flatMap({ Instant($0) }), archive.clock.now < until,
      let secret = try? PairingSecret(invitation["code"]?.string ?? "")
    else { return nil }
    // A device that is known and asks again was let in only halfway.
    for device in folder.devices()
    where device != identity.id && members[device]?.isRevoked != true {
      guard let data = folder.read("request-\(secret.place)", of: device),
        let card = secret.opened(data), let asking = OwnDevice(card: card), asking.id == device
      else { continue }
      return DevicePairing.Request(
        device: asking, comparison: secret.comparison(OwnDevice(identity), asking),
        place: secret.place)
    }
    return nil
  }

  /// Accepts a device: sends it the keys and everything that this device knows.
  package mutating func accept(_ request: DevicePairing.Request) throws {
    try alone { job in try job.letIn(request) }
  }

  private mutating func letIn(_ request: DevicePairing.Request) throws {
    let device = request.device
    try archive.setReplica(device.values, of: device.key)
    members[device.id] = device
    _ = try run()
    if let trouble = troubles.first(where: { $0 == .copied }) {
      throw ArchiveError.refused(trouble.sentence())
    }
    try writeSnapshot()
    let head: JSON = [
      "nameKey": .string(identity.nameKey.hexadecimal),
      "keys": .array(identity.keys.map(\.json)), "snapshot": identity.notes["snapshot"] ?? 0,
      // The new device trusts the keys that this one has known from the start.
      "recipients": identity.notes["recipients"] ?? .object(JSONObject()),
    ]
    let welcome = SealedFile(kind: .welcome, device: identity.id, head: head)
    try folder.write(
      try welcome.bytes(by: identity, to: [try AgeRecipient(device.recipient)]),
      as: "welcome-\(request.place)", of: identity.id)
    withdrawInvitation()
    try send()
    identity.notes["invitation"] = nil
    try keepSettings()
  }
}
