import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/threads`: conversations with their questions and answers.
struct ConversationController: Sendable {
  let conversations: Conversations
  let repeated: RepeatedRequests

  private var archive: Archive { conversations.archive }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/threads", use: list)
    group.post("/threads", use: begin)
    group.get("/threads/:id", use: show)
    group.patch("/threads/:id", use: rename)
    group.delete("/threads/:id", use: delete)
    group.post("/threads/:id/messages", use: goOn)
    group.post("/threads/:id/branch", use: branch)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (query, page) = try request.arguments { fields throws(FieldError) in
      (
        try fields.string("query"),
        try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
      )
    }
    return try await offServer {
      var total = 0
      let found = try page.items(id: { $0.thread.id }) { limit, offset -> [Archive.ThreadSummary] in
        let part = try archive.threads(query: query, limit: limit, offset: offset)
        total = part.total
        return part.threads
      }
      return Response(json: [
        "threads": .array(
          found.items.map { $0.thread.json.with(["messageCount": JSON($0.messageCount)]) }),
        "total": JSON(total), "next": found.nextJSON,
      ])
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let (thread, json) = try await offServer { try conversations.told(id) }
    return Response(entity: json, version: thread.updatedAt)
  }

  @Sendable func begin(_ request: Request, context: WebContext) async throws -> Response {
    try await ask(request, context, in: nil)
  }

  @Sendable func goOn(_ request: Request, context: WebContext) async throws -> Response {
    try await ask(request, context, in: try ActivityController.id(context))
  }

  private func ask(
    _ request: Request, _ context: WebContext, in thread: UUID?
  ) async throws -> Response {
    let object = try await request.jsonObject(limit: 1 << 20)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(
        key,
        slowly: {
          let question = try Self.question(object)
          return try await conversations.ask(question, in: thread, once: key) {
            thread, said, change in
            let json = Conversations.json(thread, said)
            return KeptAnswer(
              ["created": json, "changeId": .string(change.id.uuidString)], status: .created,
              location: "/api/v1/threads/\(thread.id.uuidString)")
          }
        }))
  }

  @Sendable func branch(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: 65_536)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        var fields = FieldReader(object)
        guard let message = try fields.uuid("message") else {
          throw FieldError(
            "message", "is missing. It must be the ID of the question to ask differently")
        }
        try fields.refuseUnknown()
        return try archive.branch(id, before: message, once: key) { saved, said in
          KeptAnswer(
            [
              "created": Conversations.json(saved.value, said),
              "changeId": JSON(saved.change?.id.uuidString),
            ], status: .created, location: "/api/v1/threads/\(saved.value.id.uuidString)")
        }
      })
  }

  private static func question(_ object: JSONObject) throws -> String {
    var fields = FieldReader(object)
    let question = try fields.required("question")
    try fields.refuseUnknown()
    return question
  }

  @Sendable func rename(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: 1 << 20)
    return try await offServer {
      var fields = FieldReader(object)
      let title = try fields.required("title")
      try fields.refuseUnknown()
      let old = try conversations.told(id).thread
      let saved = try WriteAnswer.guarded(old.updatedAt, precondition) { version in
        try archive.update(ConversationThread.self, id, version: version) { $0.title = title }
      }
      return WriteAnswer.updated(
        try conversations.told(id).json, version: saved.value.updatedAt, saved.change)
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    return try await offServer {
      let old = try conversations.told(id)
      let saved = try WriteAnswer.guarded(old.thread.updatedAt, precondition) {
        try archive.delete(ConversationThread.self, id, version: $0)
      }
      return WriteAnswer.deleted(old.json, saved.change)
    }
  }
}
