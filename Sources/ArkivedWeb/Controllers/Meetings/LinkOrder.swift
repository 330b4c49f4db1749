import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes

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

  /// Links what was selected in a form with an account's calendars or address books.
  ///
  /// - Parameters:
  ///   - addresses: the selected ones.
  ///   - fields: the form, which names all that were offered.
  ///   - kind: the kind of all of them.
  ///   - credentials: the account's.
  ///   - job: links them.
  /// - Returns: the number linked; anything linked in the meantime stays unchanged.
  /// - Throws: what `link` throws if all are already linked, or for any other reason.
  static func link(
    _ addresses: some Sequence<String>, of fields: FormFields, _ kind: Kind,
    _ credentials: CalendarCredentials, _ job: SyncJob
  ) async throws -> Int {
    let names = Dictionary(
      zip(fields.all("address"), fields.all("label")).map { ($0, $1) }
    ) { first, _ in first }
    let orders = addresses.map { address in
      var order = LinkOrder(address: address)
      (order.kind, order.name, order.credentials) = (kind, names[address], credentials)
      return order
    }
    return try await offServer {
      var count = 0
      var known: WebFailure?
      for order in orders {
        do {
          _ = try order.link(job)
          count += 1
        } catch let failure as WebFailure where failure.status == .conflict {
          known = failure
        }
      }
      if count == 0, let known { throw known }
      return count
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
