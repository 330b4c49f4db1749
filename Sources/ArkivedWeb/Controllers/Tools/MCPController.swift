import ArkivedAssistant
import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/mcp`: MCP over streamable HTTP (Model Context Protocol, basic/transports), each message
/// answered by itself, without a session and without a stream.
struct MCPController: Sendable {
  let tools: ToolBox

  func addRoutes(to router: Router<WebContext>) { router.post("/mcp", use: answer) }

  @Sendable func answer(_ request: Request, context: WebContext) async throws -> Response {
    guard let agent = context.agent else {
      throw WebFailure(
        .forbidden, "For programs",
        "MCP takes an agent's token; make one in the settings or with: arkived token create NAME")
    }
    if let version = request.headers[HTTPField.Name.name("MCP-Protocol-Version")],
      !MCPSession.versions.contains(version)
    {
      throw WebFailure(
        .badRequest, "No such version",
        "MCP-Protocol-Version is \(FieldError.shown(version)); spoken are "
          + MCPSession.versions.joined(separator: ", ") + ".")
    }
    let type = request.headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/json" else {
      throw WebFailure(.unsupportedMediaType, "Not JSON", "Send the body as application/json.")
    }
    let body = try await request.body.collect(upTo: MCPSession.longestMessage)
    let tools = tools
    let answer = try await offServer {
      MCPSession(tools: tools, caller: .agent(agent.name)).answer(to: body.readableBytesView)
    }
    guard let answer else { return Response(status: .accepted) }
    let isUnreadable = answer["error"] != nil && answer["id"] == .null
    return Response(json: answer, status: isUnreadable ? .badRequest : .ok)
  }
}
