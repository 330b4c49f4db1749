import ArkivedCore
import GRDB

/// Suggestions that the owner has dismissed for good.
extension Archive {
  /// A suggestion of a page.
  package enum Hint: String, CaseIterable, Sendable {
    /// Make a first backup.
    case backup
  }

  private static let hintsName = "dismissedHints"

  /// Returns true if the owner doesn't want to see a suggestion again.
  package func isDismissed(_ hint: Hint) throws -> Bool {
    try read { db in try Self.dismissedHints(db).contains(hint.rawValue) }
  }

  /// Hides a suggestion for good; this does not change the archive's content.
  package func dismiss(_ hint: Hint) throws {
    try transact { db in
      let names = try Self.dismissedHints(db).union([hint.rawValue]).sorted()
      try StoredSetting.set(
        Self.hintsName, to: JSON.array(names.map { .string($0) }), at: clock.now, db)
    }
  }

  private static func dismissedHints(_ db: Database) throws -> Set<String> {
    guard let names = try StoredSetting.value(hintsName, db)?.array else { return [] }
    return Set(names.compactMap(\.string))
  }

  /// Returns true if the archive has at least a number of entries.
  package func hasEntries(atLeast count: Int) throws -> Bool {
    try read { db in
      let found = try Int.fetchOne(
        db, cached: "SELECT count(*) FROM (SELECT 1 FROM activity_rows LIMIT ?)",
        arguments: [count])
      return found == count
    }
  }
}
