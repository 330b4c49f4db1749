package import ArkivedBackup
package import ArkivedCore
import ArkivedSearch
package import ArkivedStore
package import Foundation

/// The contents of a checked backup, shown before anything is done with it.
package struct BackupContents: Sendable {
  /// The file's name.
  package var name: String
  /// The time of the backup and the version that made it; nil for a snapshot of the database.
  package var madeAt: Instant?
  package var program: String?
  /// The number of entries of all types.
  package var entries: Int
  /// The number of attached files, and their size in bytes.
  package var files: Int
  package var fileBytes: Int
  /// The first and the last day with an entry or a note.
  package var days: ClosedRange<DayKey>?
  /// True if the file was packed for another computer and also contains links, settings and drafts.
  package var isPacked: Bool
  /// The attached files that the archive lacked when the backup was made.
  package var missing: [String]
  /// The comparison with the current archive, by type.
  package var differences: [ArchiveDifference]
  /// Descriptions of the lines that the backup counts but that couldn't be restored.
  package var shortfalls: [String]

  package var json: JSON {
    [
      "name": .string(name), "madeAt": JSON(madeAt), "program": JSON(program),
      "entries": JSON(entries), "files": JSON(files), "fileBytes": JSON(fileBytes),
      "from": JSON(days?.lowerBound), "to": JSON(days?.upperBound), "isPacked": .bool(isPacked),
      "missing": JSON(missing), "differences": .array(differences.map(\.json)),
      "shortfalls": JSON(shortfalls),
    ]
  }
}

extension PreparedRestore {
  /// Returns the contents of the backup.
  package func contents() throws -> BackupContents {
    let files = try candidate.attachments(includingHidden: true).compactMap(\.relativePath)
    let attached = (manifest?.members ?? []).filter { MemberName.isAttachment($0.path) }
    return BackupContents(
      name: name, madeAt: manifest?.madeAt, program: manifest?.program,
      entries: differences.reduce(0) { $0 + $1.there },
      files: manifest == nil ? Set(files).count : attached.count,
      fileBytes: attached.reduce(0) { $0 + $1.bytes }, days: try candidate.writtenSpan(),
      isPacked: manifest?.members.contains { $0.path == MemberName.move } ?? false,
      missing: try missing(), differences: differences, shortfalls: shortfalls)
  }

  /// Turns the backup into a new, separate archive; the current archive stays unchanged.
  ///
  /// - Parameter folder: the folder of the new archive, which must be empty or not exist yet.
  /// - Throws: `ArchiveError.refused` if the folder can't be used.
  package func makeArchive(at folder: URL) throws {
    try Self.check(folder, for: archive)
    _ = try candidate.writePlainCopy(to: folder.standardizedFileURL)
    remove()
  }

  /// Throws if a folder can't become the folder of a new archive.
  ///
  /// - Throws: `ArchiveError.refused` with the reason.
  package static func check(_ folder: URL, for archive: Archive) throws {
    let path = folder.standardizedFileURL.path
    if let home = archive.home?.standardizedFileURL.path, (path + "/").hasPrefix(home + "/") {
      throw ArchiveError.refused(
        "\(path) is inside the current archive’s folder. Choose another folder.")
    }
    let content = try? FileManager.default.contentsOfDirectory(atPath: path)
    guard content?.isEmpty ?? !FileManager.default.fileExists(atPath: path) else {
      throw ArchiveError.refused(
        "\(path) already exists and isn’t empty. Choose a new folder. Nothing was changed.")
    }
  }

  /// Returns a folder that doesn't exist yet, next to the current archive's folder, for an archive
  /// made from a backup.
  package static func folder(beside home: URL, madeAt: Instant?) -> URL {
    let day = madeAt.map { " \($0.description.prefix(10))" } ?? ""
    let parent = home.deletingLastPathComponent()
    let name = "\(home.lastPathComponent) restored\(day)"
    var folder = parent.appendingPathComponent(name, isDirectory: true)
    var number = 1
    while FileManager.default.fileExists(atPath: folder.path) {
      number += 1
      folder = parent.appendingPathComponent("\(name) (\(number))", isDirectory: true)
    }
    return folder
  }
}

/// The result of restoring a backup to a temporary location.
package struct BackupTest: Sendable {
  package var contents: BackupContents
  /// The number of attached files whose content was compared in the restored archive.
  package var comparedFiles: Int
  /// Descriptions of everything wrong; empty if the backup can be restored completely.
  package var problems: [String]

  package var isGood: Bool { problems.isEmpty }

  package var json: JSON {
    [
      "contents": contents.json, "isGood": .bool(isGood), "comparedFiles": JSON(comparedFiles),
      "problems": JSON(problems),
    ]
  }
}

extension RestoreJob {
  /// Restores a backup to a temporary location, checks the resulting archive, and removes it.
  ///
  /// - Parameters:
  ///   - file: the backup.
  ///   - unlocks: the keys and passphrases to try.
  ///   - isRecorded: true to record the result in the list of backups.
  /// - Returns: the contents and all problems found.
  /// - Throws: the same errors as `prepare`; a damaged backup is recorded too.
  package func test(
    _ file: URL, unlocks: [AgeUnlock], isRecorded: Bool = true
  ) throws -> BackupTest {
    let prepared: PreparedRestore
    do {
      prepared = try prepare(file, unlocks: unlocks)
    } catch {
      if isRecorded { note(error, of: file) }
      throw error
    }
    let contents = try prepared.contents()
    var problems = contents.shortfalls
    for finding in try prepared.candidate.examine() where finding.verdict == .problem {
      problems.append("\(finding.check): \(finding.detail)")
    }
    let known = Set(
      try prepared.candidate.attachments(includingHidden: true).compactMap(\.relativePath))
    prepared.remove()
    if isRecorded { note(problems, of: file) }
    return BackupTest(contents: contents, comparedFiles: known.count, problems: problems)
  }

  private func note(_ problems: [String], of file: URL) {
    BackupBook.note(problems, of: file, in: archive)
  }

  private func note(_ failure: any Error, of file: URL) {
    BackupBook.note(failure, of: file, in: archive)
  }
}

extension BackupBook {
  /// Records a backup as failed if an error shows that its file is damaged, and not only that it
  /// can't be opened now.
  package static func note(_ failure: any Error, of file: URL, in archive: Archive) {
    switch failure {
    case let failure as BackupFailure:
      switch failure {
      case .damaged, .hostile, .notABackup: note([failure.description], of: file, in: archive)
      default: break
      }
    case let failure as AgeFailure:
      // What damages an encrypted file shows in its encryption.
      switch failure {
      case .payload, .hmac, .header: note([failure.description], of: file, in: archive)
      default: break
      }
    default: break
    }
  }

  /// Records a test; a test that can't be recorded still counts.
  fileprivate static func note(_ problems: [String], of file: URL, in archive: Archive) {
    let bytes = (try? PlainFile(file))?.count ?? 0
    let trial = Trial(
      path: file.standardizedFileURL.path, at: archive.clock.now, bytes: bytes, problems: problems)
    _ = try? change(of: archive) { $0.note(trial) }
  }
}
