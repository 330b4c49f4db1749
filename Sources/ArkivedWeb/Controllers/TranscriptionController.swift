import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The transcription of recordings: a button next to each, and
/// `/api/v1/attachments/{id}/transcription`.
struct TranscriptionController: Sendable {
  let archive: Archive
  let desk: VoiceDesk

  func addRoutes(to router: Router<WebContext>) {
    router.post("/attachments/:id/transcribe", use: startOnPage)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/attachments/:id/transcription", use: show)
    group.post("/attachments/:id/transcription", use: start)
  }

  /// Starts a transcription and redirects back to the page of the recording.
  @Sendable func startOnPage(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = try await request.form(limit: 1 << 16)
    let owner = try await offServer {
      try desk.give(id)
      return try archive.owner(ofAttachment: id)
    }
    if let back = LocalPath.read(form["back"]) { return .seeOther(back) }
    switch owner {
    case .activity(let entry): return .seeOther("/activities/\(entry.uuidString)#files")
    case .day(let day): return .seeOther("/day/\(day)#note")
    case .note(let note): return .seeOther(MeetingWords.href(note: note) + "#files")
    case nil: return .seeOther("/")
    }
  }

  @Sendable func start(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try await offServer { try desk.give(id) }
    return Response(json: Self.json(desk.standing(id)), status: .accepted)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    guard try await offServer({ try archive.attachment(id) }) != nil else {
      throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
    }
    return Response(json: Self.json(desk.standing(id)))
  }

  private static func json(_ standing: VoiceDesk.Standing?) -> JSON {
    switch standing {
    case nil: ["state": "none"]
    case .waiting: ["state": "waiting"]
    case .working(let share): ["state": "working", "share": JSON(share)]
    case .done: ["state": "done"]
    case .silent: ["state": "silent"]
    case .failed(let problem): ["state": "failed", "problem": .string(problem)]
    }
  }
}
