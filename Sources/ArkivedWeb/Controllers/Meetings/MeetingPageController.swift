import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of meetings: the agenda and the past, one meeting, its brief, and its form.
struct MeetingPageController: Sendable {
  let shared: MeetingSidePages

  static let pageSize = 60

  func addRoutes(to router: Router<WebContext>) {
    router.get("/meetings", use: list)
    router.get("/meetings/new", use: new)
    router.post("/meetings", use: create)
    router.get("/meetings/:id", use: show)
    router.get("/meetings/:id/edit", use: edit)
    router.get("/meetings/:id/brief", use: brief)
    router.post("/meetings/:id/brief", use: summedUp)
    router.post("/meetings/:id", use: save)
    router.post("/meetings/:id/text", use: saveText)
    router.post("/meetings/:id/delete", use: delete)
    for path in ["/brief", "/brief/next"] {
      router.get(RouterPath(path)) { _, _ in Response.seeOther("/meetings/next/brief") }
    }
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let isPast = fields.text("show") == "past"
    let offset = MeetingSidePages.offset(fields)
    let person = fields.text("person").map { String($0.prefix(200)) }
    let today = shared.today
    let now = archive.clock.now
    var filter = MeetingFilter()
    (filter.order, filter.offset, filter.limit) = (
      isPast ? .newest : .oldest, offset, Self.pageSize
    )
    if isPast { filter.to = today.advanced(by: -1) } else { filter.from = today }
    filter.now = now
    let asked = filter
    let loaded = try await offServer {
      var filter = asked
      var problem: String?
      var name: String?
      if let person {
        do {
          let id = try archive.personNamed(person)
          filter.people = [id]
          name = try archive.people([id]).first?.displayName
        } catch let error as FieldError {
          problem = said("The name \(saidAgain(error.problem)).")
        }
      }
      let entries = problem == nil ? try archive.meetings(filter) : []
      let next = person == nil && !isPast && offset == 0 ? try archive.nextMeeting(at: now) : nil
      return Loaded(
        newest: try archive.newestChange(), entries: entries,
        total: problem == nil ? try archive.countMeetings(filter) : 0, next: next,
        notices: try shared.notices(fields, back: "/meetings"), problem: problem, person: name)
    }
    func address(_ show: String?, _ offset: Int) -> String {
      MeetingSidePages.address(
        "/meetings",
        [("show", show), ("person", person), ("offset", offset > 0 ? "\(offset)" : nil)])
    }
    let entries = loaded.entries
    var page: [String: Any] = [
      "days": days(entries, today: today, now: now), "hasDays": !entries.isEmpty, "isPast": isPast,
      "isEmpty": entries.isEmpty && person == nil && loaded.next == nil && offset == 0,
      "isFiltered": person != nil, "person": FormValue(loaded.person ?? person ?? ""),
      "hasPersonError": loaded.problem != nil, "personError": loaded.problem ?? "",
      "clearHref": isPast ? "/meetings?show=past" : "/meetings",
      "filters": [
        ["href": address(nil, 0), "label": said("Upcoming"), "isCurrent": !isPast] as [String: Any],
        ["href": address("past", 0), "label": said("Past"), "isCurrent": isPast],
      ], "totalLine": GoalWords.count(loaded.total, "meeting"),
      "hasMore": offset + entries.count < loaded.total && !entries.isEmpty,
      "moreHref": address(isPast ? "past" : nil, offset + Self.pageSize),
      "hasEarlier": offset > 0,
      "earlierHref": address(isPast ? "past" : nil, max(0, offset - Self.pageSize)),
      "moreLabel": isPast ? said("Show earlier") : said("Show later"),
      "backLabel": isPast ? said("Later") : said("Earlier"),
      "hasNext": loaded.next != nil,
    ]
    if let next = loaded.next {
      page["nextTitle"] = MeetingWords.title(next)
      page["nextHref"] = MeetingWords.href(meeting: next.id)
      let when = [
        MeetingWords.soon(next, now: now, home: shared.zone),
        GoalWords.day(next.activity.dayKey, today: today),
        MeetingWords.time(next, home: shared.zone),
        next.activity.locationLabel.map { ClippedText.of($0, limit: 60) },
      ]
      page["nextWhen"] = when.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
    }
    return try shared.page(
      "meetings", title: isPast ? said("Past meetings") : said("Meetings"), tab: .meetings,
      known: .some(loaded.newest), notices: loaded.notices, page,
      status: loaded.problem == nil ? .ok : .unprocessableContent)
  }

  private struct Loaded: Sendable {
    var newest: UUID?
    var entries: [MeetingEntry]
    var total: Int
    var next: MeetingEntry?
    var notices: [Notice]
    var problem: String?
    var person: String?
  }

  private func days(
    _ entries: [MeetingEntry], today: DayKey, now: Instant
  ) -> [[String: Any]] {
    var order: [DayKey] = []
    var byDay: [DayKey: [[String: Any]]] = [:]
    for entry in entries {
      let day = entry.activity.dayKey
      if byDay[day] == nil { order.append(day) }
      byDay[day, default: []].append(
        MeetingDetail.row(entry, homeZone: shared.zone, now: now))
    }
    return order.map { day in
      [
        "dayKey": day.description, "isToday": day == today,
        "dayLabel": day.year == today.year
          ? EntryContext.dayName(day) : EntryContext.dayLabel(day), "meetings": byDay[day] ?? [],
      ] as [String: Any]
    }
  }

  // MARK: One meeting

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - fields: the fields of the form or address.
  ///   - typed: the text written about the meeting, and any error in it.
  ///   - status: the status of the answer.
  ///   - extra: further notices at the top of the page.
  /// - Returns: the page.
  /// - Throws: an error if the meeting can't be read.
  private func page(
    _ id: UUID, fields: FormFields, typed: MeetingTextForm? = nil,
    status: HTTPResponse.Status = .ok, extra: [Notice] = []
  ) async throws -> Response {
    let href = MeetingWords.href(meeting: id)
    let loaded = try await offServer {
      try archive.meeting(id).map { entry in
        (
          try archive.newestChange(),
          try MeetingDetail(entry, archive: archive, zone: shared.zone, today: shared.today),
          try shared.notices(fields, back: href)
        )
      }
    }
    guard let (newest, detail, notices) = loaded else {
      if let response = shared.shared.gone(fields, to: "/meetings") { return response }
      throw ArchiveError.notFound(
        "No meeting with the ID \(id.uuidString). It may have been deleted.")
    }
    var page = detail.context
    try await offServer {
      try BacklinkContext(.entry(id), archive: archive)
    }.add(to: &page)
    page["history"] = shared.shared.history(detail.versions, back: href)
    page["hasHistory"] = !detail.versions.isEmpty
    let form = typed ?? MeetingTextForm(detail.entry)
    page["textForm"] = form.context()
    page["isTextOpen"] = typed != nil
    page["hasErrors"] = form.texts.error != nil
    page["errors"] = form.context()["errors"] ?? [[String: Any]]()
    return try shared.page(
      "meeting", title: MeetingWords.title(detail.entry, limit: 60), tab: .meetings,
      known: .some(newest), notices: extra + notices, page, status: status)
  }

  @Sendable func brief(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    if name == "next" {
      let next = try await offServer { try archive.nextMeeting(at: archive.clock.now) }
      guard let next else { return .seeOther("/meetings") }
      return .seeOther("\(MeetingWords.href(meeting: next.id))/brief")
    }
    return try await briefPage(name) { _ in nil }
  }

  /// Returns the brief with a language model's summary, which isn't stored.
  @Sendable func summedUp(_ request: Request, context: WebContext) async throws -> Response {
    _ = try await request.form(limit: context.maxUploadSize)
    let (archive, zone) = (shared.archive, shared.zone)
    return try await briefPage(context.parameters.get("id") ?? "") { brief in
      let summarizer = try await offServer {
        try ModelSummarizer(configured: archive, zone: zone, patience: Self.modelPatience)
      }
      return try await summarizer?.summary(of: brief, now: archive.clock.now)
    }
  }

  /// The time limit for a model's complete response; a server may have to load the model first.
  static let modelPatience = Duration.seconds(120)

  private func briefPage(
    _ name: String, summary: (Brief) async throws -> BriefSummary?
  ) async throws -> Response {
    let (newest, brief) = try await offServer {
      (
        try archive.newestChange(),
        try shared.briefEngine.brief(of: try archive.meeting(called: name))
      )
    }
    let page = BriefPage(
      brief: brief, today: shared.today, zone: shared.zone, summary: try await summary(brief),
      canSumUp: shared.hasModel)
    return try shared.page(
      "brief", title: said("Brief: \(MeetingWords.title(brief.meeting, limit: 60))"),
      tab: .meetings, known: .some(newest), page.context)
  }

  // MARK: Writing

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    let day = request.fields.text("day").flatMap(DayKey.init) ?? shared.today
    var form = MeetingForm(day: day)
    if let id = request.fields.text("person").flatMap(UUID.init(uuidString:)) {
      let person = try await offServer { try archive.people([id]).first }
      form.texts["attendees"] =
        person.map {
          AttendeeLine.write(Attendance(name: $0.displayName, address: $0.email))
        } ?? ""
    }
    form.texts["timeZone"] = shared.zone.identifier
    return try formPage(form, nil)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = MeetingForm(fields)
    do {
      let shown = shared.shared.defaults
      let attendees = try await offServer { try form.attendees().map(archive.linking) }
      var entry = MeetingArguments.new("", on: shared.today, zone: shared.zone, defaults: shown)
      try form.apply(to: &entry, attendees: attendees)
      let made = entry
      return try await shared.shared.once(fields, at: "meetings") { key in
        try archive.create(made, once: key) { saved in
          GoalSidePages.redirect(MeetingWords.href(meeting: made.id), saved.change)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try formPage(wrong, nil, status: .unprocessableContent)
    }
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, entry) = try await offServer { (try archive.newestChange(), try load(id)) }
    return try formPage(MeetingForm(entry), entry, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = MeetingForm(try await request.form(limit: context.maxFormSize))
    do {
      let saved = try await offServer {
        let known = try load(id).meeting.attendances
        let attendees = try form.attendees(known: known).map(archive.linking)
        return try archive.updateMeeting(id, version: Self.version(form.texts)) { entry in
          try form.apply(to: &entry, attendees: attendees)
        }
      }
      return .seeOther(GoalSidePages.location(MeetingWords.href(meeting: id), saved.change))
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      let entry = try await offServer { try load(id) }
      return try formPage(wrong, entry, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let entry = try await offServer { try load(id) }
      var late = form
      late.texts.version = EntityTag.text(entry.updatedAt)
      let other = form.texts.otherVersion(
        MeetingForm(entry).texts, in: MeetingForm.rows + MeetingForm.laterRows)
      return try formPage(
        late, entry, status: .preconditionFailed, notices: [GoalSidePages.late(other)])
    }
  }

  /// Saves the owner's text about a meeting, typed on its page.
  @Sendable func saveText(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = MeetingTextForm(try await request.form(limit: context.maxFormSize))
    do {
      let saved = try await offServer {
        try archive.updateMeeting(id, version: Self.version(form.texts)) {
          try form.apply(to: &$0)
        }
      }
      return .seeOther(GoalSidePages.location(MeetingWords.href(meeting: id), saved.change))
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try await page(
        id, fields: FormFields([]), typed: wrong, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let entry = try await offServer { try load(id) }
      let other = form.texts.otherVersion(MeetingTextForm(entry).texts, in: MeetingTextForm.rows)
      var late = form
      late.texts.version = EntityTag.text(entry.updatedAt)
      return try await page(
        id, fields: FormFields([]), typed: late, status: .preconditionFailed,
        extra: [GoalSidePages.late(other)])
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let saved = try await offServer {
      try archive.deleteMeeting(id, version: GoalSidePages.version(fields))
    }
    return .seeOther(GoalSidePages.location("/meetings", saved.change))
  }

  private func load(_ id: UUID) throws -> MeetingEntry {
    guard let entry = try archive.meeting(id) else {
      throw ArchiveError.notFound(
        "No meeting with the ID \(id.uuidString). It may have been deleted.")
    }
    return entry
  }

  /// Returns the version on which a form is based; an unparsable one matches no version.
  static func version(_ texts: FormTexts) -> Instant? {
    let digits = texts.version.filter { $0 != "\"" }
    guard !digits.isEmpty else { return nil }
    return Int64(digits).map(Instant.init(milliseconds:)) ?? .earliest
  }

  private func formPage(
    _ form: MeetingForm, _ entry: MeetingEntry?, known: UUID?? = nil,
    status: HTTPResponse.Status = .ok, notices: [Notice] = []
  ) throws -> Response {
    let href = entry.map { MeetingWords.href(meeting: $0.id) } ?? "/meetings"
    var page = form.context()
    page["isNew"] = entry == nil
    page["idempotencyKey"] = archive.identities.next().uuidString
    page["action"] = href
    page["cancelHref"] = href
    let own = entry.map(MeetingDetail.ownFields) ?? []
    page["hasOwn"] = !own.isEmpty
    page["own"] = own
    page["isFollowing"] = entry?.meeting.event != nil
    let title =
      entry.map { said("Edit: \(MeetingWords.title($0, limit: 60))") } ?? said("New meeting")
    return try shared.page(
      "meeting-edit", title: title, tab: .meetings, known: known, notices: notices, page,
      status: status)
  }
}
