import ArkivedCore
import Foundation

/// The days of stays.
extension ConceptResolver {
  /// The days of stays at a place that tags or texts name: from the first to the last entry of each,
  /// where these are of travels. Nil where it is no such place.
  func stay(_ tags: [String], _ key: String) -> Set<DayKey>? {
    // "the Georgian cellar" is a house and no journey.
    if tags.isEmpty, timeline.names.isPartOfPlace(key) { return nil }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [tags.isEmpty ? [.word(key)] : tags.map { .tag($0) }]
    let travels: Set<String> = ["trip", "travel", "holiday", "vacation", "journey", "travelling"]
    if !tags.isEmpty {
      // Most tags are of no journeys; the index tells it by two counts.
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
      // Notes tell of stays, too: what was done on their days decides.
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

  /// The last of the days after one on which, day by day, something was done on a journey.
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

  /// Words of travelling there and back.
  static let ways = QuestionWords.keys("flight flew train ferry drove plane")

  /// A stay reaches from the way there to the way back, where those are near.
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
