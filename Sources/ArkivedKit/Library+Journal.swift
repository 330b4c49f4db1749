import ArkivedEngine
import ArkivedStore
public import Foundation

/// The conditions that limit a list or a search to some entries, and the requested part of the
/// result.
///
/// All given conditions must be met; empty ones are ignored.
public struct EntryFilter: Hashable, Sendable {
  /// The first day; nil leaves that side open.
  public var from: DayKey?
  /// The last day, inclusive; nil leaves that side open.
  public var to: DayKey?
  /// The names of tags, all of which the entry must have.
  public var tags: [String]
  /// The kinds, one of which the entry must have.
  public var kinds: [ActivityKind]
  /// How the entry was added to the archive.
  public var source: ActivitySource?
  /// The names of people that the entry must all mention.
  public var people: [String]
  /// True to include only pinned entries.
  public var isPinned: Bool
  /// The maximum number of entries.
  public var limit: Int
  /// The number of entries to skip first.
  public var offset: Int

  /// Creates a filter.
  public init(
    from: DayKey? = nil, to: DayKey? = nil, tags: [String] = [], kinds: [ActivityKind] = [],
    source: ActivitySource? = nil, people: [String] = [], isPinned: Bool = false, limit: Int = 50,
    offset: Int = 0
  ) {
    self.from = from
    self.to = to
    self.tags = tags
    self.kinds = kinds
    self.source = source
    self.people = people
    self.isPinned = isPinned
    self.limit = limit
    self.offset = offset
  }

  func request(_ text: String, in zone: Zone) -> SearchRequest {
    var request = SearchRequest(
      query: text, from: from.map(TimeBound.day), to: to.map(TimeBound.day), tags: tags,
      kinds: kinds, source: source, people: people, limit: max(0, limit), offset: max(0, offset))
    request.isPinned = isPinned
    request.homeZone = zone
    return request
  }
}

/// A part of a list of entries.
public struct EntryPage: Hashable, Sendable {
  /// The entries, in the requested order.
  public var entries: [JournalEntry]
  /// The total number of entries that pass the filter.
  public var total: Int
}

/// The order of a list of entries.
public enum EntryOrder: Hashable, Sendable {
  /// Latest first.
  case newest
  /// Earliest first.
  case oldest
}

extension Library {
  // MARK: Adding

  /// Parses a typed line and returns the corresponding activity, without saving it.
  ///
  /// Times, days, `(kind)` and `#tags` are removed from the text; people, places and measures are
  /// recognised but not removed.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if the line doesn't describe an activity.
  public func draft(_ line: String) async throws(LibraryError) -> Activity {
    try await waiting { [self] in
      let entry = EntryLine(archive: archive, zone: zone, language: language.language)
      return entry.activity(from: try entry.understand(line))
    }
  }

  /// Adds the activity that a typed line describes, such as `yesterday at 7am: ran 5 km #sport`.
  ///
  /// - Returns: the activity as saved.
  /// - Throws: ``LibraryError/Code/invalidValue`` if the line doesn't describe an activity.
  @discardableResult
  public func add(_ line: String) async throws(LibraryError) -> Activity {
    try await add(try await draft(line))
  }

  /// Adds an activity.
  ///
  /// People mentioned without an ID are looked up or created.
  ///
  /// - Returns: the activity as saved.
  /// - Throws: ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func add(_ activity: Activity) async throws(LibraryError) -> Activity {
    try await waiting { [self] in try archive.add(activity).value }
  }

  // MARK: Reading

  /// Returns the contents of a day, which are empty if nothing was written about it.
  public func day(_ day: DayKey) async throws(LibraryError) -> Day {
    try await waiting { [self] in try archive.day(day) }
  }

  /// Returns a day's own page, blank if it doesn't exist yet.
  ///
  /// A blank page is saved by ``update(_:)-(DayEntry)``.
  public func dayEntry(_ day: DayKey) async throws(LibraryError) -> DayEntry {
    try await waiting { [self] in
      let now = archive.clock.now
      return try archive.dayEntry(day)
        ?? DayEntry(id: archive.identities.next(), dayKey: day, createdAt: now, updatedAt: now)
    }
  }

  /// Returns an activity, or nil if there is none with that ID.
  public func activity(_ id: UUID) async throws(LibraryError) -> Activity? {
    try await waiting { [self] in try archive.activity(id) }
  }

  /// Returns the entries that pass a filter: activities and days' own pages, in chronological
  /// order.
  public func entries(
    _ filter: EntryFilter = EntryFilter(), order: EntryOrder = .newest
  ) async throws(LibraryError) -> EntryPage {
    try await waiting { [self] in
      let request = filter.request("", in: zone)
      let found = try archive.list(request, order: order == .oldest ? .oldest : .newest)
      return EntryPage(
        entries: try archive.entries(found), total: try archive.count(request))
    }
  }

  /// Returns the tags with the number of activities that have each, most used first.
  public func tags() async throws(LibraryError) -> [(tag: Tag, count: Int)] {
    try await waiting { [self] in try archive.tags(limit: .max) }
  }

  // MARK: Changing

  /// Saves a changed activity; the previous version is saved in the history.
  ///
  /// - Parameter activity: the activity as read, with changes. Its `updatedAt` identifies the
  ///   version that was read.
  /// - Returns: the activity as saved, on which the next change must be based.
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ activity: Activity) async throws(LibraryError) -> Activity {
    try await waiting { [self] in
      try archive.updateActivity(activity.id, version: activity.updatedAt) { $0 = activity }.value
    }
  }

  /// Saves a day's own page, new or changed.
  ///
  /// An empty page is deleted.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ entry: DayEntry) async throws(LibraryError) -> DayEntry {
    try await waiting { [self] in
      let isKnown = try archive.dayEntry(entry.dayKey)?.id == entry.id
      return try archive.updateDay(
        entry.dayKey, version: .some(isKnown ? entry.updatedAt : nil)
      ) { $0 = entry }.value
    }
  }

  /// Deletes an activity, which ``undo(_:)`` can restore.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``.
  public func delete(_ activity: Activity) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deleteActivities([activity.id], version: activity.updatedAt)
    }
  }
}
