package import ArkivedCore

/// How entries are named that were named more plainly before, so that what came in under the plain name
/// is known still.
package enum EntryName: Hashable, Sendable {
  /// A line of a day's page: `line/2026-03-10T09:30:00`, with the vault's mark `line/…@MARK`.
  case line(base: String, vault: String?)
  /// A row of a table that tells the moment: `TABLE/at/2026-03-10T08:30:00Z`. It was named by what clocks
  /// at home showed then, `TABLE/2026-03-10T09:30:00`. Rows of one moment are numbered.
  case row(table: String, number: String?)

  static func line(_ name: String, vault: String?) -> String {
    "line/\(name)" + (vault.map { "@\($0)" } ?? "")
  }

  /// What names a moment among the rows of a table.
  static func moment(_ start: Instant) -> String { "at/\(start)" }

  /// - Returns: nil for what is named as ever.
  package init?(_ ref: ExternalRef) {
    switch ref.provider {
    case "csv":
      let parts = ref.externalID.split(separator: "/", omittingEmptySubsequences: false)
      guard (3...4).contains(parts.count), parts[1] == "at" else { return nil }
      self = .row(table: String(parts[0]), number: parts.count == 4 ? String(parts[3]) : nil)
    case "markdown", "obsidian", "logseq":
      guard ref.externalID.hasPrefix("line/") else { return nil }
      guard let mark = ref.externalID.lastIndex(of: "@") else {
        self = .line(base: ref.externalID, vault: nil)
        return
      }
      self = .line(
        base: String(ref.externalID[..<mark]),
        vault: String(ref.externalID[ref.externalID.index(after: mark)...]))
    default: return nil
    }
  }
}
