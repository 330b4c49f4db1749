import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of linked address books: the links, finding, adding, syncing and removing them.
struct AddressBookPageController: Sendable {
  let settings: SettingsPages
  let turns: CalendarTurns
  let tickets = CalendarTickets()

  private static let path = "/settings/address-books"
  private var archive: Archive { settings.archive }
  private var job: SyncJob { SyncJob(archive: archive, homeZone: settings.zone) }

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/address-books", use: list)
    router.post("/settings/address-books/discover", use: discover)
    router.post("/settings/address-books/choose", use: choose)
    router.post("/settings/address-books/:id/sync", use: sync)
    router.post("/settings/address-books/:id/unlink", use: unlink)
  }

  // MARK: Reading

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request.fields)
  }

  /// The text typed into the form, any error in it, and the address books to choose from.
  private struct Typed {
    var form = FormTexts()
    var problem: String?
    var choices: [AddressBookChoice] = []
    var ticket = ""
  }

  private func page(
    _ fields: FormFields = FormFields([]), typed: Typed? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (newest, all) = try await offServer {
      (try archive.newestChange(), try archive.syncLinks())
    }
    var rows: [[String: Any]] = []
    for link in all where link.kind == .cardDAV {
      rows.append(row(link, isRunning: await turns.isRunning(link.id)))
    }
    var notices: [Notice] = []
    if let count = fields.text("linked").flatMap(Int.init), count > 0 {
      notices.append(
        Notice(
          tone: .success,
          sentence: said(
            count, one: "Linked 1 address book. Sync now to import its contacts.",
            other: "Linked \(count) address books. Sync now to import their contacts.")))
    }
    if fields.text("unlinked") != nil {
      notices.append(
        Notice(
          tone: .success, sentence: said("Address book unlinked. Its people and notes are kept.")))
    }
    if fields.text("running") != nil {
      notices.append(
        Notice(
          tone: .info, sentence: said("Still syncing. This page will tell you when it’s done.")))
    }
    if let problem = typed?.problem { notices.append(Notice(tone: .error, sentence: problem)) }
    let form = (typed?.form ?? FormTexts()).context(Self.rows)
    var page: [String: Any] = [
      "links": rows, "hasLinks": !rows.isEmpty, "isAccountOpen": rows.isEmpty || typed != nil,
      "hasChoices": typed?.choices.isEmpty == false,
      "choices": (typed?.choices ?? []).map(Self.choice), "ticket": typed?.ticket ?? "",
      "accountForm": form, "hasErrors": typed?.form.error != nil,
    ]
    page["errors"] = typed == nil ? [[String: Any]]() : form["errors"] ?? [[String: Any]]()
    return try settings.page(
      "settings-address-books", title: said("Address books"), tab: .addressBooks,
      known: .some(newest), notices: notices, page, status: status)
  }

  /// The fields of an account; the password has its own kind of input in the template.
  private static let rows: [[FormField]] = [
    [
      FormField(
        "server", "Server", hint: "For example, https://cloud.example.org", noun: "The server",
        isRequired: true)
    ], [FormField("user", "User name", isOptional: true)],
  ]

  private static func choice(_ choice: AddressBookChoice) -> [String: Any] {
    [
      "choiceAddress": choice.url.absoluteString,
      "choiceName": ClippedText.of(choice.displayName, limit: 120),
      "hasChoiceText": choice.description?.isEmpty == false,
      "choiceText": ClippedText.of(choice.description ?? "", limit: 200),
    ]
  }

  private func row(_ link: SyncLink, isRunning: Bool) -> [String: Any] {
    let outcome = link.outcome
    let error = outcome?["error"]?.string
    let warnings = outcome?["warnings"]?.array ?? []
    let counts = (outcome?["pulled"]?.object?.members ?? []).reduce(into: [:]) { counts, member in
      counts[member.key] = member.value.int
    }
    let href = "\(Self.path)/\(link.id.uuidString)"
    return [
      "linkID": link.id.uuidString, "linkName": ClippedText.of(link.name, limit: 160),
      "linkAddress": ClippedText.of(link.address, limit: 300), "hasSynced": link.syncedAt != nil,
      "synced": link.syncedAt.map { settings.entries.moment($0) } ?? "",
      "syncedISO": link.syncedAt?.description ?? "", "isRunning": isRunning,
      "outcome": counts.isEmpty ? said("nothing new") : ItemCount.text(counts),
      "hasError": error != nil, "error": ClippedText.of(saidAgain(error ?? ""), limit: 600),
      "hasWarnings": !warnings.isEmpty,
      "warningLabel": GoalWords.count(warnings.count, "warning"),
      "warnings": warnings.prefix(20).map { warning in
        [
          "place": ClippedText.of(saidAgain(warning["place"]?.string ?? ""), limit: 120),
          "message": ClippedText.of(saidAgain(warning["message"]?.string ?? ""), limit: 300),
        ]
      }, "syncAction": "\(href)/sync", "unlinkAction": "\(href)/unlink",
    ]
  }

  // MARK: Linking

  /// Asks an account for its address books and offers them for selection.
  @Sendable func discover(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    var typed = Typed(form: FormTexts(fields, lines: ["server", "user"]))
    do {
      guard let server = typed.form.optional("server") else {
        throw FieldError("server", "is missing. Enter the address of the server")
      }
      let password = fields["password"].flatMap { $0.isEmpty ? nil : $0 }
      let credentials = LinkOrder.credentials(
        user: typed.form.optional("user"), passwordOrToken: password)
      typed.choices = try await CardDAVDiscovery(
        url: try AddressBookPlace(server).url, credentials: credentials
      ).addressBooks()
      typed.ticket = tickets.keep(credentials, until: archive.clock.now.adding(seconds: 900))
      if typed.choices.isEmpty { typed.problem = said("No address books found in this account.") }
      return try await page(typed: typed)
    } catch let error as FieldError {
      typed.form.error =
        error.field == "address" ? FieldError("server", error.problem) : error
      return try await page(typed: typed, status: .unprocessableContent)
    } catch let error as AddressBookError {
      typed.problem = error.description
      return try await page(typed: typed, status: WebFailure(error).status)
    }
  }

  /// Links the selected address books of an account.
  @Sendable func choose(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    let chosen = fields.all("book")
    let ticket = fields["ticket"] ?? ""
    guard let credentials = tickets.credentials(ticket, at: archive.clock.now) else {
      let typed = Typed(
        problem: said(
          "The password is only kept for a short time. Enter it again to find your address books."))
      return try await page(typed: typed, status: .unprocessableContent)
    }
    guard !chosen.isEmpty else { return .seeOther(Self.path) }
    do {
      let count = try await LinkOrder.link(chosen, of: fields, .cardDAV, credentials, job)
      tickets.drop(ticket)
      return .seeOther("\(Self.path)?linked=\(count)")
    } catch {
      let failure = WebFailure(error)
      return try await page(typed: Typed(problem: failure.detail), status: failure.status)
    }
  }

  // MARK: Syncing and ending

  /// Starts a sync and waits a moment; a sync that takes longer continues, and the page reports it.
  @Sendable func sync(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let link = try await offServer { try archive.link(id) }
    let isDone = try await turns.beginAndWait(link, job)
    // The link shows any error.
    return .seeOther(isDone ? "\(Self.path)#link-\(id.uuidString)" : "\(Self.path)?running=1")
  }

  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try await offServer { try job.unlink(try archive.link(id)) }
    return .seeOther("\(Self.path)?unlinked=1")
  }
}
