import ArkivedCore
import Foundation

/// Imports books and films exported by Goodreads, Letterboxd and Trakt, with an entry for each on
/// its day.
///
/// Sources of the formats: the columns of Goodreads' library export and of Letterboxd's documented
/// export, and the objects of Trakt's API (`sync/history`), which its export contains unchanged.
package struct MediaListImporter: Importer {
  package enum Service: String, Sendable, CaseIterable { case goodreads, letterboxd, trakt }

  private let service: Service
  package var format: String { service.rawValue }

  package init(_ service: Service) { self.service = service }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    switch service {
    case .goodreads:
      CSVTable.columns(ofHead: head).isSuperset(of: ["book id", "title", "exclusive shelf"])
    case .letterboxd:
      !Self.isRemoved(fileName)
        && CSVTable.columns(ofHead: head).isSuperset(of: ["name", "letterboxd uri", "watched date"])
    case .trakt:
      JSONHead(head).isList && JSONHead(head).keys.contains("watched_at")
        && !JSONHead(head).keys.isDisjoint(with: ["movie", "episode", "show"])
    }
  }

  /// Returns true if a table is one of those for removed entries.
  private static func isRemoved(_ name: String) -> Bool {
    name.split(separator: "/").dropLast().contains { $0 == "deleted" || $0 == "orphaned" }
  }

  /// Other files that Letterboxd exports in addition to its diary.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    guard service == .letterboxd, name.lowercased().hasSuffix(".csv") else { return false }
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    let tables: Set<Substring> = [
      "watched.csv", "ratings.csv", "watchlist.csv", "profile.csv", "comments.csv",
    ]
    let home = parts.dropLast().map { $0 + "/" }.joined()
    if tables.contains(last), folders.contains(home) { return true }
    return (2...3).contains { count in
      guard parts.count >= count else { return false }
      let shelf = parts[parts.count - count]
      return ["likes", "lists", "deleted", "orphaned"].contains(shelf)
        && folders.contains(parts.dropLast(count).map { $0 + "/" }.joined())
    }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? {
    service == .letterboxd ? ["diary.csv", "reviews.csv"] : []
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    switch service {
    case .goodreads: try GoodreadsTable(file: file, context: context, sink: sink).read()
    case .letterboxd: try LetterboxdTable(file: file, context: context, sink: sink).read()
    case .trakt:
      var count = 0
      var undated = 0
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        count += 1
        guard !TraktPlay.isUndated(json) else { return undated += 1 }
        try TraktPlay(json: json, context: context).take(at: place, into: sink)
      }
      if undated > 0 {
        sink.diagnose(
          Diagnostic(
            .note, place: file.name,
            message: "skipped films and episodes without a date: \(undated)"))
      }
      guard count == 0 else { return }
      sink.diagnose(
        Diagnostic(.note, place: file.name, message: "nothing to import: the list is empty"))
    }
  }
}

private struct GoodreadsTable {
  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink

  private static let known: Set<String> = [
    "book id", "title", "author", "author l-f", "additional authors", "isbn", "isbn13", "my rating",
    "average rating", "publisher", "binding", "number of pages", "year published",
    "original publication year", "date read", "date added", "bookshelves",
    "bookshelves with positions", "exclusive shelf", "my review", "spoiler", "private notes",
    "read count", "owned copies",
  ]

  func read() throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    guard Set(table.header.map { $0.lowercased() }).isSuperset(of: ["book id", "title"]) else {
      throw ImportRefusal(
        place: "\(file.name):1", message: "not a Goodreads export: the column Book Id is missing")
    }
    table.tellUnread(into: sink) { Self.known.contains($0) }
    var shelved = 0
    var undated = 0
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      guard let id = row.value("book id"), let title = row.value("title") else {
        return sink.diagnose(
          Diagnostic(.skipped, place: place, message: "skipped: the book has no ID or title"))
      }
      guard let read = row.value("date read") else {
        if row.value("exclusive shelf") == "read" { undated += 1 } else { shelved += 1 }
        return
      }
      guard let day = TableTimes.day(read, order: .monthFirst) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Date Read”",
            message: "skipped: \(FieldError.shown(read)) isn’t a valid date (such as 2026/03/10)"))
      }
      try entry(row, id, title, day).take(at: place, context, into: sink)
    }
    if undated + shelved > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "skipped books: \(undated) without a date, \(shelved) unread")
      )
    }
  }

  private func entry(
    _ row: CSVTable.Row, _ id: String, _ title: String, _ day: DayKey
  ) -> JournalEntry {
    // The list has only the last date on which a book was read; earlier ones stay.
    var entry = JournalEntry(
      provider: "goodreads", id: EntryName.reading(of: id, on: day), source: .mediaImport, day: day,
      start: nil, zone: context.homeZone)
    let authors = [row.value("author"), row.value("additional authors")].compactMap { $0 }
      .joined(separator: ", ")
    entry.title = "Read \(title)" + (authors.isEmpty ? "" : " by \(authors)")
    let texts = [row.value("my review"), row.value("private notes")].compactMap { $0 }
      .map(ReviewText.markdown)
    if !texts.isEmpty { entry.text = .markdown(texts.joined(separator: "\n\n")) }
    if let rating = row.value("my rating").flatMap({ Int($0) }), (1...5).contains(rating) {
      entry.details.append("Rating: \(rating) of 5")
    }
    if let count = row.value("read count").flatMap({ Int($0) }), count > 1 {
      entry.details.append("Read \(count) times")
    }
    if let isbn = row.value("isbn13")?.filter(\.isNumber), !isbn.isEmpty {
      entry.details.append("ISBN \(isbn)")
    }
    if let pages = row.value("number of pages").flatMap({ Double($0) }),
      (1...100_000).contains(pages)
    {
      entry.measurements["pages"] = pages
    }
    entry.tags = (row.value("bookshelves") ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "read" }
    return entry
  }
}

/// Texts whose paragraphs are plain lines, with tags only inside them.
private enum ReviewText {
  private static let blocks: Set<Substring> = [
    "br", "p", "div", "blockquote", "ul", "ol", "li", "hr", "h1", "h2", "h3", "pre",
  ]

  /// Returns Markdown in which each line end is kept, unless a tag already stands for it.
  static func markdown(_ text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    var html = lines[0]
    for (before, line) in zip(lines, lines.dropFirst()) {
      let isTold = endsWithBlock(before) || isBlock(line[...])
      html += (isTold ? "\n" : "<br>") + line
    }
    return HTMLMarkdown.text(HTMLTokens(html).tokens)
  }

  private static func endsWithBlock(_ line: String) -> Bool {
    guard line.hasSuffix(">"), let open = line.lastIndex(of: "<") else { return false }
    return isBlock(line[open...])
  }

  /// Returns true if a text begins with the tag of a block or of a line's end.
  private static func isBlock(_ text: Substring) -> Bool {
    guard text.first == "<" else { return false }
    let name = text.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
    return blocks.contains(Substring(name.lowercased()))
  }
}

private struct LetterboxdTable {
  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink

  private static let known: Set<String> = [
    "date", "name", "year", "letterboxd uri", "rating", "rewatch", "review", "tags", "watched date",
  ]

  func read() throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    let columns = Set(table.header.map { $0.lowercased() })
    guard columns.isSuperset(of: ["name", "letterboxd uri"]) else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "not a Letterboxd diary: the column Letterboxd URI is missing")
    }
    table.tellUnread(into: sink) { Self.known.contains($0) }
    // A film with a review is in both tables; it is imported from the diary.
    let isOfReviews = columns.contains("review")
    let others = try beside(isOfReviews ? "diary.csv" : "reviews.csv")
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      guard let uri = row.value("letterboxd uri"), let name = row.value("name") else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: place, message: "skipped: the film has no name or Letterboxd URI"))
      }
      if isOfReviews, others[uri] != nil { return }
      let written = row.value("watched date") ?? row.value("date")
      guard let day = written.flatMap({ DayKey($0) }) else {
        return sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “Watched Date”",
            message: "skipped: \(FieldError.shown(written ?? "nothing")) isn’t a valid date (such "
              + "as 2026-03-10)"))
      }
      var entry = JournalEntry(
        provider: "letterboxd", id: uri, source: .mediaImport, day: day, start: nil,
        zone: context.homeZone)
      entry.title = "Watched \(name)" + (row.value("year").map { " (\($0))" } ?? "")
      if let review = row.value("review") ?? others[uri], !review.isEmpty {
        entry.text = .markdown(ReviewText.markdown(review))
      }
      if let rating = row.value("rating") { entry.details.append("Rating: \(rating) of 5") }
      if row.value("rewatch")?.lowercased() == "yes" { entry.details.append("Watched again") }
      entry.details.append(uri)
      entry.tags = (row.value("tags") ?? "").split(separator: ",").map(String.init)
      try entry.take(at: place, context, into: sink)
    }
  }

  /// Returns the reviews from the other table, keyed by the films' addresses.
  private func beside(_ name: String) throws -> [String: String] {
    let folder = file.url.deletingLastPathComponent()
    let url = folder.appendingPathComponent(name)
    let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    guard type as? FileAttributeType == .typeRegular, url != file.url else { return [:] }
    var table = try CSVTable(ImportFile(url: url, name: file.folder + name))
    var reviews: [String: String] = [:]
    try table.forEach(into: SilentSink()) { row in
      if let uri = row.value("letterboxd uri") { reviews[uri] = row.value("review") ?? "" }
    }
    return reviews
  }
}

private struct TraktPlay {
  let json: JSON
  let context: ImportContext

  private static let known: Set<String> = [
    "id", "watched_at", "action", "type", "movie", "episode", "show",
  ]

  /// Returns true if the date was left open; Trakt writes 1970-01-01T00:00:00Z for “unknown”.
  static func isUndated(_ json: JSON) -> Bool {
    let time = json["watched_at"] ?? .null
    return time == .null || time.string.flatMap { Instant($0) }?.milliseconds == 0
  }

  func take(at place: String, into sink: any ImportSink) throws {
    JournalJSON.tellUnread(
      json, known: Self.known, format: "trakt", at: place, context, into: sink)
    guard let start = json["watched_at"]?.string.flatMap({ Instant($0) }) else {
      return sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “watched_at”",
          message: "skipped: \(FieldError.shown(json["watched_at"]?.text() ?? "nothing")) isn’t a "
            + "valid time (such as 2026-03-10T20:15:00Z)"))
    }
    guard let title else {
      return sink.diagnose(
        Diagnostic(.skipped, place: place, message: "skipped: neither a film nor an episode"))
    }
    let number =
      json["id"]?.int.map(String.init) ?? "\(start)/\(TableIdentity.hash(title).prefix(16))"
    var entry = JournalEntry(
      provider: "trakt", id: number, source: .mediaImport, start: start, zone: context.homeZone)
    entry.title = title
    entry.createdAt = start
    try entry.take(at: place, context, into: sink)
  }

  private var title: String? {
    if let movie = JournalEntry.words(json["movie"]?["title"]) {
      return "Watched \(movie)" + (json["movie"]?["year"]?.int.map { " (\($0))" } ?? "")
    }
    guard let show = JournalEntry.words(json["show"]?["title"]) else { return nil }
    let episode = json["episode"]
    var words = "Watched \(show)"
    if let season = episode?["season"]?.int, let number = episode?["number"]?.int {
      words += " \(season)×\(number < 10 ? "0" : "")\(number)"
    }
    return words + (JournalEntry.words(episode?["title"]).map { " “\($0)”" } ?? "")
  }
}
