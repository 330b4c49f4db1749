public import Foundation

/// A text that is independent or about a meeting.
public struct Note: Hashable, Sendable {
  /// The ID, which never changes.
  public var id: UUID
  /// The title, if it has one.
  public var title: String?
  /// The text in Markdown.
  public var text: String
  /// The meeting it belongs to, or nil for a standalone note.
  public var meetingID: UUID?
  /// The day it is about, or nil.
  public var dayKey: DayKey?
  /// The names of tags, in the order given.
  public var tags: [String]
  /// The people mentioned in it.
  public var people: [Mention]
  /// The photos, recordings, files and links that belong to it.
  public var attachments: [Attachment]
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a note.
  public init(
    id: UUID, title: String? = nil, text: String, meetingID: UUID? = nil, dayKey: DayKey? = nil,
    tags: [String] = [], people: [Mention] = [], attachments: [Attachment] = [],
    createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.meetingID = meetingID
    self.dayKey = dayKey
    self.tags = tags
    self.people = people
    self.attachments = attachments
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The name shown in lists: the title, otherwise the first line with content.
  public var headline: String {
    if let title, !isBlank(title) { return title }
    return Note.headline(title: nil, plainText: plainText) ?? Note.emptyHeadline
  }

  package static let emptyHeadline = "Empty note"

  /// Returns the title, otherwise the first line with content of a text without Markdown marks; nil
  /// if there is none.
  package static func headline(title: String?, plainText: String) -> String? {
    if let title, !isBlank(title) { return title }
    return plainText.split(separator: "\n").first { !isBlank(String($0)) }
      .map { String($0.prefix(80)) }
  }

  /// The text without its Markdown marks, for search and lists.
  public var plainText: String { MarkdownText.plain(text) }
}

extension Note: Validatable {
  /// The size of the largest text; longer ones are stored as files.
  package static let largestText = 20_000_000

  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(("title", title), ("text", text))
    guard title?.contains(where: \.isNewline) != true else {
      throw FieldError("title", "is longer than one line")
    }
    guard text.utf8.count <= Self.largestText else {
      throw FieldError("text", "is larger than 20 MB. Attach it as a file")
    }
    guard title.map({ !isBlank($0) }) == true || !isBlank(text) else {
      throw FieldError("text", "is empty, and so is the title")
    }
    for tag in tags { try Tag.validate(name: tag) }
    for attachment in attachments { try attachment.validate() }
  }
}

extension Note: RecordedEntity {
  package static let entityType = EntityType.note
  package static let typeName = "note"

  package var json: JSON {
    [
      "id": .string(id.uuidString), "title": JSON(title), "text": .string(text),
      "meetingId": JSON(meetingID?.uuidString), "dayKey": JSON(dayKey), "tags": JSON(tags),
      "people": JSON(people.map(\.name)), "mentions": .array(people.map(\.json)),
      "attachments": .array(attachments.map(\.json)),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      title: try fields.string("title"), text: try fields.string("text") ?? "",
      meetingID: try fields.uuid("meetingId"),
      dayKey: try fields.dayOrInstant("dayKey", in: defaults.homeZone),
      tags: try fields.strings("tags") ?? [],
      people: try Mention.readAll(&fields),
      attachments: try Attachment.readAll(&fields, now: createdAt, defaults: defaults),
      createdAt: createdAt,
      updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}
