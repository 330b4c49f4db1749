import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/actions`: activities from the perspective of goals, and their
/// contributions.
struct ActionController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    let activities = ActivityController(
      archive: archive, zone: zone, repeated: repeated, place: "actions")
    group.get("/actions", use: list)
    group.post("/actions", use: activities.create)
    group.get("/actions/:id", use: show)
    group.patch("/actions/:id", use: activities.change)
    group.delete("/actions/:id", use: activities.delete)
    group.get("/actions/:id/history", use: activities.history)
    group.get("/actions/:id/goals", use: goalsOfAction)
    group.post("/actions/:id/goals", use: link)
    group.delete("/actions/:id/goals/:goalId", use: unlink)
  }

  /// Returns activities with measurements or a goal, unless the query asks for others.
  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (asked, page) = try request.arguments { fields throws(FieldError) in
      try ActionFilter.paged(&fields, homeZone: zone)
    }
    return try await offServer {
      var filter = asked
      let found = try page.items(id: { $0.id }) { limit, offset -> [Activity] in
        (filter.limit, filter.offset) = (limit, offset)
        return try archive.actions(filter)
      }
      return Response(json: [
        "actions": .array(found.items.map(\.json)),
        "total": JSON(try archive.countActions(filter)), "next": found.nextJSON,
      ])
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let action = try action(id)
      return Response(
        entity: action.json.with(["goals": .array(try links(of: id))]),
        version: action.updatedAt)
    }
  }

  @Sendable func goalsOfAction(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      _ = try action(id)
      return Response(json: [
        "actionId": .string(id.uuidString), "goals": .array(try links(of: id)),
      ])
    }
  }

  /// Links an action to a goal by hand, or changes a link's contribution.
  @Sendable func link(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        _ = try action(id)
        var fields = FieldReader(object)
        let goals = EntityWrites<Goal>(
          archive: archive, zone: zone, repeated: repeated, place: "goals")
        let goal = try goals.entity(&fields, "goalId")
        let amount = try fields.double("contribution")
        try fields.refuseUnknown()
        let today = zone.dayKey(at: archive.clock.now)
        return try archive.write(by: .owner, "link", "", once: key) { scope in
          let link = try scope.link(action: id, goal: goal.id, amount: amount)
          let isNew = link.createdAt == link.updatedAt
          let counts = try scope.countsToward(action: id, today: today)
          return KeptAnswer(
            [
              isNew ? "created" : "updated": link.told,
              "countsToward": .array(counts.map(\.json)),
              "changeId": .string(scope.changeID.uuidString),
            ], status: isNew ? .created : .ok)
        }
      })
  }

  /// A match found by the rules is kept as refused, so it isn't found again.
  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let goalID = try ActivityController.id(context, "goalId")
    return try await offServer {
      let saved = try archive.unlink(action: id, goal: goalID)
      return WriteAnswer.deleted(saved.value.told, saved.change)
    }
  }

  private func action(_ id: UUID) throws -> Activity {
    guard let action = try archive.activity(id) else {
      throw ArchiveError.notFound("No action with the ID \(id.uuidString).")
    }
    return action
  }

  private func links(of id: UUID) throws -> [JSON] {
    try archive.contributions(ofAction: id).map { link in
      link.contribution.told.with(["goal": link.goal.json])
    }
  }
}

extension ActionGoalContribution {
  /// The match as JSON, with its state: counted or waiting for a decision.
  var told: JSON { json.with(["counts": .bool(counts), "waits": .bool(waits)]) }
}
