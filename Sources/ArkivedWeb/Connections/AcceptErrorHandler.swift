import NIOCore

/// Keeps a listener going when a connection fails to be set up: any error that reached the end of its pipeline would
/// end it.
///
/// Errors that do end a listener close its channel. When the limit of open files is reached, NIO itself pauses for a
/// second before it accepts again.
final class AcceptErrorHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  /// Puts it behind what accepts connections.
  static func install(in listener: any Channel) async throws {
    try await listener.eventLoop.submit {
      let pipeline = listener.pipeline.syncOperations
      // So named by `ServerBootstrap`.
      let accepting = try pipeline.context(name: "AcceptHandler")
      try pipeline.addHandler(AcceptErrorHandler(), position: .after(accepting.handler))
    }.get()
  }
}
