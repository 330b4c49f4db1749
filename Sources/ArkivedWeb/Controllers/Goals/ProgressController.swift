import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/progress`: today's progress.
struct ProgressController: Sendable {
  let archive: Archive
  let zone: Zone

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/progress", use: show)
  }

  /// Returns the active term, the goals that are committed to or can be worked on today, the
  /// waiting matches, and the lifetime.
  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let wantsAll = try request.arguments { fields throws(FieldError) in
      try fields.bool("all") ?? false
    }
    let today = zone.dayKey(at: archive.clock.now)
    return try await offServer {
      let term = try archive.activeTerm(today: today)
      let orders = Dictionary(
        try archive.assignments().filter { $0.termID == term?.id }.map { ($0.goalID, $0.order) },
        uniquingKeysWith: min)
      // Committed goals come first, in order.
      let goals = try archive.goals().filter {
        wantsAll || orders[$0.id] != nil || $0.accepts(today)
      }.enumerated().sorted {
        (orders[$0.element.id] ?? .max, $0.offset) < (orders[$1.element.id] ?? .max, $1.offset)
      }.map(\.element)
      let progress = try archive.progress(of: goals, today: today)
      let values = Dictionary(
        try archive.values().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let served = Dictionary(grouping: try archive.alignments(), by: \.goalID)
      return Response(json: [
        "day": JSON(today), "activeTerm": term?.json(on: today) ?? .null,
        "goals": .array(
          goals.map { goal in
            [
              "goal": goal.json, "committed": .bool(orders[goal.id] != nil),
              "order": JSON(orders[goal.id]), "progress": progress[goal.id]?.shortJSON ?? .null,
              "values": .array(
                (served[goal.id] ?? []).compactMap { alignment in
                  values[alignment.valueID].map {
                    ["id": .string($0.id.uuidString), "title": .string($0.title)]
                  }
                }),
            ]
          }), "waiting": JSON(try archive.waitingCounts().values.reduce(0, +)),
        "lifetime": try archive.lifeTime()?.json(on: today) ?? .null,
      ])
    }
  }
}
