import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The handling of relations in forms: the goals that serve values, and the actions that count
/// toward goals.
struct GoalLinkPageController: Sendable {
  let shared: GoalSidePages

  func addRoutes(to router: Router<WebContext>) {
    router.post("/goals/:id/values", use: alignGoal)
    router.post("/values/:id/goals", use: alignValue)
    router.post("/actions/:id/link", use: link)
    router.post("/actions/:id/unlink", use: unlink)
  }

  private var archive: Archive { shared.archive }

  // MARK: Values

  @Sendable func alignGoal(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let read: (listed: Set<UUID>, chosen: [UUID: Int?])
    do {
      read = try Alignment.read(try await request.form(limit: context.maxUploadSize))
    } catch let typed as Alignment.Typed {
      return try await GoalPageController(shared: shared).page(
        id, fields: FormFields([]), typed: typed, status: .unprocessableContent)
    }
    let change = try await offServer {
      let goal = try shared.load(Goal.self, id)
      return try Self.align(
        archive, read, of: try archive.alignments().filter { $0.goalID == id }, other: \.valueID,
        type: .personalValue, "Changed the values of the goal “\(goal.title.prefix(100))”"
      ) { (goal: id, value: $0) }
    }
    return .seeOther(GoalSidePages.location("/goals/\(id.uuidString)", change))
  }

  @Sendable func alignValue(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let read: (listed: Set<UUID>, chosen: [UUID: Int?])
    do {
      read = try Alignment.read(try await request.form(limit: context.maxUploadSize))
    } catch let typed as Alignment.Typed {
      return try await ValuePageController(shared: shared).page(
        id, fields: FormFields([]), typed: typed, status: .unprocessableContent)
    }
    let change = try await offServer {
      let value = try shared.load(PersonalValue.self, id)
      return try Self.align(
        archive, read, of: try archive.alignments().filter { $0.valueID == id }, other: \.goalID,
        type: .goal, "Changed the goals of the value “\(value.title.prefix(100))”"
      ) { (goal: $0, value: id) }
    }
    return .seeOther(GoalSidePages.location("/values/\(id.uuidString)", change))
  }

  /// Makes the relations match the selection in one change; returns nil if they already do.
  ///
  /// Relations that weren't listed stay, as does what another writer changed since they were read.
  static func align(
    _ archive: Archive, _ read: (listed: Set<UUID>, chosen: [UUID: Int?]),
    of old: [GoalValueAlignment], other: KeyPath<GoalValueAlignment, UUID>, type: EntityType,
    _ summary: String, _ pair: (UUID) -> (goal: UUID, value: UUID)
  ) throws -> Change? {
    let listed = read.listed.union(read.chosen.keys)
    let known = Dictionary(old.map { ($0[keyPath: other], $0) }) { first, _ in first }
    let gone = listed.filter { known[$0] != nil && read.chosen[$0] == nil }
    let new = read.chosen.keys.filter { known[$0] == nil }
    let changed = read.chosen.filter { id, strength in
      known[id].map { $0.strength != strength } ?? false
    }
    guard !gone.isEmpty || !new.isEmpty || !changed.isEmpty else { return nil }
    func sorted(_ ids: some Sequence<UUID>) -> [UUID] {
      ids.sorted { $0.uuidString < $1.uuidString }
    }
    return try archive.write(by: .owner, "edit", summary) { scope in
      for id in sorted(gone) {
        guard let old = known[id], try scope.entity(.alignment, old.id) != nil else { continue }
        try scope.delete(.alignment, old.id)
      }
      for id in sorted(new) {
        guard try scope.entity(type, id) != nil else { continue }
        let (goal, value) = pair(id)
        let alignment = GoalValueAlignment(
          id: archive.identities.next(), goalID: goal, valueID: value,
          strength: read.chosen[id] ?? nil, createdAt: scope.now, updatedAt: scope.now)
        guard try scope.entity(like: alignment) == nil else { continue }
        try scope.insert(alignment)
      }
      for id in sorted(changed.keys) {
        guard let old = known[id],
          var alignment = try scope.entity(.alignment, old.id) as? GoalValueAlignment
        else { continue }
        alignment.strength = read.chosen[id] ?? nil
        alignment.updatedAt = max(
          scope.now, Instant(milliseconds: alignment.updatedAt.milliseconds + 1))
        try scope.update(alignment, reason: .update)
      }
    }.change
  }

  // MARK: Actions

  @Sendable func link(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let texts = FormTexts(fields, lines: ["goal", "amount"])
    do {
      guard let goal = UUID(uuidString: texts["goal"]) else {
        throw FieldError("goal", "is missing. Choose one")
      }
      let amount = try texts.number("amount")
      if let amount, amount < 0 {
        throw FieldError("amount", "is below 0. Enter how much it contributes")
      }
      let saved = try await offServer {
        guard try archive.entity(Goal.self, goal) != nil else { throw GoalSidePages.goneGoal }
        return try archive.link(action: id, goal: goal, amount: amount)
      }
      return .seeOther(GoalSidePages.location("/actions/\(id.uuidString)", saved.change))
    } catch let error as FieldError {
      var wrong = texts
      wrong.error =
        error.field == "contribution" ? FieldError("amount", error.problem) : error
      return try await ActionPageController(shared: shared).page(
        id, fields: FormFields([]), link: wrong, status: .unprocessableContent)
    }
  }

  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let goal = fields.text("goal").flatMap(UUID.init(uuidString:)) else {
      throw WebFailure(
        .badRequest, "Goal missing",
        "The goal is missing from the form. Reload the page and try "
          + "again.",
        field: "goal")
    }
    let back = LocalPath.read(fields["back"]) ?? "/actions/\(id.uuidString)"
    let saved = try await offServer { try archive.unlink(action: id, goal: goal) }
    return .seeOther(GoalSidePages.location(back, saved.change))
  }
}
