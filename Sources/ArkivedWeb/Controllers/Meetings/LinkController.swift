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
      guard link.kind != .cardDAV else {
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

/// The information needed to link a calendar or an address book.
struct LinkOrder: Sendable {
  /// The kind of a place, as the API names it.
  enum Kind: String, CaseIterable {
    case calendar
    case calDAV = "caldav"
    case cardDAV = "carddav"
  }

  var address: String
  var name: String?
  var kind = Kind.calendar
  var credentials = CalendarCredentials.none
  var back: Int?
  var ahead: Int?

  init(address: String) { self.address = address }

  init(_ fields: inout FieldReader) throws(FieldError) {
    address = try fields.required("address").trimmingCharacters(in: .whitespacesAndNewlines)
    name = try fields.string("name")
    let kindName = try fields.string("kind") ?? "calendar"
    guard let kind = Kind(rawValue: kindName) else {
      throw FieldError(
        "kind",
        """
        is \(FieldError.shown(kindName)), but must be calendar, caldav, carddav, immich or dawarich
        """)
    }
    self.kind = kind
    credentials = try Self.credentials(&fields)
    back = try Self.days(&fields, "back")
    ahead = try Self.days(&fields, "ahead")
    for (name, days) in [("back", back), ("ahead", ahead)] where days != nil && kind == .cardDAV {
      throw FieldError(name, "can only be given for a calendar")
    }
  }

  private static func days(_ fields: inout FieldReader, _ name: String) throws(FieldError) -> Int? {
    guard let days = try fields.int(name) else { return nil }
    guard (0...40_000).contains(days) else {
      throw FieldError(name, "is \(days), but must be between 0 and 40000 days")
    }
    return days
  }

  static func credentials(_ fields: inout FieldReader) throws(FieldError) -> CalendarCredentials {
    try credentials(
      user: try fields.string("user"), password: try fields.string("password"),
      token: try fields.string("token"))
  }

  /// Returns what is sent to a server for a form's user name and password; without a user name,
  /// the password is a token.
  static func credentials(user: String?, passwordOrToken: String?) -> CalendarCredentials {
    switch (user, passwordOrToken) {
    case (let user?, let password): .basic(user: user, password: password ?? "")
    case (nil, let token?): .bearer(token: token)
    case (nil, nil): .none
    }
  }

  static func credentials(
    user: String?, password: String?, token: String?
  ) throws(FieldError) -> CalendarCredentials {
    switch (user, password, token) {
    case (nil, nil, nil): return .none
    case (let user?, let password?, nil): return .basic(user: user, password: password)
    case (nil, nil, let token?): return .bearer(token: token)
    case (_, _, .some): throw FieldError("token", "can’t be combined with user and password")
    case (.some, nil, nil): throw FieldError("password", "is required with user")
    case (nil, .some, nil): throw FieldError("user", "is required with password")
    }
  }

  /// Links the calendar or address book.
  ///
  /// - Throws: `FieldError`, `WebFailure` 409 if it is already linked, `CalendarSourceError`.
  func link(_ job: SyncJob) throws -> SyncLink {
    guard !address.isEmpty else { throw FieldError("address", "is empty") }
    guard !address.contains("\0") else { throw FieldError("address", "contains a NUL character") }
    do {
      if kind == .cardDAV {
        return try job.linkAddressBook(
          try AddressBookPlace(address), name: name, credentials: credentials)
      }
      return try job.linkCalendar(
        try CalendarPlace(address, isCalDAV: kind == .calDAV), name: name,
        credentials: credentials, back: back, ahead: ahead)
    } catch ArchiveError.refused(let why) {
      throw WebFailure(.conflict, "Not linked", why, field: "address")
    }
  }

  /// Returns the calendars that the server at an address offers.
  static func choices(
    at address: String, _ credentials: CalendarCredentials
  ) async throws -> [CalendarChoice] {
    let text = address.trimmingCharacters(in: .whitespacesAndNewlines)
    let lower = text.lowercased()
    guard ["http://", "https://"].contains(where: lower.hasPrefix), let url = URL(string: text),
      url.host?.isEmpty == false
    else {
      throw FieldError(
        "address", "is \(FieldError.shown(text)), but must start with https:// or http://")
    }
    return try await CalDAVDiscovery(url: url, credentials: credentials).calendars()
  }
}

extension LinkedServiceOrder {
  /// Reads the fields of a request.
  init(_ service: LinkedService, _ fields: inout FieldReader) throws(FieldError) {
    _ = try fields.string("kind")
    let address = try fields.required("address")
    self.init(service, address: address, key: try fields.required("token"))
    name = try fields.string("name")
    if let files = try fields.string("files") { takesOriginals = try Self.originals(files) }
    if let text = try fields.string("places") { places = try PlaceChoice.read(text) }
    allowsPlainHTTP = try fields.bool("plainHTTP") ?? false
  }

  /// Reads the choice between originals and previews.
  static func originals(_ text: String) throws(FieldError) -> Bool {
    guard ["previews", "originals"].contains(text) else {
      throw FieldError(
        "files", "is \(FieldError.shown(text)), but must be previews or originals")
    }
    return text == "originals"
  }

  /// Links the service.
  ///
  /// - Throws: `FieldError`, `WebFailure` 409 if it is already linked, `LinkedServiceFailure`.
  func link(_ job: SyncJob) async throws -> SyncLink {
    do {
      return try await job.linkService(self)
    } catch ArchiveError.refused(let why) {
      throw WebFailure(.conflict, "Not linked", why, field: "address")
    }
  }
}

/// Syncs each link at most once at a time.
actor CalendarTurns {
  private struct Turn {
    var number: Int
    var task: Task<SyncReport, any Error>
  }

  private var running: [UUID: Turn] = [:]
  private var count = 0

  func isRunning(_ link: UUID) -> Bool { running[link] != nil }

  /// Syncs a link.
  ///
  /// - Throws: `WebFailure` 409 while another request syncs it.
  func sync(
    _ link: SyncLink, _ job: SyncJob, window: CalendarSync.Window? = nil, readsAll: Bool = false
  ) async throws -> SyncReport {
    guard running[link.id] == nil else {
      throw WebFailure(
        .conflict, "Sync in progress", "This is already being synced. Wait until it’s done.")
    }
    let task = begin(link, job, window: window, readsAll: readsAll)
    let number = count
    let result = await task.result
    // The answer says that it is done, so the next request may begin another one.
    end(link.id, number)
    return try result.get()
  }

  /// Starts a sync, or joins the running one; it continues even if nobody waits for it.
  func begin(
    _ link: SyncLink, _ job: SyncJob, window: CalendarSync.Window? = nil, readsAll: Bool = false
  ) -> Task<SyncReport, any Error> {
    if let turn = running[link.id] { return turn.task }
    let task = Task { try await job.bringInLine(link, window: window, readsAll: readsAll) }
    count += 1
    let number = count
    running[link.id] = Turn(number: number, task: task)
    Task {
      _ = await task.result
      end(link.id, number)
    }
    return task
  }

  /// Ends a turn, but not one that began after it.
  private func end(_ link: UUID, _ number: Int) {
    if running[link]?.number == number { running[link] = nil }
  }

  /// Starts a sync and waits a moment for it.
  ///
  /// - Returns: false if it continues.
  func beginAndWait(_ link: SyncLink, _ job: SyncJob) async throws -> Bool {
    _ = begin(link, job)
    for _ in 0..<40 where isRunning(link.id) {
      try await Task.sleep(for: .milliseconds(100))
    }
    return !isRunning(link.id)
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
