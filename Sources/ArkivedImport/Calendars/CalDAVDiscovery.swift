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
      let search = DAVSearch(
        client: DAVClient(client: client), start: address,
        properties: ["C:supported-calendar-component-set", "A:calendar-color"],
        accepts: { response in
          let components = Self.components(response)
          return components.isEmpty || components.contains("VEVENT")
        })
      return try await search.run().map(Self.choice)
    }
  }

  private static func choice(_ found: DAVSearch.Found) -> CalendarChoice {
    CalendarChoice(
      url: found.url, displayName: found.displayName,
      color: found.response.line(DAVElement.apple + "calendar-color").flatMap(color),
      description: found.description, components: components(found.response),
      canWrite: canWrite(found.response), supportsSync: found.supportsSync)
  }

  private static func components(_ response: DAVResponse) -> [String] {
    response.property(DAVElement.calDAV + ":supported-calendar-component-set")?.children
      .compactMap { $0.attributes["name"]?.uppercased() } ?? []
  }

  private static func canWrite(_ response: DAVResponse) -> Bool? {
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
