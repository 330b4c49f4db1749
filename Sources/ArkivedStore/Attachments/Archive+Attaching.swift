package import ArkivedCore
package import Foundation
import GRDB

/// Attaching files to entries, days and notes, and removing them.
extension Archive {
  package typealias AttachmentOwner = ArkivedCore.AttachmentOwner

  /// Adds attachments whose files are already stored.
  ///
  /// - Throws: `ArchiveError.notFound` if the activity or note doesn't exist, `FieldError`.
  package func attach(
    _ attachments: [Attachment], to owner: AttachmentOwner, by author: Author = .owner
  ) throws -> Change? {
    try transact { db in try attach(attachments, to: owner, in: db, by: author) }
  }

  /// Adds attachments and stores the answer in the same transaction, so a repeated request adds
  /// them only once.
  ///
  /// - Throws: `ArchiveError.notFound` if the activity or note doesn't exist, `RequestKeyTaken`,
  ///   `FieldError`.
  package func attach(
    _ attachments: [Attachment], to owner: AttachmentOwner, by author: Author = .owner,
    once request: RequestKey?, answer: (Change?) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        try answer(try attach(attachments, to: owner, in: db, by: author))
      }
    }
  }

  private func attach(
    _ attachments: [Attachment], to owner: AttachmentOwner, in db: Database, by author: Author
  ) throws -> Change? {
    let names = attachments.map(\.shownName)
    let summary =
      names.count == 1 ? "Attached “\(names[0].prefix(120))”" : "Attached \(names.count) files"
    switch owner {
    case .activity(let id):
      return try updateActivity(id, in: db, by: author, summary: summary) {
        $0.attachments += attachments
      }.change
    case .day(let day):
      return try updateDay(day, in: db, by: author, summary: summary) {
        $0.attachments += attachments
      }.change
    case .note(let id):
      return try updateNote(id, in: db, by: author, summary: summary) {
        $0.attachments += attachments
      }.change
    }
  }

  /// Returns the owner of an attachment; nil if the attachment doesn't exist.
  package func owner(ofAttachment id: UUID) throws -> AttachmentOwner? {
    try read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT activities.id AS activity_id, days.day_key AS day_key, notes.id AS note_id
          FROM attachments LEFT JOIN activities ON activities.pk = activity_pk
          LEFT JOIN days ON days.pk = day_pk LEFT JOIN notes ON notes.pk = note_pk
          WHERE attachments.id = ?
            AND coalesce(activities.pk, days.pk, notes.pk) IS NOT NULL
          """, arguments: [id.uuidString])
      guard let row else { return nil }
      if (row["activity_id"] as String?) != nil {
        return .activity(try row.identity("activity_id"))
      }
      if (row["note_id"] as String?) != nil { return .note(try row.identity("note_id")) }
      return .day(try row.day("day_key"))
    }
  }

  /// Sets the caption of an attachment.
  ///
  /// - Parameters:
  ///   - caption: none if it is nil or blank.
  ///   - id: its ID.
  ///   - author: who makes the change.
  /// - Returns: the entry that it belongs to, the attachment, and the change; no change if the
  ///   caption was the same.
  /// - Throws: `ArchiveError.notFound`, `FieldError`.
  package func setCaption(
    _ caption: String?, ofAttachment id: UUID, by author: Author = .owner
  ) throws -> (owner: AttachmentOwner, updated: Attachment, change: Change?) {
    let text = try Attachment.caption(caption)
    guard let old = try attachment(id), let owner = try owner(ofAttachment: id) else {
      throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
    }
    guard old.caption != text else { return (owner, old, nil) }
    let name = (text ?? old.shownName).prefix(120)
    let summary =
      text == nil ? "Removed the caption from “\(name)”" : "Set the caption to “\(name)”"
    func edit(_ attachments: inout [Attachment]) {
      guard let index = attachments.firstIndex(where: { $0.id == id }) else { return }
      attachments[index].caption = text
      attachments[index].updatedAt = clock.now
    }
    let change: Change?
    switch owner {
    case .activity(let owner):
      change = try updateActivity(owner, by: author, summary: summary) {
        edit(&$0.attachments)
      }.change
    case .day(let day):
      change = try updateDay(day, by: author, summary: summary) { edit(&$0.attachments) }.change
    case .note(let owner):
      change = try updateNote(owner, by: author, summary: summary) {
        edit(&$0.attachments)
      }.change
    }
    return (owner, try attachment(id) ?? old, change)
  }

  /// Returns the attachments of an entry, a day or a note.
  ///
  /// - Throws: `ArchiveError.notFound` if the activity or note doesn't exist.
  package func attachments(of owner: AttachmentOwner) throws -> [Attachment] {
    switch owner {
    case .activity(let id):
      guard let activity = try activity(id) else {
        throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
      }
      return activity.attachments
    case .day(let day): return try dayEntry(day)?.attachments ?? []
    case .note(let id):
      guard let note = try note(id) else {
        throw ArchiveError.notFound("No note with the ID \(id.uuidString).")
      }
      return note.attachments
    }
  }

  /// Removes an attachment from its owner.
  ///
  /// Its file is kept, so undo can restore it completely.
  ///
  /// - Throws: `ArchiveError.notFound` if the attachment doesn't exist.
  package func deleteAttachment(
    _ id: UUID, by author: Author = .owner
  ) throws -> (owner: AttachmentOwner, deleted: Attachment, change: Change?) {
    guard let attachment = try attachment(id), let owner = try owner(ofAttachment: id) else {
      throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
    }
    let summary = "Deleted “\(attachment.shownName.prefix(120))”"
    let change: Change?
    switch owner {
    case .activity(let owner):
      change = try updateActivity(owner, by: author, summary: summary) {
        $0.attachments.removeAll { $0.id == id }
      }.change
    case .day(let day):
      change = try updateDay(day, by: author, summary: summary) {
        $0.attachments.removeAll { $0.id == id }
      }.change
    case .note(let owner):
      change = try updateNote(owner, by: author, summary: summary) {
        $0.attachments.removeAll { $0.id == id }
      }.change
    }
    return (owner, attachment, change)
  }
}

extension Attachment {
  /// The name for lists.
  package var shownName: String {
    [caption, originalName, externalURL].compactMap { $0 }.first { !$0.isEmpty } ?? type.rawValue
  }
}
