import ArkivedCore
import ArkivedStore
import Foundation

/// A search for the entry that a description refers to: “the dentist entry”, “yesterday's lunch”.
struct EntryNaming: Sendable {
  let archive: Archive
  let zone: Zone

  /// The entries that match a description, newest first; only the exact match if there is one.
  struct Found: Sendable {
    var activities: [Activity]
    /// True if more entries match than were examined.
    var hasMore: Bool
  }

  /// The maximum number of entries examined.
  private static let limit = 40
  /// The same if a clock time decides, which the search doesn't know.
  private static let clockLimit = 1_000
  private static let fill: Set<String> = [
    "the", "my", "our", "a", "an", "that", "this", "entry", "activity", "one", "from", "on", "at",
    "in", "of", "with", "for", "to", "about", "and", "'s",
  ]

  func find(_ description: String) throws -> Found {
    let times = TimeReader(now: archive.clock.now, zone: zone)
    var request = SearchRequest(query: "")
    request.homeZone = zone
    // “the one from 3 march” means that day, not everything since.
    var rest = description.replacingOccurrences(of: " from ", with: " on ")
    var clock: WallTime?
    var isClockAlone = false
    var ahead: ClosedRange<DayKey>?
    if let match = times.matches(in: rest).first {
      ahead = RecurringDay(now: archive.clock.now, zone: zone).ahead(match)
      request.from = .day(match.days.lowerBound)
      request.to = .day(match.days.upperBound)
      if match.grain == .minute { clock = match.start }
      isClockAlone = clock != nil && match.start?.day == zone.dayKey(at: archive.clock.now)
      rest.removeSubrange(match.range)
    }
    var words = rest.lowercased().replacingOccurrences(of: "’", with: "'")
      .split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" }).map(String.init)
    let takesNewest = words.contains { ["last", "latest", "newest"].contains($0) }
    words.removeAll { Self.fill.contains($0) || ["last", "latest", "newest"].contains($0) }
    let query = words.joined(separator: " ")
    let known = WordQuery(query)
    guard request.from != nil || !known.terms.isEmpty || takesNewest else {
      return Found(activities: [], hasMore: false)
    }
    let now = archive.clock.now
    let isOpen = takesNewest && request.from == nil
    // "The last entry" is a planned one only if all of them are.
    if isOpen { request.to = .day(zone.dayKey(at: now)) }
    var found = try activities(request, known, at: clock)
    if found.activities.isEmpty, isOpen {
      request.to = nil
      found = try activities(request, known, at: clock)
    }
    if found.activities.isEmpty, isClockAlone, !known.terms.isEmpty {
      // “The 9am standup” means today's if there is one, otherwise any.
      request.from = nil
      request.to = nil
      found = try activities(request, known, at: clock)
    }
    if found.activities.isEmpty, let ahead {
      // “The dentist on friday” may be planned for the next one.
      request.from = .day(ahead.lowerBound)
      request.to = .day(ahead.upperBound)
      found = try activities(request, known, at: clock)
    }
    if takesNewest {
      let past = found.activities.first { $0.startAt.map { $0 <= now } ?? true }
      return Found(
        activities: [past ?? found.activities.first].compactMap(\.self), hasMore: false)
    }
    let exact = found.activities.filter { NameFolding.key($0.text) == NameFolding.key(query) }
    return exact.count == 1 ? Found(activities: exact, hasMore: found.hasMore) : found
  }

  private func activities(
    _ request: SearchRequest, _ known: WordQuery, at clock: WallTime?
  ) throws -> Found {
    let limit = clock == nil ? Self.limit : Self.clockLimit
    var request = request
    request.limit = limit + 1
    let references =
      known.terms.isEmpty
      ? try archive.list(request)
      : try archive.list(request, words: known, expand: WordForms.english.forms(of:))
    let entries = try archive.entries(references.prefix(limit))
    var found = entries.compactMap { entry -> Activity? in
      if case .activity(let activity) = entry { activity } else { nil }
    }
    if let clock {
      found.removeAll { activity in
        guard let start = activity.startAt else { return true }
        return activity.zone.wallTime(at: start).secondOfDay / 60 != clock.secondOfDay / 60
      }
    }
    return Found(activities: found, hasMore: references.count > limit)
  }
}
