import ArkivedCore
import ArkivedStore
import Foundation

/// Converts entries for the templates.
struct EntryContext {
  let homeZone: Zone

  /// Returns the link to an entry on its day's page.
  ///
  /// - Parameters:
  ///   - dayKey: the day.
  ///   - id: its ID.
  ///   - isLarge: true if the day may be shown in parts, so the server must know the entry; it
  ///     never sees the part after `#`.
  /// - Returns: the address.
  static func href(_ dayKey: DayKey, _ id: UUID, isLarge: Bool = false) -> String {
    let query = isLarge ? "?at=\(id.uuidString)" : ""
    return "/day/\(dayKey)\(query)#activity-\(id.uuidString)"
  }

  func timeISO(_ activity: Activity, isAllDay: Bool) -> String {
    guard let start = activity.startAt, !isAllDay else {
      return activity.dayKey.description
    }
    return String(activity.zone.wallTime(at: start).description.prefix(16))
  }

  func measurements(_ activity: Activity) -> [String] {
    var labels = activity.measurements.sorted { $0.key < $1.key }.map { unit, amount in
      UnitTable.standard.unit(named: unit)?.shownText(amount)
        ?? "\(AmountText.shown(amount)) \(unit)"
    }
    let isTold = activity.startAt != nil && activity.endAt != nil
    if let minutes = activity.durationMinutes, !isTold {
      labels.append("\(AmountText.shown(minutes)) min")
    }
    return labels
  }

  func attachment(_ attachment: Attachment) -> (label: String, href: String, icon: String) {
    let icon =
      switch attachment.type {
      case .photo: "photo"
      case .audioNote: "audio"
      case .link: "link"
      default: "file"
      }
    let name =
      [attachment.caption, attachment.originalName, attachment.externalURL].compactMap { $0 }
      .first { !$0.isEmpty } ?? said("Attachment")
    // The target of a link is visible before it is followed.
    let host = name == attachment.externalURL ? nil : attachment.linkHost
    let label = host.map { "\(ClippedText.of(name, limit: 80)) (\($0))" } ?? name
    // The schemes of addresses were checked when they were stored.
    let href =
      attachment.relativePath == nil && attachment.original == nil
      ? attachment.externalURL ?? "#" : "/attachments/\(attachment.id.uuidString)"
    return (label, href, icon)
  }

  static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Returns New York for "America/New_York".
  static func city(_ zone: String) -> String {
    (zone.split(separator: "/").last.map(String.init) ?? zone)
      .replacingOccurrences(of: "_", with: " ")
  }

  static func label(_ source: ActivitySource) -> String {
    switch source {
    case .manual: said("Typed here")
    case .calendarImport: said("Calendar")
    case .healthImport: said("Health")
    case .locationImport: said("Places")
    case .jrnlImport: "jrnl"
    case .shortcut: said("Shortcut")
    case .assistant: said("Assistant")
    case .dayOneImport: "Day One"
    case .tenWeekImport: "Ten Week"
    case .daylioImport: "Daylio"
    case .togglImport: "Toggl"
    case .loopImport: "Loop"
    case .activityWatchImport: "ActivityWatch"
    case .photosImport: said("Photos")
    case .markdownImport: "Markdown"
    case .csvImport: "CSV"
    case .whatsAppImport: "WhatsApp"
    case .telegramImport: "Telegram"
    case .smsImport: "SMS"
    case .signalImport: "Signal"
    case .keepImport: said("Google Keep")
    case .journeyImport: "Journey"
    case .diariumImport: "Diarium"
    case .appleJournalImport: said("Apple Journal")
    case .standardNotesImport: "Standard Notes"
    case .notionImport: "Notion"
    case .bearImport: "Bear"
    case .evernoteImport: "Evernote"
    case .twitterImport: "X"
    case .mediaImport: said("Books, films and music")
    case .bankImport: said("Bank statements")
    case .inbox: said("Inbox")
    default: source.rawValue
    }
  }

  /// Returns "Saturday 21 November", or "Saturday, November 21" if the owner prefers it.
  static func dayName(_ day: DayKey) -> String {
    day.shownWeekdayName
  }

  /// Returns a day such as "Saturday 21 November 2026".
  static func dayLabel(_ day: DayKey) -> String { day.shownLongName }

  /// Returns a moment in the home zone, such as "12 November 2026 at 09:14".
  func moment(_ instant: Instant) -> String {
    let wall = homeZone.wallTime(at: instant)
    return said("\(wall.day.shownName) at \(wall.shownClock)")
  }

  /// The maximum number of old versions listed on a page.
  static let historyLimit = 30
  /// The length of an old text in a list; a separate page shows the whole text.
  static let oldTextLimit = 2_000

  /// Returns the old versions, newest first.
  func history(_ versions: [OldVersion]) -> [[String: Any]] {
    versions.map { version in
      let reason =
        switch version.reason {
        case .delete: said("deleted")
        case .import: said("imported")
        case .restore: said("restored")
        default: said("changed")
        }
      let lines = version.record.map(oldText) ?? ""
      let clipped = ClippedText(lines, limit: EntryContext.oldTextLimit)
      return [
        "whenISO": version.archivedAt.description, "whenLabel": moment(version.archivedAt),
        "reasonLabel": reason,
        "oldSummary": version.record == nil
          ? said("a long text") : ClippedText.of(lines, limit: 80),
        "oldText": clipped.text, "isOldTextCut": clipped.isCut || version.record == nil,
        "oldHref": "/history/\(version.id.uuidString)",
        "restoreAction": "/history/\(version.id.uuidString)/restore",
      ]
    }
  }

  /// Returns the contents of an old version, for reading.
  func oldText(_ record: JSON) -> String {
    let names = ["text", "note", "title", "theme", "name"]
    let main = names.first { record[$0]?.string != nil } ?? "text"
    var lines = [record[main]?.string ?? ""]
    // A list of prompts has no other text.
    if let prompts = record["prompts"]?.array { lines = prompts.compactMap(\.string) }
    let comparison = RecordComparison(entries: self)
    for key in [
      "title", "startAt", "endAt", "kind", "locationLabel", "description", "notes", "mood",
      "energy", "goalType", "measurementTarget", "measurementUnit", "startDate", "targetDate",
      "howGoalIsRelevant", "howGoalIsActionable", "expectedTermLength", "incentiveType",
      "priority", "lifeDomain", "alignmentGuidance", "termNumber", "reflection", "birthDate",
      "expectedYears", "email", "relationshipSummary", "colorHex", "purpose", "outcomes", "summary",
    ] where key != main {
      if let value = comparison.text(record[key], of: key) {
        lines.append(said("\(FieldLabel.of(key)): \(value)"))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a size such as "10 MB" or "240 kB".
  static func size(_ bytes: Int) -> String {
    func rounded(_ amount: Double) -> String { AmountText.shown((amount * 10).rounded() / 10) }
    return bytes >= 950_000
      ? "\(rounded(Double(bytes) / 1e6)) MB" : "\(max(1, (bytes + 500) / 1_000)) kB"
  }
}

/// Escaping for addresses.
enum URLText {
  /// Percent-encodes everything except RFC 3986's unreserved characters.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
