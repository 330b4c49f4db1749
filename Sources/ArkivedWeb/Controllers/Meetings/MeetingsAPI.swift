import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes related to meetings below `/api/v1`.
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

/// The responses to writes, and the guarding of changes by version.
enum WriteAnswer {
  /// Changes something only in the version that the request names.
  ///
  /// - Parameters:
  ///   - current: the current version.
  ///   - precondition: the version that the request names.
  ///   - change: changes it, given the version to find.
  /// - Returns: what `change` returns.
  /// - Throws: `WebFailure` 412 if the version is a different one, and what `change` throws.
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

  /// Returns the response to an update.
  ///
  /// - Parameters:
  ///   - json: the JSON.
  ///   - version: nil for something whose version can't be named in a request.
  ///   - change: the change; nil if nothing changed.
  /// - Returns: the response.
  static func updated(_ json: JSON, version: Instant? = nil, _ change: Change?) -> Response {
    Response(
      json: ["updated": json, "changeId": JSON(change?.id.uuidString)],
      etag: version.map { EntityTag.text($0, of: json.bytes()) })
  }

  static func deleted(_ json: JSON, _ change: Change?) -> Response {
    Response(json: ["deleted": .array([json]), "changeId": JSON(change?.id.uuidString)])
  }

  /// Refuses fields that the archive sets itself.
  static func refuseGiven(
    _ object: JSONObject, _ names: [String] = ["id", "createdAt", "updatedAt"]
  ) throws(FieldError) {
    for field in names where object[field] != nil {
      throw FieldError(field, "can’t be set here. The archive assigns it")
    }
  }
}

extension Archive {
  /// Returns the person with an ID, a name or an address.
  ///
  /// - Throws: `FieldError` if there is none, or several.
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
        // A person without an address is identified by their full ID, which is accepted here.
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
  /// Performs work that depends on query arguments; an invalid argument becomes a bad request.
  func answering<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as FieldError {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
  }
}
