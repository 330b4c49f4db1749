import Foundation

/// A search for an account's calendars or address books (RFC 6764).
///
/// It can start from the address of a server, a principal, a folder of collections or a collection.
struct DAVSearch {
  /// A collection that was found.
  struct Found {
    var url: URL
    var displayName: String
    var description: String?
    /// True if the server can report changes.
    var supportsSync: Bool
    /// Everything the server says about it.
    var response: DAVResponse
  }

  let client: DAVClient
  let start: CalendarAddress
  /// Additional properties to request for each collection, as in `DAVClient.propfind`.
  var properties: [String] = []
  /// Returns true for collections to include.
  var accepts: (DAVResponse) -> Bool = { _ in true }

  private var kind: DAVKind { client.client.kind }

  private var signposts: [String] { ["D:current-user-principal", kind.homeSetRequest] }
  private var allProperties: [String] {
    [
      "D:resourcetype", "D:displayname", "D:current-user-privilege-set", "D:supported-report-set",
      "D:sync-token", kind.descriptionRequest,
    ] + properties
  }

  /// Returns the collections, sorted by name.
  ///
  /// - Throws: `CalendarSourceError`.
  func run() async throws -> [Found] {
    // A full address is tried first, then the well-known places.
    var places = [start]
    let wellKnown = start.with(path: kind.wellKnown)
    if start.name == "/" { places = [wellKnown, start] } else { places += [wellKnown] }
    if start.name != "/" { places.append(start.with(path: "/")) }
    var failure: CalendarSourceError?
    for place in places {
      do {
        if let found = try await collections(from: place) { return found }
      } catch let error as CalendarSourceError {
        // Access would be denied everywhere else, too, and a server that doesn't answer won't
        // answer there either.
        if case .unauthorised = error { throw error }
        if case .redirectedElsewhere = error { throw error }
        if place == start, error.isPassing, !error.isAboutContent { throw error }
        failure = failure ?? (place == wellKnown ? nil : error)
      }
    }
    throw failure ?? .notACalendar(place: start.shown, came: kind.emptyServer)
  }

  /// Returns the collections found from a place.
  ///
  /// - Returns: nil if there are none at the place.
  private func collections(from place: CalendarAddress) async throws -> [Found]? {
    guard let (address, first) = try await look(at: place) else { return nil }
    if first.isOfType(kind.type) { return [found(first, at: address)].compactMap(\.self) }
    var home = try self.home(first, at: address)
    if home == nil, let principal = try principal(first, at: address),
      let (address, person) = try await look(at: principal)
    {
      home = try self.home(person, at: address)
    }
    if let home { return try await collections(in: home) }
    // A folder of collections may not know any principals.
    guard first.isOfType("DAV:collection") else { return nil }
    let found = try await collections(in: address)
    return found.isEmpty ? nil : found
  }

  /// Returns what a place reports about itself.
  private func look(at place: CalendarAddress) async throws -> (CalendarAddress, DAVResponse)? {
    var first: DAVResponse?
    let body = DAVClient.propfind(signposts + allProperties)
    let outcome = try await client.ask("PROPFIND", place, depth: "0", body) {
      first = first ?? $0
    }
    switch outcome {
    case .refused(let refusal):
      if case .notFound = refusal.error { return nil }
      if refusal.status == 405 || refusal.status == 501 { return nil }
      throw refusal.error
    case .told(_, let address): return first.map { (address, $0) }
    }
  }

  private func principal(
    _ response: DAVResponse, at address: CalendarAddress
  ) throws -> CalendarAddress? {
    try reference(response.property("DAV:current-user-principal")?.href, at: address)
  }

  private func home(
    _ response: DAVResponse, at address: CalendarAddress
  ) throws -> CalendarAddress? {
    try reference(response.property(kind.homeSet)?.href, at: address)
  }

  /// Resolves a reference on the same host, ignoring the scheme and port that a server behind a
  /// proxy believes it has.
  ///
  /// - Throws: `.redirectedElsewhere` for another host, because secrets aren't sent there.
  private func reference(
    _ href: String?, at address: CalendarAddress
  ) throws -> CalendarAddress? {
    guard let href, let target = address.resolving(href) else { return nil }
    guard target.host == start.host else {
      throw CalendarSourceError.redirectedElsewhere(
        place: start.shown, host: target.host, address: target.shown,
        reason: "name and password aren’t sent there automatically")
    }
    return start.with(path: target.path)
  }

  private func collections(in home: CalendarAddress) async throws -> [Found] {
    let home = home.path.hasSuffix("/") ? home : home.with(path: home.path + "/")
    var responses: [DAVResponse] = []
    let outcome = try await client.ask(
      "PROPFIND", home, depth: "1", DAVClient.propfind(allProperties)
    ) { if $0.isOfType(kind.type) { responses.append($0) } }
    switch outcome {
    case .refused(let refusal): throw refusal.error
    case .told(_, let address):
      return responses.compactMap { found($0, at: address) }
        .sorted {
          ($0.displayName, $0.url.absoluteString) < ($1.displayName, $1.url.absoluteString)
        }
    }
  }

  /// Returns the collection that a response describes, or nil if it isn't to be included.
  private func found(_ response: DAVResponse, at address: CalendarAddress) -> Found? {
    guard let target = response.hrefs.first.flatMap(address.resolving), target.host == start.host,
      let url = start.with(path: target.path).url, accepts(response)
    else { return nil }
    let name = response.line("DAV:displayname").flatMap { $0.isEmpty ? nil : $0 }
    let last = target.path.split(separator: "/").last.map(String.init) ?? target.host
    let reports = response.property("DAV:supported-report-set")?.children ?? []
    let tells = reports.contains {
      $0.child("DAV:report")?.child("DAV:sync-collection") != nil
    }
    return Found(
      url: url, displayName: name ?? last.removingPercentEncoding ?? last,
      description: response.line(kind.descriptionProperty).flatMap { $0.isEmpty ? nil : $0 },
      supportsSync: tells || response.property("DAV:sync-token") != nil, response: response)
  }
}

extension DAVResponse {
  /// Returns a property's text on one line; nil if the property is missing.
  func line(_ name: String) -> String? {
    property(name)?.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension CalendarSourceError {
  /// True if there was an answer, but not a useful one.
  fileprivate var isAboutContent: Bool {
    switch self {
    case .unusableAnswer, .notACalendar: true
    default: false
    }
  }
}
