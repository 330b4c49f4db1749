import Foundation

/// A text that has well-known values and may hold any other: a value written by a newer version is
/// kept and shown, never dropped.
package protocol OpenString: RawRepresentable<String>, Hashable, Sendable,
  ExpressibleByStringLiteral, CustomStringConvertible
where StringLiteralType == String {
  init(rawValue: String)
}

extension OpenString {
  package init(stringLiteral value: String) { self.init(rawValue: value) }
  package var description: String { rawValue }
}

/// What sort of doing an activity was.
package struct ActivityKind: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let work: ActivityKind = "work"
  package static let personal: ActivityKind = "personal"
  package static let health: ActivityKind = "health"
  package static let admin: ActivityKind = "admin"
  package static let learning: ActivityKind = "learning"
  package static let social: ActivityKind = "social"
  package static let travel: ActivityKind = "travel"
  package static let other: ActivityKind = "other"

  package static let known: [ActivityKind] = [
    .work, .personal, .health, .admin, .learning, .social, .travel, .other,
  ]
}

/// How an activity came into the archive.
package struct ActivitySource: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let manual: ActivitySource = "manual"
  package static let calendarImport: ActivitySource = "calendarImport"
  package static let healthImport: ActivitySource = "healthImport"
  package static let locationImport: ActivitySource = "locationImport"
  package static let jrnlImport: ActivitySource = "jrnlImport"
  package static let shortcut: ActivitySource = "shortcut"
  package static let assistant: ActivitySource = "assistant"
  package static let dayOneImport: ActivitySource = "dayOneImport"
  package static let tenWeekImport: ActivitySource = "tenWeekImport"
  package static let daylioImport: ActivitySource = "daylioImport"
  package static let togglImport: ActivitySource = "togglImport"
  package static let loopImport: ActivitySource = "loopImport"
  package static let activityWatchImport: ActivitySource = "activityWatchImport"
  package static let photosImport: ActivitySource = "photosImport"
  package static let markdownImport: ActivitySource = "markdownImport"
  package static let csvImport: ActivitySource = "csvImport"
  package static let inbox: ActivitySource = "inbox"

  package static let known: [ActivitySource] = [
    .manual, .calendarImport, .healthImport, .locationImport, .dayOneImport, .jrnlImport,
    .tenWeekImport, .daylioImport, .togglImport, .loopImport, .activityWatchImport, .photosImport,
    .markdownImport, .csvImport,
    .shortcut, .inbox, .assistant,
  ]
}

/// What an attachment holds.
package struct AttachmentType: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let photo: AttachmentType = "photo"
  package static let audioNote: AttachmentType = "audioNote"
  package static let file: AttachmentType = "file"
  package static let link: AttachmentType = "link"
}

/// A kind of entity as history, exports and links name it. Raw values are table names.
package struct EntityType: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let day: EntityType = "days"
  package static let activity: EntityType = "activities"
  package static let person: EntityType = "persons"
  package static let tag: EntityType = "tags"
  package static let attachment: EntityType = "attachments"
  package static let metric: EntityType = "day_metrics"
}

/// Who made a change.
package struct Author: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The archive's owner, at the command line or in the web app.
  package static let owner: Author = "owner"
  /// An import run.
  package static let importer: Author = "import"
  /// The built-in assistant.
  package static let assistant: Author = "assistant"
}
