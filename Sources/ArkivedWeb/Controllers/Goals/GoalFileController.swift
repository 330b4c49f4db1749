import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes for the charts of the goals' pages as files, and for plans as packs.
struct GoalFileController: Sendable {
  let shared: GoalSidePages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/goals/:id/progress.svg") { _, context in
      let chart = try await self.chart(context)
      return Self.file(SavedChart.svg(chart), "image/svg+xml", "goal-\(chart.first).svg")
    }
    router.get("/goals/:id/progress.csv") { _, context in
      let chart = try await self.chart(context)
      return Self.file(
        SavedChart.csv(chart), "text/csv; charset=utf-8", "goal-\(chart.first).csv")
    }
    router.get("/life/weeks.svg", use: life)
    router.get("/goals/:id/pack.json", use: packOfGoal)
    router.get("/terms/:id/pack.json", use: packOfTerm)
    router.post("/goals/packs", use: open)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/goals/:id/pack", use: goalPack)
    group.get("/terms/:id/pack", use: termPack)
    group.post("/packs", use: unpack)
  }

  private var archive: Archive { shared.archive }

  private func chart(_ context: WebContext) async throws -> GoalChart {
    let id = try ActivityController.id(context)
    let today = shared.today
    let chart = try await offServer {
      let goal = try shared.load(Goal.self, id)
      let days = try archive.dayTotals(ofGoals: [id])[id] ?? []
      return GoalChart(
        goal, GoalProgress(of: goal, days: days, waiting: 0, today: today), days: days,
        today: today)
    }
    guard let chart else {
      throw WebFailure(.notFound, "No chart", "Nothing counts toward this goal yet.")
    }
    return chart
  }

  @Sendable func life(_ request: Request, context: WebContext) async throws -> Response {
    let (life, terms) = try await offServer { (try archive.lifeTime(), try archive.terms()) }
    guard let life else {
      throw WebFailure(.notFound, "No chart", "Enter your birth date first.")
    }
    let grid = LifeGrid(life: life, terms: terms, today: shared.today)
    return Self.file(SavedChart.svg(grid), "image/svg+xml", "life.svg")
  }

  private static func file(_ text: String, _ type: String, _ name: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type, .contentDisposition: "attachment; filename=\"arkived-\(name)\"",
      ], body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  // MARK: Packs

  private var packs: GoalPackJob { GoalPackJob(archive: archive, homeZone: shared.zone) }

  private func pack(
    ofGoal context: WebContext, withActions: Bool
  ) async throws -> GoalPackDocument {
    let id = try ActivityController.id(context)
    return try await offServer {
      try packs.pack(try shared.load(Goal.self, id), withActions: withActions)
    }
  }

  private func pack(
    ofTerm context: WebContext, withActions: Bool
  ) async throws -> GoalPackDocument {
    let id = try ActivityController.id(context)
    return try await offServer {
      try packs.pack(try shared.load(Term.self, id), withActions: withActions)
    }
  }

  @Sendable func packOfGoal(_ request: Request, context: WebContext) async throws -> Response {
    Self.packFile(try await pack(ofGoal: context, withActions: false))
  }

  @Sendable func packOfTerm(_ request: Request, context: WebContext) async throws -> Response {
    Self.packFile(try await pack(ofTerm: context, withActions: false))
  }

  private static func packFile(_ pack: GoalPackDocument) -> Response {
    file(GoalPackJob.text(pack), "application/json", "plan.json")
  }

  /// Opens the pack in a form and redirects to its contents.
  @Sendable func open(_ request: Request, context: WebContext) async throws -> Response {
    let asNew = request.fields.text("as") == "new"
    let uploaded = try await UploadedFiles(request)
    guard uploaded.files.count == 1, let file = uploaded.files.first else {
      throw WebFailure(.badRequest, "Only one file", "You chose several files. Choose only one.")
    }
    let job = packs
    let name = file.name
    return try await offServer { () throws -> Response in
      let pack: GoalPackDocument
      let opened: GoalPackJob.Opened
      do {
        pack = try job.read([UInt8](file.content), named: name)
        opened = try job.open(pack, asNew: asNew)
      } catch let error as FieldError {
        throw WebFailure(
          .unprocessableContent, "Couldn’t open the goal pack",
          "In \(FieldError.shown(name)): \(error.description). Nothing was changed.")
      }
      let isTerm = pack.goals.count != 1
      let first = isTerm ? pack.terms.first.map { "/terms/\($0.id.uuidString)" } : nil
      let goal = pack.goals.first.map { "/goals/\($0.id.uuidString)" }
      // Anything imported as new has different IDs from those in the file.
      let place = asNew ? "/goals" : first ?? goal ?? "/goals"
      return .seeOther(GoalSidePages.location(place, opened.change))
    }
  }

  @Sendable func goalPack(_ request: Request, context: WebContext) async throws -> Response {
    let withActions = try Self.withActions(request)
    return Response(json: try await pack(ofGoal: context, withActions: withActions).json)
  }

  @Sendable func termPack(_ request: Request, context: WebContext) async throws -> Response {
    let withActions = try Self.withActions(request)
    return Response(json: try await pack(ofTerm: context, withActions: withActions).json)
  }

  private static func withActions(_ request: Request) throws -> Bool {
    try request.arguments { fields throws(FieldError) in try fields.bool("actions") ?? false }
  }

  /// Opens the pack in the body.
  @Sendable func unpack(_ request: Request, context: WebContext) async throws -> Response {
    let (asNew, start) = try request.arguments { fields throws(FieldError) in
      (
        try fields.bool("asNew") ?? false,
        try fields.dayOrInstant("from", in: shared.zone)
      )
    }
    guard asNew || start == nil else {
      throw WebFailure(
        .badRequest, "Invalid value", "from is only allowed with asNew=true.", field: "from")
    }
    let object = try await request.jsonObject(limit: ImportController.uploadLimit)
    let body = JSON.object(object).bytes()
    let key = try RepeatedRequests.key(
      request, asking: body + Array("\(asNew) \(start?.description ?? "")".utf8))
    let job = packs
    return Response(
      try await shared.repeated.answer(key, keeps: true) {
        let pack = try job.read(body, named: "body")
        return try job.open(pack, asNew: asNew, from: start, once: key) { opened in
          KeptAnswer(["unpacked": opened.json, "change": opened.change?.json ?? .null])
        }
      })
  }
}
