import Foundation

/// A calendar or address book on a WebDAV server: its contents and its changes.
struct DAVCollection {
  let client: DAVClient
  /// The address, ending with a `/`; after a redirect on the same host, the new address.
  private(set) var address: CalendarAddress

  struct Item: Hashable {
    /// The normalised path.
    var name: String
    /// The path as the server writes it.
    var path: String
    /// The ETag; empty if the server sends none.
    var tag: String
  }

  struct Changes {
    /// The items, keyed by name.
    var items: [String: Item] = [:]
    var gone: Set<String> = []
    /// The sync token; nil if the server has none.
    var token: String?
  }

  enum SyncOutcome {
    case changed(Changes)
    /// The server rejects the token, or its answer can't be right.
    case unusable
  }

  /// A resource as a listing describes it, without anything else the server says about it.
  ///
  /// A listing may contain very many.
  private struct Listed {
    var hrefs: [String]
    var status: Int?
    var tag: String
    /// True if the server says which types it has.
    var hasType: Bool
    var isFolder: Bool
    var isOfKind: Bool

    init(_ response: DAVResponse, _ kind: DAVKind) {
      hrefs = response.hrefs
      status = response.status
      tag = response.property("DAV:getetag")?.text ?? ""
      hasType = response.property("DAV:resourcetype") != nil
      isFolder = response.isOfType("DAV:collection")
      isOfKind = response.isOfType(kind.type)
    }
  }

  /// The maximum size of an item's text, in bytes.
  static let largestItem = 20 << 20
  /// The maximum size of an answer about several items, in bytes.
  static let largestBatch = 16 << 20
  private static let rounds = 10_000

  init(_ client: DAVClient, at address: CalendarAddress) {
    self.client = client
    self.address =
      address.path.hasSuffix("/") ? address : address.with(path: address.path + "/")
  }

  var kind: DAVKind { client.client.kind }
  private var place: String { client.client.place }

  /// Returns the item for a reference in a response, or nil if it is outside the collection.
  func item(_ href: String) -> Item? {
    guard let target = address.resolving(href), target.host == address.host else { return nil }
    let name = target.name
    guard name.hasPrefix(address.name) else { return nil }
    return Item(name: name, path: target.path, tag: "")
  }

  /// Returns true if a reference is the collection itself.
  private func isSelf(_ href: String) -> Bool {
    guard let target = address.resolving(href), target.host == address.host else { return false }
    return target.name == address.name || target.name + "/" == address.name
  }

  // MARK: Collection tag

  /// Returns the collection's tag (`getctag` of CalendarServer), or nil if the server has none.
  ///
  /// The tag changes whenever anything in the collection does, and requesting it is faster than
  /// listing the changes.
  ///
  /// - Throws: `CalendarSourceError` if the server says that the collection is of another kind.
  mutating func tag() async throws -> String? {
    let body = DAVClient.propfind(["S:getctag", "D:resourcetype"])
    var responses: [DAVResponse] = []
    let outcome = try await client.ask("PROPFIND", address, depth: "0", body) {
      responses.append($0)
    }
    guard case .told(_, let from) = outcome else { return nil }
    address = from
    guard let own = responses.first(where: { $0.hrefs.contains(where: isSelf) }) else { return nil }
    let type = Listed(own, kind)
    if type.hasType { try check(type) }
    guard let tag = own.property(DAVElement.server + "getctag")?.text, !tag.isEmpty else {
      return nil
    }
    return tag
  }

  // MARK: With a token

  /// Returns the changes since a token, or everything without a token (RFC 6578).
  mutating func changes(since token: String?) async throws -> SyncOutcome {
    var changes = Changes()
    var sent = token
    var seen: Set<String> = []
    for _ in 0..<Self.rounds {
      let body =
        "<D:sync-collection \(DAVClient.spaces)><D:sync-token>\(DAVClient.escaped(sent ?? ""))"
        + "</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>"
        + "</D:sync-collection>"
      var responses: [Listed] = []
      let outcome = try await client.ask("REPORT", address, depth: "0", body) {
        responses.append(Listed($0, kind))
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
        // A token that stays the same despite changes is useless.
        let isStuck = next == token && !(changes.items.isEmpty && changes.gone.isEmpty)
        return isStuck ? .unusable : .changed(changes)
      }
      guard next != sent, seen.insert(next).inserted else { return .unusable }
      sent = next
    }
    return .unusable
  }

  private func note(_ item: Item, _ response: Listed, in changes: inout Changes) {
    if let status = response.status, [404, 410].contains(status) {
      changes.items[item.name] = nil
      changes.gone.insert(item.name)
    } else {
      var item = item
      item.tag = response.tag
      changes.gone.remove(item.name)
      changes.items[item.name] = item
    }
  }

  // MARK: Without sync tokens

  /// Lists the whole collection by its properties.
  ///
  /// - Throws: `CalendarSourceError` if it is of another kind or the listing is incomplete.
  mutating func everything() async throws -> Changes {
    let body = DAVClient.propfind(["D:getetag", "D:resourcetype"])
    var responses: [Listed] = []
    let outcome = try await client.ask("PROPFIND", address, depth: "1", body) {
      responses.append(Listed($0, kind))
    }
    switch outcome {
    case .refused(let refusal): throw refusal.error
    case .told(_, let from): address = from
    }
    var changes = Changes()
    var tellsOfItself = false
    for response in responses {
      guard response.status != 507 else {
        throw CalendarSourceError.unusableAnswer(place: place, reason: kind.truncatedListing)
      }
      if let href = response.hrefs.first, isSelf(href) {
        try check(response)
        tellsOfItself = true
      } else if response.status.map({ $0 < 300 }) ?? true, !response.isFolder {
        for item in response.hrefs.compactMap(item) where !item.name.hasSuffix("/") {
          note(item, response, in: &changes)
        }
      }
    }
    if !tellsOfItself { try await checkThatItIsThere() }
    return changes
  }

  /// Checks that a collection that appears empty exists.
  func checkThatItIsThere() async throws {
    let body = DAVClient.propfind(["D:resourcetype"])
    var found: Listed?
    let outcome = try await client.ask("PROPFIND", address, depth: "0", body) {
      found = found ?? Listed($0, kind)
    }
    if case .refused(let refusal) = outcome { throw refusal.error }
    guard let found, found.hrefs.contains(where: isSelf) else {
      throw CalendarSourceError.unusableAnswer(place: place, reason: kind.missingSelf)
    }
    try check(found)
  }

  private func check(_ response: Listed) throws {
    guard response.hasType else { throw CalendarSourceError.notFound(place: place) }
    guard response.isOfKind else {
      throw CalendarSourceError.notACalendar(place: place, came: kind.otherFolder)
    }
  }
}
