import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page for programs with access.
struct AgentPageController: Sendable {
  let settings: SettingsPages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/programs", use: list)
    router.post("/settings/programs", use: add)
    router.post("/settings/programs/:id/remove", use: remove)
  }

  private var archive: Archive { settings.archive }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - typed: the name typed into the form.
  ///   - error: the problem with it.
  ///   - made: a new token, which is shown only this once.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func page(
    typed: String = "", error: FieldError? = nil, made: (name: String, token: String)? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (agents, waiting) = try await offServer {
      (try archive.agents(), try archive.countPendingActs())
    }
    return try settings.page(
      "settings-programs", title: said("Programs"), tab: .programs,
      [
        "agents": agents.map { agent -> [String: Any] in
          [
            "agentName": ClippedText.of(agent.name, limit: 60), "addsOnly": agent.addsOnly,
            "whenISO": agent.createdAt.description,
            "when": settings.entries.moment(agent.createdAt),
            "removeAction": "/settings/programs/\(agent.id.uuidString)/remove",
            "removeName": said("Revoke access for \(ClippedText.of(agent.name, limit: 60))"),
          ]
        }, "hasAgents": !agents.isEmpty, "agentTyped": FormValue(typed),
        "hasAgentError": error != nil,
        "agentError": error.map { said("The name \(saidAgain($0.problem)).") } ?? "",
        "hasMade": made != nil, "madeName": made?.name ?? "", "madeToken": made?.token ?? "",
        "hasWaiting": waiting > 0,
        "waitingLine": said("\(waiting) now"),
      ], status: status)
  }

  @Sendable func add(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 1 << 16)
    let name = form["name"] ?? ""
    do {
      let addsOnly = form["addsOnly"] != nil
      let (agent, token) = try await offServer {
        try archive.addAgent(named: name, addsOnly: addsOnly)
      }
      return try await page(made: (agent.name, token))
    } catch let error as FieldError {
      return try await page(
        typed: String(name.prefix(200)), error: error, status: .unprocessableContent)
    }
  }

  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    _ = try await offServer { try archive.removeAgent(id.uuidString) }
    return .seeOther("/settings/programs")
  }
}
