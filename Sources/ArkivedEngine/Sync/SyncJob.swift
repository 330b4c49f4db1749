package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// The result of synchronising the archive with one linked place.
package struct SyncReport: Sendable {
  /// An entry that both sides had changed.
  package struct Conflict: Hashable, Sendable {
    package var place: String
    /// True if both sides now have the version from here.
    package var isFromHere: Bool
    package var message: String
  }

  package var link: SyncLink
  /// The number of imported entries, by type: new, changed, deleted.
  package var pulled: [String: Int] = [:]
  /// The number of exported entries.
  package var pushed: [String: Int] = [:]
  package var conflicts: [Conflict] = []
  package var warnings: [ImportRun.Warning] = []

  package init(_ link: SyncLink) { self.link = link }

  package var isQuiet: Bool { pulled.isEmpty && pushed.isEmpty }

  package var json: JSON {
    [
      "link": .string(link.id.uuidString), "kind": .string(link.kind.rawValue),
      "address": .string(link.address), "pulled": SyncReport.json(pulled),
      "pushed": SyncReport.json(pushed),
      "conflicts": .array(
        conflicts.map {
          [
            "place": .string($0.place), "kept": $0.isFromHere ? "here" : "there",
            "message": .string($0.message),
          ]
        }), "warnings": .array(warnings.map(\.json)),
    ]
  }

  private static func json(_ counts: [String: Int]) -> JSON {
    var object = JSONObject()
    for (key, count) in counts.sorted(by: { $0.key < $1.key }) { object[key] = JSON(count) }
    return .object(object)
  }

  mutating func count(_ what: String, isPulled: Bool) {
    if isPulled { pulled[what, default: 0] += 1 } else { pushed[what, default: 0] += 1 }
  }

  mutating func warn(_ place: String, _ message: String) {
    guard warnings.count < ImportState.warningLimit else { return }
    warnings.append(.init(place: place, message: message))
  }
}

/// A job that synchronises the archive with the places that its owner linked.
package struct SyncJob {
  package let archive: Archive
  package let homeZone: Zone
  /// The largest number of rows of a linked database that are synchronised in one transaction; if
  /// there are more, they are processed in parts.
  package var fewRows = 2_000

  package init(archive: Archive, homeZone: Zone) {
    self.archive = archive
    self.homeZone = homeZone
  }

  /// Links a Ten Week database.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - variant: the names for tables that it lacks; nil for those it has.
  /// - Returns: the link.
  /// - Throws: `ImportRefusal` if it is not such a database, `ArchiveError` if one is already
  ///   linked.
  package func link(_ file: URL, variant: TenWeekVariant? = nil) throws -> SyncLink {
    let file = file.standardizedFileURL
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ImportRefusal(
        place: file.path,
        message: "no such file. Make one with: arkived export --format tenweek -o FILE")
    }
    if let other = try archive.syncLinks().first(where: { $0.kind == .tenWeek }) {
      throw ArchiveError.refused(
        other.address == file.path
          ? "\(file.path) is already linked."
          : "\(other.address) is already linked. Unlink it first: arkived sync unlink")
    }
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    let tables = try ForeignTables().open(file, copyIn: folder).tables()
    guard TenWeekTable.areTheirs(tables) else {
      throw ImportRefusal(place: file.path, message: "not a Ten Week database")
    }
    var options = JSONObject()
    options["variant"] = .string((variant ?? TenWeekTable.variant(of: tables)).rawValue)
    let link = SyncLink(
      id: archive.identities.next(), kind: .tenWeek, address: file.path,
      options: .object(options), createdAt: archive.clock.now)
    try archive.add(link)
    return link
  }

  /// Synchronises one place with the archive, and records the result.
  ///
  /// - Parameters:
  ///   - link: the link.
  ///   - allowsDeletions: true if most rows of a kind may be deleted.
  /// - Returns: the report.
  /// - Throws: `LargeDeletion` if they would be deleted without permission; in that case nothing
  ///   was changed.
  package func run(_ link: SyncLink, allowsDeletions: Bool = false) throws -> SyncReport {
    do {
      let report = try bringInLine(link, allowsDeletions)
      try archive.note(report.json, of: link, at: archive.clock.now)
      return report
    } catch {
      try? archive.note(["error": .string("\(error)")], of: link, at: nil)
      throw error
    }
  }

  private func bringInLine(_ link: SyncLink, _ allowsDeletions: Bool) throws -> SyncReport {
    switch link.kind {
    case .tenWeek:
      try TenWeekSync(
        archive: archive, homeZone: homeZone, link: link, allowsDeletions: allowsDeletions,
        fewRows: fewRows
      ).run()
    default:
      throw ArchiveError.refused(
        "This version of Arkived can’t sync with \(link.kind.rawValue). Update Arkived.")
    }
  }
}
