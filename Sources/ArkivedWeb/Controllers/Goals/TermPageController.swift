import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of terms: the list, the review of one, its form, and its commitments.
struct TermPageController: Sendable {
  let shared: GoalSidePages

  /// The maximum number of goals offered for commitment.
  static let goalLimit = 500

  func addRoutes(to router: Router<WebContext>) {
    router.get("/terms", use: list)
    router.get("/terms/new", use: new)
    router.post("/terms", use: create)
    router.get("/terms/:id", use: show)
    router.get("/terms/:id/edit", use: edit)
    router.post("/terms/:id", use: save)
    router.post("/terms/:id/reflection", use: reflect)
    router.post("/terms/:id/delete", use: delete)
    router.post("/terms/:id/goals", use: commit)
    router.post("/terms/:id/goals/:goal/remove", use: uncommit)
    router.post("/terms/:id/goals/:goal/move", use: move)
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let today = shared.today
    let (newest, terms, assignments, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.terms(), try archive.assignments(),
        try shared.notices(fields, back: "/terms")
      )
    }
    let counts = Dictionary(grouping: assignments, by: \.termID).mapValues(\.count)
    var page: [String: Any] = [
      "isEmpty": terms.isEmpty, "hasLine": false,
      "terms": terms.map { term in
        TermCard(term: term, today: today).context.merging([
          "isActive": term.status(on: today) == .active,
          "termGoals": GoalWords.count(counts[term.id] ?? 0, "goal"),
          "hasReflection": term.reflection != nil,
        ]) { $1 }
      },
    ]
    if terms.count > 1, let line = TermTimeline(terms, today: today) {
      page["hasLine"] = true
      page["lineHTML"] = line.html
      page["lineFirst"] = line.firstLabel
      page["lineLast"] = line.lastLabel
    }
    return try shared.page(
      "terms", title: said("Terms"), tab: .terms, known: .some(newest), notices: notices, page)
  }

  // MARK: One term

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try ActivityController.id(context), fields: request.fields)
  }

  private func page(
    _ id: UUID, fields: FormFields, reflection: FormTexts? = nil, commitment: FieldError? = nil,
    status: HTTPResponse.Status = .ok, extra: [Notice] = []
  ) async throws -> Response {
    let today = shared.today
    let href = "/terms/\(id.uuidString)"
    let loaded = try await offServer {
      guard let term = try archive.entity(Term.self, id) else { return nil as TermDetail? }
      return try TermDetail(
        term, archive: archive, today: today, notices: try shared.notices(fields, back: href))
    }
    guard let detail = loaded else {
      if let response = shared.gone(fields, to: "/terms") { return response }
      throw ArchiveError.notFound("No term with the ID \(id.uuidString). It may have been deleted.")
    }
    var page = detail.context
    if let reflection {
      page["reflection"] = FormValue(reflection["reflection"])
      page["version"] = reflection.version
    }
    let problem = reflection?.problem(of: "reflection", label: "The reflection")
    page["hasReflectionError"] = problem != nil
    page["reflectionError"] = problem ?? ""
    page["hasCommitError"] = commitment != nil
    page["commitError"] = commitment.map { said("The goal \(saidAgain($0.problem)).") } ?? ""
    page["history"] = shared.history(detail.versions, back: href)
    page["hasHistory"] = !detail.versions.isEmpty
    return try shared.page(
      "term", title: ClippedText.of(detail.review.term.shownTitle, limit: 60), tab: .terms,
      known: .some(detail.newest), notices: detail.notices + extra, page, status: status)
  }

  // MARK: The form

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    let today = shared.today
    let next = try await offServer { try archive.nextTerm(today: today) }
    return try formPage(TermForm(number: next.number, start: next.start), nil)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let form = TermForm(try await request.form(limit: context.maxFormSize))
    let now = archive.clock.now
    do {
      var term = Term(
        id: archive.identities.next(), termNumber: 0, startDate: shared.today, createdAt: now,
        updatedAt: now)
      try form.apply(to: &term)
      let made = term
      let saved = try await offServer { try archive.create(made) }
      return .seeOther(GoalSidePages.location("/terms/\(made.id.uuidString)", saved.change))
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try formPage(wrong, nil, status: .unprocessableContent)
    }
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, term) = try await offServer {
      (try archive.newestChange(), try shared.load(Term.self, id))
    }
    return try formPage(TermForm(term), term, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = TermForm(try await request.form(limit: context.maxFormSize))
    return try await shared.save(form, over: id, in: "/terms") { form, entity, status, notices in
      try formPage(form, entity, status: status, notices: notices)
    }
  }

  private func formPage(
    _ form: TermForm, _ term: Term?, known: UUID?? = nil, status: HTTPResponse.Status = .ok,
    notices: [Notice] = []
  ) throws -> Response {
    let href = term.map { "/terms/\($0.id.uuidString)" } ?? "/terms"
    var page = form.context()
    page["isNew"] = term == nil
    page["action"] = href
    page["cancelHref"] = href
    let title =
      term.map { said("Edit: \(ClippedText.of($0.shownTitle, limit: 60))") } ?? said("New term")
    return try shared.page(
      "term-edit", title: title, tab: .terms, known: known, notices: notices, page,
      status: status)
  }

  @Sendable func reflect(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxFormSize)
    let texts = FormTexts(fields, lines: [], paragraphs: ["reflection"])
    do {
      let saved = try await offServer {
        try archive.update(Term.self, id, version: GoalSidePages.version(fields)) { term in
          let shown = TermForm(term).texts
          term.reflection = texts.text("reflection", unless: shown, term.reflection)
          try term.validate()
        }
      }
      return .seeOther(
        GoalSidePages.location("/terms/\(id.uuidString)", saved.change))
    } catch let error as FieldError {
      var wrong = texts
      wrong.error = error
      return try await page(
        id, fields: FormFields([]), reflection: wrong, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let term = try await offServer { try shared.load(Term.self, id) }
      let rows = TermForm.rows.map { $0.filter { $0.name == "reflection" } }
      let other = texts.otherVersion(TermForm(term).texts, in: rows)
      var late = texts
      late.version = EntityTag.text(term.updatedAt)
      return try await page(
        id, fields: FormFields([]), reflection: late, status: .preconditionFailed,
        extra: [GoalSidePages.late(other)])
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    try await shared.delete(Term.self, from: "/terms", request, context)
  }

  // MARK: Commitments

  @Sendable func commit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let back = LocalPath.read(fields["back"]) ?? "/terms/\(id.uuidString)"
    guard let goal = fields.text("goal").flatMap(UUID.init(uuidString:)) else {
      return .seeOther(back)
    }
    do {
      let change = try await offServer { () -> Change? in
        let term = try shared.load(Term.self, id)
        guard let title = try archive.entity(Goal.self, goal)?.title else {
          throw GoalSidePages.goneGoal
        }
        let (isNew, change) = try archive.write(
          by: .owner, "add", "Committed to “\(title.prefix(100))” in \(term.title.prefix(60))"
        ) { scope in
          let isNew = try !scope.commit(to: [goal], inTerm: id).isEmpty
          if !isNew { try scope.forget() }
          return isNew
        }
        return isNew ? change : nil
      }
      return .seeOther(GoalSidePages.location(back, change))
    } catch let error as FieldError {
      return try await page(
        id, fields: FormFields([]), commitment: error, status: .unprocessableContent)
    }
  }

  @Sendable func uncommit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let goal = try GoalSidePages.id(context, "goal")
    let change = try await offServer { () -> Change? in
      guard
        let own = try archive.assignments().first(where: {
          $0.termID == id && $0.goalID == goal
        })
      else { return nil }
      let title = try shared.load(Goal.self, goal).title
      return try archive.write(
        by: .owner, "delete", "No longer committed to “\(title.prefix(100))”"
      ) { try $0.delete(.assignment, own.id) }.change
    }
    return .seeOther(GoalSidePages.location("/terms/\(id.uuidString)", change))
  }

  /// Moves a goal one place up or down among the committed goals.
  @Sendable func move(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let goal = try GoalSidePages.id(context, "goal")
    let isUp = try await request.form(limit: context.maxUploadSize)["direction"] != "down"
    let change = try await offServer { () -> Change? in
      let title = try shared.load(Goal.self, goal).title
      let (hasMoved, change) = try archive.write(
        by: .owner, "edit", "Moved “\(title.prefix(100))” \(isUp ? "up" : "down")"
      ) { scope in
        let order = try scope.assignments(ofTerm: id)
        guard let place = order.firstIndex(where: { $0.goalID == goal }),
          order.indices.contains(isUp ? place - 1 : place + 1),
          try !scope.commit(to: [goal], inTerm: id, order: isUp ? place : place + 2).isEmpty
        else {
          try scope.forget()
          return false
        }
        return true
      }
      return hasMoved ? change : nil
    }
    return .seeOther(
      GoalSidePages.location("/terms/\(id.uuidString)", change) + "#goal-\(goal.uuidString)")
  }
}
