import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/values`, and of the goals that serve values.
struct ValueController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    let values = values
    group.get("/values", use: list)
    group.post("/values") { try await values.create($0, $1) }
    group.get("/values/:id", use: show)
    group.patch("/values/:id") { try await values.change($0, $1) }
    group.delete("/values/:id") { try await values.delete($0, $1) }
    group.get("/values/:id/history") { try await values.history($0, $1) }
    group.get("/values/:id/goals", use: goalsOfValue)
    group.get("/goals/:id/values", use: valuesOfGoal)
    group.post("/goals/:id/values", use: align)
    group.patch("/goals/:id/values/:valueId", use: changeAlignment)
    group.delete("/goals/:id/values/:valueId", use: endAlignment)
  }

  private var values: EntityWrites<PersonalValue> {
    EntityWrites(archive: archive, zone: zone, repeated: repeated, place: "values")
  }

  private var goals: EntityWrites<Goal> {
    EntityWrites(archive: archive, zone: zone, repeated: repeated, place: "goals")
  }

  // MARK: Values

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let filter = try request.arguments { fields throws(FieldError) in
      try ValueFilter(&fields)
    }
    let listed = filter.select(try await offServer { try archive.values() })
    return Response(json: [
      "values": .array(listed.items.map(\.json)), "total": JSON(listed.total),
    ])
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let value = try values.entity(id)
      return Response(
        entity: value.json.with(["goals": .array(try served(by: value))]),
        version: value.updatedAt)
    }
  }

  // MARK: Goals and values

  @Sendable func goalsOfValue(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      let value = try values.entity(id)
      return Response(json: [
        "valueId": .string(id.uuidString), "goals": .array(try served(by: value)),
      ])
    }
  }

  /// Returns the goals that serve a value, in their usual order.
  private func served(by value: PersonalValue) throws -> [JSON] {
    let alignments = try archive.alignments().filter { $0.valueID == value.id }
    return try archive.goals().compactMap { goal in
      alignments.first { $0.goalID == goal.id }.map { $0.json.with(["goal": goal.json]) }
    }
  }

  @Sendable func valuesOfGoal(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    return try await offServer {
      _ = try goals.entity(id)
      let alignments = try archive.alignments().filter { $0.goalID == id }
      let values = try archive.values().compactMap { value in
        alignments.first { $0.valueID == value.id }.map { $0.json.with(["value": value.json]) }
      }
      return Response(json: ["goalId": .string(id.uuidString), "values": .array(values)])
    }
  }

  @Sendable func align(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let goal = try goals.entity(id)
        var fields = FieldReader(object)
        let value = try values.entity(&fields, "valueId")
        guard value.incentiveType.isValue else {
          throw FieldError(
            "valueId",
            "is the life area \(FieldError.shown(value.title)), which says where a goal belongs, "
              + "not why. Choose a value")
        }
        let now = archive.clock.now
        let alignment = GoalValueAlignment(
          id: archive.identities.next(), goalID: goal.id, valueID: value.id,
          strength: try fields.int("strength"), notes: try fields.string("notes"),
          createdAt: now, updatedAt: now)
        try fields.refuseUnknown()
        guard let key else { return Self.made(try archive.create(alignment)) }
        return try archive.create(alignment, once: key, answer: Self.made)
      })
  }

  @Sendable func changeAlignment(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    let id = try ActivityController.id(context)
    let valueID = try ActivityController.id(context, "valueId")
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      let alignment = try alignment(id, valueID)
      let saved = try archive.update(GoalValueAlignment.self, alignment.id) { alignment in
        var fields = FieldReader(object)
        let strength = try fields.int("strength")
        let notes = try fields.string("notes")
        try fields.refuseUnknown()
        if fields.has("strength") { alignment.strength = strength }
        if fields.has("notes") { alignment.notes = notes }
      }
      return WriteAnswer.updated(saved.value.json, saved.change)
    }
  }

  @Sendable func endAlignment(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let valueID = try ActivityController.id(context, "valueId")
    return try await offServer {
      let saved = try archive.delete(GoalValueAlignment.self, try alignment(id, valueID).id)
      return WriteAnswer.deleted(saved.value.json, saved.change)
    }
  }

  private func alignment(_ id: UUID, _ valueID: UUID) throws -> GoalValueAlignment {
    _ = try goals.entity(id)
    _ = try values.entity(valueID)
    let found = try archive.alignments().first { $0.goalID == id && $0.valueID == valueID }
    guard let found else { throw ArchiveError.notFound("This goal isn’t linked to this value.") }
    return found
  }

  private static func made(_ saved: Saved<GoalValueAlignment>) -> KeptAnswer {
    KeptAnswer(
      ["created": saved.value.json, "changeId": JSON(saved.change?.id.uuidString)],
      status: .created)
  }
}
