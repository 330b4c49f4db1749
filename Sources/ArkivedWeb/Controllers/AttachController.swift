import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes for attaching files and links to days, entries, meetings and notes, on pages and in
/// the API, and for voice notes.
struct AttachController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to router: Router<WebContext>) {
    router.post("/day/:dayKey/attachments", use: attachToDay)
    router.post("/day/:dayKey/voice-notes", use: addVoiceNote)
    router.post("/activities/:id/attachments", use: attachToActivity)
    router.post("/meetings/:id/attachments", use: attachToMeeting)
    router.post("/notes/:id/attachments", use: attachToNote)
    router.post("/attachments/:id/delete", use: deleteOnPage)
    router.post("/attachments/:id/caption", use: captionOnPage)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.post("/days/:dayKey/attachments", use: createOfDay)
    group.post("/activities/:id/attachments", use: createOfActivity)
    group.post("/meetings/:id/attachments", use: createOfMeeting)
    group.post("/notes/:id/attachments", use: createOfNote)
    group.delete("/attachments/:id", use: delete)
    group.patch("/attachments/:id", use: change)
  }

  // MARK: Pages

  @Sendable func attachToDay(_ request: Request, context: WebContext) async throws -> Response {
    let day = try DayController.dayKey(context)
    let (_, change) = try await attach(try await UploadedFiles(request), to: .day(day))
    return .seeOther(GoalSidePages.location("/day/\(day)", change) + "#note")
  }

  @Sendable func attachToActivity(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    let id = try ActivityController.id(context)
    let (_, change) = try await attach(try await UploadedFiles(request), to: .activity(id))
    guard let activity = try await offServer({ try archive.activity(id) }) else {
      throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
    }
    return DayActionController.back(to: activity, change)
  }

  @Sendable func attachToMeeting(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    let id = try ActivityController.id(context)
    let entry = try await entry(ofMeeting: id)
    let (_, change) = try await attach(try await UploadedFiles(request), to: .activity(entry))
    return Self.back(to: MeetingWords.href(meeting: id), request, change)
  }

  @Sendable func attachToNote(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (_, change) = try await attach(try await UploadedFiles(request), to: .note(id))
    return Self.back(to: MeetingWords.href(note: id), request, change)
  }

  /// Redirects to the files of a page: the one that the address names as `back`, or else its own.
  private static func back(to page: String, _ request: Request, _ change: Change?) -> Response {
    let path = LocalPath.read(request.fields["back"]) ?? page
    return .seeOther(GoalSidePages.location(path, change) + "#files")
  }

  /// Returns the entry that represents a meeting on its day, to which the meeting's files belong.
  private func entry(ofMeeting id: UUID) async throws -> UUID {
    let archive = archive
    guard let entry = try await offServer({ try archive.meeting(id) }) else {
      throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
    }
    return entry.activity.id
  }

  @Sendable func deleteOnPage(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (owner, change) = try await offServer {
      let done = try archive.deleteAttachment(id)
      return (done.owner, done.change)
    }
    return try await goBack(to: owner, request, change)
  }

  @Sendable func captionOnPage(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let caption = try await request.form(limit: 65_536)["caption"]
    let (owner, change) = try await offServer {
      let done = try archive.setCaption(caption, ofAttachment: id)
      return (done.owner, done.change)
    }
    return try await goBack(to: owner, request, change)
  }

  /// Redirects to the page that the address names, or else to the page of the attachment's owner.
  private func goBack(
    to owner: Archive.AttachmentOwner, _ request: Request, _ change: Change?
  ) async throws -> Response {
    if let page = LocalPath.read(request.fields["back"]) {
      return Self.back(to: page, request, change)
    }
    switch owner {
    case .note(let id): return Self.back(to: MeetingWords.href(note: id), request, change)
    case .day(let day): return .seeOther(GoalSidePages.location("/day/\(day)", change) + "#note")
    case .activity(let id):
      guard let activity = try await offServer({ try archive.activity(id) }) else {
        return .seeOther("/")
      }
      return DayActionController.back(to: activity, change)
    }
  }

  /// Saves a recording as a new entry at the time when it was started.
  @Sendable func addVoiceNote(_ request: Request, context: WebContext) async throws -> Response {
    let day = try DayController.dayKey(context)
    let asked = request.fields
    let uploaded = try await UploadedFiles(request)
    guard uploaded.files.count == 1, let file = uploaded.files.first else {
      throw WebFailure(
        .badRequest, "Only one recording", "A voice note must be exactly one recording.")
    }
    let media = MediaType(sniffing: file.content, fileName: file.name)
    guard !media.name.hasPrefix("image/"), media.isSafeInline else {
      throw WebFailure(
        .unsupportedMediaType, "Not a recording",
        "This file can’t be played as audio. Nothing was saved.")
    }
    let start = try asked.text("at").map { text throws(FieldError) in
      guard let instant = Instant(text) else {
        throw FieldError("at", "is \(FieldError.shown(text)), but must be a date and time")
      }
      return instant
    }
    let hash = Array("\(RepeatedRequests.hash(file.content))\n\(start?.description ?? "")".utf8)
    // A recording that waited for the server may be sent more than once.
    let key =
      try RepeatedRequests.key(request, asking: hash)
      ?? asked.text("key").flatMap { $0.utf8.count <= 200 ? $0 : nil }
      .map { RepeatedRequests.key($0, "voice \(day)", hash) }
    let answer = try await repeated.answer(key, keeps: true) {
      let now = archive.clock.now
      var activity = Activity(
        id: archive.identities.next(), dayKey: day, timeZone: zone.identifier, text: "Voice note",
        createdAt: now, updatedAt: now)
      // A recording made today about another day has no time on that day.
      if let start, zone.dayKey(at: start) == day { activity.startAt = start }
      let kept = try archive.keepFiles()
      defer { kept?.release() }
      activity.attachments = try uploaded.store(in: archive, as: .audioNote)
      guard let key else { return Self.added(try archive.add(activity)) }
      return try archive.add(activity, once: key, answer: Self.added)
    }
    return Response(answer)
  }

  private static func added(_ saved: Saved<Activity>) -> KeptAnswer {
    let activity = saved.value
    let id = activity.id.uuidString
    return KeptAnswer(
      status: 303,
      location: GoalSidePages.location("/day/\(activity.dayKey)?added=\(id)", saved.change)
        + "#activity-\(id)")
  }

  // MARK: API

  @Sendable func createOfDay(_ request: Request, context: WebContext) async throws -> Response {
    try await create(request, of: .day(try DayController.dayKey(context)))
  }

  @Sendable func createOfActivity(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    try await create(request, of: .activity(try ActivityController.id(context)))
  }

  @Sendable func createOfMeeting(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    let entry = try await entry(ofMeeting: try ActivityController.id(context))
    return try await create(request, of: .activity(entry))
  }

  @Sendable func createOfNote(_ request: Request, context: WebContext) async throws -> Response {
    try await create(request, of: .note(try ActivityController.id(context)))
  }

  private func create(
    _ request: Request, of owner: Archive.AttachmentOwner
  ) async throws -> Response {
    let uploaded = try await UploadedFiles(request)
    // A resent form may have another boundary, so its files identify the request.
    let key = try RepeatedRequests.key(
      request,
      asking: uploaded.files.flatMap {
        Array("\($0.name)\n\(RepeatedRequests.hash($0.content))\n".utf8)
      } + Array("\(uploaded.link ?? "")\n\(uploaded.caption ?? "")".utf8))
    let archive = archive
    let answer = try await repeated.answer(key, keeps: true) {
      try Self.store(uploaded, for: owner, archive) { attachments in
        try archive.attach(attachments, to: owner, once: key) { change in
          KeptAnswer(
            [
              "created": .array(attachments.map(\.json)),
              "changeId": JSON(change?.id.uuidString),
            ], status: .created)
        }
      }
    }
    return Response(answer)
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (deleted, change) = try await offServer {
      let done = try archive.deleteAttachment(id)
      return (done.deleted, done.change)
    }
    return Response(json: [
      "deleted": deleted.json, "changeId": JSON(change?.id.uuidString),
    ])
  }

  /// Changes the caption.
  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: 65_536)
    var fields = FieldReader(object)
    guard fields.has("caption") else { throw FieldError("caption", "is missing") }
    let caption = try fields.string("caption")
    try fields.refuseUnknown()
    let (updated, change) = try await offServer {
      let done = try archive.setCaption(caption, ofAttachment: id)
      return (done.updated, done.change)
    }
    return Response(json: ["updated": updated.json, "changeId": JSON(change?.id.uuidString)])
  }

  private func attach(
    _ uploaded: UploadedFiles, to owner: Archive.AttachmentOwner
  ) async throws -> ([Attachment], Change?) {
    let archive = archive
    return try await offServer { try Self.attach(uploaded, to: owner, archive) }
  }

  private static func attach(
    _ uploaded: UploadedFiles, to owner: Archive.AttachmentOwner, _ archive: Archive
  ) throws -> ([Attachment], Change?) {
    try store(uploaded, for: owner, archive) { ($0, try archive.attach($0, to: owner)) }
  }

  /// Stores files, and keeps them while they are attached.
  private static func store<Result>(
    _ uploaded: UploadedFiles, for owner: Archive.AttachmentOwner, _ archive: Archive,
    _ attach: ([Attachment]) throws -> Result
  ) throws -> Result {
    if case .activity(let id) = owner, try archive.version(ofActivity: id) == nil {
      throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
    }
    if case .note(let id) = owner, try archive.note(id) == nil {
      throw ArchiveError.notFound("No note with the ID \(id.uuidString).")
    }
    let kept = try archive.keepFiles()
    defer { kept?.release() }
    return try attach(try uploaded.store(in: archive))
  }
}
