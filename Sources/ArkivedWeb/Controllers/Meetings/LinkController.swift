import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/links`, `/api/v1/calendars/discover` and
/// `/api/v1/address-books/discover`: the places with which the archive is synced.
struct LinkController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests
  let turns: CalendarTurns

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/links", use: list)
    group.post("/links", use: create)
    group.delete("/links/:id", use: delete)
    group.post("/links/:id/sync", use: sync)
    group.post("/calendars/discover", use: discover)
    group.post("/address-books/discover", use: discoverAddressBooks)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let links = try await offServer { try archive.syncLinks() }
    return Response(json: [
      "links": .array(links.map(\.told)), "total": JSON(links.count),
    ])
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 1 << 20)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    if let service = object["kind"]?.string.flatMap(LinkedService.init) {
      return try await create(service, object, key)
    }
    return Response(
      try await repeated.answer(key) {
        var fields = FieldReader(object)
        let order = try LinkOrder(&fields)
        try fields.refuseUnknown()
        let link = try order.link(SyncJob(archive: archive, homeZone: zone))
        return KeptAnswer(
          ["created": link.told], status: .created,
          location: "/api/v1/links/\(link.id.uuidString)")
      })
  }

  /// Links a service, which has to answer first.
  private func create(
    _ service: LinkedService, _ object: JSONObject, _ key: RequestKey?
  ) async throws -> Response {
    let archive = archive
    return Response(
      try await repeated.answer(
        key,
        slowly: {
          var fields = FieldReader(object)
          let order = try LinkedServiceOrder(service, &fields)
          try fields.refuseUnknown()
          let link = try await order.link(SyncJob(archive: archive, homeZone: zone))
          let answer = KeptAnswer(
            ["created": link.told], status: .created,
            location: "/api/v1/links/\(link.id.uuidString)")
          if let key { try await offServer { try archive.keep(answer, to: key) } }
          return answer
        }))
  }

  /// Ends a link and deletes its secret; imported records stay.
  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    return try await offServer {
      let link = try archive.link(id)
      try SyncJob(archive: archive, homeZone: zone).unlink(link)
      return Response(json: ["deleted": .array([link.told])])
    }
  }

  /// Syncs a place now.
  ///
  /// `from` includes earlier days than usual, and `day` only a single day. With `all`, a service is
  /// read again from the beginning.
  @Sendable func sync(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object =
      request.headers[.contentType] == nil
      ? JSONObject() : try await request.jsonObject(limit: 1 << 20)
    var fields = FieldReader(object)
    var window: CalendarSync.Window?
    let from = try fields.day("from")
    let day = try fields.day("day")
    let readsAll = try fields.bool("all") ?? false
    try fields.refuseUnknown()
    let link = try await offServer { try archive.link(id) }
    if from != nil || day != nil {
      guard link.kind.isCalendar else {
        throw FieldError(from != nil ? "from" : "day", "can only be given for a calendar")
      }
      var asked = CalendarSync.Window(of: link)
      (asked.from, asked.day) = (from, day)
      window = asked
    }
    let report = try await turns.sync(
      link, SyncJob(archive: archive, homeZone: zone), window: window, readsAll: readsAll)
    return Response(json: ["syncs": .array([report.json])])
  }

  /// Returns the calendars of an account.
  @Sendable func discover(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 20))
    let address = try fields.required("address")
    let credentials = try LinkOrder.credentials(&fields)
    try fields.refuseUnknown()
    let choices = try await LinkOrder.choices(at: address, credentials)
    return Response(json: [
      "calendars": .array(choices.map(\.told)), "total": JSON(choices.count),
    ])
  }

  /// Returns the address books of an account.
  @Sendable func discoverAddressBooks(
    _ request: Request, context: WebContext
  ) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 20))
    let place = try AddressBookPlace(try fields.required("address"))
    let credentials = try LinkOrder.credentials(&fields)
    try fields.refuseUnknown()
    let choices = try await CardDAVDiscovery(url: place.url, credentials: credentials)
      .addressBooks()
    return Response(json: [
      "addressBooks": .array(choices.map(\.told)), "total": JSON(choices.count),
    ])
  }
}

extension SyncLink {
  /// The link as JSON without its credentials.
  var told: JSON {
    guard var parts = URLComponents(string: address), parts.password != nil else {
      return json.with(["name": .string(name)])
    }
    parts.password = nil
    return json.with(["name": .string(name), "address": .string(parts.string ?? name)])
  }
}

extension CalendarChoice {
  var told: JSON {
    [
      "address": .string(url.absoluteString), "name": .string(displayName),
      "color": JSON(color), "description": JSON(description), "components": JSON(components),
      "canWrite": canWrite.map { .bool($0) } ?? .null, "supportsSync": .bool(supportsSync),
    ]
  }
}

extension AddressBookChoice {
  var told: JSON {
    [
      "address": .string(url.absoluteString), "name": .string(displayName),
      "description": JSON(description), "supportsSync": .bool(supportsSync),
    ]
  }
}

extension Archive {
  /// Returns a link.
  ///
  /// - Throws: `ArchiveError.notFound` if the link doesn't exist.
  func link(_ id: UUID) throws -> SyncLink {
    guard let link = try syncLinks().first(where: { $0.id == id }) else {
      throw ArchiveError.notFound("No link with the ID \(id.uuidString).")
    }
    return link
  }
}
