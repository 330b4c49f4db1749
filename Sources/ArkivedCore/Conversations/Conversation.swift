package import Foundation

/// A conversation with the assistant: questions and answers under one title.
package struct ConversationThread: Hashable, Sendable {
  package var id: UUID
  package var title: String
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(id: UUID, title: String, createdAt: Instant, updatedAt: Instant) {
    self.id = id
    self.title = title
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// Returns the title of a thread that begins with a question.
  package static func title(asking question: String) -> String {
    let line = question.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 80 ? "\(line.prefix(79))…" : line
  }
}

/// The author of a message.
package struct MessageRole: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let user: MessageRole = "user"
  package static let assistant: MessageRole = "assistant"
}

/// A message in a conversation.
package struct ConversationMessage: Hashable, Sendable {
  package var id: UUID
  package var threadID: UUID
  package var role: MessageRole
  package var text: String
  /// The rest of an answer: its kind, its values and the entries that support it.
  package var details: JSON?
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: UUID, threadID: UUID, role: MessageRole, text: String, details: JSON? = nil,
    createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.threadID = threadID
    self.role = role
    self.text = text
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension EntityType {
  package static let thread: EntityType = "threads"
  package static let message: EntityType = "messages"
}

extension ConversationThread: RecordedEntity {
  package static let entityType = EntityType.thread
  package static let typeName = "thread"

  package func validate() throws(FieldError) {
    try refuseUnusable(("title", title))
    guard !isBlank(title) else { throw FieldError("title", "is empty") }
    guard title.count <= 300, !title.contains(where: \.isNewline) else {
      throw FieldError("title", "must be one line of at most 300 characters")
    }
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "title": .string(title), "createdAt": JSON(createdAt),
      "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), title: try fields.required("title"),
      createdAt: createdAt, updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}

extension ConversationMessage: RecordedEntity {
  package static let entityType = EntityType.message
  package static let typeName = "message"
  /// The longest text of a message; longer texts are stored as files.
  package static let largestText = 4_000_000

  package func validate() throws(FieldError) {
    try refuseUnusable(("text", text), ("role", role.rawValue))
    guard !role.rawValue.isEmpty else { throw FieldError("role", "is empty") }
    guard text.utf8.count <= Self.largestText else {
      throw FieldError("text", "is larger than 4 MB")
    }
    guard details?.isNested(deeperThan: JSON.freeDepth) != true else {
      throw FieldError("details", "is nested too deeply")
    }
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "threadId": .string(threadID.uuidString),
      "role": .string(role.rawValue), "text": .string(text), "details": details ?? .null,
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    guard let thread = try fields.uuid("threadId") else {
      throw FieldError("threadId", "is missing. It must be the ID of the conversation")
    }
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), threadID: thread,
      role: MessageRole(rawValue: try fields.required("role")),
      text: try fields.string("text") ?? "", details: fields.value("details"),
      createdAt: createdAt, updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}
