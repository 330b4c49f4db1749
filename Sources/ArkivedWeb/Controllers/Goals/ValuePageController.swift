import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of values and life areas.
struct ValuePageController: Sendable {
  let shared: GoalSidePages

  /// The maximum number of goals offered for serving a value.
  static let goalLimit = 200

  func addRoutes(to router: Router<WebContext>) {
    router.get("/values", use: list)
    router.get("/values/new", use: new)
    router.post("/values", use: create)
    router.get("/values/:id", use: show)
    router.get("/values/:id/edit", use: edit)
    router.post("/values/:id", use: save)
    router.post("/values/:id/delete", use: delete)
  }

  private var archive: Archive { shared.archive }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let (newest, values, goals, alignments, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.values(), try archive.goals(),
        try archive.alignments(), try shared.notices(fields, back: "/values")
      )
    }
    let names = Dictionary(goals.map { ($0.id, $0) }) { first, _ in first }
    let served = Dictionary(grouping: alignments, by: \.valueID)
    let today = shared.today
    func rows(_ values: [PersonalValue]) -> [[String: Any]] {
      values.map { value in
        let own = (served[value.id] ?? []).compactMap { names[$0.goalID] }
        return row(
          value, own.filter { !GoalOverview.isPast($0, today) },
          past: own.count { GoalOverview.isPast($0, today) })
      }
    }
    let own = values.filter(\.incentiveType.isValue)
    let areas = values.filter { !$0.incentiveType.isValue }
    let page: [String: Any] = [
      "isEmpty": values.isEmpty, "hasValues": !own.isEmpty, "values": rows(own),
      "hasAreas": !areas.isEmpty, "areas": rows(areas),
    ]
    return try shared.page(
      "values", title: said("Values"), tab: .values, known: .some(newest), notices: notices, page)
  }

  /// Returns a value for the list, with the goals that serve it.
  private func row(_ value: PersonalValue, _ own: [Goal], past: Int) -> [String: Any] {
    let type =
      [.general, .lifeArea].contains(value.incentiveType)
      ? "" : saidWhole(value.incentiveType.words)
    let domain = value.lifeDomain == PersonalValue.defaultDomain ? "" : value.lifeDomain
    let facts = [type, domain].filter { !$0.isEmpty }.map { ClippedText.of($0, limit: 60) }
    let words = value.description ?? value.alignmentGuidance ?? ""
    let goals = own.prefix(6).map { goal -> [String: String] in
      [
        "goalHref": "/goals/\(goal.id.uuidString)",
        "goalTitle": ClippedText.of(goal.title, limit: 60),
      ]
    }
    return [
      "valueHref": "/values/\(value.id.uuidString)", "valueID": value.id.uuidString,
      "valueTitle": ClippedText.of(value.title, limit: 160), "priority": "\(value.priority)",
      "hasFacts": !facts.isEmpty, "valueFacts": facts.joined(separator: " · "),
      "hasWords": !words.isEmpty, "valueWords": ClippedText.of(words, limit: 300),
      "hasGoals": !own.isEmpty, "goals": goals, "hasMoreGoals": own.count > 6,
      "moreGoals": "+\(own.count - 6)",
      "hasPastGoals": past > 0, "pastGoals": GoalWords.count(past, "past goal"),
      "isUnserved": own.isEmpty && value.incentiveType.isValue,
    ]
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - fields: the fields of the form or address.
  ///   - typed: the goals selected to serve it, and any fault in them.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: an error if the value can't be read.
  func page(
    _ id: UUID, fields: FormFields, typed: Alignment.Typed? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let today = shared.today
    let href = "/values/\(id.uuidString)"
    let (newest, found, overview, versions, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.entity(PersonalValue.self, id),
        try GoalOverview(archive, today: today),
        try archive.oldVersions(of: id, limit: EntryContext.historyLimit),
        try shared.notices(fields, back: href)
      )
    }
    guard let value = found else {
      if let response = shared.gone(fields, to: "/values") { return response }
      throw ArchiveError.notFound(
        "No value with the ID \(id.uuidString). It may have been deleted.")
    }
    let strengths = Dictionary(
      overview.alignments.filter { $0.valueID == id }.map { ($0.goalID, $0) }
    ) { first, _ in first }
    let own = overview.goals.filter { strengths[$0.id] != nil }
    let (current, past) = (own.filter { !overview.isPast($0) }, own.filter(overview.isPast))
    let others = overview.goals.filter { strengths[$0.id] == nil && !overview.isPast($0) }
    let choices = own + others.prefix(max(0, Self.goalLimit - own.count))
    // words: incentive | general | major | highest value | life area
    let facts = [
      EntryContext.capitalised(saidWhole(value.incentiveType.words)), value.lifeDomain,
    ]
    .map { ClippedText.of($0, limit: 80) }.joined(separator: " · ")
    var page: [String: Any] = [
      "valueTitle": ClippedText.of(value.title, limit: 400), "valueHref": href,
      "version": EntityTag.text(value.updatedAt), "priority": "\(value.priority)",
      "valueFacts": facts, "isLongTitle": value.title.count > 80,
      "hasOwnGoals": !current.isEmpty, "ownGoals": overview.cards(current),
      "hasPastGoals": !past.isEmpty, "pastGoals": overview.cards(past),
      "isValue": value.incentiveType.isValue,
      "hasChoices": !choices.isEmpty && value.incentiveType.isValue,
      "listed": choices.map(\.id.uuidString).joined(separator: " "),
      "choices": choices.map {
        Alignment.choice(
          $0.id, $0.title, isChosen: strengths[$0.id] != nil, strengths[$0.id]?.strength, typed)
      }, "alignAction": "\(href)/goals", "hasHistory": !versions.isEmpty,
      "history": shared.history(versions, back: href),
    ]
    page.merge(Alignment.context(typed)) { $1 }
    for (name, text) in [
      ("description", value.description), ("guidance", value.alignmentGuidance),
      ("notesText", value.notes),
    ] {
      let shown = text.map { ClippedText.of($0, limit: 4_000) } ?? ""
      page["has\(EntryContext.capitalised(name))"] = !shown.isEmpty
      page[name] = shown
    }
    return try shared.page(
      "value", title: ClippedText.of(value.title, limit: 60), tab: .values,
      known: .some(newest), notices: notices, page, status: status)
  }

  // MARK: The form

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    try formPage(ValueForm(), nil)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = ValueForm(fields)
    let now = archive.clock.now
    do {
      var value = PersonalValue(
        id: archive.identities.next(), title: "", createdAt: now, updatedAt: now)
      try form.apply(to: &value)
      let made = value
      return try await shared.once(fields, at: "values") { key in
        try archive.create(made, once: key) { GoalSidePages.redirect("/values", $0.change) }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try formPage(wrong, nil, status: .unprocessableContent)
    }
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, value) = try await offServer {
      (try archive.newestChange(), try shared.load(PersonalValue.self, id))
    }
    return try formPage(ValueForm(value), value, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = ValueForm(try await request.form(limit: context.maxFormSize))
    return try await shared.save(form, over: id, in: "/values") { form, entity, status, notices in
      try formPage(form, entity, status: status, notices: notices)
    }
  }

  private func formPage(
    _ form: ValueForm, _ value: PersonalValue?, known: UUID?? = nil,
    status: HTTPResponse.Status = .ok, notices: [Notice] = []
  ) throws -> Response {
    let href = value.map { "/values/\($0.id.uuidString)" } ?? "/values"
    var page = form.context()
    page["isNew"] = value == nil
    page["idempotencyKey"] = archive.identities.next().uuidString
    page["action"] = href
    page["cancelHref"] = href
    let title =
      value.map { said("Edit: \(ClippedText.of($0.title, limit: 60))") } ?? said("New value")
    return try shared.page(
      "value-edit", title: title, tab: .values, known: known, notices: notices, page,
      status: status)
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    try await shared.delete(PersonalValue.self, from: "/values", request, context)
  }
}
