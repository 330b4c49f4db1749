import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/activities`.
struct ActivityController: Sendable {
  let archive: Archive
  let zone: Zone

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.post("/activities", use: create)
    group.get("/activities/:id", use: show)
    group.patch("/activities/:id", use: change)
    group.delete("/activities/:id", use: delete)
    group.get("/activities/:id/history", use: history)
    group.get("/quick-add", use: understand)
  }

  private var defaults: EntryDefaults {
    EntryDefaults(now: archive.clock.now, homeZone: zone, identities: archive.identities)
  }

  /// `line` reads the activity from a typed line; else the arguments of createActivity.
  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = request.headers[.idempotencyKey]
    if let key, key.isEmpty || key.utf8.count > 200 {
      throw WebFailure(
        .badRequest, "No such key", "An Idempotency-Key has 1 to 200 characters.",
        field: "Idempotency-Key")
    }
    let saved = try await offServer {
      let activity: Activity
      if let line = object["line"]?.string {
        guard object.members.allSatisfy({ ["line", "dayKey"].contains($0.key) }) else {
          throw FieldError("line", "stands alone or beside dayKey only")
        }
        var fields = FieldReader(object)
        let entry = EntryLine(archive: archive, zone: zone)
        activity = entry.activity(
          from: try entry.understand(line, onPage: try fields.day("dayKey")))
      } else {
        activity = try ActivityArguments.create(object, source: .manual, defaults: defaults)
      }
      guard let key else { return try archive.add(activity) }
      return try archive.add(
        activity, idempotencyKey: key, requestHash: Self.hash(JSON.object(object)))
    }
    var response = Response(
      json: ["created": saved.value.json, "changeId": JSON(saved.change?.id.uuidString)],
      status: .created, etag: EntityTag.text(saved.value.updatedAt))
    response.headers[.location] = "/api/v1/activities/\(saved.value.id.uuidString)"
    return response
  }

  static func hash(_ json: JSON) -> String {
    Data(SHA256.hash(data: Data(json.bytes()))).base64EncodedString()
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let activity = try await offServer { try archive.activity(id) }
    guard let activity else {
      throw ArchiveError.notFound("activity \(id.uuidString)")
    }
    return Response(json: activity.json, etag: EntityTag.text(activity.updatedAt))
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let version = try EntityTag.version(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let saved = try await offServer {
      do {
        return try archive.updateActivity(id, version: version) { activity in
          try ActivityArguments.change(&activity, object, homeZone: zone)
        }
      } catch ArchiveError.conflict(let what) {
        throw WebFailure(.preconditionFailed, "Changed elsewhere", what)
      }
    }
    return Response(
      json: ["updated": saved.value.json, "changeId": JSON(saved.change?.id.uuidString)],
      etag: EntityTag.text(saved.value.updatedAt))
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let version = try EntityTag.version(request)
    let saved = try await offServer {
      do {
        return try archive.deleteActivities([id], version: version)
      } catch ArchiveError.conflict(let what) {
        throw WebFailure(.preconditionFailed, "Changed elsewhere", what)
      }
    }
    return Response(json: [
      "deleted": .array(saved.value.map(\.json)), "changeId": JSON(saved.change?.id.uuidString),
    ])
  }

  @Sendable func history(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let versions = try await offServer { try archive.history(of: id) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  /// What a line would become, for the chips below the field.
  @Sendable func understand(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let line = fields["line"] ?? ""
    let page = fields.text("day").flatMap(DayKey.init)
    let reading: QuickAddReading
    do {
      reading = try await offServer {
        try EntryLine(archive: archive, zone: zone).understand(line, onPage: page)
      }
    } catch let error as QuickAddError {
      return Response(json: ["text": .string(line), "parts": [], "error": .string("\(error)")])
    }
    return Response(json: reading.json)
  }

  static func id(_ context: WebContext) throws -> UUID {
    let text = context.parameters.get("id") ?? ""
    guard let id = UUID(uuidString: text) else {
      throw WebFailure(
        .badRequest, "No identity", "\(FieldError.shown(text)) is no UUID.", field: "id")
    }
    return id
  }
}

extension QuickAddReading {
  /// What the page shows of a reading.
  var json: JSON {
    [
      "text": .string(text), "dayKey": JSON(dayKey), "dayLabel": .string(dayKey.longName),
      "parts": .array(
        understood.map {
          [
            "role": .string($0.role.rawValue), "words": .string($0.words),
            "label": .string($0.label),
          ]
        }), "error": nil,
    ]
  }
}
