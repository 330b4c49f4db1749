import NIOCore
import NIOHTTP1

/// Inserts the handlers of a connection at the point where the bytes of a request have become its
/// parts.
final class ConnectionHandlers: ChannelInboundHandler, RemovableChannelHandler {
  /// The type for letting everything pass, because a pipeline accepts only handlers that read or
  /// write.
  typealias InboundIn = NIOAny

  private let scheme: RequestTargetHandler.Scheme
  private let pace: BodyPace
  private let registry: ConnectionRegistry

  init(_ scheme: RequestTargetHandler.Scheme, _ pace: BodyPace, _ registry: ConnectionRegistry) {
    self.scheme = scheme
    self.pace = pace
    self.registry = registry
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    let handlers: [any ChannelHandler] = [
      RequestTargetHandler(scheme), BodyPaceHandler(pace), ConnectionRegistryHandler(registry),
    ]
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandlers(handlers, position: .after(decoder))
    } catch {
      // A connection is served with all handlers or not at all.
      context.close(promise: nil)
    }
  }
}
