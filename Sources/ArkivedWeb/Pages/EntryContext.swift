import ArkivedCore
import Foundation

/// Writing entries for the templates.
struct EntryContext {
  let homeZone: Zone

  func entry(_ activity: Activity) -> [String: Any] {
    let id = activity.id.uuidString
    let isKnown = ActivityKind.known.contains(activity.kind)
    var context: [String: Any] = [
      "id": id, "kind": isKnown ? activity.kind.rawValue : "other", "text": activity.text,
      "shortText": String(activity.text.prefix(60)),
      "href": EntryContext.href(activity.dayKey, activity.id),
      "editHref": "/activities/\(id)/edit", "timeISO": timeISO(activity),
      "isPinned": activity.isPinned, "measurements": measurements(activity),
      "people": activity.people.map {
        ["label": $0.name, "href": "/search?person=\(URLText.escaped($0.name))"]
      },
      "tags": activity.tags.map {
        ["label": $0, "href": "/search?tag=\(URLText.escaped($0))"]
      }, "attachments": activity.attachments.map(attachment),
    ]
    if activity.kind != .other {
      context["kindLabel"] = EntryContext.capitalised(activity.kind.rawValue)
    }
    if let time = activity.timeText, !activity.isAllDay { context["timeText"] = time }
    if activity.startAt != nil, activity.timeZone != homeZone.identifier {
      context["zoneText"] = EntryContext.city(activity.timeZone)
    }
    let notes = [activity.description, activity.notes].compactMap { $0 }.filter { !$0.isEmpty }
    if !notes.isEmpty { context["entryNotes"] = notes.joined(separator: "\n\n") }
    if let place = activity.locationLabel, !place.isEmpty { context["place"] = place }
    if activity.source != .manual { context["sourceLabel"] = EntryContext.label(activity.source) }
    context["hasMeta"] =
      !activity.tags.isEmpty || !activity.people.isEmpty || !activity.attachments.isEmpty
      || !measurements(activity).isEmpty || context["place"] != nil
      || context["sourceLabel"] != nil
    return context
  }

  /// All day, then by time, then without one.
  func groups(_ activities: [Activity]) -> [[String: Any]] {
    let groups: [(String, String, (Activity) -> Bool)] = [
      ("all-day", "All day", { $0.isAllDay }),
      ("timed", "Timeline", { $0.startAt != nil && !$0.isAllDay }),
      ("untimed", "Some time that day", { $0.startAt == nil }),
    ]
    return groups.compactMap { key, label, belongs in
      let members = activities.filter(belongs)
      guard !members.isEmpty else { return nil }
      var context: [String: Any] = [
        "groupKey": key, "groupLabel": label, "entries": members.map(entry),
      ]
      if members.count > 8 { context["groupCount"] = "\(members.count)" }
      return context
    }
  }

  static func href(_ dayKey: DayKey, _ id: UUID) -> String {
    "/day/\(dayKey)#activity-\(id.uuidString)"
  }

  func timeISO(_ activity: Activity) -> String {
    guard let start = activity.startAt, !activity.isAllDay else {
      return activity.dayKey.description
    }
    return String(activity.zone.wallTime(at: start).description.prefix(16))
  }

  private func measurements(_ activity: Activity) -> [[String: String]] {
    var labels = activity.measurements.sorted { $0.key < $1.key }.map { unit, amount in
      UnitTable.standard.unit(named: unit)?.text(amount) ?? "\(AmountText.plain(amount)) \(unit)"
    }
    let isTold = activity.startAt != nil && activity.endAt != nil
    if let minutes = activity.durationMinutes, !isTold {
      labels.append("\(AmountText.plain(minutes)) min")
    }
    return labels.map { ["label": $0] }
  }

  func attachment(_ attachment: Attachment) -> [String: String] {
    let icon =
      switch attachment.type {
      case .photo: "photo"
      case .audioNote: "audio"
      case .link: "link"
      default: "file"
      }
    let label =
      [attachment.caption, attachment.originalName, attachment.externalURL].compactMap { $0 }
      .first { !$0.isEmpty } ?? "Attachment"
    // Addresses were checked for their scheme when they were stored.
    let href =
      attachment.relativePath == nil
      ? attachment.externalURL ?? "#" : "/attachments/\(attachment.id.uuidString)"
    return ["label": label, "href": href, "icon": icon]
  }

  static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// "America/New_York" is New York.
  static func city(_ zone: String) -> String {
    (zone.split(separator: "/").last.map(String.init) ?? zone)
      .replacingOccurrences(of: "_", with: " ")
  }

  static func label(_ source: ActivitySource) -> String {
    switch source {
    case .manual: "Typed here"
    case .calendarImport: "Calendar"
    case .healthImport: "Health"
    case .locationImport: "Places"
    case .jrnlImport: "jrnl"
    case .shortcut: "Shortcut"
    case .assistant: "Assistant"
    case .dayOneImport: "Day One"
    default: source.rawValue
    }
  }

  /// "Saturday 21 November".
  static func dayName(_ day: DayKey) -> String {
    "\(day.weekday.name) \(day.day) \(MonthName.full[day.month - 1])"
  }

  /// "Saturday 21 November 2026".
  static func dayLabel(_ day: DayKey) -> String { "\(dayName(day)) \(day.year)" }

  /// "12 November 2026 at 09:14", in the home zone.
  func moment(_ instant: Instant) -> String {
    let wall = homeZone.wallTime(at: instant)
    return "\(wall.day.plainName) at \(wall.clockText)"
  }

  /// Old versions, newest first.
  func history(_ versions: [HistoryRecord]) -> [[String: Any]] {
    versions.prefix(50).map { version in
      let text = version.record["text"]?.string ?? version.record["note"]?.string ?? ""
      var lines = [text]
      for key in ["title", "startAt", "endAt", "kind", "locationLabel", "notes", "mood", "energy"] {
        if let value = version.record[key], value != .null {
          lines.append("\(key): \(value.string ?? value.text())")
        }
      }
      let reason =
        switch version.reason {
        case .delete: "deleted"
        case .import: "imported"
        case .restore: "restored"
        default: "changed"
        }
      return [
        "whenISO": version.archivedAt.description, "whenLabel": moment(version.archivedAt),
        "reasonLabel": reason, "oldSummary": String(text.prefix(80)),
        "oldText": lines.joined(separator: "\n"),
        "restoreAction": "/history/\(version.id.uuidString)/restore",
      ]
    }
  }
}

/// Escaping for addresses.
enum URLText {
  /// Percent-encodes all but RFC 3986's unreserved characters.
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
