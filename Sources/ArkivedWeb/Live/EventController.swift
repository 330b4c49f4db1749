import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The routes of `/events` and `/api/v1/events`: changes as they happen, as server-sent events
/// (WHATWG HTML, section 9.2).
struct EventController: Sendable {
  let feed: ChangeFeed
  let door: Door
  let phone: PhoneDoor

  /// The time in milliseconds that a listener waits before it reconnects.
  static let retry = 2_000

  func addRoutes(to group: some RouterMethods<WebContext>) {
    group.get("/events", use: listen)
  }

  @Sendable func listen(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: ["after"])
    guard await !feed.isFull else {
      var failure = WebFailure(
        .serviceUnavailable, "Too many connections",
        "\(ChangeFeed.listenerLimit) pages and programs are already connected. Close some of them.")
      failure.retryAfter = 30
      throw failure
    }
    let known = try EventController.known(request)
    let session = context.sessionToken
    let device = context.device
    // Programs receive English.
    let asked = request.uri.path == "/events" ? request.headers[.acceptLanguage] ?? "" : nil
    var language = Language.english
    if let asked { language = await feed.language(asked: asked) }
    let spoken = language
    var response = Response(status: .ok)
    response.headers[.contentType] = "text/event-stream; charset=utf-8"
    // An intermediary could buffer anything it takes for a page.
    response.headers[.cacheControl] = "no-store, no-transform"
    response.headers[.name("X-Accel-Buffering")] = "no"
    // Nothing is read after the request while the stream lasts, so the connection ends with it.
    response.headers[.connection] = "close"
    response.body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: \(EventController.retry)\n\n"))
      if let listener = try await feed.listen(after: known) {
        let stream = device.map { device in
          phone.openedStream(of: device.id) { Task { await feed.leave(listener.id) } }
        }
        defer { if let stream { phone.closedStream(stream) } }
        // The client may disconnect without notice, and the server may be told to stop.
        try? await request.body.consumeWithInboundCloseHandler { _ in
          try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
              for await message in listener.messages {
                if message == .beat, let session, try await hasEnded(session) { break }
                try await writer.write(ByteBuffer(string: message.event(in: spoken)))
              }
            } onCancel: {
              Task { await feed.leave(listener.id) }
            }
          } onGracefulShutdown: {
            Task { await feed.leave(listener.id) }
          }
        } onInboundClosed: {
          Task { await feed.leave(listener.id) }
        }
        await feed.leave(listener.id)
      }
      try await writer.finish(nil)
    }
    return response
  }

  private func hasEnded(_ session: String) async throws -> Bool {
    let door = door
    return try await offServer { try !door.hasSession(session) }
  }

  /// Returns the last change that the listener received, which a browser names when it reconnects,
  /// and a page at its first request.
  private static func known(_ request: Request) throws -> ChangeFeed.Known {
    let text = request.headers[.name("Last-Event-ID")] ?? request.fields["after"]
    guard let text else { return .everything }
    if text.isEmpty { return .upTo(nil) }
    guard let id = UUID(uuidString: text) else {
      throw WebFailure(
        .badRequest, "Invalid change ID", "\(FieldError.shown(text)) isn’t the ID of a change.",
        field: "after")
    }
    return .upTo(id)
  }
}

extension ChangeFeed.Message {
  /// Returns the message in its transmitted form.
  func event(in language: Language) -> String {
    switch self {
    case .change(let change):
      return "event: change\nid: \(change.change.id.uuidString)\ndata: \(change.json.text())\n\n"
    case .missed(let newest):
      return "event: missed\nid: \(newest?.uuidString ?? "")\ndata: {}\n\n"
    case .today(let day): return "event: today\ndata: {\"dayKey\":\"\(day)\"}\n\n"
    case .nudge(var nudge, let texts):
      if let text = texts[language.code] { nudge["text"] = .string(text) }
      return "event: nudge\ndata: \(JSON.object(nudge).text())\n\n"
    case .beat: return ": still here\n\n"
    }
  }
}
