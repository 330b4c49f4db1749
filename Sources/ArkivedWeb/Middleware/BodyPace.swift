import NIOCore
import NIOHTTP1

/// The least that a request's body has to bring while the server waits for it.
struct BodyPace: Sendable {
  /// Who is slow for no longer than this is not minded.
  var grace = TimeAmount.seconds(60)
  /// The mean of what comes after that; half of what the slowest of radios carries.
  var bytesPerSecond = 8_192

  /// - Parameters:
  ///   - bytes: what has come of the body.
  ///   - waited: how long nothing kept it from coming but its sender.
  func isTooSlow(_ bytes: Int, waited: TimeAmount) -> Bool {
    let seconds = Double((waited - grace).nanoseconds) / 1e9
    return seconds > 0 && Double(bytes) < seconds * Double(bytesPerSecond)
  }
}

/// Hangs up on whoever dribbles a body, whether or not anybody reads it: what is refused is still
/// taken in, so that the next request can follow.
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

  /// The server asks for more; until then nobody but itself keeps the sender waiting.
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
