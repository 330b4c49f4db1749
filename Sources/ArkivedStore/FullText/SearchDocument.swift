import ArkivedCore
import Foundation
import GRDB

/// The full-text index's data about one entry; its texts are already segmented.
struct SearchDocument: Sendable {
  /// The kinds of entry that can be searched; raw values are part of the index's row numbers.
  enum Kind: Int64, Sendable {
    case activity = 0
    case day = 1
    /// A caption; the document is the attachment.
    case attachment = 2
    case note = 3

    /// Creates the kind of a type of results; nil for types that are not in the index.
    init?(_ type: HitType) {
      switch type {
      case .activity: self = .activity
      case .day: self = .day
      case .attachment: self = .attachment
      case .note: self = .note
      default: return nil
      }
    }
  }

  var kind: Kind
  var pk: Int64
  var dayKey: String
  var title: String
  var body: String
  /// Tags and people.
  var names: String
  /// The targets of the links in its text, in the form of `LinkKey`.
  var links: Set<String> = []
  /// The folded title by which links refer to a note.
  var linkName: String?

  var rowNumber: Int64 { SearchDocument.rowNumber(kind, pk) }

  static func rowNumber(_ kind: Kind, _ pk: Int64) -> Int64 { pk * 8 + kind.rawValue }

  func insert(_ db: Database) throws {
    var writer = try RowWriter(
      db, "INSERT INTO search_words (rowid, title, body, names, day_key) VALUES (?, ?, ?, ?, ?)")
    writer.bind(rowNumber)
    writer.bind(title)
    writer.bind(body)
    writer.bind(names)
    writer.bind(dayKey)
    try writer.run()
    try TextLinkRows.insert(self, db)
  }

  static func remove(_ kind: Kind, _ pk: Int64, _ db: Database) throws {
    try remove(rowNumber(kind, pk), db)
  }

  static func remove(_ rowNumber: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM search_words WHERE rowid = ?")
      .execute(arguments: [rowNumber])
    try TextLinkRows.remove(rowNumber, db)
    // Indexes that were built from the words have to exclude it.
    try db.cachedStatement(sql: "INSERT INTO search_changes (document) VALUES (?)")
      .execute(arguments: [rowNumber])
  }

  init(kind: Kind, pk: Int64, dayKey: DayKey, title: String, body: String, names: String = "") {
    self.kind = kind
    self.pk = pk
    self.dayKey = dayKey.description
    self.title = Segmentation.spaced(title)
    self.body = Segmentation.spaced(body)
    self.names = Segmentation.spaced(names)
  }

  init(_ activity: Activity, pk: Int64) {
    self.init(
      kind: .activity, pk: pk, dayKey: activity.dayKey, title: TextLink.words(of: activity.text),
      body: [
        activity.description.map(TextLink.words), activity.notes.map(TextLink.words),
        activity.locationLabel,
      ].compactMap { $0 }.joined(separator: "\n"),
      names: (activity.tags + activity.people.map(\.name)).joined(separator: "\n"))
    for text in [activity.text, activity.description, activity.notes] {
      if let text { links.formUnion(TextLink.storedKeys(in: text)) }
    }
  }

  /// Adds the text of the activity's meeting.
  mutating func add(_ words: String) {
    guard !words.isEmpty else { return }
    body += "\n" + Segmentation.spaced(TextLink.words(of: words))
    links.formUnion(TextLink.storedKeys(in: words))
  }

  init(_ entry: DayEntry, pk: Int64) {
    self.init(
      kind: .day, pk: pk, dayKey: entry.dayKey, title: entry.title ?? "",
      body: TextLink.words(of: entry.note),
      names: entry.people.map(\.name).joined(separator: "\n"))
    links = TextLink.storedKeys(in: entry.note)
  }

  /// Creates the document of a note.
  ///
  /// A note keeps the names of its people as written; people who have another name by now are found
  /// by both.
  init(_ note: Note, pk: Int64, dayKey: DayKey, _ db: Database) throws {
    let written = note.people.map(\.name)
    let present = try String.fetchAll(
      db,
      cached: """
        SELECT DISTINCT one.name FROM note_mentions AS link
        JOIN person_rows AS one ON one.pk = link.person_pk
        WHERE link.note_pk = ? AND trim(one.name) <> '' ORDER BY link.position
        """, arguments: [pk])
    let names = note.tags + written + present.filter { !written.contains($0) }
    self.init(
      kind: .note, pk: pk, dayKey: dayKey, title: note.title ?? "", body: note.plainText,
      names: names.joined(separator: "\n"))
    links = TextLink.storedKeys(in: note.text)
    let folded = NameFolding.key(note.title ?? "")
    linkName = folded.isEmpty ? nil : folded
  }

  /// Creates a document from the caption and name of an attachment; nil if it has neither.
  init?(_ attachment: Attachment, pk: Int64, dayKey: DayKey) {
    let caption = attachment.caption ?? ""
    let name = attachment.originalName ?? ""
    guard !caption.isEmpty || !name.isEmpty else { return nil }
    self.init(kind: .attachment, pk: pk, dayKey: dayKey, title: caption, body: name)
  }
}
