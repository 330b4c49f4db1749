import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of conversations: `/threads`, `/threads/{id}`, and asking questions that are stored.
struct ConversationPageController: Sendable {
  let conversations: Conversations
  let shared: GoalSidePages

  private var archive: Archive { conversations.archive }
  private static let pageSize = 50
  /// The maximum number of messages shown in a conversation; earlier ones remain in the archive.
  private static let messageLimit = 200

  func addRoutes(to router: Router<WebContext>) {
    router.get("/threads", use: list)
    router.post("/threads", use: begin)
    router.get("/threads/:id", use: show)
    router.post("/threads/:id", use: goOn)
    router.post("/threads/:id/title", use: rename)
    router.post("/threads/:id/delete", use: delete)
    router.post("/threads/:id/branch", use: branch)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let query = fields.text("query")
    let offset = fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 10_000_000) } ?? 0
    let after = fields.text("after").flatMap { PageCursor($0) }
    let part = ListPage(limit: Self.pageSize, offset: offset, after: after)
    let (newest, found, notices) = try await offServer {
      (
        try archive.newestChange(),
        try part.items(id: { $0.thread.id }) { limit, offset -> [Archive.ThreadSummary] in
          try archive.threads(query: query, limit: limit, offset: offset).threads
        },
        try shared.notices(fields, back: "/threads")
      )
    }
    var page: [String: Any] = [
      "query": FormValue(query ?? ""), "isSearch": query != nil, "isEmpty": found.items.isEmpty,
      "threads": found.items.map(row),
    ]
    if let next = found.next {
      page["moreHref"] = MeetingSidePages.address(
        "/threads", [("query", query), ("after", next.text)])
    }
    return try shared.pages.page(
      "threads", title: said("Conversations"), section: .assistant, known: .upTo(newest),
      notices: notices, page)
  }

  private func row(_ summary: Archive.ThreadSummary) -> [String: Any] {
    let count = (summary.messageCount + 1) / 2
    return [
      "href": "/threads/\(summary.thread.id.uuidString)",
      "title": ClippedText.of(summary.thread.title, limit: 120),
      "whenLabel": shared.entries.moment(summary.thread.updatedAt),
      "whenISO": summary.thread.updatedAt.description,
      "countLabel": said(
        count, one: "\(count) question", other: "\(count) questions"),
    ]
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = request.fields
    let found = try await offServer { () -> Shown? in
      guard let thread = try archive.entity(ConversationThread.self, id) else { return nil }
      let newest = try archive.newestChange()
      let (messages, total) = try archive.messages(of: id, limit: Self.messageLimit)
      return Shown(
        newest: newest, thread: thread, messages: messages, total: total,
        notices: try shared.notices(fields, back: "/threads/\(id.uuidString)"))
    }
    guard let found else {
      if let gone = shared.gone(fields, to: "/threads") { return gone }
      throw ArchiveError.notFound("No conversation with the ID \(id.uuidString).")
    }
    return try page(found, question: fields.text("question") ?? "")
  }

  private struct Shown: Sendable {
    var newest: UUID?
    var thread: ConversationThread
    var messages: [ConversationMessage]
    var total: Int
    var notices: [Notice]
  }

  private func page(
    _ shown: Shown, question: String = "", error: FieldError? = nil,
    status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var page: [String: Any] = [
      "title": ClippedText.of(shown.thread.title, limit: 300),
      "titleValue": FormValue(shown.thread.title),
      "action": "/threads/\(shown.thread.id.uuidString)", "streams": conversations.hasModel(),
      "version": EntityTag.text(shown.thread.updatedAt),
      "idempotencyKey": archive.identities.next().uuidString,
      "messages": shown.messages.map(message), "question": FormValue(question),
    ]
    if shown.total > shown.messages.count {
      page["earlierLine"] =
        said(
          """
          Showing the latest \(shown.messages.count) of \(shown.total) messages. All of them are \
          in the archive.
          """
        )
    }
    if let error { page["questionError"] = said("The question \(saidAgain(error.problem)).") }
    return try shared.pages.page(
      "thread", title: ClippedText.of(shown.thread.title, limit: 60), section: .assistant,
      known: .upTo(shown.newest), notices: shown.notices, page, status: status)
  }

  private func message(_ message: ConversationMessage) -> [String: Any] {
    let details = message.details
    let citations = details?["citations"]?.array ?? []
    let count = details?["citationCount"]?.int ?? citations.count
    let isAct = details?["kind"]?.string == "act"
    let known: [String: Any] = [
      "id": message.id.uuidString, "isQuestion": message.role == .user,
      "text": ClippedText.of(message.text, limit: 4_000),
      "askHref": "/ask?question=\(URLText.escaped(message.text))",
      "whenLabel": shared.entries.moment(message.createdAt),
      "whenISO": message.createdAt.description,
      "hasCitations": !citations.isEmpty,
      "citationLabel": isAct
        ? said(count, one: "\(count) matching entry", other: "\(count) matching entries")
        : said(count, one: "Based on \(count) entry", other: "Based on \(count) entries"),
      "hasMore": count > citations.count,
      "moreLabel": said("and \(count - citations.count) more"),
      "citations": citations.compactMap(citation),
    ]
    return known.merging(MessageContext.parts(message)) { own, _ in own }
  }

  private func citation(_ json: JSON) -> [String: Any]? {
    guard let day = json["dayKey"]?.string.flatMap({ DayKey($0) }), let id = json["id"]?.string,
      let identity = UUID(uuidString: id)
    else { return nil }
    let note = json["noteId"]?.string.flatMap { UUID(uuidString: $0) }
    return [
      "href": HitContext.href(
        HitType(rawValue: json["type"]?.string ?? ""), identity, day: day, note: note,
        isLarge: true),
      "dayKey": day.description, "dayLabel": EntryContext.dayLabel(day),
      "snippet": ClippedText.of(json["snippet"]?.string ?? "", limit: 200),
    ]
  }

  // MARK: Writing

  @Sendable func begin(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: context.maxFormSize)
    do {
      return try await ask(form, in: nil, request)
    } catch is FieldError {
      // The page of questions shows what is missing.
      return .seeOther("/ask")
    }
  }

  @Sendable func goOn(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = try await request.form(limit: context.maxFormSize)
    do {
      return try await ask(form, in: id, request)
    } catch let error as FieldError where error.field == "question" {
      let shown = try await offServer {
        let told = try conversations.told(id)
        let (messages, total) = try archive.messages(of: id, limit: Self.messageLimit)
        return Shown(
          newest: try archive.newestChange(), thread: told.thread, messages: messages,
          total: total, notices: [])
      }
      return try page(
        shown, question: form["question"] ?? "", error: error, status: .unprocessableContent)
    }
  }

  private func ask(
    _ form: FormFields, in thread: UUID?, _ request: Request
  ) async throws -> Response {
    let question = form["question"] ?? ""
    let isBlank = question.allSatisfy(\.isWhitespace)
    let streams = request.headers[.accept]?.hasPrefix("text/event-stream") == true && !isBlank
    let key = form.text("idempotencyKey").flatMap { text -> RequestKey? in
      guard text.utf8.count <= 100 else { return nil }
      let hash = RepeatedRequests.hash(Data(question.utf8))
      return RepeatedRequests.key(
        "\(text) \(hash)", "thread \(thread?.uuidString ?? "new")", question.utf8)
    }
    guard streams else { return Response(try await ask(question, in: thread, key) { _ in }) }
    return TalkStream.response { heard in try await ask(question, in: thread, key, heard) }
  }

  private func ask(
    _ question: String, in thread: UUID?, _ key: RequestKey?,
    _ heard: @escaping @Sendable (String) async -> Void
  ) async throws -> KeptAnswer {
    try await shared.repeated.answer(
      key,
      slowly: {
        try await conversations.ask(question, in: thread, once: key, heard: heard) {
          thread, said, _ in
          KeptAnswer(
            status: 303,
            location: "/threads/\(thread.id.uuidString)#message-\(said[0].id.uuidString)")
        }
      })
  }

  @Sendable func rename(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let title = (try await request.form(limit: 65_536)["title"] ?? "")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let place = "/threads/\(id.uuidString)"
    do {
      let saved = try await offServer {
        try archive.update(ConversationThread.self, id) { $0.title = title }
      }
      return .seeOther(GoalSidePages.location(place, saved.change))
    } catch let error as FieldError {
      throw WebFailure(
        .unprocessableContent, "Title missing", "The \(error.description).", field: error.field)
    }
  }

  /// Starts another conversation with the messages before a question, which is placed in the field.
  @Sendable func branch(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = try await request.form(limit: 65_536)
    guard let message = form.text("message").flatMap({ UUID(identity: $0) }) else {
      throw ArchiveError.notFound("No message given to start the new conversation from.")
    }
    let (branch, question) = try await offServer {
      (
        try archive.branch(id, before: message).value,
        try archive.entity(ConversationMessage.self, message)?.text ?? ""
      )
    }
    return .seeOther(
      "/threads/\(branch.id.uuidString)?question=\(URLText.escaped(String(question.prefix(2_000))))"
    )
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let saved = try await offServer { try archive.delete(ConversationThread.self, id) }
    return .seeOther(GoalSidePages.location("/threads", saved.change))
  }
}
