import Foundation

/// A calendar on a CalDAV server: what is in it, and what has changed.
struct CalDAVCollection {
  let client: DAVClient
  /// With a `/` at its end; where the server leads elsewhere on the same host, that.
  private(set) var address: CalendarAddress

  struct Item: Hashable {
    /// The path in one spelling.
    var name: String
    /// The path as the server writes it.
    var path: String
    /// Empty where the server tells none.
    var tag: String
  }

  struct Changes {
    /// By name.
    var items: [String: Item] = [:]
    var gone: Set<String> = []
    /// Nil where the server has none.
    var token: String?
  }

  enum SyncOutcome {
    case changed(Changes)
    /// The token is not taken, or what comes with it cannot be right.
    case unusable
  }

  /// The most bytes of one event's text.
  static let largestItem = 20 << 20
  /// The most bytes of the answer for several.
  static let largestBatch = 16 << 20
  private static let rounds = 10_000

  init(_ client: DAVClient, at address: CalendarAddress) {
    self.client = client
    self.address =
      address.path.hasSuffix("/") ? address : address.with(path: address.path + "/")
  }

  private var place: String { client.client.place }

  /// The name of a reference in an answer; nil when it lies outside the collection.
  func item(_ href: String) -> Item? {
    guard let target = address.resolving(href), target.host == address.host else { return nil }
    let name = target.name
    guard name.hasPrefix(address.name) else { return nil }
    return Item(name: name, path: target.path, tag: "")
  }

  /// Whether a reference is the collection itself.
  private func isSelf(_ href: String) -> Bool {
    guard let target = address.resolving(href), target.host == address.host else { return false }
    return target.name == address.name || target.name + "/" == address.name
  }

  // MARK: Before all else

  /// What is another once anything in the calendar is (`getctag` of CalendarServer), which is told
  /// sooner than what that is; nil where the server has none.
  mutating func tag() async throws -> String? {
    let body = DAVClient.propfind(["S:getctag"])
    var responses: [DAVResponse] = []
    let outcome = try await client.ask("PROPFIND", address, depth: "0", body) {
      responses.append($0)
    }
    guard case .told(_, let from) = outcome else { return nil }
    address = from
    guard let own = responses.first(where: { $0.hrefs.contains(where: isSelf) }),
      let tag = own.property(DAVElement.server + "getctag")?.text
    else { return nil }
    return tag.isEmpty ? nil : tag
  }

  // MARK: With a token

  /// What has changed since a token, or everything for none (RFC 6578).
  mutating func changes(since token: String?) async throws -> SyncOutcome {
    var changes = Changes()
    var sent = token
    var seen: Set<String> = []
    for _ in 0..<Self.rounds {
      let body =
        "<D:sync-collection \(DAVClient.spaces)><D:sync-token>\(DAVClient.escaped(sent ?? ""))"
        + "</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>"
        + "</D:sync-collection>"
      var responses: [DAVResponse] = []
      let outcome = try await client.ask("REPORT", address, depth: "0", body) {
        responses.append($0)
      }
      guard case .told(let next, let from) = outcome, let next else { return .unusable }
      address = from
      var isCut = false
      for response in responses {
        guard response.hrefs.allSatisfy({ isSelf($0) || item($0) != nil }) else { return .unusable }
        if response.status == 507 {
          isCut = true
          continue
        }
        for item in response.hrefs.compactMap(item) where !item.name.hasSuffix("/") {
          note(item, response, in: &changes)
        }
      }
      changes.token = next
      guard isCut else {
        // A token that stays the same while things change tells nothing.
        let isStuck = next == token && !(changes.items.isEmpty && changes.gone.isEmpty)
        return isStuck ? .unusable : .changed(changes)
      }
      guard next != sent, seen.insert(next).inserted else { return .unusable }
      sent = next
    }
    return .unusable
  }

  private func note(_ item: Item, _ response: DAVResponse, in changes: inout Changes) {
    if let status = response.status, [404, 410].contains(status) {
      changes.items[item.name] = nil
      changes.gone.insert(item.name)
    } else {
      var item = item
      item.tag = response.property("DAV:getetag")?.text ?? ""
      changes.gone.remove(item.name)
      changes.items[item.name] = item
    }
  }

  // MARK: Without

  /// Everything in it, by its properties.
  /// - Throws: `CalendarSourceError` when it is no calendar, or not all of it is told.
  mutating func everything() async throws -> Changes {
    let body = DAVClient.propfind(["D:getetag", "D:resourcetype"])
    var responses: [DAVResponse] = []
    let outcome = try await client.ask("PROPFIND", address, depth: "1", body) {
      responses.append($0)
    }
    switch outcome {
    case .refused(let refusal): throw refusal.error
    case .told(_, let from): address = from
    }
    var changes = Changes()
    var tellsOfItself = false
    for response in responses {
      guard response.status != 507 else {
        throw CalendarSourceError.unusableAnswer(
          place: place, reason: "it omits part of the calendar because it is too large")
      }
      if let href = response.hrefs.first, isSelf(href) {
        try check(response)
        tellsOfItself = true
      } else if response.status.map({ $0 < 300 }) ?? true, !response.isOfType("DAV:collection") {
        for item in response.hrefs.compactMap(item) where !item.name.hasSuffix("/") {
          note(item, response, in: &changes)
        }
      }
    }
    if !tellsOfItself { try await checkThatItIsThere() }
    return changes
  }

  /// Makes sure that a calendar in which nothing is found is one.
  func checkThatItIsThere() async throws {
    let body = DAVClient.propfind(["D:resourcetype"])
    var found: DAVResponse?
    let outcome = try await client.ask("PROPFIND", address, depth: "0", body) {
      found = found ?? $0
    }
    if case .refused(let refusal) = outcome { throw refusal.error }
    guard let found, found.hrefs.contains(where: isSelf) else {
      throw CalendarSourceError.unusableAnswer(
        place: place, reason: "it says nothing about the calendar itself")
    }
    try check(found)
  }

  private func check(_ response: DAVResponse) throws {
    guard let type = response.property("DAV:resourcetype") else {
      throw CalendarSourceError.notFound(place: place)
    }
    guard type.child(DAVElement.calDAV + ":calendar") != nil else {
      throw CalendarSourceError.notACalendar(
        place: place, came: "a folder on the server. Choose a calendar in it")
    }
  }
}
