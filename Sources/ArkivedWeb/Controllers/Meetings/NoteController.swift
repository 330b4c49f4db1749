import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/notes` and `/api/v1/promises`.
struct NoteController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/notes", use: list)
    group.post("/notes", use: create)
    group.get("/notes/:id", use: show)
    group.patch("/notes/:id", use: change)
    group.delete("/notes/:id", use: delete)
    group.get("/notes/:id/history", use: history)
    group.post("/notes/:id/promises/:line", use: mark)
    group.get("/promises", use: promises)
    group.post("/promises/let-go", use: letGo)
  }

  private var defaults: EntryDefaults {
    EntryDefaults(now: archive.clock.now, homeZone: zone, identities: archive.identities)
  }

  // MARK: Notes

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (arguments, page, person) = try request.arguments { fields throws(FieldError) in
      var filter = NoteFilter()
      filter.meeting = try fields.uuid("meeting")
      filter.isFree = try fields.bool("free") ?? false
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
      (filter.from, filter.to) = (span.from, span.to)
      filter.tag = try fields.string("tag")
      let page = try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
      return (filter, page, try fields.string("person"))
    }
    return try await offServer {
      var filter = arguments
      if let person {
        filter.person = try request.answering { try archive.personNamed(person) }
      }
      let found = try page.items(id: { $0.id }) { limit, offset -> [Note] in
        (filter.limit, filter.offset) = (limit, offset)
        return try archive.notes(filter)
      }
      return Response(json: [
        "notes": .array(found.items.map(\.json)), "total": JSON(try archive.countNotes(filter)),
        "next": found.nextJSON,
      ])
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let found = try await offServer { try note(id) }
    return Response(entity: found.json, version: found.updatedAt)
  }

  @Sendable func history(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let versions = try await offServer { try archive.history(of: id) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        var fields = FieldReader(object)
        try Self.refuseGiven(object)
        var note = try Note(&fields, defaults: defaults)
        note.tags = Tag.names(note.tags)
        try fields.refuseUnknown()
        try archive.checkMeeting(of: note)
        return try archive.create(note, once: key) { saved in
          WriteAnswer.created(
            saved.value.json, at: "notes", id: note.id, version: saved.value.updatedAt,
            saved.change)
        }
      })
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      try Self.refuseGiven(object)
      let old = try note(id)
      var asked = old
      try Self.apply(object, to: &asked, zone: zone)
      try archive.checkMeeting(of: asked)
      let saved = try WriteAnswer.guarded(old.updatedAt, precondition) { version in
        try archive.updateNote(id, version: version) { note in
          try Self.apply(object, to: &note, zone: zone)
        }
      }
      return WriteAnswer.updated(
        saved.value.json, version: saved.value.updatedAt, saved.change)
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    return try await offServer {
      let saved = try WriteAnswer.guarded(try note(id).updatedAt, precondition) {
        try archive.deleteNote(id, version: $0)
      }
      return WriteAnswer.deleted(saved.value.json, saved.change)
    }
  }

  private func note(_ id: UUID) throws -> Note {
    guard let note = try archive.note(id) else {
      throw ArchiveError.notFound("No note with the ID \(id.uuidString).")
    }
    return note
  }

  /// Refuses mentions, because they are derived from the text.
  private static func refuseGiven(_ object: JSONObject) throws(FieldError) {
    try WriteAnswer.refuseGiven(
      object, ["id", "people", "mentions", "attachments", "createdAt", "updatedAt"])
  }

  private static func apply(
    _ object: JSONObject, to note: inout Note, zone: Zone
  ) throws(FieldError) {
    var fields = FieldReader(object)
    if fields.has("title") {
      let title = try fields.string("title")
      note.title = title?.isEmpty == true ? nil : title
    }
    if fields.has("text") { note.text = try fields.string("text") ?? "" }
    if fields.has("meetingId") { note.meetingID = try fields.uuid("meetingId") }
    if fields.has("dayKey") { note.dayKey = try fields.dayOrInstant("dayKey", in: zone) }
    if fields.has("tags") { note.tags = Tag.names(try fields.strings("tags") ?? []) }
    try fields.refuseUnknown()
    try note.validate()
  }

  // MARK: Promises

  /// Ticks or clears a checkbox of a note if it is still the intended one.
  @Sendable func mark(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    guard let line = Int(context.parameters.get("line") ?? ""), line > 0 else {
      throw WebFailure(
        .badRequest, "Line missing", "The line must be a number, starting from 1.", field: "line")
    }
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key) {
        var fields = FieldReader(object)
        let text = try fields.string("text")
        guard let isDone = try fields.bool("done") else {
          throw FieldError("done", "is missing, but must be true or false")
        }
        try fields.refuseUnknown()
        let saved = try WriteAnswer.guarded(try note(id).updatedAt, precondition) { version in
          try archive.markPromise(
            isDone, note: id, line: line, expecting: text, version: version)
        }
        let json = saved.value.json
        return KeptAnswer(
          ["updated": json, "changeId": JSON(saved.change?.id.uuidString)],
          etag: EntityTag.text(saved.value.updatedAt, of: json.bytes()))
      })
  }

  /// Lets go of the named promises in one change, except those that are done, gone or changed by
  /// now.
  @Sendable func letGo(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key) {
        var fields = FieldReader(object)
        let shown = try Self.shownPromises(&fields)
        try fields.refuseUnknown()
        let saved = try archive.letGo(of: shown)
        return KeptAnswer([
          "letGo": .array(saved.value.map(\.json)),
          "changeId": JSON(saved.change?.id.uuidString),
        ])
      })
  }

  private static func shownPromises(
    _ fields: inout FieldReader
  ) throws(FieldError) -> [ShownPromise] {
    let given = try fields.objects("promises") { fields throws(FieldError) in
      guard let note = try fields.uuid("noteId"), let line = try fields.int("line"), line > 0,
        let text = try fields.string("text")
      else {
        throw FieldError(
          "noteId",
          "must be given together with line and text, as they appear in "
            + "the list of promises")
      }
      try fields.refuseUnknown()
      return ShownPromise(noteID: note, line: line, text: text)
    }
    guard let given, !given.isEmpty else {
      throw FieldError(
        "promises",
        "is missing. Name at least one promise as it appears in the "
          + "list of promises")
    }
    guard given.count <= mostLetGo else {
      throw FieldError(
        "promises",
        "contains \(given.count) promises, but the limit is "
          + "\(mostLetGo)")
    }
    return given
  }

  private static let mostLetGo = 1_000

  @Sendable func promises(_ request: Request, context: WebContext) async throws -> Response {
    let (arguments, owner, person, page) = try request.arguments { fields throws(FieldError) in
      var filter = PromiseFilter()
      filter.includesDone = try fields.bool("done") ?? false
      filter.meeting = try fields.uuid("meeting")
      let page = try ListPage(&fields, usual: 500, most: 5_000, takesCursor: true)
      return (filter, try fields.string("owner"), try fields.string("person"), page)
    }
    return try await offServer {
      var filter = arguments
      try request.answering {
        if let owner {
          switch owner {
          case "me": filter.owner = .me
          case "others": filter.owner = .others
          default: filter.owner = .person(try archive.personNamed(owner, field: "owner"))
          }
        }
        if let person { filter.people = [try archive.personNamed(person)] }
      }
      var total = 0
      let found = try page.items(id: { $0.placeID }) { limit, offset -> [StoredPromise] in
        (filter.limit, filter.offset) = (limit, offset)
        let part = try archive.promisePage(filter)
        total = part.total
        return part.promises
      }
      return Response(json: [
        "promises": .array(found.items.map(\.json)), "total": JSON(total),
        "next": found.nextJSON,
      ])
    }
  }
}

extension StoredPromise {
  /// An ID for the cursors of lists, made from the note and the line in it.
  fileprivate var placeID: UUID {
    var bytes = noteID.uuid
    let line = UInt32(truncatingIfNeeded: promise.line)
    bytes.12 ^= UInt8(truncatingIfNeeded: line >> 24)
    bytes.13 ^= UInt8(truncatingIfNeeded: line >> 16)
    bytes.14 ^= UInt8(truncatingIfNeeded: line >> 8)
    bytes.15 ^= UInt8(truncatingIfNeeded: line)
    return UUID(uuid: bytes)
  }
}

extension Archive {
  /// Checks a note's meeting.
  ///
  /// - Throws: `FieldError` if the meeting doesn't exist.
  func checkMeeting(of note: Note) throws {
    guard let id = note.meetingID, try meeting(id) == nil else { return }
    throw FieldError("meetingId", "is \(id.uuidString), but no such meeting exists")
  }

  /// Ticks or clears a checkbox of a note.
  ///
  /// - Parameters:
  ///   - isDone: true if it is done.
  ///   - id: its ID.
  ///   - line: the line of the note, from 1.
  ///   - text: the promise as displayed; nil to accept any.
  ///   - version: if given, the version the client last saw.
  /// - Returns: the note as saved.
  /// - Throws: `WebFailure` 409 if that line contains no promise, or another one.
  func markPromise(
    _ isDone: Bool, note id: UUID, line: Int, expecting text: String? = nil,
    version: Instant? = nil
  ) throws -> Saved<Note> {
    try updateNote(id, version: version) { note in
      guard
        let marked = PromiseMark.set(isDone, line: line, in: note.text, expecting: text)
      else {
        throw WebFailure(
          .conflict, "Changed elsewhere",
          text == nil
            ? "Line \(line) of the note has no checkbox. Nothing was changed."
            : "Line \(line) of the note has been edited in the meantime. Reload the note. "
              + "Nothing was changed.", field: text == nil ? "line" : "text")
      }
      note.text = marked
    }
  }
}
