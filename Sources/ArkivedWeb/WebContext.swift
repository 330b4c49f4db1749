import ArkivedAssistant
import ArkivedCore
import Foundation
import Hummingbird
import Logging
import NIOCore

/// What a request carries through the middleware.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The session's token, when a signed-in browser asks.
  var sessionToken: String?
  /// The program that asks, with an agent's token; nil for the owner.
  var agent: AgentToken?
  /// The paired device of the owner that asks; nil at the computer.
  var device: PairedDevice?
  /// The address that asks; nil where the connection tells none.
  let origin: String?

  /// The two ends of the connection.
  let client: SocketAddress?
  let server: SocketAddress?
  private let channel: any Channel

  /// Who calls tools.
  var caller: ToolCaller { agent.map { ToolCaller.agent($0.name) } ?? .owner }

  init(source: Source) {
    coreContext = .init(source: source)
    origin = source.channel.remoteAddress?.ipAddress
    client = source.channel.remoteAddress
    server = source.channel.localAddress
    channel = source.channel
  }

  /// Tells the connection whose request it carries, which decides how long it is kept.
  func admit(as priority: ConnectionPriority) {
    channel.pipeline.fireUserInboundEventTriggered(priority)
  }

  /// Larger bodies of JSON are refused; a long note has its place.
  var maxUploadSize: Int { 16 << 20 }
  /// A form writes every byte of another script than Latin as three.
  var maxFormSize: Int { 3 * maxUploadSize }
}
