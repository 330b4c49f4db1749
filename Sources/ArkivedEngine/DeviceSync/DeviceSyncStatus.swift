package import ArkivedCore
package import ArkivedStore

/// The state of sync as this device knows it.
package struct DeviceSyncStatus: Sendable {
  package struct Device: Sendable {
    package var device: OwnDevice
    package var isThisOne: Bool
    /// The time of its last report, by its own clock.
    package var lastSeen: Instant?
    /// The number of segments of this device's log that it hasn't read.
    package var behind: Int

    package var json: JSON {
      [
        "id": .string(device.id), "name": .string(device.name), "isThisOne": .bool(isThisOne),
        "isRevoked": .bool(device.isRevoked), "revokedAt": JSON(device.removal?.at),
        "lastSeen": JSON(lastSeen), "behind": JSON(behind),
      ]
    }
  }

  package var folder: String
  /// The number of changes here that aren't in the folder yet.
  package var unsent = 0
  package var devices: [Device] = []
  package var troubles: [Trouble] = []
  /// The number of things that are waiting for something that hasn't arrived yet.
  package var waiting = 0
  /// A sentence with the number of waiting things.
  package var waitingSentence: String {
    said(
      waiting, one: "1 item is waiting for another one that hasn’t arrived yet.",
      other: "\(waiting) items are waiting for others that haven’t arrived yet.")
  }
  /// The number of attachment files that haven't arrived yet.
  package var missingFiles = 0
  package var lastExchange: Instant?
  package var conflicts: [ReplicaConflict] = []
  /// The changes of other devices that this one couldn't accept, so it still differs from them.
  package var refusals: [ReplicaRefusal] = []
  /// A sentence with the number of these and what to do.
  package var refusalSentence: String {
    said(
      refusals.count,
      one: """
        1 item is different on this device because changes made on two devices conflict. Edit it on \
        either device:
        """,
      other: """
        \(refusals.count) items are different on this device because changes made on two devices \
        conflict. Edit them on either device:
        """)
  }

  /// True if this device was revoked.
  package var isRemoved: Bool { troubles.contains { $0.name == "revoked" } }

  /// True if every device has everything, as far as this one knows.
  package var isInStep: Bool {
    troubles.isEmpty && unsent == 0 && missingFiles == 0 && waiting == 0 && refusals.isEmpty
      && !devices.contains { $0.behind > 0 }
  }

  /// The number of seconds after which a usually temporary problem is reported.
  private static let patience = 86_400

  /// Returns the problem of the last sync that prevents changes from getting through; nil if there
  /// is none.
  package static func lastTrouble(_ archive: Archive) throws -> Trouble? {
    if let trouble = LocalTroubles.all(of: archive).first { return trouble }
    let status = try archive.replicaNote("status")
    let last = status?["lastExchange"]?.string.flatMap { Instant($0) }
    let isLong = last.map { $0.seconds(to: archive.clock.now) > patience } ?? true
    return (status?["troubles"]?.array ?? []).compactMap(Trouble.init)
      .first { $0.isStuck && (isLong || !$0.isPassing) }
  }

  package var json: JSON {
    [
      "isOn": true, "folder": .string(folder), "devices": .array(devices.map(\.json)),
      "troubles": .array(
        troubles.map { trouble in
          var object = trouble.json.object ?? JSONObject()
          object["message"] = .string(trouble.sentence())
          return .object(object)
        }),
      "unsent": JSON(unsent), "waiting": JSON(waiting), "missingFiles": JSON(missingFiles),
      "lastExchange": JSON(lastExchange), "conflicts": .array(conflicts.map(\.json)),
      "refused": .array(refusals.map(\.json)),
    ]
  }
}
