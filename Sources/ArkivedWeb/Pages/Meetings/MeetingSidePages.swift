import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The common parts of the pages of meetings, people, notes, promises and calendars.
struct MeetingSidePages: Sendable {
  let shared: GoalSidePages
  let indexes: SearchIndexes
  /// The service that transcribes recordings.
  let voice: VoiceDesk

  /// A page in the section of meetings.
  enum Tab: String, CaseIterable {
    case meetings, people, notes, promises, calendars

    var href: String { "/\(rawValue)" }
    // words: Meetings | People | Notes | Promises | Calendars
    var label: String { saidWhole(EntryContext.capitalised(rawValue)) }
  }

  var archive: Archive { shared.archive }
  var zone: Zone { shared.zone }
  var today: DayKey { shared.today }

  var briefEngine: BriefEngine {
    BriefEngine(
      archive: archive, zone: zone,
      retriever: SearchRetriever(HybridSearch(archive: archive, zone: zone, indexes: indexes)))
  }

  /// True if a language model may be asked to summarise a brief.
  var hasModel: Bool {
    (try? archive.home.flatMap { try ModelSettings.read(in: $0) }) != nil
  }

  /// Renders a page under the tabs of meetings.
  func page(
    _ template: String, title: String, tab: Tab, known: UUID?? = nil, notices: [Notice] = [],
    _ context: [String: Any], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var all = context
    all["meetingTabs"] = Tab.allCases.map { item in
      ["href": item.href, "label": item.label, "isCurrent": item == tab] as [String: Any]
    }
    return try shared.pages.page(
      template, title: title, section: .people, known: known.map { .upTo($0) },
      notices: notices, all, status: status)
  }

  /// Returns notices about the change named by the address; the draft of a saved note may be
  /// discarded.
  func notices(_ fields: FormFields, back: String) throws -> [Notice] {
    try shared.notices(fields, back: back).map { notice in
      var notice = notice
      if fields.text("saved") == "note" { notice.clearsDraft = "freenote" }
      return notice
    }
  }

  static func offset(_ fields: FormFields) -> Int {
    fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 10_000_000) } ?? 0
  }

  /// Returns an address with those arguments that have a value.
  static func address(_ path: String, _ arguments: [(String, String?)]) -> String {
    let query = arguments.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(name)=\(URLText.escaped($0))" }
    }
    return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
  }
}

/// Formats meetings, people and promises for the pages.
enum MeetingWords {
  static func href(meeting id: UUID) -> String { "/meetings/\(id.uuidString)" }
  static func href(person id: UUID) -> String { "/people/\(id.uuidString)" }
  static func href(note id: UUID) -> String { "/notes/\(id.uuidString)" }

  static func title(_ entry: MeetingEntry, limit: Int = 160) -> String {
    ClippedText.of(entry.title, limit: limit)
  }

  /// Returns "09:00–09:30", "all day", or an empty text if no time is known.
  static func time(_ entry: MeetingEntry) -> String {
    if entry.meeting.isAllDay { return said("all day") }
    return entry.activity.shownTimeText ?? ""
  }

  /// Returns the time, with the city of its zone if that isn’t the home zone: "09:00–09:30
  /// (Auckland)".
  static func time(_ entry: MeetingEntry, home: Zone) -> String {
    let time = time(entry)
    let isAway = entry.activity.timeZone != home.identifier && !entry.meeting.isAllDay
    return time.isEmpty || !isAway
      ? time : "\(time) (\(EntryContext.city(entry.activity.timeZone)))"
  }

  /// Returns a label with its tone for a meeting that does not take place, or may not.
  static func state(_ entry: MeetingEntry) -> String? {
    if entry.meeting.status == .cancelled { return said("Cancelled") }
    if entry.meeting.isEventDeleted { return said("Removed from its calendar") }
    if entry.meeting.status == .tentative { return said("Tentative") }
    return entry.meeting.status == .confirmed
      ? nil : ClippedText.of(entry.meeting.status.rawValue, limit: 40)
  }

  static func role(_ attendance: Attendance) -> String? {
    if attendance.isOrganizer { return said("organises") }
    switch attendance.role {
    case .required: return nil
    case .chair: return said("leads")
    case .optional: return said("optional")
    case .informed: return said("for information")
    default: return ClippedText.of(attendance.role.rawValue, limit: 40)
    }
  }

  static func reply(_ attendance: Attendance) -> String? {
    switch attendance.reply {
    case .accepted: said("accepted")
    case .declined: said("declined")
    case .tentative: said("maybe")
    case .delegated: said("sending someone else")
    case .waiting: attendance.isOrganizer ? nil : said("no response yet")
    default: ClippedText.of(attendance.reply.rawValue, limit: 40)
    }
  }

  /// Returns "in 25 minutes", "now" or "tomorrow"; nil if the meeting is further away.
  ///
  /// - Parameters:
  ///   - entry: the meeting.
  ///   - now: the current time.
  ///   - home: the home zone, whose days count: an invitation from another zone may be on another
  ///     day there.
  /// - Returns: the text.
  static func soon(_ entry: MeetingEntry, now: Instant, home: Zone) -> String? {
    let start = entry.meeting.isAllDay ? nil : entry.activity.startAt
    let day = start.map { home.dayKey(at: $0) } ?? entry.activity.dayKey
    let days = home.dayKey(at: now).distance(to: day)
    if days == 1 { return said("tomorrow") }
    guard let start = entry.activity.startAt, days <= 0 else {
      return days > 1 && days < 7 ? said("in \(days) days") : nil
    }
    let minutes = now.seconds(to: start) / 60
    switch minutes {
    case ...0: return said("now")
    case 1: return said("in a minute")
    case ..<60: return said("in \(minutes) minutes")
    default:
      let hours = Int((Double(minutes) / 60).rounded())
      return said(hours, one: "in \(hours) hour", other: "in \(hours) hours")
    }
  }

  /// Returns people as links for the `person-links` template.
  static func people(_ mentions: some Sequence<(name: String, id: UUID?)>) -> [[String: Any]] {
    mentions.map { mention in
      [
        "personName": ClippedText.of(mention.name, limit: 60), "isKnown": mention.id != nil,
        "personHref": mention.id.map { href(person: $0) } ?? "",
      ]
    }
  }

  /// The number of days after which an overdue promise counts as old.
  static let agedDays = 60

  /// Returns true if an open promise has been overdue for so long that it may be given up.
  static func isAged(_ promise: Promise, today: DayKey) -> Bool {
    !promise.isDone && promise.due.map { $0 < today.advanced(by: -agedDays) } ?? false
  }

  /// Returns a promise as a row.
  static func promise(
    _ stored: StoredPromise, today: DayKey, back: String, showsNote: Bool = true
  ) -> [String: Any] {
    let promise = stored.promise
    let isLate = !promise.isDone && promise.due.map { $0 < today } ?? false
    let isAged = isAged(promise, today: today)
    var context: [String: Any] = [
      "promiseText": ClippedText.of(promise.text, limit: 400), "isDone": promise.isDone,
      // Promises that have been overdue for months are no longer urgent.
      "isLate": isLate && !isAged, "hasDue": promise.due != nil,
      "toggleAction": "\(href(note: stored.noteID))/promises", "toggleBack": back,
      "toggleValue": PromiseToken(promise, isDone: !promise.isDone).text,
      "toggleLabel": promise.isDone
        ? said("Mark as not done: \(promise.text)") : said("Mark as done: \(promise.text)"),
      "hasOwner": stored.owner != nil, "owner": ClippedText.of(stored.owner ?? "", limit: 60),
      "isOwnerKnown": stored.ownerID != nil,
      "ownerHref": stored.ownerID.map { href(person: $0) } ?? "",
      "hasTo": stored.isToNamed && !stored.to.isEmpty, "showsNote": showsNote,
      "to": people(stored.to.prefix(4).map { ($0.name, $0.personID) }),
      "noteHref": "\(href(note: stored.noteID))#line-\(promise.line)",
      "noteTitle": ClippedText.of(stored.meetingTitle ?? stored.noteTitle, limit: 80),
      "noteDay": GoalWords.day(stored.noteDay, today: today),
      "promiseID": "promise-\(stored.noteID.uuidString)-\(promise.line)",
    ]
    if let due = promise.due {
      context["dueText"] = GoalWords.due(due, isLate: isLate, today: today)
    }
    return context
  }
}

/// The checkbox that a button refers to, with its text when the page was rendered.
struct PromiseToken {
  var line: Int
  var isDone: Bool
  /// The digest of the promise's text.
  var digest: String

  init(_ promise: Promise, isDone: Bool) {
    line = promise.line
    self.isDone = isDone
    digest = Self.digest(promise.text)
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(parts[0]), line > 0, ["0", "1"].contains(parts[1])
    else { return nil }
    self.line = line
    isDone = parts[1] == "1"
    digest = String(parts[2])
  }

  var text: String { "\(line).\(isDone ? 1 : 0).\(digest)" }

  static func digest(_ text: String) -> String {
    String(
      RepeatedRequests.hash(Data(text.utf8)).unicodeScalars.filter { $0.properties.isAlphabetic }
        .prefix(12).map(Character.init))
  }
}
