import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the meetings side below `/api/v1`.
struct MeetingsAPI: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests
  let indexes: SearchIndexes
  let turns: CalendarTurns

  func addRoutes(to group: RouterGroup<WebContext>) {
    MeetingController(archive: archive, zone: zone, repeated: repeated, indexes: indexes)
      .addRoutes(to: group)
    NoteController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    PersonController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    LinkController(archive: archive, zone: zone, repeated: repeated, turns: turns)
      .addRoutes(to: group)
  }
}

/// How what was written is told, and how a change is guarded by its version.
enum WriteAnswer {
  /// Changes something only in a version that the request names.
  ///
  /// - Parameter current: the version there is.
  static func guarded<Value>(
    _ current: Instant, _ precondition: Precondition, _ change: (Instant?) throws -> Value
  ) throws -> Value {
    let version = try precondition.version(current: current)
    do {
      return try change(version ?? nil)
    } catch ArchiveError.conflict where version != .none {
      throw Precondition.changed
    }
  }

  static func created(
    _ json: JSON, at place: String, id: UUID, version: Instant, _ change: Change?
  ) -> KeptAnswer {
    KeptAnswer(
      ["created": json, "changeId": JSON(change?.id.uuidString)], status: .created,
      location: "/api/v1/\(place)/\(id.uuidString)",
      etag: EntityTag.text(version, of: json.bytes()))
  }

  /// - Parameter version: nil of what has none to name in a request.
  static func updated(_ json: JSON, version: Instant? = nil, _ change: Change?) -> Response {
    Response(
      json: ["updated": json, "changeId": JSON(change?.id.uuidString)],
      etag: version.map { EntityTag.text($0, of: json.bytes()) })
  }

  static func deleted(_ json: JSON, _ change: Change?) -> Response {
    Response(json: ["deleted": .array([json]), "changeId": JSON(change?.id.uuidString)])
  }

  /// Refuses fields that the archive gives.
  static func refuseGiven(
    _ object: JSONObject, _ names: [String] = ["id", "createdAt", "updatedAt"]
  ) throws(FieldError) {
    for field in names where object[field] != nil {
      throw FieldError(field, "is no argument here; the archive gives it")
    }
  }
}

extension Archive {
  /// Who is meant by an identity, a name or an address.
  ///
  /// - Throws: `FieldError` where it is nobody, or several.
  func personNamed(_ text: String, field: String = "person") throws -> UUID {
    if let id = UUID(uuidString: text) {
      guard try people([id]).first != nil else {
        throw FieldError(field, "is \(FieldError.shown(text)), but no such person exists")
      }
      return id
    }
    let found = try people(named: text)
    guard let first = found.first?.id else {
      throw FieldError(field, "is \(FieldError.shown(text)), but nobody has that name")
    }
    guard found.count == 1 else {
      let names = try people(found.prefix(5).compactMap(\.id)).map { person in
        // Who has no address is told by their whole identity, which is taken here.
        person.email == nil && person.furtherAddresses.isEmpty
          ? "\(person.displayName) (\(person.id.uuidString))" : person.tellingName
      }
      throw FieldError(
        field,
        "is \(FieldError.shown(text)), which matches more than one: "
          + "\(names.joined(separator: ", ")). Use the address or the ID")
    }
    return first
  }
}

extension Request {
  /// Does what depends on arguments of the query, so that what is wrong with one is a bad request.
  func answering<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as FieldError {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
  }
}
