package import ArkivedCore

/// A summary of the data that a purge removes, for confirmation before it and a report after it.
package struct PurgePlan: Sendable {
  /// The number of items of each type.
  package var counts: [(type: EntityType, count: Int)] = []
  /// The number of their old versions, including those of deleted entities.
  package var versions = 0
  /// The number of attachments' files that nothing else needs.
  package var files = 0
  /// The snapshots of the archive that may contain them; they are removed too.
  package var snapshots: [String] = []
  /// The names of drafts that contain their text; they are removed too.
  package var drafts: [String] = []
  /// The names of such drafts that are being edited; they stay.
  package var openDrafts: [String] = []
  /// The linked places that contained them and may deliver them again.
  package var sources: [String] = []
  /// True if texts were embedded for search by meaning.
  package var hasVectors = false
  /// The time at which the first of them was created; earlier backups cannot contain them.
  package var firstMade: Instant?
  /// A digest of the items and drafts, which differs if the selection has others by now.
  package var mark = ""

  /// Returns a description of what would be removed and where copies remain, for confirmation.
  ///
  /// - Parameter backups: paths of the backups that may contain it.
  /// - Returns: the lines.
  package func lines(backups: [String]) -> [String] {
    var lines = counts.map { ItemCount.text($0.count, of: $0.type.singular) }
    if versions > 0 { lines.append(ItemCount.text(versions, of: "history")) }
    if files > 0 { lines.append("files unless used elsewhere: \(files)") }
    lines += snapshots.map { "The snapshot \($0) is removed too." }
    lines += drafts.map { "The draft \($0) is removed too." }
    return lines + elsewhere(backups: backups)
  }

  /// Returns a description of where copies remain afterwards.
  package func elsewhere(backups: [String]) -> [String] {
    openDrafts.map {
      "The draft \($0) is open in an editor and won’t be removed. Close the editor and try again."
    }
      + backups.map { "It may still be in the backup \($0)." }
      + sources.map { "It may still be in \($0), where it came from." }
      + (hasVectors
        ? [
          """
          Search by meaning can still find it until arkived index runs again. arkived serve does \
          this automatically.
          """
        ] : [])
  }

  package var things: Int { counts.reduce(0) { $0 + $1.count } }
  package var isEmpty: Bool { things == 0 && versions == 0 && drafts.isEmpty }

  package var json: JSON {
    [
      "things": .object(JSONObject(counts)), "versions": JSON(versions), "files": JSON(files),
      "snapshots": JSON(snapshots), "drafts": JSON(drafts), "openDrafts": JSON(openDrafts),
      "sources": JSON(sources), "since": JSON(firstMade),
    ]
  }
}

extension JSONObject {
  fileprivate init(_ counts: [(type: EntityType, count: Int)]) {
    self.init()
    for one in counts { self[Self.name(of: one.type)] = JSON(one.count) }
  }

  /// The name of a type in data, which stays the same even if people are shown a different name.
  private static func name(of type: EntityType) -> String {
    switch type {
    case .activity: "activity"
    case .contribution: "contribution"
    case .alignment: "alignment"
    default: type.singular
    }
  }
}
