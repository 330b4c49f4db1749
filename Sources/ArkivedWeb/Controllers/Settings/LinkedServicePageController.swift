import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page of linked services: photos from Immich and locations from Dawarich.
struct LinkedServicePageController: Sendable {
  let settings: SettingsPages
  let turns: CalendarTurns

  private static let path = "/settings/linked"
  private static let formLimit = 1 << 14

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/linked", use: list)
    router.post("/settings/linked", use: link)
    router.post("/settings/linked/:id/sync", use: sync)
    router.post("/settings/linked/:id/unlink", use: unlink)
  }

  private var archive: Archive { settings.archive }
  private var job: SyncJob { SyncJob(archive: archive, homeZone: settings.zone) }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    var notices: [Notice] = []
    if fields.text("linked") != nil {
      notices.append(
        Notice(
          tone: .success,
          sentence: said("Linked. The first sync imports everything and may take a while.")))
    }
    if fields.text("unlinked") != nil {
      notices.append(
        Notice(tone: .success, sentence: said("Unlinked. Everything that was imported is kept.")))
    }
    if fields.text("running") != nil {
      notices.append(
        Notice(
          tone: .info, sentence: said("Still syncing. This page will tell you when it’s done.")))
    }
    return try await page(notices: notices)
  }

  private func page(
    _ form: FormTexts? = nil, isPlainHTTP: Bool = false, notices: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (newest, all) = try await offServer {
      (try archive.newestChange(), try archive.syncLinks())
    }
    let rowWriter = LinkRow(entries: settings.entries, href: Self.path)
    var rows: [[String: Any]] = []
    for link in all where link.kind.isService {
      rows.append(rowWriter.context(link, isRunning: await turns.isRunning(link.id)))
    }
    var page: [String: Any] = [
      "links": rows, "hasLinks": !rows.isEmpty, "isOpen": rows.isEmpty || form != nil,
      "isPlainHTTP": isPlainHTTP, "isPhotoOpen": form != nil,
      "hasKeyError": form?.error?.field == "token",
      "keyError": form?.problem(of: "token", label: said("The API key")) ?? "",
      "idempotencyKey": archive.identities.next().uuidString,
    ]
    let shown = form ?? FormTexts(["service": "immich", "files": "previews", "places": "names"])
    page["placeForm"] = shown.context(Self.placeRows)
    page["photoForm"] = shown.context(Self.photoRows)
    page["hasErrors"] = form?.error != nil
    page["errors"] =
      form?.context(Self.placeRows + Self.keyRows + Self.photoRows)["errors"]
      ?? [[String: Any]]()
    return try settings.page(
      "settings-linked", title: said("Linked services"), tab: .linked, known: .some(newest),
      notices: notices, page, status: status)
  }

  static let placeRows: [[FormField]] = [
    [
      FormField(
        "service", "Service",
        .choice([("immich", "Immich (photos)"), ("dawarich", "Dawarich (locations)")]))
    ],
    [
      FormField(
        "address", "Address", hint: "For example, https://photos.example.org",
        noun: "The address", isRequired: true)
    ],
    [FormField("name", "Name", hint: "A name for it in Arkived", isOptional: true)],
  ]

  /// The key, which has its own kind of input in the template.
  static let keyRows: [[FormField]] = [
    [FormField("token", "API key", noun: "The API key", isRequired: true)]
  ]

  static let photoRows: [[FormField]] = [
    [
      FormField(
        "files", "Pictures",
        .choice([("previews", "Previews (smaller)"), ("originals", "Original files")]),
        hint: "For videos, the preview is a still image."),
      FormField(
        "places", "Photo locations",
        .choice([
          ("names", "Place names only"), ("keep", "Names and coordinates"), ("none", "None"),
        ])),
    ]
  ]

  // MARK: Linking

  @Sendable func link(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: Self.formLimit)
    var form = FormTexts(fields, lines: ["service", "address", "name", "files", "places"])
    let isPlainHTTP = fields["plainHTTP"] == "yes"
    func answer(_ notice: Notice? = nil, status: HTTPResponse.Status) async throws -> Response {
      try await page(
        form, isPlainHTTP: isPlainHTTP, notices: [notice].compactMap(\.self), status: status)
    }
    do {
      let order = try Self.order(form, key: fields["token"] ?? "", isPlainHTTP: isPlainHTTP)
      let job = job
      return try await settings.shared.once(
        fields, at: "linked",
        slowly: {
          _ = try await order.link(job)
          return "\(Self.path)?linked=1"
        })
    } catch let error as FieldError {
      form.error = error
      return try await answer(status: .unprocessableContent)
    } catch let failure as WebFailure where failure.status == .conflict {
      return try await answer(
        Notice(tone: .error, sentence: failure.detail), status: failure.status)
    } catch let error as LinkedServiceFailure {
      return try await answer(
        Notice(tone: .error, sentence: error.description), status: WebFailure(error).status)
    }
  }

  private static func order(
    _ form: FormTexts, key: String, isPlainHTTP: Bool
  ) throws(FieldError) -> LinkedServiceOrder {
    guard let service = LinkedService(rawValue: form["service"]) else {
      throw FieldError("service", "is missing. Choose a service")
    }
    guard let address = form.optional("address") else {
      throw FieldError("address", "is missing. Enter the address of the server")
    }
    var order = LinkedServiceOrder(service, address: address, key: key)
    order.name = form.optional("name")
    order.allowsPlainHTTP = isPlainHTTP
    guard service == .immich else { return order }
    if let files = form.optional("files") {
      order.takesOriginals = try LinkedServiceOrder.originals(files)
    }
    if let places = form.optional("places") { order.places = try PlaceChoice.read(places) }
    return order
  }

  // MARK: Syncing and ending

  /// Starts a sync and waits a moment; a sync that takes longer continues, and the page reports it.
  @Sendable func sync(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let link = try await offServer { try archive.link(id) }
    _ = await turns.begin(link, job)
    for _ in 0..<40 where await turns.isRunning(id) {
      try await Task.sleep(for: .milliseconds(100))
    }
    let isDone = await !turns.isRunning(id)
    // The link shows any error.
    return .seeOther(isDone ? "\(Self.path)#link-\(id.uuidString)" : "\(Self.path)?running=1")
  }

  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try await offServer { try job.unlink(try archive.link(id)) }
    return .seeOther("\(Self.path)?unlinked=1")
  }
}
