import ArkivedBackup
package import ArkivedCore
package import ArkivedStore
import Foundation

/// The backups that the archive knows of, and other files in the scheduled backup folder that look
/// like backups.
package struct BackupListing: Sendable {
  /// The condition of a backup, as far as it is known.
  package enum Health: Hashable, Sendable {
    /// Restored to a temporary location and found complete.
    case tested(Instant)
    /// A test found problems.
    case failed(Instant, [String])
    /// Verified when it was made.
    case verified
    /// The file's size differs from its size when it was made.
    case changed
    /// The file was removed.
    case gone
    /// The folder is missing too, so its disk may not be attached.
    case detached
    /// The file isn't in any list and was never tested.
    case unknown

    /// The name in JSON.
    package var name: String {
      switch self {
      case .tested: "tested"
      case .failed: "failed"
      case .verified: "verified"
      case .changed: "changed"
      case .gone: "gone"
      case .detached: "detached"
      case .unknown: "unknown"
      }
    }
  }

  /// A backup.
  package struct Item: Hashable, Sendable {
    package var path: String
    /// The time it was made, or the file's date if it isn't in the list.
    package var madeAt: Instant
    package var bytes: Int
    package var isEncrypted: Bool
    /// The number of entries in it; nil if it isn't in the list.
    package var entries: Int?
    package var health: Health
    /// Descriptions of everything that the previous backup had and this one lacks.
    package var losses: [String] = []

    /// True if the file can be read.
    package var isThere: Bool {
      switch health {
      case .gone, .detached: false
      default: true
      }
    }

    package var json: JSON {
      var object: JSONObject = [
        "path": .string(path), "madeAt": JSON(madeAt), "bytes": JSON(bytes),
        "isEncrypted": .bool(isEncrypted), "entries": JSON(entries),
        "health": .string(health.name), "losses": JSON(losses),
      ]
      switch health {
      case .tested(let at): object["testedAt"] = JSON(at)
      case .failed(let at, let problems):
        object["testedAt"] = JSON(at)
        object["problems"] = JSON(problems)
      default: break
      }
      return .object(object)
    }
  }

  /// The backups, newest first.
  package var items: [Item]

  private static let fileLimit = 500
  private static let endings = [".zip.age", ".zip", ".move"]

  /// Lists the backups of an archive.
  package init(of archive: Archive) {
    let book = BackupBook(of: archive)
    items = book.entries.map { entry in
      let health: Health =
        if entry.isThere {
          book.trial(of: entry.path, bytes: entry.bytes).map(Self.health) ?? .verified
        } else if FileManager.default.fileExists(atPath: entry.path) {
          .changed
        } else {
          entry.isGone ? .gone : .detached
        }
      return Item(
        path: entry.path, madeAt: entry.madeAt, bytes: entry.bytes, isEncrypted: entry.isEncrypted,
        entries: entry.entries, health: health, losses: entry.losses)
    }
    if let folder = book.plan?.folder {
      let known = Set(items.map(\.path))
      items += Self.files(in: folder).filter { !known.contains($0.path) }.map { file in
        var file = file
        file.health = book.trial(of: file.path, bytes: file.bytes).map(Self.health) ?? .unknown
        return file
      }
      items.sort { ($0.madeAt, $0.path) > ($1.madeAt, $1.path) }
    }
  }

  private static func health(_ trial: BackupBook.Trial) -> Health {
    trial.problems.isEmpty ? .tested(trial.at) : .failed(trial.at, trial.problems)
  }

  private static func files(in folder: String) -> [Item] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let wanted = names.filter { name in
      !name.hasPrefix(".") && endings.contains { name.lowercased().hasSuffix($0) }
    }
    return wanted.sorted().prefix(fileLimit).compactMap { name in
      let url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular,
        let made = attributes?[.modificationDate] as? Date
      else { return nil }
      let head = try? AgeFile.input(PlainFile(url)).peek(64)
      return Item(
        path: url.standardizedFileURL.path, madeAt: Instant(made),
        bytes: (attributes?[.size] as? NSNumber)?.intValue ?? 0,
        isEncrypted: head.map { AgeFile.isAge($0) } ?? false, health: .unknown)
    }
  }
}
