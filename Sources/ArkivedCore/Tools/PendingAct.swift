package import Foundation

/// A deletion or an overwriting change requested through a tool, which waits for the owner's
/// confirmation.
package struct PendingAct: Hashable, Sendable, Identifiable {
  /// The status of the act; values from newer versions are preserved.
  package struct Status: OpenString {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let waiting: Status = "waiting"
    package static let done: Status = "done"
    package static let declined: Status = "declined"
    /// It was not answered in time.
    package static let expired: Status = "expired"
    /// An entry it affects was changed in the meantime.
    package static let outdated: Status = "outdated"
  }

  /// The effect on one entry.
  package struct Effect: Hashable, Sendable {
    package var type: EntityType
    package var id: UUID
    /// The day the entry belongs to.
    package var dayKey: DayKey
    /// The whole entry at the time of the request, or nil if there was none.
    package var before: JSON?
    /// The whole entry after the act, or nil for a deletion.
    package var after: JSON?

    package init(type: EntityType, id: UUID, dayKey: DayKey, before: JSON?, after: JSON?) {
      self.type = type
      self.id = id
      self.dayKey = dayKey
      self.before = before
      self.after = after
    }

    package var isDeletion: Bool { after == nil }
  }

  package var id: UUID
  package var tool: String
  /// The arguments exactly as given.
  package var arguments: JSONObject
  /// A summary such as “Delete “dentist” of 14 March 2026”.
  package var summary: String
  package var effects: [Effect]
  package var author: Author
  /// The conversation in which it was requested.
  package var threadID: UUID?
  package var status: Status
  package var createdAt: Instant
  package var expiresAt: Instant
  package var decidedAt: Instant?
  /// The change that carried it out, which can be undone.
  package var changeID: UUID?

  package init(
    id: UUID, tool: String, arguments: JSONObject, summary: String, effects: [Effect],
    author: Author, threadID: UUID? = nil, status: Status = .waiting, createdAt: Instant,
    expiresAt: Instant, decidedAt: Instant? = nil, changeID: UUID? = nil
  ) {
    self.id = id
    self.tool = tool
    self.arguments = arguments
    self.summary = summary
    self.effects = effects
    self.author = author
    self.threadID = threadID
    self.status = status
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.decidedAt = decidedAt
    self.changeID = changeID
  }

  /// The page of the web app on which the owner decides.
  package var confirmPath: String { "/pending/\(id.uuidString)" }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "tool": .string(tool), "arguments": .object(arguments),
      "summary": .string(summary), "status": .string(status.rawValue),
      "entries": .array(effects.map(\.json)), "author": .string(author.rawValue),
      "threadId": JSON(threadID?.uuidString), "createdAt": JSON(createdAt),
      "expiresAt": JSON(expiresAt), "decidedAt": JSON(decidedAt),
      "changeId": JSON(changeID?.uuidString),
    ]
  }
}

extension PendingAct.Effect {
  /// A field that differs, with its values before and after.
  package struct Difference: Hashable, Sendable {
    package var field: String
    package var before: JSON
    package var after: JSON
  }

  /// Fields that mean nothing to a person or are derived from other fields.
  private static let silent: Set<String> = [
    "id", "createdAt", "updatedAt", "mentions", "typedText", "externalRefs", "activityId",
    "eventIdentifier", "seriesIdentifier", "event", "linkId", "resource", "meetingId",
  ]

  /// The differences in the order of the entry's fields; for a deletion, everything that is lost.
  package var differences: [Difference] {
    let old = before?.object ?? [:]
    let new = after?.object ?? [:]
    let keys = old.keys + new.keys.filter { old[$0] == nil }
    return keys.filter { !Self.silent.contains($0) }.compactMap { key in
      let before = old[key] ?? .null
      let after = new[key] ?? .null
      guard before != after, !(Self.isEmpty(before) && Self.isEmpty(after)) else { return nil }
      return Difference(field: key, before: before, after: after)
    }
  }

  private static func isEmpty(_ value: JSON) -> Bool {
    switch value {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let object): object.isEmpty
    case .bool, .integer, .number: false
    }
  }

  /// The entry's title; for a note without one, its first line.
  package var title: String {
    let entry = before ?? after ?? .null
    if type == .meeting { return "meeting" }
    guard type == .note else {
      return entry["text"]?.string ?? entry["title"]?.string ?? dayKey.longName
    }
    let line = entry["text"]?.string?.split(whereSeparator: \.isNewline).first.map(String.init)
    return entry["title"]?.string ?? line ?? "note"
  }

  package var json: JSON {
    [
      "type": .string(type.rawValue), "id": .string(id.uuidString), "dayKey": JSON(dayKey),
      "title": .string(title), "before": before ?? .null, "after": after ?? .null,
      "changes": .array(
        differences.map {
          ["field": .string($0.field), "before": $0.before, "after": $0.after]
        }),
    ]
  }

  /// Reads an effect in the form that `json` writes.
  package init(_ fields: inout FieldReader) throws(FieldError) {
    guard let id = try fields.uuid("id") else { throw FieldError("id", "is missing") }
    guard let dayKey = try fields.day("dayKey") else { throw FieldError("dayKey", "is missing") }
    self.init(
      type: EntityType(rawValue: try fields.required("type")), id: id, dayKey: dayKey,
      before: fields.value("before"), after: fields.value("after"))
  }
}

extension Author {
  private static let agentPrefix = "agent:"

  /// Returns the author for a program that acts for the owner, with the name the owner gave it.
  package static func agent(_ name: String) -> Author { Author(rawValue: agentPrefix + name) }

  /// The name shown in lists: “assistant”, “program NAME”.
  package var told: String {
    rawValue.hasPrefix(Self.agentPrefix)
      ? "program \(rawValue.dropFirst(Self.agentPrefix.count))" : rawValue
  }
}
