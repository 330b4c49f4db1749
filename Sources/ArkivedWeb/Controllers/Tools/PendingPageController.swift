import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/pending`: the deletions and changes that programs and the assistant ask the
/// owner to approve.
struct PendingPageController: Sendable {
  let tools: ToolBox
  let settings: SettingsPages

  /// The maximum number of entries compared for one action in the list; its own page shows all,
  /// because the owner approves only what they can read.
  private static let entityLimit = 60

  func addRoutes(to router: Router<WebContext>) {
    router.get("/pending", use: list)
    router.get("/pending/:id", use: show)
    router.post("/pending/:id/confirm", use: confirm)
    router.post("/pending/:id/decline", use: decline)
  }

  private var archive: Archive { settings.archive }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page(nil, request.fields)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: the single action to show; nil for all waiting ones.
  ///   - fields: the fields of the form or address.
  ///   - more: further notices at the top of the page.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func page(
    _ id: UUID?, _ fields: FormFields, notices more: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let back = id.map { "/pending/\($0.uuidString)" } ?? "/pending"
    let (acts, notices) = try await offServer {
      (
        try id.map { [try tools.pendingAct($0)] } ?? tools.pendingActs(),
        try settings.notices(fields, back: back)
      )
    }
    var comparison = RecordComparison(entries: settings.entries)
    if id != nil { comparison.textLimit = .max }
    return try settings.shared.pages.page(
      "pending", title: said("Waiting for approval"), section: .assistant, notices: notices + more,
      [
        "acts": acts.map { row($0, comparison, showsAll: id != nil, back: back) },
        "hasActs": !acts.isEmpty,
        "isOne": id != nil,
      ], status: status)
  }

  private func row(
    _ act: PendingAct, _ comparison: RecordComparison, showsAll: Bool, back: String
  ) -> [String: Any] {
    let shown = act.effects.prefix(showsAll ? .max : Self.entityLimit)
    let entities = shown.map { entity($0, comparison) }
    let isShort = entities.contains { entity in
      (entity["fields"] as? [[String: Any]] ?? []).contains { $0["isCut"] as? Bool == true }
    }
    let isDeletion = act.effects.allSatisfy(\.isDeletion)
    let count = act.effects.count
    let noun = count == 1 ? said("it") : said("all \(count)")
    return [
      "actID": act.id.uuidString, "actHref": act.confirmPath,
      "confirmAction": "\(act.confirmPath)/confirm",
      "declineAction": "\(act.confirmPath)/decline",
      "summary": ClippedText.of(saidAgain(act.summary), limit: 200),
      "by": ClippedText.of(saidAgain(act.author.told), limit: 70), "tool": act.tool,
      "whenISO": act.createdAt.description, "when": settings.entries.moment(act.createdAt),
      "untilISO": act.expiresAt.description, "until": settings.entries.moment(act.expiresAt),
      // Approval requires this computer.
      "isWaiting": act.status == .waiting && !Visitor.isDevice,
      "standing": Self.standing(act.status),
      "isDeletion": isDeletion,
      "yes": isDeletion ? said("Yes, delete \(noun)") : said("Yes, change \(noun)"),
      "actBack": back, "entities": entities,
      "isCut": shown.count < count, "cutLine": said("Showing \(shown.count) of \(count)."),
      "isWhole": !isShort && shown.count == count,
    ]
  }

  private func entity(
    _ effect: PendingAct.Effect, _ comparison: RecordComparison
  ) -> [String: Any] {
    let change = EntityChange(effect)
    var size = 0
    return [
      "entityTitle": ClippedText.of(
        effect.type == .meeting ? saidAgain(effect.title) : effect.title, limit: 120),
      "verb": effect.isDeletion ? said("to be deleted") : said("to be changed"),
      "fields": comparison.fields(change, &size), "isPair": !effect.isDeletion,
      "dayHref": "/day/\(effect.dayKey)",
      "dayLabel": GoalWords.day(effect.dayKey, today: settings.today),
    ]
  }

  private static func standing(_ status: PendingAct.Status) -> String {
    switch status {
    case .waiting:
      Visitor.isDevice ? said("waiting for your approval on the computer") : said("waiting")
    case .done: said("approved and done")
    case .declined: said("declined")
    case .expired: said("expired")
    case .outdated: said("outdated because an entry changed")
    default: status.rawValue
    }
  }

  // MARK: Deciding

  @Sendable func confirm(_ request: Request, context: WebContext) async throws -> Response {
    try await decide(request, context) { id in
      let act = try tools.confirm(id)
      return try act.changeID.flatMap { try archive.change($0) }
    }
  }

  @Sendable func decline(_ request: Request, context: WebContext) async throws -> Response {
    try await decide(request, context) { id in
      _ = try tools.decline(id)
      return nil
    }
  }

  /// Carries out the decision and redirects back; the page reports any obstacle.
  private func decide(
    _ request: Request, _ context: WebContext,
    _ work: @escaping @Sendable (UUID) throws -> Change?
  ) async throws -> Response {
    guard context.agent == nil else { throw AgentRoutes.refusal }
    let id = try ActivityController.id(context)
    let form = try await request.form(limit: context.maxUploadSize)
    let back = LocalPath.read(form["back"]) ?? "/pending"
    do {
      let change = try await offServer { try work(id) }
      return .seeOther(GoalSidePages.location(back, change))
    } catch let error as ArchiveError {
      let notice = Notice(tone: .error, sentence: error.description)
      return try await page(
        nil, FormFields("".utf8), notices: [notice], status: WebFailure(error).status)
    }
  }
}
