package import ArkivedCore

/// What a purge would remove, for the question before it and the account after it.
package struct PurgePlan: Sendable {
  /// The number of items of each type.
  package var counts: [(type: EntityType, count: Int)] = []
  /// Old versions of them, and of what was deleted already.
  package var versions = 0
  /// Files of attachments that nothing else needs.
  package var files = 0
  /// Snapshots beside the archive that may hold them; they are removed too.
  package var snapshots: [String] = []
  /// The names of drafts that hold their text; they are removed too.
  package var drafts: [String] = []
  /// The names of such drafts that somebody works on; they stay.
  package var openDrafts: [String] = []
  /// Linked places that told of them and may tell again.
  package var sources: [String] = []
  /// Whether texts were embedded for search by meaning.
  package var hasVectors = false
  /// When the first of them was made; backups from before cannot hold them.
  package var firstMade: Instant?

  /// What would go, and where it is still held, for the question before it.
  ///
  /// - Parameter backups: paths of the backups that may hold it.
  package func lines(backups: [String]) -> [String] {
    var lines = counts.map { "\($0.count) × \($0.type.singular)" }
    if versions > 0 { lines.append("\(versions) × old version") }
    if files > 0 { lines.append("\(files) × file, unless used elsewhere") }
    lines += snapshots.map { "The snapshot \($0) is removed too." }
    lines += drafts.map { "The draft \($0) is removed too." }
    return lines + elsewhere(backups: backups)
  }

  /// Where it is still held afterwards.
  package func elsewhere(backups: [String]) -> [String] {
    openDrafts.map {
      "The draft \($0) is open in an editor and won’t be removed. Close the editor and try again."
    }
      + backups.map { "It may still be in the backup \($0)." }
      + sources.map { "It may still be in \($0), where it came from." }
      + (hasVectors
        ? [
          """
          Search by meaning still knows it until arkived index runs again. arkived serve does this \
          automatically.
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

  /// The name of a type in data, which stays when people read another one.
  private static func name(of type: EntityType) -> String {
    switch type {
    case .activity: "activity"
    case .contribution: "contribution"
    case .alignment: "alignment"
    default: type.singular
    }
  }
}
