import NIOCore
import NIOHTTP1

/// The minimum speed at which a request's body has to arrive while the server waits for it.
struct BodyPace: Sendable {
  /// The time during which slowness is tolerated.
  var grace = TimeAmount.seconds(60)
  /// The mean speed required after that; half of what the slowest radio link carries.
  var bytesPerSecond = 8_192

  /// Returns true if a body is too slow.
  ///
  /// - Parameters:
  ///   - bytes: the number of bytes received.
  ///   - waited: the time during which only the sender delayed it.
  /// - Returns: true if it is.
  func isTooSlow(_ bytes: Int, waited: TimeAmount) -> Bool {
    let seconds = Double((waited - grace).nanoseconds) / 1e9
    return seconds > 0 && Double(bytes) < seconds * Double(bytesPerSecond)
  }
}

/// Closes connections whose body arrives too slowly, even if nobody reads it, because refused
/// bodies are received too so that the next request can follow.
final class BodyPaceHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let pace: BodyPace
  private var isInBody = false
  private var bytes = 0
  private var waited = TimeAmount.zero
  private var waitsSince: NIODeadline?

  init(_ pace: BodyPace) { self.pace = pace }

  /// Notes that the server asks for more; until then, the server itself keeps the sender waiting.
  func read(context: ChannelHandlerContext) {
    if isInBody, waitsSince == nil { waitsSince = .now() }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      (isInBody, bytes, waited, waitsSince) = (true, 0, .zero, nil)
    case .body(let piece):
      if let since = waitsSince { waited = waited + (NIODeadline.now() - since) }
      waitsSince = nil
      bytes += piece.readableBytes
      guard !pace.isTooSlow(bytes, waited: waited) else {
        isInBody = false
        return context.close(promise: nil)
      }
    case .end:
      (isInBody, waitsSince) = (false, nil)
    }
    context.fireChannelRead(data)
  }
}
