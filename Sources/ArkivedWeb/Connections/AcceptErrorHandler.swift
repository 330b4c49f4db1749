import NIOCore

/// Keeps a listener going when a connection can't be accepted: any error that reached the end of its pipeline would
/// end it.
///
/// Errors that do end a listener close its channel.
final class AcceptErrorHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  /// Puts it, and what makes room, into the pipeline of a listener.
  static func install(in listener: any Channel, _ connections: ConnectionRegistry) async throws {
    try await listener.eventLoop.submit {
      let pipeline = listener.pipeline.syncOperations
      // So named by `ServerBootstrap`.
      let accepting = try pipeline.context(name: "AcceptHandler")
      try pipeline.addHandler(AcceptErrorHandler(), position: .after(accepting.handler))
      try pipeline.addHandler(OpenFileLimitHandler(connections), position: .first)
    }.get()
  }
}

/// Closes connections that nobody needs when the limit of open files keeps a listener from accepting one.
///
/// NIO itself tries again after a second.
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
