package import ArkivedCore

/// The name of an entry whose kind used to have simpler names, so entries imported under those
/// names are still recognised.
package enum EntryName: Hashable, Sendable {
  /// The name of a line in a day's page: `line/2026-03-10T09:30:00`, with the vault's marker
  /// `line/…@MARK`.
  case line(base: String, vault: String?)
  /// The name of a table row that states an instant: `TABLE/at/2026-03-10T08:30:00Z`.
  ///
  /// The simpler name used home time, `TABLE/2026-03-10T09:30:00`. Rows with the same instant are
  /// numbered.
  case row(table: String, number: String?)
  /// The name of a table row whose ID other rows have too: `TABLE/of/7/2026-03-10T09:30:00`.
  ///
  /// The simpler name was `TABLE/id/7`, which only the first of them could have.
  case sharedID(alone: String)
  /// The name of a Google Keep note by its file: `file/Shopping@c1604000000000000` with the time of
  /// its creation, `…@e1604445200000000` with that of its last change.
  ///
  /// Exports from before 2022 give no creation, so such a note was named by its last change alone.
  case note(base: String, isCreation: Bool)

  static func note(_ file: String, moment: String, isCreation: Bool) -> String {
    "file/\(file)@\(isCreation ? "c" : "e")\(moment)"
  }

  /// The name of one reading of a book: `BOOK/2026-03-10`.
  ///
  /// The simpler name was the book's alone, so reading it again moved the entry.
  case reading(book: String)

  /// The name of a habit's check mark: `check/7/2/2026-03-10`, with the numbers of the mark and of
  /// the habit.
  ///
  /// The simpler name was `check/7`, which every installation of the program has.
  case check(alone: String)

  static func check(_ number: Int, of habit: Int, on day: DayKey) -> String {
    "check/\(number)/\(habit)/\(day)"
  }

  static func line(_ name: String, vault: String?) -> String {
    "line/\(name)" + (vault.map { "@\($0)" } ?? "")
  }

  /// Returns the beginning of the name of a row whose ID isn't unique.
  static func repeated(_ id: String) -> String { "of/\(id)/" }

  /// Returns the ID in the name of a row whose ID isn't unique: the part before its time.
  private static func sharedID(_ parts: ArraySlice<Substring>) -> String? {
    guard let time = parts.lastIndex(where: { DayKey(String($0.prefix(10))) != nil }) else {
      return nil
    }
    var id = parts[..<time]
    if id.last == "at" { id = id.dropLast() }
    return id.isEmpty ? nil : id.joined(separator: "/")
  }

  /// Returns the part of a table row's name that gives its instant.
  static func moment(_ start: Instant) -> String { "at/\(start)" }

  /// Returns the name of a reading.
  static func reading(of book: String, on day: DayKey) -> String { "\(book)/\(day)" }

  /// Parses a reference.
  ///
  /// - Returns: nil for a name whose form hasn't changed.
  package init?(_ ref: ExternalRef) {
    switch ref.provider {
    case "csv":
      let parts = ref.externalID.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count > 3, parts[1] == "of", let id = Self.sharedID(parts.dropFirst(2)) {
        self = .sharedID(alone: "\(parts[0])/id/\(id)")
        return
      }
      guard (3...4).contains(parts.count), parts[1] == "at" else { return nil }
      self = .row(table: String(parts[0]), number: parts.count == 4 ? String(parts[3]) : nil)
    case "goodreads":
      guard let slash = ref.externalID.lastIndex(of: "/") else { return nil }
      self = .reading(book: String(ref.externalID[..<slash]))
    case "markdown", "obsidian", "logseq":
      guard ref.externalID.hasPrefix("line/") else { return nil }
      guard let mark = ref.externalID.lastIndex(of: "@") else {
        self = .line(base: ref.externalID, vault: nil)
        return
      }
      self = .line(
        base: String(ref.externalID[..<mark]),
        vault: String(ref.externalID[ref.externalID.index(after: mark)...]))
    case "tickmate", "rewire":
      let parts = ref.externalID.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 4, parts[0] == "check" else { return nil }
      self = .check(alone: "check/\(parts[1])")
    case "keep":
      guard ref.externalID.hasPrefix("file/"), let mark = ref.externalID.lastIndex(of: "@") else {
        return nil
      }
      self = .note(
        base: String(ref.externalID[..<mark]),
        isCreation: ref.externalID[mark...].hasPrefix("@c"))
    default: return nil
    }
  }
}
