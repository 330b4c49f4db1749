package import ArkivedCore
package import ArkivedStore

/// The state of sync as this device knows it.
package struct DeviceSyncStatus: Sendable {
  /// A problem that keeps changes from getting through.
  package enum Trouble: Hashable, Sendable {
    /// The shared folder isn’t there.
    case folderMissing(String)
    /// The shared folder can’t be written.
    case folderTrouble(String)
    /// Another copy of this archive runs with the same keys, or this one was put back.
    case copied
    /// This device was revoked.
    case revoked
    /// A device’s log contradicts what was read of it before.
    case forked(String)
    /// The folder shows less of a device’s log than it did.
    case rolledBack(String)
    /// A newer program wrote a device’s log.
    case newer(String)
    /// Parts of a device’s log are not here yet.
    case missing(String)
    /// A device’s clock is far ahead or behind.
    case clock(String)

    /// True if nothing gets through until somebody acts.
    package var isStuck: Bool {
      switch self {
      case .missing, .clock, .rolledBack: false
      default: true
      }
    }

    package var sentence: String {
      switch self {
      case .folderMissing(let path):
        said("Shared folder not found: \(path). Changes wait on this device until it’s back.")
      case .folderTrouble(let reason):
        said("Couldn’t write to the shared folder: \(reason). Changes wait on this device.")
      case .copied:
        said(
          """
          Another copy of this archive uses the same keys, so this one sends nothing. Leave the \
          other devices here, then join again with a new code.
          """)
      case .revoked: said("This device was revoked. It no longer syncs.")
      case .forked(let name):
        said(
          """
          “\(name)” sent two different versions of its changes, so no more are read. Revoke it, \
          then add it again.
          """)
      case .rolledBack(let name):
        said("The shared folder holds an older state of “\(name)” than was already read.")
      case .newer(let name):
        said("“\(name)” uses a newer version of Arkived. Update Arkived here to get its changes.")
      case .missing(let name):
        said("Some changes from “\(name)” haven’t arrived yet.")
      case .clock(let name): said("The clock of “\(name)” is wrong. Correct it there.")
      }
    }

    package var name: String {
      switch self {
      case .folderMissing: "folderMissing"
      case .folderTrouble: "folderTrouble"
      case .copied: "copied"
      case .revoked: "revoked"
      case .forked: "forked"
      case .rolledBack: "rolledBack"
      case .newer: "newer"
      case .missing: "missing"
      case .clock: "clock"
      }
    }
  }

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
        "isRevoked": .bool(device.isRevoked), "lastSeen": JSON(lastSeen), "behind": JSON(behind),
      ]
    }
  }

  package var folder: String
  /// The number of changes here that aren't in the folder yet.
  package var unsent = 0
  package var devices: [Device] = []
  package var troubles: [Trouble] = []
  /// Things that wait for something that isn’t here yet.
  package var waiting = 0
  /// Files of attachments that aren’t here yet.
  package var missingFiles = 0
  package var lastExchange: Instant?
  package var conflicts: [ReplicaConflict] = []

  /// True if every device has everything, as far as this one knows.
  package var isInStep: Bool {
    troubles.isEmpty && unsent == 0 && missingFiles == 0 && waiting == 0
      && !devices.contains { $0.behind > 0 }
  }

  /// Returns the problem of the last sync that keeps changes from getting through; nil if they do.
  package static func lastTrouble(_ archive: Archive) throws -> Trouble? {
    let troubles = try archive.replicaNote("status")?["troubles"]?.array ?? []
    return troubles.compactMap { one -> Trouble? in
      guard let name = one["kind"]?.string else { return nil }
      return Trouble(name: name, subject: one["subject"]?.string)
    }.filter(\.isStuck).first
  }

  package var json: JSON {
    [
      "isOn": true, "folder": .string(folder), "devices": .array(devices.map(\.json)),
      "troubles": .array(
        troubles.map {
          [
            "kind": .string($0.name), "subject": JSON($0.subject), "message": .string($0.sentence),
          ]
        }),
      "unsent": JSON(unsent), "waiting": JSON(waiting), "missingFiles": JSON(missingFiles),
      "lastExchange": JSON(lastExchange), "conflicts": .array(conflicts.map(\.json)),
    ]
  }
}
