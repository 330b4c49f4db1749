import ArkivedCore
import ArkivedImport
import ArkivedSearch
package import ArkivedStore
package import Foundation

/// A job that checks an archive, and repairs what it can after the owner's approval.
package struct DoctorJob: Sendable {
  /// Something that can be repaired without another copy of the archive.
  package enum Repair: String, CaseIterable, Sendable {
    case searchIndex = "search-index"
    case textLinks = "text-links"
    case goalTotals = "goal-totals"
    case strayFiles = "stray-files"
    case unfinishedFiles = "unfinished-files"
    case access

    /// A name of a few words.
    package var name: String {
      switch self {
      case .searchIndex: said("Rebuild the search index")
      case .textLinks: said("Rebuild the link index")
      case .goalTotals: said("Recalculate goal progress")
      case .strayFiles: said("Remove files that don’t belong to any entry")
      case .unfinishedFiles: said("Remove unfinished files")
      case .access: said("Make the files private")
      }
    }

    /// The effect of the repair, in one or two sentences.
    package var effect: String {
      switch self {
      case .searchIndex:
        said("Rebuilds the word index from your entries. Your entries aren’t changed.")
      case .textLinks:
        said("Reads the links in your texts again. Your entries aren’t changed.")
      case .goalTotals:
        said("Recalculates the progress of every goal. Your entries aren’t changed.")
      case .strayFiles:
        said(
          """
          Deletes attached files that have been unused for a week. Files of entries and of their earlier versions are kept.
          """)
      case .unfinishedFiles:
        said(
          """
          Deletes temporary files that are more than a day old and belong to programs that are no \
          longer running.
          """)
      case .access:
        said(
          "Makes the archive’s folder and files readable only by you."
        )
      }
    }
  }

  /// The result of a repair.
  package struct Outcome: Sendable {
    /// The copy of the database made before the repair; nil if nothing was repaired.
    package var safetyCopy: URL?
    package var repaired: [Repair]
    /// The findings afterwards.
    package var findings: [Archive.Finding]
  }

  package let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// Checks the archive and its thumbnails, and changes nothing.
  package func examine() throws -> [Archive.Finding] {
    try archive.examine() + Thumbnails(archive, reader: ImageReader()).findings()
  }

  /// Returns the repair for a finding; nil if nothing is wrong or it can't be repaired from here.
  package static func repair(for finding: Archive.Finding) -> Repair? {
    switch finding.check {
    case Archive.strayCheck: .strayFiles
    case Archive.unfinishedCheck: .unfinishedFiles
    case "search index" where finding.verdict != .good: .searchIndex
    case "text links" where finding.verdict != .good: .textLinks
    case "goal totals" where finding.verdict != .good: .goalTotals
    // Files of another user can only be changed by the computer's administrator.
    case "access" where finding.verdict == .advice: .access
    default: nil
    }
  }

  /// Returns the repairs for findings, without duplicates.
  package static func repairs(for findings: [Archive.Finding]) -> [Repair] {
    let wanted = Set(findings.compactMap(repair))
    return Repair.allCases.filter(wanted.contains)
  }

  /// Makes a checked copy of the database, repairs, and checks again.
  ///
  /// - Returns: nil if there is nothing to repair.
  /// - Throws: `ArchiveError.busy` if the copy can't be made at the moment; in this case nothing
  ///   was repaired.
  package func mend(_ repairs: [Repair]) throws -> Outcome? {
    guard !repairs.isEmpty else { return nil }
    var outcome = Outcome(repaired: [], findings: [])
    do {
      outcome.safetyCopy = try archive.writeSnapshot(label: "before-repair")
    } catch ArchiveError.damaged where repairs.contains(.searchIndex) {
      // A copy with a damaged index doesn’t verify. The index contains nothing that the entries
      // don't.
      try archive.rebuildSearchWords()
      outcome.repaired.append(.searchIndex)
      outcome.safetyCopy = try archive.writeSnapshot(label: "before-repair")
    }
    for repair in Repair.allCases
    where repairs.contains(repair) && !outcome.repaired.contains(repair) {
      switch repair {
      case .searchIndex: try archive.rebuildSearchWords()
      case .textLinks: try archive.rebuildTextLinks()
      case .goalTotals: try archive.rebuildGoalSums()
      case .strayFiles: try archive.removeStrayFiles()
      case .unfinishedFiles: try archive.removeUnfinishedFiles()
      case .access: try makePrivate()
      }
      outcome.repaired.append(repair)
    }
    outcome.findings = try examine()
    return outcome
  }

  /// Removes all permissions of other users from the folder and everything in it.
  private func makePrivate() throws {
    guard let home = archive.home else { return }
    let names = try FileManager.default.subpathsOfDirectory(atPath: home.path)
    for path in [home.path] + names.map({ home.appendingPathComponent($0).path }) {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType != .typeSymbolicLink,
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 != 0
      else { continue }
      do {
        try FileManager.default.setAttributes(
          [.posixPermissions: NSNumber(value: mode & 0o700)], ofItemAtPath: path)
      } catch  where !FileManager.default.fileExists(atPath: path) {
        // Other programs write to the archive, such as SQLite, which removes its files.
        continue
      }
    }
  }
}
