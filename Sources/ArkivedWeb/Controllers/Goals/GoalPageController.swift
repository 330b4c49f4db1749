import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of goals: the list, one goal, and its form.
struct GoalPageController: Sendable {
  let shared: GoalSidePages

  static let pageSize = 60
  static let actionPage = 30

  func addRoutes(to router: Router<WebContext>) {
    router.get("/goals", use: list)
    router.get("/goals/new", use: new)
    router.post("/goals", use: create)
    router.get("/goals/:id", use: show)
    router.get("/goals/:id/edit", use: edit)
    router.post("/goals/:id", use: save)
    router.post("/goals/:id/delete", use: delete)
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let asked = fields.text("show") ?? ""
    let shown = ["all", "past"].contains(asked) ? asked : "current"
    let dates = HasFilter("dates", fields)
    let target = HasFilter("target", fields)
    let filter = GoalFilter(hasDates: dates.isWanted, hasTarget: target.isWanted)
    let asksMore = [dates.query, target.query].compactMap { $0 }
    let offset = fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 10_000_000) } ?? 0
    let today = shared.today
    let (newest, overview, isLinked, notices) = try await offServer {
      (
        try archive.newestChange(), try GoalOverview(archive, today: today),
        try !archive.syncLinks().allSatisfy(\.kind.isOnlyRead),
        try shared.notices(fields, back: "/goals")
      )
    }
    let term = overview.activeTerm
    let committed =
      shown == "current" && offset == 0
      ? (term.map(overview.committed) ?? []).filter(filter.hasWanted) : []
    let inTerm = Set(term.map(overview.committed)?.map(\.id) ?? [])
    let others = overview.goals.filter(filter.hasWanted).filter { goal in
      switch shown {
      case "all": true
      case "past": overview.isPast(goal)
      default: !overview.isPast(goal) && !inTerm.contains(goal.id)
      }
    }
    let part = others.dropFirst(offset).prefix(Self.pageSize)
    let isEmpty = overview.goals.isEmpty
    let rest = others.count - offset - part.count
    let filters = [("current", said("Current")), ("past", said("Past")), ("all", said("All"))].map {
      name, label -> [String: Any] in
      let query = (name == "current" ? [] : ["show=\(name)"]) + asksMore
      let href = query.isEmpty ? "/goals" : "/goals?" + query.joined(separator: "&")
      return ["href": href, "label": label, "isCurrent": name == shown]
    }
    var page: [String: Any] = [
      "isLinked": isLinked, "isEmpty": isEmpty, "hasGoals": !isEmpty,
      "hasWaitingLine": overview.waiting > 0,
      "waitingBanner": GoalWords.waiting(overview.waiting),
      "hasActiveTerm": term != nil, "hasNoTerm": term == nil && !isEmpty,
      "hasCommitted": !committed.isEmpty, "committed": overview.cards(committed),
      "hasOthers": !part.isEmpty, "others": overview.cards(part),
      "othersTitle": Self.title(shown, hasTerm: !committed.isEmpty), "filters": filters,
      "hasNone": part.isEmpty && committed.isEmpty && !isEmpty, "hasMore": rest > 0,
      "moreHref": "/goals?"
        + (["show=\(shown)"] + asksMore + ["offset=\(offset + Self.pageSize)"])
        .joined(separator: "&"),
      "show": shown, "isFiltered": !asksMore.isEmpty,
      "clearHref": shown == "current" ? "/goals" : "/goals?show=\(shown)",
      "dateChoices": dates.choices(yes: said("With dates"), no: said("Without dates")),
      "targetChoices": target.choices(yes: said("With a target"), no: said("Without a target")),
      "moreLine": GoalWords.count(rest, "more goal"),
    ]
    page["noneLine"] =
      !asksMore.isEmpty
      ? said("No matching goals.")
      : shown == "past"
        ? said("No past goals yet.")
        : said("No current goals. Set one, or view all goals.")
    if let term {
      page.merge(TermCard(term: term, today: today).context) { $1 }
      let count = overview.committed(term).count
      page["termGoals"] = count == 0 ? said("no goals yet") : GoalWords.count(count, "goal")
    }
    return try shared.page(
      "goals", title: said("Goals"), tab: .goals, known: .some(newest), notices: notices, page)
  }

  private static func title(_ shown: String, hasTerm: Bool) -> String {
    switch shown {
    case "all": said("All goals")
    case "past": said("Past goals")
    default: hasTerm ? said("Other current goals") : said("Current goals")
    }
  }

  // MARK: The form

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    try await newPage(GoalForm(), fields: nil)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = GoalForm(fields)
    let now = archive.clock.now
    do {
      var goal = Goal(id: archive.identities.next(), title: "", createdAt: now, updatedAt: now)
      try form.apply(to: &goal)
      let made = goal
      let values = Set(fields.all("value").compactMap(UUID.init(uuidString:)))
      let term = fields.text("term").flatMap(UUID.init(uuidString:))
      return try await shared.once(fields, at: "goals") { key in
        try add(made, values: values, term: term, once: key) { change in
          GoalSidePages.redirect("/goals/\(made.id.uuidString)", change)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try await newPage(wrong, fields: fields, status: .unprocessableContent)
    }
  }

  /// Adds a goal with the values it serves and the term to which it is committed, in one change.
  private func add(
    _ goal: Goal, values: Set<UUID>, term: UUID?, once key: RequestKey?,
    answer: (Change) -> KeptAnswer
  ) throws -> KeptAnswer {
    try archive.write(
      by: .owner, "add", "Added the goal “\(goal.title.prefix(120))”", once: key
    ) { scope in
      try scope.insert(goal)
      for value in values.sorted(by: { $0.uuidString < $1.uuidString }) {
        guard try scope.entity(.personalValue, value) != nil else { continue }
        try scope.insert(
          GoalValueAlignment(
            id: archive.identities.next(), goalID: goal.id, valueID: value,
            createdAt: scope.now, updatedAt: scope.now))
      }
      if let term, try scope.entity(.term, term) != nil {
        _ = try scope.commit(to: [goal.id], inTerm: term)
      }
      return answer(scope.change)
    }
  }

  private func newPage(
    _ form: GoalForm, fields: FormFields?, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let today = shared.today
    let (values, term) = try await offServer {
      (try archive.values(), try archive.activeTerm(today: today))
    }
    var page = form.context()
    let chosen = Set(fields?.all("value") ?? [])
    let own = values.filter(\.incentiveType.isValue).prefix(200)
    page["isNew"] = true
    page["idempotencyKey"] = archive.identities.next().uuidString
    page["action"] = "/goals"
    page["cancelHref"] = "/goals"
    page["hasValueChoices"] = !own.isEmpty
    page["valueChoices"] = own.map {
      [
        "valueID": $0.id.uuidString, "valueTitle": ClippedText.of($0.title, limit: 80),
        "isChosen": chosen.contains($0.id.uuidString),
      ] as [String: Any]
    }
    page["hasTermChoice"] = term != nil
    if let term {
      page["termID"] = term.id.uuidString
      page["termTitle"] = ClippedText.of(term.shownTitle, limit: 80)
      page["isTermChosen"] = fields?.text("term") != nil
    }
    return try shared.page(
      "goal-edit", title: said("New goal"), tab: .goals, page, status: status)
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, goal) = try await offServer {
      (try archive.newestChange(), try shared.load(Goal.self, id))
    }
    return try editPage(GoalForm(goal), goal, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = GoalForm(try await request.form(limit: context.maxFormSize))
    return try await shared.save(form, over: id, in: "/goals") { form, entity, status, notices in
      try editPage(form, entity, status: status, notices: notices)
    }
  }

  private func editPage(
    _ form: GoalForm, _ goal: Goal, known: UUID?? = nil, status: HTTPResponse.Status = .ok,
    notices: [Notice] = []
  ) throws -> Response {
    let href = "/goals/\(goal.id.uuidString)"
    var page = form.context()
    page["isNew"] = false
    page["action"] = href
    page["cancelHref"] = href
    page["hasValueChoices"] = false
    page["hasTermChoice"] = false
    page["isBroken"] = false
    if case .broken(let why) = GoalHints.read(goal.howGoalIsActionable) {
      page["isBroken"] = true
      page["brokenWhy"] = saidAgain(why)
      page["brokenText"] = ClippedText.of(goal.howGoalIsActionable ?? "", limit: 1_000)
    }
    return try shared.page(
      "goal-edit", title: said("Edit: \(ClippedText.of(goal.title, limit: 60))"), tab: .goals,
      known: known, notices: notices, page, status: status)
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    try await shared.delete(Goal.self, from: "/goals", request, context)
  }

  // MARK: One goal

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - fields: the fields of the form or address.
  ///   - typed: the values selected for it, and any error in them.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: an error if the goal can't be read.
  func page(
    _ id: UUID, fields: FormFields, typed: Alignment.Typed? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let offset = fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 10_000_000) } ?? 0
    let today = shared.today
    let loaded = try await offServer {
      guard let goal = try archive.entity(Goal.self, id) else { return nil as GoalDetail? }
      return try GoalDetail(
        goal, archive: archive, today: today, offset: offset, limit: Self.actionPage,
        notices: try shared.notices(fields, back: "/goals/\(id.uuidString)"), typed: typed)
    }
    guard let detail = loaded else {
      if let response = shared.gone(fields, to: "/goals") { return response }
      throw ArchiveError.notFound("No goal with the ID \(id.uuidString). It may have been deleted.")
    }
    var page = detail.context
    page["history"] = shared.history(detail.versions, back: "/goals/\(id.uuidString)")
    page["hasHistory"] = !detail.versions.isEmpty
    return try shared.page(
      "goal", title: ClippedText.of(detail.goal.title, limit: 60), tab: .goals,
      known: .some(detail.newest), notices: detail.notices, page, status: status)
  }
}
