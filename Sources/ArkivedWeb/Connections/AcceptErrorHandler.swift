import NIOCore

/// Keeps a listener running when a connection can't be accepted, because any error that reached the
/// end of its pipeline would end it.
///
/// Errors that do end a listener close its channel.
final class AcceptErrorHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  /// Installs it, and the handler that frees connections, in the pipeline of a listener.
  static func install(in listener: any Channel, _ connections: ConnectionRegistry) async throws {
    try await listener.eventLoop.submit {
      let pipeline = listener.pipeline.syncOperations
      // `ServerBootstrap` uses this name.
      let accepting = try pipeline.context(name: "AcceptHandler")
      try pipeline.addHandler(AcceptErrorHandler(), position: .after(accepting.handler))
      try pipeline.addHandler(OpenFileLimitHandler(connections), position: .first)
    }.get()
  }
}

/// Closes unneeded connections when the limit of open files keeps a listener from accepting one.
///
/// NIO itself retries after a second.
private final class OpenFileLimitHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private let connections: ConnectionRegistry

  init(_ connections: ConnectionRegistry) { self.connections = connections }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, FileDescriptorLimit.codes.contains(error.errnoCode) {
      connections.makeRoom()
    }
    context.fireErrorCaught(error)
  }
}
