package import ArkivedCore
import GRDB

/// Listing notes together with the entries of days.
extension Archive {
  /// Returns the entries and notes that pass a request's filters, newest first; its words are
  /// ignored.
  ///
  /// The entries of a day precede its notes.
  ///
  /// - Parameter request: its limit and offset count in that order.
  /// - Returns: the entries, and the notes' row numbers in the full-text table.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func listWithNotes(
    _ request: SearchRequest
  ) throws -> (entries: [EntryReference], notes: [Int64]) {
    let offset = max(0, request.offset)
    let wanted = request.limit.addingReportingOverflow(offset)
    var all = request
    (all.limit, all.offset) = (wanted.overflow ? .max : wanted.partialValue, 0)
    let notes = try self.notes(passing: all)
    guard !notes.isEmpty else { return (try list(request), []) }
    let entries = try list(all)
    var found: (entries: [EntryReference], notes: [Int64]) = ([], [])
    var (entry, note) = (0, 0)
    while entry + note < all.limit, entry < entries.count || note < notes.count {
      let isShown = entry + note >= offset
      if entry < entries.count, note == notes.count || entries[entry].day >= notes[note].day {
        if isShown { found.entries.append(entries[entry]) }
        entry += 1
      } else {
        if isShown { found.notes.append(notes[note].document) }
        note += 1
      }
    }
    return found
  }

  /// Returns the notes that pass a request's filters with the days they belong to, newest first.
  private func notes(passing request: SearchRequest) throws -> [(document: Int64, day: Int)] {
    let allowsNotes = request.types.isEmpty || request.types.contains(.note)
    guard request.limit > 0, allowsNotes, request.kinds.isEmpty, request.source == nil,
      !request.isPinned, request.meetings == nil
    else { return [] }
    return try read { db in
      let filter = try SearchFilter(request, types: [.note], db)
      // The columns are renamed, since conditions name those of the full-text table.
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT listed.document, listed.day
          FROM (SELECT (pk << 3) | 3 AS document, shown_day AS day, created_at AS written
            FROM notes) AS listed
          CROSS JOIN search_words ON search_words.rowid = listed.document \(filter.joins)
          WHERE 1 \(filter.conditions)
          ORDER BY listed.day DESC, listed.written DESC, listed.document DESC LIMIT ?
          """, arguments: filter.arguments + [request.limit])
      return try rows.map {
        (document: $0["document"] as Int64, day: try $0.day("day").daysSinceEpoch)
      }
    }
  }
}
