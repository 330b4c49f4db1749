import NIOCore
import NIOHTTP1

/// Checks that each request has exactly one Host and a target on it, before anything else reads it.
///
/// A request that doesn't name exactly one host, or has another one in its target (RFC 9112 §3.2),
/// continues without any host, which `Door` refuses. Nothing is read after it, or after a request
/// for another protocol.
final class RequestTargetHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The scheme of a server's addresses.
  enum Scheme: String, Sendable {
    case http, https
  }

  private let scheme: Scheme
  private var pendingRequests = 0
  /// True if a request was refused; anything after it is discarded.
  private var isRefused = false
  /// True if the connection ends with the response to the last request.
  private var closes = false

  init(_ scheme: Scheme) { self.scheme = scheme }

  /// Returns the path and query that a request asks its one host for, or nil if there are several
  /// hosts or none, or if the target is on another one.
  static func path(of head: HTTPRequestHead, scheme: Scheme) -> String? {
    let hosts = head.headers["Host"]
    guard let host = hosts.first, hosts.count == 1, !host.isEmpty else { return nil }
    if head.uri.utf8.first == UInt8(ascii: "/") { return head.uri }
    // This is the absolute form, which programs send if they take the server for a proxy. No other
    // absolute form applies to a server.
    let origin = "\(scheme.rawValue)://\(host)"
    guard head.uri.utf8.starts(with: origin.utf8) else { return nil }
    let path = String(decoding: head.uri.utf8.dropFirst(origin.utf8.count), as: UTF8.self)
    switch path.utf8.first {
    case UInt8(ascii: "/"): return path
    case nil, UInt8(ascii: "?"): return "/\(path)"
    default: return nil
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    pendingRequests += 1
    if let path = Self.path(of: head, scheme: scheme) {
      head.uri = path
      // The decoder would wait for the other protocol and keep everything that arrives.
      if head.headers.contains(name: "Upgrade") { closes = true }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    } else {
      (isRefused, closes) = (true, true)
      head.uri = "/"
      head.headers.remove(name: "Host")
      context.fireChannelRead(wrapInboundOut(.head(head)))
      context.fireChannelRead(wrapInboundOut(.end(nil)))
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isLast = closes && pendingRequests <= 1
    switch unwrapOutboundIn(data) {
    case .head(var head) where isLast:
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      pendingRequests = max(0, pendingRequests - 1)
      guard isLast else { return context.write(data, promise: promise) }
      context.writeAndFlush(data, promise: promise)
      context.close(promise: nil)
    default: context.write(data, promise: promise)
    }
  }
}
