import NIOCore
import NIOHTTP1

/// Puts the handlers of a connection where the bytes of a request have become its parts.
final class ConnectionHandlers: ChannelInboundHandler, RemovableChannelHandler {
  /// It lets everything pass; a pipeline takes nobody who neither reads nor writes.
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
      // A connection is served with all of them or not at all.
      context.close(promise: nil)
    }
  }
}
