import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of Arkived's own notices: `/settings/nudges`, the lines of `today`, `/api/v1/nudges`.
struct NudgeController: Sendable {
  let settings: SettingsPages
  var notifier = DesktopNotifier()

  private static let path = "/settings/nudges"
  private var archive: Archive { settings.archive }
  private var desk: NudgeDesk { NudgeDesk(archive: settings.archive, zone: settings.zone) }

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/nudges", use: form)
    router.post("/settings/nudges", use: save)
    router.post("/settings/nudges/test", use: testFromPage)
    router.post("/nudges/:nudge/dismiss", use: dismissFromPage)
    router.post("/nudges/:nudge/snooze", use: snoozeFromPage)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/nudges", use: show)
    group.patch("/nudges", use: change)
    group.post("/nudges/test", use: test)
    group.post("/nudges/:nudge/dismiss", use: dismiss)
    group.post("/nudges/:nudge/snooze", use: snooze)
  }

  // MARK: Pages

  @Sendable func form(_ request: Request, context: WebContext) async throws -> Response {
    let chosen = try await offServer { try archive.nudgeSettings() }
    let notices: [Notice] =
      switch request.fields.text("done") {
      case "saved": [Notice(tone: .success, sentence: "Saved.")]
      case "shown": [Notice(tone: .success, sentence: "Notification shown.")]
      case "absent": [Notice(tone: .error, sentence: DesktopNotifier.Problem.absent.description)]
      case "refused": [Notice(tone: .error, sentence: DesktopNotifier.Problem.refused.description)]
      default: []
      }
    return try page(NudgeForm(chosen), notices: notices + Self.advice(chosen, notifier))
  }

  private static func advice(_ chosen: NudgeSettings, _ notifier: DesktopNotifier) -> [Notice] {
    var advice = chosen.advice
    if chosen.isOn, chosen.channels.contains(.desktop), !notifier.isThere {
      advice.append(DesktopNotifier.Problem.absent.description)
    }
    return advice.map { Notice(tone: .warning, sentence: $0) }
  }

  private func page(
    _ form: NudgeForm, notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    try settings.page(
      "settings-nudges", title: said("Reminders"), tab: .nudges, notices: notices, form.context,
      status: status)
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    var form = NudgeForm(try await request.form(limit: 65_536))
    do {
      let object = try form.object()
      _ = try await offServer { try archive.updateNudgeSettings { try Self.take(object, &$0) } }
    } catch let error as FieldError {
      form.error = error
      return try page(form, status: .unprocessableContent)
    }
    return .seeOther("\(Self.path)?done=saved")
  }

  @Sendable func testFromPage(_ request: Request, context: WebContext) async throws -> Response {
    let problem = try await tried()
    let word = problem.map { $0 == .absent ? "absent" : "refused" } ?? "shown"
    return .seeOther("\(Self.path)?done=\(word)")
  }

  @Sendable func dismissFromPage(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    try await close(context, snoozes: false)
    return .seeOther("/")
  }

  @Sendable func snoozeFromPage(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    try await close(context, snoozes: true)
    return .seeOther("/")
  }

  // MARK: API

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await answer()
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 65_536)
    _ = try await offServer { try archive.updateNudgeSettings { try Self.take(object, &$0) } }
    return try await answer()
  }

  @Sendable func test(_ request: Request, context: WebContext) async throws -> Response {
    let problem = try await tried()
    return Response(json: ["shown": .bool(problem == nil), "problem": JSON(problem?.description)])
  }

  @Sendable func dismiss(_ request: Request, context: WebContext) async throws -> Response {
    try await close(context, snoozes: false)
    return try await answer()
  }

  @Sendable func snooze(_ request: Request, context: WebContext) async throws -> Response {
    try await close(context, snoozes: true)
    return try await answer()
  }

  private func answer() async throws -> Response {
    let desk = desk
    let (chosen, standing, upcoming) = try await offServer {
      (try archive.nudgeSettings(), try desk.standing(), try desk.upcoming())
    }
    return Response(json: NudgeDesk.json(chosen, standing, upcoming))
  }

  // MARK: Shared helpers

  private static func take(_ object: JSONObject, _ chosen: inout NudgeSettings) throws {
    var fields = FieldReader(object)
    try chosen.take(&fields)
    try fields.refuseUnknown()
  }

  private func close(_ context: WebContext, snoozes: Bool) async throws {
    let id = context.parameters.get("nudge") ?? ""
    let desk = desk
    try await offServer { try desk.close(id, snoozes: snoozes) }
  }

  /// Tries a notification.
  ///
  /// - Returns: The reason why it couldn't be shown; nil on success.
  private func tried() async throws -> DesktopNotifier.Problem? {
    let (notifier, sentence) = (notifier, said("Reminders look like this."))
    return try await onThread {
      do throws(DesktopNotifier.Problem) {
        try notifier.show(NudgeWords.title, sentence)
        return nil
      } catch {
        return error
      }
    }
  }
}
