import ArkivedCore
import Foundation

/// A single fetch of the changes in a calendar or address book on a WebDAV server.
struct DAVFetch {
  private var collection: DAVCollection
  private let known: [String: String]
  private let sink: any CalendarSink
  private var done = 0
  private var total = 0
  /// False once the server has failed to return several items at once.
  private var takesMultiget = true
  /// False once an item couldn't be fetched; a server that doesn't report changes is then asked for
  /// it again.
  private var isWhole = true

  private static let batch = 100

  init(collection: DAVCollection, known: [String: String], sink: any CalendarSink) {
    self.collection = collection
    self.known = known
    self.sink = sink
  }

  private var client: CalendarClient { collection.client.client }

  mutating func fetch(_ state: JSON?, trust: Duration) async throws -> JSON? {
    let now = Date()
    let listed = state?["listed"]?.string.flatMap(Instant.init)?.date
    let isTrusted = listed.map { (0..<(trust / .seconds(1))).contains(now.timeIntervalSince($0)) }
    let last = state?["tag"]?.string
    // Asking before the changes means that anything changed in between is found the next time.
    let tag = isTrusted == true && last == nil ? nil : try await collection.tag()
    if isTrusted == true, let tag, tag == last { return state }
    if let token = state?["token"]?.string, isTrusted == true,
      case .changed(let changes) = try await collection.changes(since: token)
    {
      try await tell(changes, gone: changes.gone)
      return kept(changes.token, tag, listed: listed)
    }
    var all: DAVCollection.Changes
    if case .changed(let changes) = try await collection.changes(since: nil) {
      all = changes
      if all.items.isEmpty, !known.isEmpty { try await collection.checkThatItIsThere() }
    } else {
      all = try await collection.everything()
    }
    let items = all.items
    try await tell(all, gone: Set(known.keys.filter { items[$0] == nil }))
    return kept(all.token, tag, listed: now)
  }

  private func kept(_ token: String?, _ tag: String?, listed: Date?) -> JSON? {
    let tag = token != nil || isWhole ? tag : nil
    guard token != nil || tag != nil else { return nil }
    var state: JSONObject = ["listed": JSON(listed.map(Instant.init(_:)))]
    if let token { state["token"] = .string(token) }
    if let tag { state["tag"] = .string(tag) }
    return .object(state)
  }

  /// Reports removed resources, then fetches and reports new and changed ones.
  private mutating func tell(_ changes: DAVCollection.Changes, gone: Set<String>) async throws {
    for name in gone.sorted() where known[name] != nil { try await sink.remove(name) }
    let items = changes.items.values
      .filter { $0.tag.isEmpty || known[$0.name] != $0.tag }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    total = items.count
    for start in stride(from: 0, to: items.count, by: Self.batch) {
      try await take(Array(items[start..<min(start + Self.batch, items.count)]))
      try await sink.progress(done, of: total)
    }
  }

  // MARK: Contents

  private mutating func take(_ items: [DAVCollection.Item]) async throws {
    try Task.checkCancellation()
    guard takesMultiget else {
      for item in items { try await takeAlone(item) }
      return
    }
    let answered: [String: DAVCollection.Content]
    do {
      guard let found = try await collection.contents(of: items) else {
        takesMultiget = false
        return try await take(items)
      }
      answered = found
    } catch CalendarSourceError.tooLarge {
      guard items.count > 1 else { return try await takeAlone(items[0]) }
      try await take(Array(items[..<(items.count / 2)]))
      return try await take(Array(items[(items.count / 2)...]))
    }
    for item in items {
      if let content = answered[item.name] {
        try await tell(item, content)
      } else {
        try await takeAlone(item)
      }
    }
  }

  private mutating func takeAlone(_ item: DAVCollection.Item) async throws {
    try await tell(item, try await collection.content(of: item))
  }

  private mutating func tell(
    _ item: DAVCollection.Item, _ content: DAVCollection.Content
  ) async throws {
    done += 1
    switch content {
    case .gone: if known[item.name] != nil { try await sink.remove(item.name) }
    case .refused(let reason):
      isWhole = false
      await sink.warn(item.name, reason)
    case .text(let bytes, let tag):
      var shape = CalendarShape(collection.kind)
      shape.add(bytes)
      guard shape.component == collection.kind.component, shape.isWhole else {
        let came = client.credentials.redacted(shape.otherwise)
        isWhole = false
        await sink.warn(item.name, collection.kind.incomplete(came))
        return
      }
      // With the tag from the listing, an item that has changed since is fetched again.
      let version = [item.tag, tag].first { !$0.isEmpty } ?? "sha256-" + shape.hash(of: bytes)
      guard known[item.name] != version else { return }
      try await sink.take(
        CalendarResource(name: item.name, version: version, content: .bytes(bytes)))
    }
  }
}
