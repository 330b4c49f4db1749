import Foundation

/// A text that has well-known values and may hold any other: a value written by a newer version is
/// kept and shown, never dropped.
public protocol OpenString: RawRepresentable<String>, Hashable, Sendable,
  ExpressibleByStringLiteral, CustomStringConvertible
where StringLiteralType == String {
  init(rawValue: String)
}

extension OpenString {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  public var description: String { rawValue }
}

/// What sort of doing an activity was.
public struct ActivityKind: OpenString {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let work: ActivityKind = "work"
  public static let personal: ActivityKind = "personal"
  public static let health: ActivityKind = "health"
  public static let admin: ActivityKind = "admin"
  public static let learning: ActivityKind = "learning"
  public static let social: ActivityKind = "social"
  public static let travel: ActivityKind = "travel"
  public static let other: ActivityKind = "other"

  public static let known: [ActivityKind] = [
    .work, .personal, .health, .admin, .learning, .social, .travel, .other,
  ]
}

/// How an activity came into the archive.
public struct ActivitySource: OpenString {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let manual: ActivitySource = "manual"
  public static let calendarImport: ActivitySource = "calendarImport"
  public static let healthImport: ActivitySource = "healthImport"
  public static let locationImport: ActivitySource = "locationImport"
  public static let jrnlImport: ActivitySource = "jrnlImport"
  public static let shortcut: ActivitySource = "shortcut"
  public static let assistant: ActivitySource = "assistant"
  public static let dayOneImport: ActivitySource = "dayOneImport"
  public static let tenWeekImport: ActivitySource = "tenWeekImport"
  public static let daylioImport: ActivitySource = "daylioImport"
  public static let togglImport: ActivitySource = "togglImport"
  public static let loopImport: ActivitySource = "loopImport"
  public static let activityWatchImport: ActivitySource = "activityWatchImport"
  public static let photosImport: ActivitySource = "photosImport"
  public static let markdownImport: ActivitySource = "markdownImport"
  public static let csvImport: ActivitySource = "csvImport"
  public static let inbox: ActivitySource = "inbox"

  public static let known: [ActivitySource] = [
    .manual, .calendarImport, .healthImport, .locationImport, .dayOneImport, .jrnlImport,
    .tenWeekImport, .daylioImport, .togglImport, .loopImport, .activityWatchImport, .photosImport,
    .markdownImport, .csvImport,
    .shortcut, .inbox, .assistant,
  ]
}

/// What an attachment holds.
public struct AttachmentType: OpenString {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let photo: AttachmentType = "photo"
  public static let audioNote: AttachmentType = "audioNote"
  public static let file: AttachmentType = "file"
  public static let link: AttachmentType = "link"
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
