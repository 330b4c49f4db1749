import Foundation

/// A text with well-known values that may also contain any other, so values written by a newer
/// version are kept and shown.
public protocol OpenString: RawRepresentable<String>, Hashable, Sendable,
  ExpressibleByStringLiteral, CustomStringConvertible
where StringLiteralType == String {
  /// Creates a value from a text, known or not.
  init(rawValue: String)
}

extension OpenString {
  /// Creates a value from a text, known or not.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The text as stored.
  public var description: String { rawValue }
}

/// The kind of an activity.
public struct ActivityKind: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Work for pay.
  public static let work: ActivityKind = "work"
  /// Private life and home.
  public static let personal: ActivityKind = "personal"
  /// Sport, sleep, care and medical appointments.
  public static let health: ActivityKind = "health"
  /// Paperwork and errands.
  public static let admin: ActivityKind = "admin"
  /// Reading, courses and practice.
  public static let learning: ActivityKind = "learning"
  /// Time with others.
  public static let social: ActivityKind = "social"
  /// Travel and commuting.
  public static let travel: ActivityKind = "travel"
  /// Anything else.
  public static let other: ActivityKind = "other"

  /// The values that Arkived knows.
  public static let known: [ActivityKind] = [
    .work, .personal, .health, .admin, .learning, .social, .travel, .other,
  ]
}

/// The way an activity was added to the archive.
public struct ActivitySource: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Written by the owner.
  public static let manual: ActivitySource = "manual"
  /// From a calendar.
  public static let calendarImport: ActivitySource = "calendarImport"
  /// From Apple Health.
  public static let healthImport: ActivitySource = "healthImport"
  /// From a location history.
  public static let locationImport: ActivitySource = "locationImport"
  /// From jrnl.
  public static let jrnlImport: ActivitySource = "jrnlImport"
  /// From a shortcut.
  public static let shortcut: ActivitySource = "shortcut"
  /// Written by the assistant.
  public static let assistant: ActivitySource = "assistant"
  /// From Day One.
  public static let dayOneImport: ActivitySource = "dayOneImport"
  /// From a Ten Week database.
  public static let tenWeekImport: ActivitySource = "tenWeekImport"
  /// From Daylio.
  public static let daylioImport: ActivitySource = "daylioImport"
  /// From Toggl.
  public static let togglImport: ActivitySource = "togglImport"
  /// From Loop.
  public static let loopImport: ActivitySource = "loopImport"
  /// From ActivityWatch.
  public static let activityWatchImport: ActivitySource = "activityWatchImport"
  /// From photos.
  public static let photosImport: ActivitySource = "photosImport"
  /// From pages of Markdown.
  public static let markdownImport: ActivitySource = "markdownImport"
  /// From a table.
  public static let csvImport: ActivitySource = "csvImport"
  /// From chats of WhatsApp.
  public static let whatsAppImport: ActivitySource = "whatsAppImport"
  /// From chats of Telegram.
  public static let telegramImport: ActivitySource = "telegramImport"
  /// From text messages.
  public static let smsImport: ActivitySource = "smsImport"
  /// From chats of Signal.
  public static let signalImport: ActivitySource = "signalImport"
  /// From Google Keep.
  public static let keepImport: ActivitySource = "keepImport"
  /// From Journey.
  public static let journeyImport: ActivitySource = "journeyImport"
  /// From Diarium.
  public static let diariumImport: ActivitySource = "diariumImport"
  /// From Apple Journal.
  public static let appleJournalImport: ActivitySource = "appleJournalImport"
  /// From Standard Notes.
  public static let standardNotesImport: ActivitySource = "standardNotesImport"
  /// From Notion.
  public static let notionImport: ActivitySource = "notionImport"
  /// From Bear.
  public static let bearImport: ActivitySource = "bearImport"
  /// From Evernote.
  public static let evernoteImport: ActivitySource = "evernoteImport"
  /// From X (Twitter).
  public static let twitterImport: ActivitySource = "twitterImport"
  /// Books, films and music from the services that list them.
  public static let mediaImport: ActivitySource = "mediaImport"
  /// From bank statements.
  public static let bankImport: ActivitySource = "bankImport"
  /// From the inbox folder.
  public static let inbox: ActivitySource = "inbox"

  /// The values that Arkived knows.
  public static let known: [ActivitySource] = [
    .manual, .calendarImport, .healthImport, .locationImport, .dayOneImport, .jrnlImport,
    .tenWeekImport, .daylioImport, .togglImport, .loopImport, .activityWatchImport, .photosImport,
    .markdownImport, .csvImport, .whatsAppImport, .telegramImport, .smsImport, .signalImport,
    .keepImport, .journeyImport, .diariumImport, .appleJournalImport, .standardNotesImport,
    .notionImport, .bearImport, .evernoteImport, .twitterImport, .mediaImport,
    .bankImport,
    .shortcut, .inbox, .assistant,
  ]
}

/// The type of an attachment.
public struct AttachmentType: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A picture or film.
  public static let photo: AttachmentType = "photo"
  /// A recording.
  public static let audioNote: AttachmentType = "audioNote"
  /// Any other file.
  public static let file: AttachmentType = "file"
  /// An address on the web.
  public static let link: AttachmentType = "link"
}

/// A kind of entity as history, exports and links name it; raw values are table names.
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

/// The author of a change.
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
