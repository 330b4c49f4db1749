import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of `/api/v1/tools`, and of actions that wait for the owner's approval:
/// `/api/v1/pending`.
struct ToolController: Sendable {
  let tools: ToolBox
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/tools", use: list)
    group.post("/tools", use: call)
    group.post("/tools/:name", use: callNamed)
    group.get("/pending", use: pending)
    group.get("/pending/:id", use: show)
    group.post("/pending/:id/confirm", use: confirm)
    group.post("/pending/:id/decline", use: decline)
  }

  // MARK: Tools

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(json: ["tools": .array(ToolBox.tools.map(\.json))])
  }

  /// Calls a tool with a body of the form `{"id","name","arguments"}`.
  @Sendable func call(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await answer(try ToolCall(object), request, object, context)
  }

  /// Calls the tool in the address; the body contains only the arguments.
  @Sendable func callNamed(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let call = ToolCall(
      id: "call", name: context.parameters.get("name") ?? "", arguments: object)
    return try await answer(call, request, object, context)
  }

  private func answer(
    _ call: ToolCall, _ request: Request, _ asked: JSONObject, _ context: WebContext
  ) async throws -> Response {
    let key = try RepeatedRequests.key(
      request, from: context.agent, asking: JSON.object(asked).bytes())
    let (tools, caller) = (tools, context.caller)
    @Sendable func kept(_ answer: ToolAnswer) -> KeptAnswer {
      KeptAnswer(answer.json, status: answer.pending == nil ? .ok : .accepted)
    }
    do {
      return Response(
        // Calls that only read, or that change nothing when repeated, don't store the answer.
        try await repeated.answer(key) {
          let answer = tools.call(
            call, by: caller, once: key.map { ToolRequest(key: $0, kept: kept) })
          guard answer.error == nil else { throw FailedCall(answer: answer) }
          return kept(answer)
        })
    } catch let failed as FailedCall {
      return failed.response
    }
  }

  /// A call that ended in an error, which isn't kept under any key.
  private struct FailedCall: Error {
    let answer: ToolAnswer

    /// A problem document with the answer's own members.
    var response: Response {
      let error = answer.error ?? ToolError(.failed, "The tool failed.")
      var failure = WebFailure(
        Self.status(error), "The tool couldn’t do this", error.message, field: error.argument)
      if failure.status == .internalServerError, FileDescriptorLimit.isReached {
        failure = .tooManyOpenFiles
      }
      var response = Response(problem: failure)
      let document = failure.problem.with(answer.json.object ?? [:])
      response.body = .init(byteBuffer: ByteBuffer(bytes: document.bytes()))
      return response
    }

    private static func status(_ error: ToolError) -> HTTPResponse.Status {
      switch error.code {
      case .unknownTool, .notFound: .notFound
      case .invalidArgument: .unprocessableContent
      case .conflict: .conflict
      case .refused: .forbidden
      case .busy: .serviceUnavailable
      // Tools have one code for all failures.
      case .failed where error.message == StorageTrouble.full.sentence:
        WebFailure.insufficientStorage
      default: .internalServerError
      }
    }
  }

  // MARK: Pending acts

  @Sendable func pending(_ request: Request, context: WebContext) async throws -> Response {
    let wantsAll = try request.arguments { fields throws(FieldError) in
      try fields.bool("all") ?? false
    }
    let (acts, total) = try await offServer {
      (try tools.pendingActs(all: wantsAll), try tools.countPendingActs(all: wantsAll))
    }
    return Response(json: ["pending": .array(acts.map(\.json)), "total": JSON(total)])
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let act = try await offServer { try tools.pendingAct(id) }
    return Response(json: act.json)
  }

  /// `DoorMiddleware` admits no programs to this route.
  @Sendable func confirm(_ request: Request, context: WebContext) async throws -> Response {
    try Self.refusePrograms(context)
    let id = try ActivityController.id(context)
    let act = try await offServer { try tools.confirm(id) }
    return Response(json: ["confirmed": act.json, "changeId": JSON(act.changeID?.uuidString)])
  }

  @Sendable func decline(_ request: Request, context: WebContext) async throws -> Response {
    try Self.refusePrograms(context)
    let id = try ActivityController.id(context)
    let act = try await offServer { try tools.decline(id) }
    return Response(json: ["declined": act.json])
  }

  private static func refusePrograms(_ context: WebContext) throws {
    guard context.agent == nil else { throw AgentRoutes.refusal }
  }
}

/// The routes of `/api/v1/agents`: the programs with access.
struct AgentController: Sendable {
  let archive: Archive

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/agents", use: list)
    group.post("/agents", use: add)
    group.delete("/agents/:id", use: remove)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let agents = try await offServer { try archive.agents() }
    return Response(json: ["agents": .array(agents.map(\.json)), "total": JSON(agents.count)])
  }

  /// The token is shown only this once.
  @Sendable func add(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 1 << 16)
    var fields = FieldReader(object)
    let name = try fields.required("name")
    let addsOnly = try fields.bool("addsOnly") ?? false
    try fields.refuseUnknown()
    let (agent, token) = try await offServer {
      try archive.addAgent(named: name, addsOnly: addsOnly)
    }
    return Response(
      json: ["created": agent.json, "token": .string(token)], status: .created)
  }

  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let agent = try await offServer { try archive.removeAgent(id.uuidString) }
    return Response(json: ["deleted": .array([agent.json])])
  }
}
