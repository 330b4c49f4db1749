package import Foundation

/// A calendar that a server offers.
package struct CalendarChoice: Hashable, Sendable {
  package var url: URL
  package var displayName: String
  /// The colour as `#RRGGBB`.
  package var color: String?
  package var description: String?
  /// The types of component it may contain, such as `VEVENT` and `VTODO`; empty if the server
  /// doesn't say.
  package var components: [String]
  /// True if the user may write to the calendar; nil if the server doesn't say.
  package var canWrite: Bool?
  /// True if the server can report changes.
  package var supportsSync: Bool
}

/// Finds the calendars of an account (RFC 6764).
///
/// The search can start from the address of a server, a principal, a folder of calendars or a
/// calendar.
package struct CalDAVDiscovery: Sendable {
  package let url: URL
  package let credentials: CalendarCredentials
  /// The time limit of a search.
  package var patience = Duration.seconds(120)
  /// True if the name and password may be sent over an unencrypted connection.
  package var allowsPlainHTTP = false
  package var network = CalendarNetwork.system

  package init(url: URL, credentials: CalendarCredentials = .none) {
    self.url = url
    self.credentials = credentials
  }

  /// Returns the calendars that contain events, sorted by name.
  ///
  /// - Throws: `CalendarSourceError`.
  @concurrent package func calendars() async throws -> [CalendarChoice] {
    let address = try CalendarAddress(url)
    return try await FetchDeadline.run(patience, place: address.shown) {
      let client = try await CalendarClient(
        address, credentials: credentials, allowsPlainHTTP: allowsPlainHTTP, network: network,
        place: address.shown)
      return try await Search(client: DAVClient(client: client), start: address).run()
    }
  }

  /// A single search.
  private struct Search {
    let client: DAVClient
    let start: CalendarAddress

    private static let signposts = ["D:current-user-principal", "C:calendar-home-set"]
    private static let properties = [
      "D:resourcetype", "D:displayname", "D:current-user-privilege-set", "D:supported-report-set",
      "D:sync-token", "C:calendar-description", "C:supported-calendar-component-set",
      "A:calendar-color",
    ]

    func run() async throws -> [CalendarChoice] {
      // A full address is tried first, then the well-known places for calendars.
      var places = [start]
      let wellKnown = start.with(path: "/.well-known/caldav")
      if start.name == "/" { places = [wellKnown, start] } else { places += [wellKnown] }
      if start.name != "/" { places.append(start.with(path: "/")) }
      var failure: CalendarSourceError?
      for place in places {
        do {
          if let found = try await calendars(from: place) { return found }
        } catch let error as CalendarSourceError {
          // Access would be denied everywhere else, too, and a server that doesn't answer won't
          // answer there either.
          if case .unauthorised = error { throw error }
          if case .redirectedElsewhere = error { throw error }
          if place == start, error.isPassing, !error.isAboutContent { throw error }
          failure = failure ?? (place == wellKnown ? nil : error)
        }
      }
      throw failure
        ?? .notACalendar(
          place: start.shown,
          came: "a server that lists no calendars. Look up the CalDAV address in its settings")
    }

    /// Returns the calendars found from a place.
    ///
    /// - Returns: nil if there are none at the place.
    private func calendars(from place: CalendarAddress) async throws -> [CalendarChoice]? {
      guard let (address, first) = try await look(at: place) else { return nil }
      if first.isOfType(DAVElement.calDAV + ":calendar") {
        return [choice(first, at: address)].compactMap(\.self)
      }
      var home = try self.home(first, at: address)
      if home == nil, let principal = try principal(first, at: address),
        let (address, person) = try await look(at: principal)
      {
        home = try self.home(person, at: address)
      }
      if let home { return try await calendars(in: home) }
      // A folder of calendars may not know any principals.
      guard first.isOfType("DAV:collection") else { return nil }
      let found = try await calendars(in: address)
      return found.isEmpty ? nil : found
    }

    /// Returns what a place reports about itself.
    private func look(
      at place: CalendarAddress
    ) async throws -> (CalendarAddress, DAVResponse)? {
      var first: DAVResponse?
      let body = DAVClient.propfind(Self.signposts + Self.properties)
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
      try reference(
        response.property(DAVElement.calDAV + ":calendar-home-set")?.href, at: address)
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

    private func calendars(in home: CalendarAddress) async throws -> [CalendarChoice] {
      let home = home.path.hasSuffix("/") ? home : home.with(path: home.path + "/")
      var found: [DAVResponse] = []
      let outcome = try await client.ask(
        "PROPFIND", home, depth: "1", DAVClient.propfind(Self.properties)
      ) { if $0.isOfType(DAVElement.calDAV + ":calendar") { found.append($0) } }
      switch outcome {
      case .refused(let refusal): throw refusal.error
      case .told(_, let address):
        return found.compactMap { choice($0, at: address) }
          .sorted {
            ($0.displayName, $0.url.absoluteString) < ($1.displayName, $1.url.absoluteString)
          }
      }
    }

    /// Returns the calendar that a response describes, if it can contain events.
    private func choice(_ response: DAVResponse, at address: CalendarAddress) -> CalendarChoice? {
      guard let target = response.hrefs.first.flatMap(address.resolving),
        target.host == start.host,
        let url = start.with(path: target.path).url
      else { return nil }
      let components =
        response.property(DAVElement.calDAV + ":supported-calendar-component-set")?.children
        .compactMap { $0.attributes["name"]?.uppercased() } ?? []
      guard components.isEmpty || components.contains("VEVENT") else { return nil }
      func text(_ name: String) -> String? {
        response.property(name)?.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      let name = text("DAV:displayname").flatMap { $0.isEmpty ? nil : $0 }
      let last = target.path.split(separator: "/").last.map(String.init) ?? target.host
      let reports = response.property("DAV:supported-report-set")?.children ?? []
      let tells = reports.contains {
        $0.child("DAV:report")?.child("DAV:sync-collection") != nil
      }
      return CalendarChoice(
        url: url, displayName: name ?? last.removingPercentEncoding ?? last,
        color: text(DAVElement.apple + "calendar-color").flatMap(Self.color),
        description: text(DAVElement.calDAV + ":calendar-description").flatMap {
          $0.isEmpty ? nil : $0
        },
        components: components, canWrite: canWrite(response),
        supportsSync: tells || response.property("DAV:sync-token") != nil)
    }

    private func canWrite(_ response: DAVResponse) -> Bool? {
      guard let set = response.property("DAV:current-user-privilege-set") else { return nil }
      let names = Set(set.children.flatMap(\.children).map(\.name))
      return !names.isDisjoint(with: ["DAV:all", "DAV:write", "DAV:write-content", "DAV:bind"])
    }

    /// Returns `#RRGGBB` for `#RRGGBBAA`, and nil for anything else.
    private static func color(_ text: String) -> String? {
      let digits = text.dropFirst().prefix(6)
      guard text.hasPrefix("#"), [7, 9].contains(text.count), digits.allSatisfy(\.isHexDigit)
      else { return nil }
      return "#" + digits.uppercased()
    }
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
