import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Converts an inbox's texts, pages and recordings to entries.
struct InboxEntries {
  let archive: Archive
  let home: Zone
  let now: Instant
  /// The language of the lines.
  let language: Language

  /// Returns all records of a file, each valid: a file is imported completely or not at all.
  ///
  /// - Parameters:
  ///   - item: the file.
  ///   - days: the days whose notes come from earlier files in the batch; the file's own days are
  ///     added.
  /// - Returns: the records.
  /// - Throws: `InboxRefusal`, and what storing a recording throws.
  func records(
    of item: InboxItem, after days: inout Set<DayKey>
  ) throws -> [ImportedRecord] {
    do {
      switch item.kind {
      case .text: return try lines(item.text ?? "", of: item)
      case .page: return try page(item, after: &days)
      case .sound: return [try recording(item)]
      case .picture, .calendar, .beside, .other: return []
      }
    } catch let error as QuickAddError {
      throw InboxRefusal(reason: Self.unended(error.description))
    } catch let error as FieldError {
      throw InboxRefusal(reason: error.description)
    }
  }

  private static func unended(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private func reference(_ item: InboxItem, _ number: Int = 1) -> ExternalRef {
    let source = item.source
    return ExternalRef(
      provider: source.provider,
      externalID: number == 1 ? source.externalID : "\(source.externalID) \(number)",
      fetchedAt: now, contentHash: item.hash)
  }

  // MARK: Lines

  /// A file with more entries is another program's export.
  private static let entryLimit = 10_000

  private func lines(_ text: String, of item: InboxItem) throws -> [ImportedRecord] {
    let reader = QuickAddReader(
      now: now, zone: home, units: try archive.units(in: language), language: language)
    let pieces = TypedText(text, reader: reader).pieces
    guard !pieces.isEmpty else { throw InboxRefusal(reason: "it’s blank") }
    guard pieces.count <= Self.entryLimit else {
      throw InboxRefusal(
        reason:
          "it contains \(pieces.count) entries, but a file can have at most \(Self.entryLimit). "
          + "Split it")
    }
    return try pieces.enumerated().map { index, piece -> ImportedRecord in
      let place = pieces.count == 1 ? item.name.name : "\(item.name.name):\(piece.number)"
      do {
        var activity = try self.activity(piece, of: item)
        activity.externalRefs = [reference(item, index + 1)]
        try activity.validate()
        var record = ImportedRecord(.activity(activity), place: place)
        record.allowsFirstNames = true
        return record
      } catch let error as QuickAddError where pieces.count > 1 {
        throw InboxRefusal(reason: "line \(piece.number): \(Self.unended(error.description))")
      }
    }
  }

  /// Returns the activity of a line, relative to the time it was written; that time is also used if
  /// the line contains none.
  private func activity(_ piece: TypedText.Piece, of item: InboxItem) throws -> Activity {
    let time = item.time
    let written = time.instant ?? home.instant(of: WallTime(day: time.day, hour: 12))
    let entry = EntryLine(archive: archive, zone: home, language: language)
    let reading = try entry.understand(piece.line, written: written)
    var activity = entry.activity(from: reading, source: .inbox)
    let tellsWhen = reading.understood.contains { $0.role == .day || $0.role == .time }
    if !tellsWhen {
      activity.dayKey = time.day
      if activity.startAt == nil { activity.startAt = time.instant }
    }
    activity.notes = piece.notes
    return activity
  }

  // MARK: Pages

  private func page(
    _ item: InboxItem, after days: inout Set<DayKey>
  ) throws -> [ImportedRecord] {
    let page = InboxPage(
      item.text ?? "", named: item.name, time: item.time, home: home, now: now)
    if let line = page.line { return try lines(line, of: item) }
    let people = page.people.map { Mention(name: $0) }
    let place = item.name.name
    // A day's existing note is the owner's; the page then becomes a separate note.
    if page.isOfDay, !days.contains(page.time.day), try archive.dayEntry(page.time.day) == nil {
      let entry = DayEntry(
        id: archive.identities.next(), dayKey: page.time.day, title: page.title,
        note: Self.tagged(page), people: people, externalRefs: [reference(item)],
        createdAt: now, updatedAt: now)
      try entry.validate()
      days.insert(page.time.day)
      return [ImportedRecord(.day(entry), place: place)]
    }
    guard let id = item.source.noteID else { return [] }
    let note = Note(
      id: id, title: page.title, text: page.text, dayKey: page.time.day, tags: page.tags,
      people: people, createdAt: page.time.instant ?? now, updatedAt: now)
    try note.validate()
    return [
      ImportedRecord(.goalSide(note), hasOwnIdentity: true, place: place, linksPeople: false)
    ]
  }

  /// Returns the text of a day's note, with the tags from its front matter that the text lacks,
  /// because days have no tags.
  private static func tagged(_ page: InboxPage) -> String {
    guard !page.furtherTags.isEmpty else { return page.text }
    let line = page.furtherTags.map { "#" + $0.map { $0.isWhitespace ? "_" : String($0) }.joined() }
      .joined(separator: " ")
    return page.text.isEmpty ? line : "\(page.text)\n\n\(line)"
  }

  // MARK: Recordings

  private func recording(_ item: InboxItem) throws -> ImportedRecord {
    guard let copy = item.copy else { throw InboxRefusal(reason: "it can’t be read") }
    let content = try Data(contentsOf: copy, options: .mappedIfSafe)
    let attachment = try archive.store(
      content,
      as: Attachment(
        id: archive.identities.next(), type: .audioNote, caption: item.name.soundTitle,
        mediaType: item.soundType, originalName: item.name.name, createdAt: now, updatedAt: now))
    var activity = Activity(
      id: archive.identities.next(), dayKey: item.time.day, startAt: item.time.instant,
      timeZone: item.time.zone.identifier, text: "Voice note", source: .inbox,
      createdAt: now, updatedAt: now)
    activity.attachments = [attachment]
    activity.externalRefs = [reference(item)]
    try activity.validate()
    return ImportedRecord(.activity(activity), place: item.name.name)
  }
}
