import ArkivedEngine
import ArkivedStore
public import Foundation

/// The entries that a list or a search is narrowed to, and the part of it that is wanted.
///
/// Everything that is given must hold; what is left empty narrows nothing.
public struct EntryFilter: Hashable, Sendable {
  /// The first day; nil leaves that side open.
  public var from: DayKey?
  /// The last day, which is included; nil leaves that side open.
  public var to: DayKey?
  /// Names of tags, all of which must be on the entry.
  public var tags: [String]
  /// Kinds, one of which the entry must be of.
  public var kinds: [ActivityKind]
  /// The way in which the entry came into the archive.
  public var source: ActivitySource?
  /// Names of people, all of whom must be named in the entry.
  public var people: [String]
  /// Whether only pinned entries are wanted.
  public var isPinned: Bool
  /// How many entries at most.
  public var limit: Int
  /// How many entries to pass over first.
  public var offset: Int

  /// Makes a filter.
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
  /// The entries, in the order asked for.
  public var entries: [JournalEntry]
  /// How many entries pass the filter altogether.
  public var total: Int
}

/// The order of a list of entries.
public enum EntryOrder: Hashable, Sendable {
  /// The latest first.
  case newest
  /// The earliest first.
  case oldest
}

extension Library {
  // MARK: Adding

  /// Reads a typed line and returns the activity that it means, without saving it.
  ///
  /// Times, days, `(kind)` and `#tags` leave the text; people, places and measures stay in it and are
  /// recognised.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if the line says nothing that was done.
  public func draft(_ line: String) async throws(LibraryError) -> Activity {
    try await waiting { [self] in
      let entry = EntryLine(archive: archive, zone: zone, language: language.language)
      return entry.activity(from: try entry.understand(line))
    }
  }

  /// Adds what a typed line means, such as `yesterday at 7am: ran 5 km #sport`.
  ///
  /// - Returns: the activity as it was saved.
  /// - Throws: ``LibraryError/Code/invalidValue`` if the line says nothing that was done.
  @discardableResult
  public func add(_ line: String) async throws(LibraryError) -> Activity {
    try await add(try await draft(line))
  }

  /// Adds an activity. People who are named without an identity are found or made.
  ///
  /// - Returns: the activity as it was saved.
  /// - Throws: ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func add(_ activity: Activity) async throws(LibraryError) -> Activity {
    try await waiting { [self] in try archive.add(activity).value }
  }

  // MARK: Reading

  /// Returns all that a day holds; it is empty when nothing was written about it.
  public func day(_ day: DayKey) async throws(LibraryError) -> Day {
    try await waiting { [self] in try archive.day(day) }
  }

  /// Returns a day's own page, blank where there is none yet. A blank one is kept by
  /// ``update(_:)-(DayEntry)``.
  public func dayEntry(_ day: DayKey) async throws(LibraryError) -> DayEntry {
    try await waiting { [self] in
      let now = archive.clock.now
      return try archive.dayEntry(day)
        ?? DayEntry(id: archive.identities.next(), dayKey: day, createdAt: now, updatedAt: now)
    }
  }

  /// Returns an activity, or nil if there is none of that identity.
  public func activity(_ id: UUID) async throws(LibraryError) -> Activity? {
    try await waiting { [self] in try archive.activity(id) }
  }

  /// Returns the entries that pass a filter: activities and days' own pages, in the order of time.
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

  /// Returns the tags with the number of activities that carry each, the most used first.
  public func tags() async throws(LibraryError) -> [(tag: Tag, count: Int)] {
    try await waiting { [self] in try archive.tags(limit: .max) }
  }

  // MARK: Changing

  /// Saves a changed activity; the version before goes to the history.
  ///
  /// - Parameter activity: the activity as it was read, with changes. Its `updatedAt` says which version
  ///   was read.
  /// - Returns: the activity as it was saved, which the next change begins with.
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ activity: Activity) async throws(LibraryError) -> Activity {
    try await waiting { [self] in
      try archive.updateActivity(activity.id, version: activity.updatedAt) { $0 = activity }.value
    }
  }

  /// Saves a day's own page, new or changed. One that says nothing goes.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
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

  /// Deletes an activity. ``undo(_:)`` brings it back.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere meanwhile,
  ///   ``LibraryError/Code/notFound``.
  public func delete(_ activity: Activity) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.deleteActivities([activity.id], version: activity.updatedAt)
    }
  }
}
