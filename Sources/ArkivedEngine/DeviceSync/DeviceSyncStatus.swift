package import ArkivedCore
package import ArkivedStore

/// How the devices stand to each other, as this one knows it.
package struct DeviceSyncStatus: Sendable {
  /// Something that keeps changes from getting through.
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

    /// If nothing gets through before somebody does something.
    package var isStuck: Bool {
      switch self {
      case .missing, .clock, .rolledBack: false
      default: true
      }
    }

    package var sentence: String {
      switch self {
      case .folderMissing(let path):
        said("The shared folder isn’t there: \(path). Changes wait here until it is back.")
      case .folderTrouble(let reason):
        said("The shared folder can’t be written: \(reason). Changes wait here.")
      case .copied:
        said(
          """
          Another copy of this archive uses the same keys. Nothing is sent from here. \
          Run `arkived devices leave`, then join again with a new code.
          """)
      case .revoked: said("This device was revoked. It sends and receives nothing.")
      case .forked(let name):
        said(
          """
          “\(name)” sent two versions of its log. Nothing more is read from it. \
          Revoke it, and have it join again.
          """)
      case .rolledBack(let name):
        said("The folder shows an older state of “\(name)”. Newer changes were read before.")
      case .newer(let name):
        said("“\(name)” runs a newer Arkived. Update Arkived here to read its changes.")
      case .missing(let name):
        said("Changes of “\(name)” haven’t arrived in the folder completely.")
      case .clock(let name): said("The clock of “\(name)” is wrong. Set it right.")
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
    /// When it last wrote into the folder, by its own clock.
    package var lastSeen: Instant?
    /// How many segments of this device’s log it hasn’t read.
    package var behind: Int

    package var json: JSON {
      [
        "id": .string(device.id), "name": .string(device.name), "isThisOne": .bool(isThisOne),
        "isRevoked": .bool(device.isRevoked), "lastSeen": JSON(lastSeen), "behind": JSON(behind),
      ]
    }
  }

  package var folder: String
  package var devices: [Device] = []
  package var troubles: [Trouble] = []
  /// Things that wait for something that isn’t here yet.
  package var waiting = 0
  /// Files of attachments that aren’t here yet.
  package var missingFiles = 0
  package var lastExchange: Instant?
  package var conflicts: [ReplicaConflict] = []

  package var json: JSON {
    [
      "folder": .string(folder), "devices": .array(devices.map(\.json)),
      "troubles": .array(
        troubles.map { ["kind": .string($0.name), "message": .string($0.sentence)] }),
      "waiting": JSON(waiting), "missingFiles": JSON(missingFiles),
      "lastExchange": JSON(lastExchange), "conflicts": .array(conflicts.map(\.json)),
    ]
  }
}
