import ArkivedAssistant
import ArkivedCore
import Foundation
import Hummingbird
import Logging
import NIOCore

/// The context of a request in the middleware.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The session's token, for a signed-in browser.
  var sessionToken: String?
  /// The program that sends the request with an agent's token, or nil for the owner.
  var agent: AgentToken?
  /// The owner's paired device that sends the request, or nil at the computer.
  var device: PairedDevice?
  /// The address of the client, or nil if it is unknown.
  let origin: String?

  /// The two ends of the connection.
  let client: SocketAddress?
  let server: SocketAddress?
  private let channel: any Channel

  /// The caller of tools.
  var caller: ToolCaller { agent.map { ToolCaller.agent($0.name) } ?? .owner }

  init(source: Source) {
    coreContext = .init(source: source)
    origin = source.channel.remoteAddress?.ipAddress
    client = source.channel.remoteAddress
    server = source.channel.localAddress
    channel = source.channel
  }

  /// Sets the priority of the request's connection, which determines how long it is kept open.
  func admit(as priority: ConnectionPriority) {
    channel.pipeline.fireUserInboundEventTriggered(priority)
  }

  /// Returns whether the client is still there while its request waits.
  func presence() -> ClientPresence {
    let presence = ClientPresence()
    channel.pipeline.fireUserInboundEventTriggered(presence)
    return presence
  }

  /// The size limit of JSON bodies, which leaves room for a long note.
  var maxUploadSize: Int { 16 << 20 }
  /// The size limit of forms, which encode every byte of non-Latin scripts as three.
  var maxFormSize: Int { 3 * maxUploadSize }
}
