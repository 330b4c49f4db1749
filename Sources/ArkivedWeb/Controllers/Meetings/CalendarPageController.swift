import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The page of linked calendars: the links, syncing, adding and removing them.
struct CalendarPageController: Sendable {
  let shared: MeetingSidePages
  let turns: CalendarTurns
  let tickets = CalendarTickets()

  func addRoutes(to router: Router<WebContext>) {
    router.get("/calendars", use: list)
    router.post("/calendars", use: link)
    router.post("/calendars/test", use: test)
    router.post("/calendars/discover", use: discover)
    router.post("/calendars/choose", use: choose)
    router.post("/calendars/:id/sync", use: sync)
    router.post("/calendars/:id/unlink", use: unlink)
  }

  private var archive: Archive { shared.archive }
  private var job: SyncJob { SyncJob(archive: archive, homeZone: shared.zone) }

  // MARK: Reading

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request.fields)
  }

  /// The text typed into one of the page's forms, and any error in it.
  private struct Typed {
    var form: FormTexts
    var isAccount = false
    var problem: String?
    /// The result of testing the calendar.
    var finding: String?
    var choices: [CalendarChoice] = []
    var ticket = ""
  }

  private func page(
    _ fields: FormFields, typed: Typed? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (newest, all) = try await offServer {
      (try archive.newestChange(), try archive.syncLinks())
    }
    var rows: [[String: Any]] = []
    for link in all where link.kind.isCalendar {
      rows.append(row(link, isRunning: await turns.isRunning(link.id)))
    }
    var notices: [Notice] = []
    if let count = fields.text("linked").flatMap(Int.init), count > 0 {
      notices.append(
        Notice(
          tone: .success,
          sentence: said(
            "Linked \(GoalWords.count(count, "calendar")). Sync now to import events.")))
    }
    if fields.text("unlinked") != nil {
      notices.append(
        Notice(
          tone: .success,
          sentence: "Calendar unlinked. Its meetings and everything you wrote are kept."))
    }
    if fields.text("running") != nil {
      notices.append(
        Notice(tone: .info, sentence: "Still syncing. This page will tell you when it’s done."))
    }
    if let problem = typed?.problem { notices.append(Notice(tone: .error, sentence: problem)) }
    if let finding = typed?.finding { notices.append(Notice(tone: .success, sentence: finding)) }
    let place = typed?.isAccount == false ? typed?.form : nil
    let account = typed?.isAccount == true ? typed?.form : nil
    var page: [String: Any] = [
      "links": rows, "hasLinks": !rows.isEmpty, "isPlaceOpen": rows.isEmpty || place != nil,
      "isAccountOpen": account != nil, "hasChoices": typed?.choices.isEmpty == false,
      "choices": (typed?.choices ?? []).map(Self.choice), "ticket": typed?.ticket ?? "",
      "idempotencyKey": archive.identities.next().uuidString,
    ]
    page["placeForm"] = (place ?? FormTexts()).context(Self.placeRows)
    page["accountForm"] = (account ?? FormTexts()).context(Self.accountRows)
    let errors = (place ?? account)?.context(place == nil ? Self.accountRows : Self.placeRows)
    page["hasErrors"] = (place ?? account)?.error != nil
    page["errors"] = errors?["errors"] ?? [[String: Any]]()
    return try shared.page(
      "calendars", title: said("Calendars"), tab: .calendars, known: .some(newest),
      notices: notices,
      page, status: status)
  }

  static let placeRows: [[FormField]] = [
    [
      FormField(
        "address", "Where is the calendar?",
        hint: "A file or folder on this computer, or a web address: https://…/work.ics",
        noun: "The path or address", isRequired: true)
    ],
    [FormField("name", "Name", hint: "A name for it in Arkived", isOptional: true)],
  ]

  /// The fields of an account; the password has its own kind of input in the template.
  static let accountRows: [[FormField]] = [
    [
      FormField(
        "server", "Server", hint: "For example, https://cloud.example.org", noun: "The server",
        isRequired: true)
    ], [FormField("user", "User name", isOptional: true)],
  ]

  private static func choice(_ choice: CalendarChoice) -> [String: Any] {
    [
      "choiceAddress": choice.url.absoluteString,
      "choiceName": ClippedText.of(choice.displayName, limit: 120),
      "hasChoiceText": choice.description?.isEmpty == false,
      "choiceText": ClippedText.of(choice.description ?? "", limit: 200),
    ]
  }

  private func row(_ link: SyncLink, isRunning: Bool) -> [String: Any] {
    LinkRow(entries: shared.shared.entries, href: "/calendars")
      .context(link, isRunning: isRunning)
  }

  // MARK: Linking

  @Sendable func link(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    var texts = FormTexts(fields, lines: ["address", "name"])
    do {
      guard let address = texts.optional("address") else {
        throw FieldError("address", "is missing. Enter where the calendar is")
      }
      var order = LinkOrder(address: address)
      order.name = texts.optional("name")
      let asked = order
      // A calendar that is already linked isn't linked again.
      let job = job
      return try await shared.shared.once(
        fields, at: "calendars",
        slowly: {
          _ = try await offServer { try asked.link(job) }
          return "/calendars?linked=1"
        })
    } catch let error as FieldError {
      texts.error = error
    } catch let failure as WebFailure where failure.status == .conflict {
      return try await page(
        FormFields([]), typed: Typed(form: texts, problem: failure.detail), status: .conflict)
    } catch let error as CalendarSourceError {
      return try await page(
        FormFields([]), typed: Typed(form: texts, problem: error.description),
        status: WebFailure(error).status)
    }
    return try await page(
      FormFields([]), typed: Typed(form: texts), status: .unprocessableContent)
  }

  /// Reads a calendar without linking it, and reports what it contains.
  @Sendable func test(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    var typed = Typed(form: FormTexts(fields, lines: ["address", "name"]))
    do {
      let place = try CalendarPlace(
        (typed.form.optional("address") ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
      typed.finding = Self.sentence(try await job.test(place))
      return try await page(FormFields([]), typed: typed)
    } catch let error as FieldError {
      typed.form.error = error
      return try await page(FormFields([]), typed: typed, status: .unprocessableContent)
    } catch let error as CalendarSourceError {
      typed.problem = error.description
      return try await page(FormFields([]), typed: typed, status: WebFailure(error).status)
    } catch let refusal as ImportRefusal {
      typed.problem = EntryContext.capitalised(refusal.message) + "."
      return try await page(FormFields([]), typed: typed, status: .unprocessableContent)
    }
  }

  private static func sentence(_ test: CalendarTest) -> String {
    var sentence: String
    if let days = test.days, test.meetings > 0 {
      sentence = said(
        test.meetings,
        one: "The calendar works. It has 1 meeting, on \(days.lowerBound.shownName).",
        other: """
          The calendar works. It has \(SettingsPages.number(test.meetings)) meetings, from \
          \(days.lowerBound.shownName) to \(days.upperBound.shownName).
          """)
    } else {
      sentence = said("The calendar works, but it has no meetings yet.")
    }
    if !test.warnings.isEmpty {
      sentence +=
        " "
        + said(
          test.warnings.count, one: "1 event couldn’t be read completely.",
          other: "\(SettingsPages.number(test.warnings.count)) events couldn’t be read completely.")
    }
    return sentence + " " + said("Nothing is linked yet.")
  }

  /// Asks an account for its calendars and offers them for selection.
  @Sendable func discover(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    var typed = Typed(form: FormTexts(fields, lines: ["server", "user"]), isAccount: true)
    do {
      guard let server = typed.form.optional("server") else {
        throw FieldError("server", "is missing. Enter the address of the server")
      }
      let password = fields["password"].flatMap { $0.isEmpty ? nil : $0 }
      let credentials = LinkOrder.credentials(
        user: typed.form.optional("user"), passwordOrToken: password)
      typed.choices = try await LinkOrder.choices(at: server, credentials)
      typed.ticket = tickets.keep(credentials, until: archive.clock.now.adding(seconds: 900))
      if typed.choices.isEmpty { typed.problem = said("No calendars found in this account.") }
      return try await page(FormFields([]), typed: typed)
    } catch let error as FieldError {
      typed.form.error =
        error.field == "address" ? FieldError("server", error.problem) : error
      return try await page(FormFields([]), typed: typed, status: .unprocessableContent)
    } catch let error as CalendarSourceError {
      typed.problem = error.description
      return try await page(FormFields([]), typed: typed, status: WebFailure(error).status)
    }
  }

  /// Links the selected calendars of an account.
  @Sendable func choose(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    let chosen = fields.all("calendar")
    guard
      let credentials = tickets.credentials(fields["ticket"] ?? "", at: archive.clock.now)
    else {
      let typed = Typed(
        form: FormTexts(), isAccount: true,
        problem: said(
          "The password is only kept for a short time. Enter it again to find your calendars."))
      return try await page(FormFields([]), typed: typed, status: .unprocessableContent)
    }
    guard !chosen.isEmpty else {
      return .seeOther("/calendars")
    }
    do {
      let count = try await LinkOrder.link(chosen, of: fields, .calDAV, credentials, job)
      tickets.drop(fields["ticket"] ?? "")
      return .seeOther("/calendars?linked=\(count)")
    } catch {
      let failure = WebFailure(error)
      return try await page(
        FormFields([]),
        typed: Typed(form: FormTexts(), isAccount: true, problem: failure.detail),
        status: failure.status)
    }
  }

  // MARK: Syncing and ending

  /// Starts a sync and waits a moment; a sync that takes longer continues, and the page reports it.
  @Sendable func sync(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let link = try await offServer { try archive.link(id) }
    let isDone = try await turns.beginAndWait(link, job)
    // The link shows any error.
    return .seeOther(isDone ? "/calendars#link-\(id.uuidString)" : "/calendars?running=1")
  }

  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try await offServer { try job.unlink(try archive.link(id)) }
    return .seeOther("/calendars?unlinked=1")
  }
}

/// The passwords stored between finding calendars and selecting them; they are never sent to the
/// browser.
final class CalendarTickets: Sendable {
  private let kept = Mutex<[String: (credentials: CalendarCredentials, end: Instant)]>([:])

  func keep(_ credentials: CalendarCredentials, until end: Instant) -> String {
    let ticket = Door.secret()
    kept.withLock { kept in
      if kept.count > 20 { kept.removeAll() }
      kept[ticket] = (credentials, end)
    }
    return ticket
  }

  func credentials(_ ticket: String, at now: Instant) -> CalendarCredentials? {
    kept.withLock { kept in
      kept = kept.filter { $0.value.end > now }
      return kept[ticket]?.credentials
    }
  }

  func drop(_ ticket: String) { _ = kept.withLock { $0.removeValue(forKey: ticket) } }
}
