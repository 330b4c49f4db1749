import ArkivedAssistant
import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The route of `/mcp`: MCP over streamable HTTP (Model Context Protocol, basic/transports).
///
/// A client that initialises gets a session; for a client that names none, each message is answered
/// independently. Calls that report progress, or ask the owner, are answered as a stream of events.
struct MCPController: Sendable {
  let sessions: MCPSessions

  private static let sessionField = HTTPField.Name.name("Mcp-Session-Id")

  func addRoutes(to router: Router<WebContext>) {
    router.post("/mcp", use: answer)
    router.delete("/mcp", use: end)
  }

  @Sendable func answer(_ request: Request, context: WebContext) async throws -> Response {
    let agent = try Self.agent(request, context)
    let type = request.headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/json" else {
      throw WebFailure(.unsupportedMediaType, "Not JSON", "Send the body as application/json.")
    }
    let body = Array(
      try await request.body.collect(upTo: MCPSession.longestMessage).readableBytesView)
    let message = try? JSON(parsing: body)
    guard let id = request.headers[Self.sessionField] else {
      return try await answerAlone(body, begins: message?["method"]?.string == "initialize", agent)
    }
    guard let session = sessions.session(id, of: agent) else { throw Self.noSession }
    if Self.takesStream(request), message?["method"]?.string == "tools/call",
      session.mayAsk || message?["params"]?["_meta"]?["progressToken"] != nil
    {
      return try stream(body, session, id)
    }
    return Self.response(try await offServer { session.answer(to: body) })
  }

  /// The client no longer needs its session.
  @Sendable func end(_ request: Request, context: WebContext) async throws -> Response {
    let agent = try Self.agent(request, context)
    guard let id = request.headers[Self.sessionField] else {
      throw WebFailure(.badRequest, "Session ID missing", "Mcp-Session-Id is missing.")
    }
    guard sessions.end(id, of: agent) else { throw Self.noSession }
    return Response(status: .noContent)
  }

  // MARK: Answering

  /// Answers a message outside a session.
  ///
  /// - Parameters:
  ///   - body: the message.
  ///   - begins: true if it may be kept as a session afterwards.
  ///   - agent: the name of the client.
  /// - Returns: the response.
  /// - Throws: `WebFailure` if the message can't be answered.
  private func answerAlone(
    _ body: [UInt8], begins: Bool, _ agent: String
  ) async throws -> Response {
    let session = sessions.make(for: agent)
    let answer = try await offServer { session.answer(to: body) }
    var response = Self.response(answer)
    if begins, answer?["result"] != nil {
      response.headers[Self.sessionField] = sessions.keep(session, of: agent)
    }
    return response
  }

  private static func response(_ answer: JSON?) -> Response {
    guard let answer else { return Response(status: .accepted) }
    let isUnreadable = answer["error"] != nil && answer["id"] == .null
    return Response(json: answer, status: isUnreadable ? .badRequest : .ok)
  }

  /// Returns the progress and the response as server-sent events.
  ///
  /// A reader that leaves doesn't end the call; there is a notification for that.
  private func stream(_ body: [UInt8], _ session: MCPSession, _ id: String) throws -> Response {
    guard sessions.beginStream(id) else {
      throw WebFailure(
        .serviceUnavailable, "Too many calls",
        "This session already has too many calls in progress.")
    }
    let sessions = sessions
    let (messages, told) = AsyncStream.makeStream(of: JSON.self)
    // The owner may take minutes to answer, and no thread of the pool should wait that long.
    Thread.detachNewThread {
      if let answer = session.answer(to: body, outlet: { told.yield($0) }) { told.yield(answer) }
      told.finish()
      sessions.endStream(id)
    }
    var response = Response(status: .ok)
    response.headers[.contentType] = "text/event-stream; charset=utf-8"
    response.headers[.cacheControl] = "no-store, no-transform"
    response.headers[.name("X-Accel-Buffering")] = "no"
    response.body = ResponseBody { writer in
      for await message in messages {
        try await writer.write(ByteBuffer(string: "event: message\ndata: \(message.text())\n\n"))
      }
      try await writer.finish(nil)
    }
    return response
  }

  // MARK: Sessions and agents

  private static var noSession: WebFailure {
    WebFailure(
      .notFound, "Session not found", "This session has ended. Start a new one with initialize.")
  }

  private static func takesStream(_ request: Request) -> Bool {
    request.headers[.accept]?.lowercased().contains("text/event-stream") == true
  }

  private static func agent(_ request: Request, _ context: WebContext) throws -> String {
    guard let agent = context.agent else {
      throw WebFailure(
        .forbidden, "For programs",
        "MCP requires an access token. Create one in Settings or with: arkived token create NAME")
    }
    if let version = request.headers[HTTPField.Name.name("MCP-Protocol-Version")],
      !MCPSession.versions.contains(version)
    {
      throw WebFailure(
        .badRequest, "Unsupported version",
        "MCP-Protocol-Version is \(FieldError.shown(version)); spoken are "
          + MCPSession.versions.joined(separator: ", ") + ".")
    }
    return agent.name
  }
}
