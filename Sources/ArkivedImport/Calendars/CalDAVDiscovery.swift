package import Foundation

/// A calendar that a server offers.
package struct CalendarChoice: Hashable, Sendable {
  package var url: URL
  package var displayName: String
  /// `#RRGGBB`
  package var color: String?
  package var description: String?
  /// What it may hold: `VEVENT`, `VTODO`; empty where the server does not say.
  package var components: [String]
  /// Nil where the server does not say.
  package var canWrite: Bool?
  /// Whether the server can tell what has changed.
  package var supportsSync: Bool
}

/// Finds the calendars of an account (RFC 6764): from the address of a server, a person, a folder of
/// calendars, or a calendar.
package struct CalDAVDiscovery: Sendable {
  package let url: URL
  package let credentials: CalendarCredentials
  /// The longest that it may take.
  package var patience = Duration.seconds(120)
  /// Whether name and password may go over an unencrypted line.
  package var allowsPlainHTTP = false
  package var network = CalendarNetwork.system

  package init(url: URL, credentials: CalendarCredentials = .none) {
    self.url = url
    self.credentials = credentials
  }

  /// The calendars that hold events, in the order of their names.
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

  /// One search.
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
      // A whole address is looked at first, then where servers say where their calendars are.
      var places = [start]
      let wellKnown = start.with(path: "/.well-known/caldav")
      if start.name == "/" { places = [wellKnown, start] } else { places += [wellKnown] }
      if start.name != "/" { places.append(start.with(path: "/")) }
      var failure: CalendarSourceError?
      for place in places {
        do {
          if let found = try await calendars(from: place) { return found }
        } catch let error as CalendarSourceError {
          // Nobody is let in anywhere else either, and a server that does not answer stays silent.
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

    /// - Returns: nil where the place leads nowhere.
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
      // A folder of calendars may know nothing of persons.
      guard first.isOfType("DAV:collection") else { return nil }
      let found = try await calendars(in: address)
      return found.isEmpty ? nil : found
    }

    /// What a place says about itself.
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

    /// A place on the same host, whatever scheme and port a server behind another one believes to
    /// have.
    /// - Throws: `.redirectedElsewhere` for another host, to which no secret goes.
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

    /// A calendar that may hold events.
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

    /// `#RRGGBB` of `#RRGGBBAA`; nil of anything else.
    private static func color(_ text: String) -> String? {
      let digits = text.dropFirst().prefix(6)
      guard text.hasPrefix("#"), [7, 9].contains(text.count), digits.allSatisfy(\.isHexDigit)
      else { return nil }
      return "#" + digits.uppercased()
    }
  }
}

extension CalendarSourceError {
  /// Whether there was an answer, which was only not the right one.
  fileprivate var isAboutContent: Bool {
    switch self {
    case .unusableAnswer, .notACalendar: true
    default: false
    }
  }
}
