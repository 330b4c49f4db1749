import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/goals`.
struct GoalController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    let goals = goals
    group.get("/goals", use: list)
    group.post("/goals") { try await goals.create($0, $1) }
    group.get("/goals/:id", use: show)
    group.patch("/goals/:id") { try await goals.change($0, $1) }
    group.delete("/goals/:id") { try await goals.delete($0, $1) }
    group.get("/goals/:id/history") { try await goals.history($0, $1) }
    group.get("/goals/:id/progress", use: progress)
    group.get("/goals/:id/actions", use: actions)
  }

  /// The writing of goals, with remarks on faults in their hints.
  private var goals: EntityWrites<Goal> {
    EntityWrites(
      archive: archive, zone: zone, repeated: repeated, place: "goals",
      remarks: { ["warnings": JSON(GoalMatcher($0).warnings)] })
  }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (filter, wantsProgress) = try request.arguments { fields throws(FieldError) in
      (try GoalFilter(&fields, homeZone: zone), try fields.bool("progress") ?? false)
    }
    return try await offServer {
      let listed = filter.select(try archive.goals())
      let progress =
        wantsProgress ? try archive.progress(of: listed.items, today: today) : [:]
      return Response(json: [
        "goals": .array(
          listed.items.map { goal in
            guard let progress = progress[goal.id] else { return goal.json }
            return goal.json.with(["progress": progress.shortJSON])
          }), "total": JSON(listed.total),
      ])
    }
  }

  /// Returns a goal with its progress, the values it serves and the terms to which it is committed.
  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let goal = try goals.entity(id)
      let values = try archive.values()
      let terms = try archive.terms()
      let alignments = try archive.alignments().filter { $0.goalID == id }
      let assignments = try archive.assignments().filter { $0.goalID == id }
      let progress = try archive.progress(of: [goal], today: today)[id]
      return Response(
        entity: goal.json.with([
          "progress": progress?.json ?? .null,
          "alignments": .array(
            alignments.map { alignment in
              alignment.json.with([
                "value": values.first { $0.id == alignment.valueID }?.json ?? .null
              ])
            }),
          "commitments": .array(
            assignments.map { assignment in
              let term = terms.first { $0.id == assignment.termID }
              return assignment.json.with(["term": term?.json(on: today) ?? .null])
            }),
          "warnings": JSON(GoalMatcher(goal).warnings),
        ]), version: goal.updatedAt)
    }
  }

  @Sendable func progress(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let goal = try goals.entity(id)
      let progress = try archive.progress(of: [goal], today: today)[id]
      return Response(entity: progress?.json ?? .null, version: goal.updatedAt)
    }
  }

  /// Returns the actions that count toward a goal, latest first.
  @Sendable func actions(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (span, page) = try request.arguments { fields throws(FieldError) in
      (
        try DayFilter(&fields, homeZone: zone),
        try ListPage(&fields, usual: 50, most: 100, takesCursor: true)
      )
    }
    return try await offServer {
      let goal = try goals.entity(id)
      let linked = try page.items(id: { $0.contribution.id }) { limit, offset -> [LinkedAction] in
        try archive.contributions(toGoal: id, days: span.days, limit: limit, offset: offset)
      }
      let days = try archive.dayTotals(ofGoals: [id], days: span.days)[id] ?? []
      return Response(json: [
        "goalId": .string(goal.id.uuidString),
        "actions": .array(
          linked.items.map { $0.contribution.json.with(["action": $0.action.json]) }),
        "total": JSON(days.reduce(0) { $0 + $1.actions }), "next": linked.nextJSON,
      ])
    }
  }
}
