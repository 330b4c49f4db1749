package import ArkivedCore
import Foundation

/// The contents of `manifest.json`, which lists everything in a backup for complete verification.
package struct BackupManifest: Hashable, Sendable {
  /// A file in the backup.
  package struct Member: Hashable, Sendable {
    package var path: String
    package var bytes: Int
    /// The SHA-256 in lower-case hexadecimal.
    package var hash: String

    package init(path: String, bytes: Int, hash: String) {
      self.path = path
      self.bytes = bytes
      self.hash = hash
    }
  }

  /// The version of the format being written; older ones stay readable.
  package static let version = 1
  package static let fileName = "manifest.json"
  package static let guideName = "README.txt"

  package var madeAt: Instant
  /// The version of the program that created it.
  package var program: String
  /// The last migration in the archive's schema at that time.
  package var schema: String
  /// The version of the JSON Lines format in it.
  package var lines: Int
  /// The number of lines by `type`, in the order of the files.
  package var counts: [String: Int]
  /// All files except the manifest, in the order they were written.
  package var members: [Member]
  /// The attachments whose files were missing from the archive.
  package var missing: [String]

  package init(
    madeAt: Instant, program: String, schema: String, lines: Int, counts: [String: Int] = [:],
    members: [Member] = [], missing: [String] = []
  ) {
    self.madeAt = madeAt
    self.program = program
    self.schema = schema
    self.lines = lines
    self.counts = counts
    self.members = members
    self.missing = missing
  }

  /// The number of lines of all types.
  package var entries: Int { counts.values.reduce(0, +) }
  /// The unpacked size of all files, in bytes.
  package var bytes: Int { members.reduce(0) { $0 + $1.bytes } }

  package var json: JSON {
    var counted = JSONObject()
    for (type, count) in counts.sorted(by: { $0.key < $1.key }) { counted[type] = JSON(count) }
    return [
      "type": "arkived-backup", "version": JSON(Self.version), "madeAt": JSON(madeAt),
      "program": .string(program), "schema": .string(schema), "jsonLines": JSON(lines),
      "counts": .object(counted),
      "files": .array(
        members.map {
          ["path": .string($0.path), "bytes": JSON($0.bytes), "sha256": .string($0.hash)]
        }), "missing": JSON(missing),
    ]
  }

  /// Parses a manifest.
  ///
  /// - Throws: `BackupFailure`.
  package init(_ json: JSON) throws {
    guard json["type"]?.string == "arkived-backup", let version = json["version"]?.int else {
      throw BackupFailure.notABackup("its manifest.json belongs to something else")
    }
    guard version <= Self.version else { throw BackupFailure.newer(version) }
    guard let madeAt = json["madeAt"]?.string.flatMap({ Instant($0) }),
      let files = json["files"]?.array
    else { throw BackupFailure.damaged("its manifest.json is incomplete") }
    self.init(
      madeAt: madeAt, program: json["program"]?.string ?? "",
      schema: json["schema"]?.string ?? "", lines: json["jsonLines"]?.int ?? 1)
    for (type, count) in json["counts"]?.object?.members ?? [] {
      counts[type] = try Self.checked(count.int)
    }
    missing = (json["missing"]?.array ?? []).compactMap(\.string)
    members = try files.map { file in
      guard let path = file["path"]?.string, let bytes = file["bytes"]?.int, bytes >= 0,
        let hash = file["sha256"]?.string, hash.utf8.count == 64, MemberName.isKnown(path)
      else { throw BackupFailure.damaged("its manifest.json contains an invalid file entry") }
      return Member(path: path, bytes: bytes, hash: hash)
    }
    guard Set(members.map(\.path)).count == members.count else {
      throw BackupFailure.damaged("its manifest.json lists a file twice")
    }
    for numbers in [members.map(\.bytes), Array(counts.values)] {
      var sum = 0
      for number in numbers { sum = try Self.checked(Self.checked(number) + sum) }
    }
  }

  /// No backup has more bytes or lines; sums of such numbers don't overflow.
  private static let numberLimit = 1 << 50

  private static func checked(_ number: Int?) throws -> Int {
    guard let number, (0...numberLimit).contains(number) else {
      throw BackupFailure.damaged("its manifest.json contains an invalid number")
    }
    return number
  }
}

/// The allowed file names in a backup.
///
/// Anything else is refused, so no path leads outside.
package enum MemberName {
  /// Returns a name such as `07-activity.jsonl`.
  package static func lines(_ number: Int, _ type: String) -> String {
    (number < 10 ? "0" : "") + "\(number)-\(type).jsonl"
  }

  package static func isLines(_ name: String) -> Bool {
    name.wholeMatch(of: #/[0-9]{2,3}-[a-z][a-zA-Z]{0,40}\.jsonl/#) != nil
  }

  /// Returns true for names such as `attachments/ab/ab12….jpg`, as the archive assigns them.
  package static func isAttachment(_ name: String) -> Bool {
    name.wholeMatch(of: #/attachments/[0-9a-f]{2}/[0-9a-f]{64}(\.[a-z0-9]{1,8})?/#) != nil
  }

  static func isKnown(_ name: String) -> Bool {
    [BackupManifest.guideName, settings, move].contains(name) || isLines(name)
      || isAttachment(name)
  }

  /// The owner's display settings.
  package static let settings = "settings.json"

  /// The additional data for a move to another computer.
  package static let move = "move.json"
}
