import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/days/{dayKey}`.
struct DayController: Sendable {
  let archive: Archive

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/days/:dayKey", use: show)
    group.put("/days/:dayKey", use: write)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let key = try DayController.dayKey(context)
    try request.refuseArguments()
    return try await offServer { try told(key) }
  }

  /// Returns the day with its meetings.
  private func told(_ key: DayKey) throws -> Response {
    let day = try archive.day(key)
    var filter = MeetingFilter()
    (filter.from, filter.to, filter.order, filter.limit) = (key, key, .oldest, .max)
    let meetings = try archive.meetings(filter).map(\.json)
    return Response(
      entity: day.json.with(["meetings": .array(meetings)]), version: day.entry?.updatedAt)
  }

  /// Changes the given title, note, mood, energy and weather; `appendNote` adds a paragraph.
  @Sendable func write(_ request: Request, context: WebContext) async throws -> Response {
    let key = try DayController.dayKey(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      var fields = FieldReader(object)
      let mood = try fields.int("mood")
      let energy = try fields.int("energy")
      let title = try fields.string("title")
      let note = try fields.string("note")
      let weather = try Weather.argument("weather", &fields)
      let addition = try fields.string("appendNote")
      if let unknown = fields.unknownKeys.first {
        throw FieldError(unknown, "isn’t a field of a day")
      }
      let expected = try precondition.version(current: try archive.version(ofDay: key))
      do {
        _ = try archive.updateDay(key, version: expected) { entry in
          if object["title"] != nil { entry.title = title }
          if object["mood"] != nil { entry.mood = mood }
          if object["energy"] != nil { entry.energy = energy }
          if object["weather"] != nil { entry.weather = weather }
          if object["note"] != nil { entry.note = note ?? "" }
          if let addition, !addition.isEmpty {
            entry.note += entry.note.isEmpty ? addition : "\n\n\(addition)"
          }
        }
      } catch ArchiveError.conflict where expected != .none {
        throw Precondition.changed
      }
      return try told(key)
    }
  }

  static func dayKey(_ context: WebContext) throws -> DayKey {
    let text = context.parameters.get("dayKey") ?? ""
    guard let key = DayKey(text) else {
      throw WebFailure(
        .badRequest, "Invalid day",
        "\(FieldError.shown(text)) isn’t a valid day. Write it like 2026-03-14.",
        field: "dayKey")
    }
    return key
  }
}
