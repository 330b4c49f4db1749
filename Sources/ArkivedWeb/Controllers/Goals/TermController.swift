import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/terms`, and of the goals committed to each.
struct TermController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    let terms = terms
    group.get("/terms", use: list)
    group.post("/terms", use: create)
    group.get("/terms/active", use: active)
    group.get("/terms/:id", use: show)
    group.patch("/terms/:id") { try await terms.change($0, $1) }
    group.delete("/terms/:id") { try await terms.delete($0, $1) }
    group.get("/terms/:id/history") { try await terms.history($0, $1) }
    group.get("/terms/:id/progress", use: progress)
    group.get("/terms/:id/goals", use: goalsOfTerm)
    group.post("/terms/:id/goals", use: commit)
    group.patch("/terms/:id/goals/:goalId", use: reorder)
    group.delete("/terms/:id/goals/:goalId", use: uncommit)
  }

  private var terms: EntityWrites<Term> {
    EntityWrites(
      archive: archive, zone: zone, repeated: repeated, place: "terms",
      json: { $0.json(on: today) },
      remarks: { ["overlaps": JSON(try overlaps($0))] })
  }

  private var goals: EntityWrites<Goal> {
    EntityWrites(archive: archive, zone: zone, repeated: repeated, place: "goals")
  }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  // MARK: Terms

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let filter = try request.arguments { fields throws(FieldError) in
      try TermFilter(&fields, homeZone: zone)
    }
    let listed = filter.select(try await offServer { try archive.terms() }, today: today)
    return Response(json: [
      "terms": .array(listed.items.map { $0.json(on: today) }), "total": JSON(listed.total),
    ])
  }

  /// Creates a term; without a number or a start, it follows the existing ones.
  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    func isOpen(_ field: String) -> Bool { object[field] == nil || object[field] == .null }
    let takesNumber = isOpen("termNumber")
    let takesStart = isOpen("startDate")
    return Response(
      try await repeated.answer(key, keeps: true) {
        var attempts = 3
        while true {
          var object = object
          if takesNumber || takesStart {
            let next = try archive.nextTerm(today: today)
            if takesNumber { object["termNumber"] = JSON(next.number) }
            if takesStart { object["startDate"] = JSON(next.start) }
          }
          do {
            return try terms.create(object, once: key)
          } catch let error as FieldError
            where error.field == "termNumber" && takesNumber && attempts > 0
          {
            // Another program used the number in the meantime.
            attempts -= 1
          }
        }
      })
  }

  @Sendable func active(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      guard let term = try archive.activeTerm(today: today) else {
        throw ArchiveError.notFound("No active term on \(today).")
      }
      return try whole(term)
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer { try whole(try terms.entity(id)) }
  }

  /// Returns a term with its committed goals.
  private func whole(_ term: Term) throws -> Response {
    Response(
      entity: term.json(on: today).with([
        "goals": .array(try commitments(of: term)), "overlaps": JSON(try overlaps(term)),
      ]), version: term.updatedAt)
  }

  /// Returns the titles of the terms that overlap a term.
  private func overlaps(_ term: Term) throws -> [String] {
    try archive.terms().filter { $0.id != term.id && $0.overlaps(term) }.map(\.title)
  }

  @Sendable func progress(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let term = try terms.entity(id)
      return Response(
        entity: try archive.review(of: term, today: today).json, version: term.updatedAt)
    }
  }

  // MARK: Commitments

  @Sendable func goalsOfTerm(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let term = try terms.entity(id)
      return Response(json: [
        "termId": .string(id.uuidString), "goals": .array(try commitments(of: term)),
      ])
    }
  }

  private func commitments(of term: Term) throws -> [JSON] {
    let goals = Dictionary(try archive.goals().map { ($0.id, $0) }) { first, _ in first }
    return try archive.assignments().filter { $0.termID == term.id }.map { assignment in
      assignment.json.with(["goal": goals[assignment.goalID]?.json ?? .null])
    }
  }

  @Sendable func commit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let term = try terms.entity(id)
        var fields = FieldReader(object)
        let goal = try goals.entity(&fields, "goalId")
        let order = try fields.int("order")
        try fields.refuseUnknown()
        return try archive.write(
          by: .owner, "commit", "Committed to “\(goal.title.prefix(60))”", once: key
        ) { scope in
          guard try !scope.isCommitted(to: goal.id, inTerm: term.id),
            let made = try scope.commit(to: [goal.id], inTerm: term.id, order: order).first
          else { throw FieldError("goalId", "is already part of this term") }
          return KeptAnswer(
            ["created": made.json, "changeId": .string(scope.changeID.uuidString)],
            status: .created)
        }
      })
  }

  @Sendable func reorder(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let goalID = try ActivityController.id(context, "goalId")
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      var fields = FieldReader(object)
      let order = try fields.int("order")
      try fields.refuseUnknown()
      guard let order else { throw FieldError("order", "is missing") }
      let old = try assignment(id, goalID)
      let title = try goals.entity(goalID).title
      let (moved, change) = try archive.write(
        by: .owner, "edit", "Moved “\(title.prefix(100))” \(order > old.order ? "down" : "up")"
      ) { scope in
        let moved = try scope.commit(to: [goalID], inTerm: id, order: order).first
        if moved == nil { try scope.forget() }
        return moved
      }
      return WriteAnswer.updated((moved ?? old).json, moved == nil ? nil : change)
    }
  }

  @Sendable func uncommit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let goalID = try ActivityController.id(context, "goalId")
    return try await offServer {
      let saved = try archive.delete(TermGoalAssignment.self, try assignment(id, goalID).id)
      return WriteAnswer.deleted(saved.value.json, saved.change)
    }
  }

  private func assignment(_ id: UUID, _ goalID: UUID) throws -> TermGoalAssignment {
    _ = try terms.entity(id)
    _ = try goals.entity(goalID)
    let found = try archive.assignments().first { $0.termID == id && $0.goalID == goalID }
    guard let found else { throw ArchiveError.notFound("This goal isn’t part of this term.") }
    return found
  }
}
