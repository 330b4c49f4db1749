import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The note with a card's data, when the card has changed and the owner has changed the note.
///
/// Lines such as `- Birthday: 14 March` are fields: those that an import wrote follow the card, and
/// those that the owner edited or removed stay so. The rest of the text is one more field.
struct CardNote {
  private let authorship: FieldAuthorship

  init(_ authorship: FieldAuthorship) { self.authorship = authorship }

  /// Returns a note with the fields of the card's new note that the owner hasn't edited.
  func updating(_ old: Note, from card: Note) -> Note {
    var new = old
    if authorship.isImported({ $0["title"] }) { new.title = card.title }
    // An existing tag keeps its spelling, and an existing photo its ID.
    if old.tags.map(NameFolding.key) != card.tags.map(NameFolding.key),
      authorship.isImported({ $0["tags"] })
    {
      new.tags = card.tags
    }
    if Self.files(old.json) != Self.files(card.json), authorship.isImported(Self.files) {
      new.attachments = card.attachments
    }
    new.text = text(old.text, from: card.text)
    return new
  }

  private static func files(_ record: JSON) -> [JSON] {
    (record["attachments"]?.array ?? []).map { $0["contentHash"] ?? $0["externalURL"] ?? .null }
  }

  // MARK: The text

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func text(_ record: JSON) -> String { record["text"]?.string ?? "" }

  /// Returns the label of a field's line; nil for any other line.
  private static func label(_ line: String) -> String? {
    guard line.hasPrefix("- "), let colon = line.firstRange(of: ": "),
      colon.lowerBound > line.index(line.startIndex, offsetBy: 2)
    else { return nil }
    return String(line[line.index(line.startIndex, offsetBy: 2)..<colon.lowerBound])
  }

  private static func fields(_ text: String) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for line in lines(text) {
      if let label = label(line) { fields[label, default: []].append(line) }
    }
    return fields
  }

  /// Returns the text without the lines of fields and the empty lines around it.
  private static func rest(_ text: String) -> String {
    lines(text).filter { label($0) == nil }.joined(separator: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func text(_ old: String, from card: String) -> String {
    let cardFields = Self.fields(card)
    var known: [String: Bool] = [:]
    func follows(_ label: String) -> Bool {
      if let known = known[label] { return known }
      let follows = authorship.isImported { Self.fields(Self.text($0))[label] ?? [] }
      known[label] = follows
      return follows
    }
    var lines: [String] = []
    var done: Set<String> = []
    var end = 0
    for line in Self.lines(old) {
      if let label = Self.label(line) {
        if !follows(label) {
          lines.append(line)
        } else if done.insert(label).inserted {
          lines += cardFields[label] ?? []
        }
        end = lines.count
      } else {
        lines.append(line)
      }
    }
    let oldFields = Self.fields(old)
    let removed = authorship.removedByHand { Set(Self.fields(Self.text($0)).keys) }
    let new = Self.lines(card).filter { line in
      Self.label(line).map { oldFields[$0] == nil && !removed.contains($0) } ?? false
    }
    lines.insert(contentsOf: new, at: end)
    let merged = lines.joined(separator: "\n")
    let rest = Self.rest(card)
    guard rest != Self.rest(old), authorship.isImported({ Self.rest(Self.text($0)) }) else {
      return merged
    }
    let fields = lines.filter { Self.label($0) != nil }.joined(separator: "\n")
    return [fields, rest].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

extension ImportWriter {
  /// Updates the parts of a card's note that the owner hasn't edited.
  ///
  /// - Returns: false if it isn't the note of a card.
  func updateCardNote(
    _ imported: any RecordedEntity, over old: any RecordedEntity, _ record: ImportedRecord
  ) throws -> Bool {
    guard let imported = imported as? Note, let old = old as? Note, !overridesOwner,
      try scope.isOwners(.note, old.id), try isCardNote(imported)
    else { return false }
    var new = CardNote(try authorship(of: .note, old.id, old.json)).updating(old, from: imported)
    guard new != old else {
      leave(record)
      return true
    }
    new.updatedAt = later(than: old.updatedAt)
    try scope.attempt {
      try adding(to: .note, old.id) { try scope.update(new, reason: .import) }
    }
    state.account.updated += 1
    return true
  }

  /// Returns true if a card's note is the same as that of another card of the same person.
  func isDoubleCardNote(_ imported: any RecordedEntity) throws -> Bool {
    guard let note = imported as? Note else { return false }
    let notes = try cardNotes(ofPersonIn: note)
    guard notes.contains(note.id) else { return false }
    return try notes.contains { id in
      guard id != note.id, let other = try scope.entity(.note, id) else { return false }
      return isSame(note, other)
    }
  }

  /// Returns true if a note has the data of a card whose person it mentions.
  private func isCardNote(_ note: Note) throws -> Bool {
    try cardNotes(ofPersonIn: note).contains(note.id)
  }

  /// Returns the IDs that the notes of the mentioned person's cards have.
  private func cardNotes(ofPersonIn note: Note) throws -> [UUID] {
    guard let id = note.people.first?.personID, let person = try scope.person(id) else { return [] }
    return person.externalRefs.filter { $0.provider == VCardImporter.provider }
      .map { VCardImporter.noteID(ofCard: $0.externalID) }
  }
}
