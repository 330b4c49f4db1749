import ArkivedCore
import Foundation

/// The days of stays.
extension ConceptResolver {
  /// Returns the days of stays at a place named by tags or texts, from the first to the last entry
  /// of each stay that is part of a journey; nil if the place has no stays.
  func stay(_ tags: [String], _ key: String) -> Set<DayKey>? {
    // "the Georgian cellar" is a venue, not a journey.
    if tags.isEmpty, timeline.names.isPartOfPlace(key) { return nil }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [tags.isEmpty ? [.word(key)] : tags.map { .tag($0) }]
    let travels: Set<String> = ["trip", "travel", "holiday", "vacation", "journey", "travelling"]
    if !tags.isEmpty {
      // Most tags don't belong to journeys; two counts from the index show which do.
      var away = condition
      away.all.append(
        [.kind("travel")]
          + travels.sorted().compactMap { timeline.names.tag(joined: $0) }
          .map { .tag($0) })
      let count = timeline.count(.activity, where: away)
      guard count > 0, count * 2 > timeline.count(.activity, where: condition) else { return nil }
    }
    var entries = timeline.entries(.activity, where: condition)
    if tags.isEmpty {
      // Notes mention stays as well, so the activities of their days decide.
      let days = Set(timeline.entries(.day, where: condition).map(\.day))
      if days.count > 1 {
        var onDays = IndexCondition(days: DayKey.earliest...today)
        onDays.onDays = days
        entries += timeline.entries(.activity, where: onDays)
          .filter { $0.activityKind == "travel" }
        entries.sort { $0.day < $1.day }
      }
    }
    if tags.isEmpty, let days = Journeys(timeline: timeline, today: today).days(at: key) {
      return days
    }
    let abroad = entries.filter { entry in
      entry.activityKind == "travel" || entry.tags.contains { travels.contains($0.lowercased()) }
    }
    guard !abroad.isEmpty, abroad.count * 2 > entries.count,
      !tags.contains(where: { travels.contains($0.lowercased()) || Ontology.isKind(Lemma.key($0)) }
      ),
      !["walk", "pack", "commut", "journey"].contains(key)
    else { return nil }
    var result: Set<DayKey> = []
    var first: DayKey?
    var last: DayKey?
    var ways = IndexCondition(days: DayKey.earliest...today)
    ways.all = [[.kind("travel")], ConceptResolver.ways.sorted().map { .word($0) }]
    let journeys = timeline.entries(.activity, where: ways)
      .map(\.day)
    for entry in abroad {
      if let begin = first, let end = last, end.distance(to: entry.day) <= 4 {
        last = entry.day
        _ = begin
      } else {
        add(first, last, journeys, to: &result)
        first = entry.day
        last = entry.day
      }
    }
    add(first, last, journeys, to: &result)
    return result
  }

  /// Returns the last day of an unbroken run of days with journey activities after a day.
  private func goingOn(from day: DayKey) -> DayKey {
    var condition = IndexCondition(days: day...day.advanced(by: 60))
    condition.all = [[.kind("travel")]]
    var last = day
    for entry in timeline.entries(.activity, where: condition) {
      guard last.distance(to: entry.day) <= 1 else { break }
      last = max(last, entry.day)
    }
    return min(last, today)
  }

  /// Words for travelling there and back.
  static let ways = QuestionWords.keys("flight flew train ferry drove plane")

  /// Extends a stay to the outward and return journeys if they are close to it.
  private func add(
    _ first: DayKey?, _ last: DayKey?, _ journeys: [DayKey], to days: inout Set<DayKey>
  ) {
    guard var first, var last, first != last || journeys.contains(first) else {
      if let first { days.insert(first) }
      return
    }
    let begin = first, end = last
    if let there = journeys.last(where: { $0 <= begin && $0.distance(to: begin) <= 2 }) {
      first = there
    }
    if let back = journeys.first(where: { $0 >= end && end.distance(to: $0) <= 5 }) {
      last = back
    } else if first != end {
      last = goingOn(from: end)
    }
    for offset in 0...first.distance(to: last) { days.insert(first.advanced(by: offset)) }
  }
}
