import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/matches`: actions that may count toward goals and wait for the owner's
/// decision.
struct MatchController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/matches", use: list)
    group.post("/matches", use: infer)
    group.post("/matches/:id", use: decide)
    group.post("/goals/:id/matches", use: decideAll)
  }

  private var goals: EntityWrites<Goal> {
    EntityWrites(archive: archive, zone: zone, repeated: repeated, place: "goals")
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (goal, page) = try request.arguments { fields throws(FieldError) in
      (
        try fields.uuid("goalId"),
        try ListPage(&fields, usual: 50, most: 100, takesCursor: true)
      )
    }
    return try await offServer {
      let matches = try page.items(id: { $0.contribution.id }) { limit, offset -> [LinkedAction] in
        try archive.waitingMatches(goal: goal, limit: limit, offset: offset)
      }
      let waiting = try archive.waitingCounts()
      let total =
        goal.map { waiting[$0] ?? 0 } ?? waiting.values.reduce(0, +)
      return Response(json: [
        "matches": .array(
          matches.items.map { match in
            match.contribution.told.with([
              "action": match.action.json, "goal": match.goal.json,
            ])
          }), "total": JSON(total), "next": matches.nextJSON,
      ])
    }
  }

  /// Searches for new matches of one goal, of a range of days, or of everything.
  ///
  /// Results are written in many short transactions so nobody has to wait. If the response was
  /// lost, repeating the request searches again and finds the rest.
  @Sendable func infer(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key) {
        var fields = FieldReader(object)
        let goal = fields.value("goalId") == nil ? nil : try goals.entity(&fields, "goalId")
        let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
        try fields.refuseUnknown()
        let report = try archive.inferContributions(
          goals: goal.map { [$0.id] }, days: span.days)
        return KeptAnswer(report.json)
      })
  }

  /// Accepts or refuses a match permanently.
  @Sendable func decide(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let method = try Self.method(object)
        return try archive.write(by: .owner, "review", "", once: key) { scope in
          KeptAnswer([
            "updated": try scope.decide([id], method).first?.told ?? .null,
            "changeId": .string(scope.changeID.uuidString),
          ])
        }
      })
  }

  /// Accepts or refuses all waiting matches of a goal as one change.
  @Sendable func decideAll(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let goal = try goals.entity(id)
        let method = try Self.method(object)
        return try archive.write(by: .owner, "review", "", once: key) { scope in
          let ids = try scope.waitingMatches(goal: goal.id)
          guard !ids.isEmpty else {
            try scope.forget()
            return KeptAnswer(["updated": [], "changeId": nil])
          }
          return KeptAnswer([
            "updated": .array(try scope.decide(ids, method).map(\.told)),
            "changeId": .string(scope.changeID.uuidString),
          ])
        }
      })
  }

  private static func method(_ object: JSONObject) throws(FieldError) -> MatchMethod {
    var fields = FieldReader(object)
    let decision = try fields.required("decision")
    try fields.refuseUnknown()
    switch decision {
    case "confirm": return .userConfirmed
    case "reject": return .userRejected
    default:
      throw FieldError(
        "decision", "is \(FieldError.shown(decision)), but must be confirm or reject")
    }
  }
}
