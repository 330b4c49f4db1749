import ArkivedCore
import Foundation

/// Journeys as sentences describe them: "travelled to Lisbon with Ines for 6 days", or an outward
/// and a return journey.
struct Journeys {
  let timeline: any Timeline
  let today: DayKey

  /// Verbs of travelling.
  static let moves = QuestionWords.keys(
    """
    flight fly flew train ferry drove drive travel come came go went home back return bus coach set \
    leave left head visit
    """)

  /// Returns true if a word is the destination of a journey: "to Porto", "visited Porto".
  private static func isGoal(_ index: Int, _ words: [Word]) -> Bool {
    index > 0 && words[index].isCapitalised && words[index].sign == nil
      && (["to", "for"].contains(words[index - 1].lower)
        || words[index - 1].key == "visit" && words[index - 1].lower != "visit")
  }

  private static let numbers: [String: Int] = [
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "fourteen": 14,
  ]

  /// Returns the length of a journey in days, as its sentence states it; nil if it states none.
  static func length(of entry: TimelineEntry) -> Int? {
    let words = entry.words
    guard words.contains(where: { moves.contains($0.key) }),
      words.indices.contains(where: { isGoal($0, words) })
    else { return nil }
    for index in words.indices.dropFirst(2) where words[index - 2].lower == "for" {
      guard let count = Int(words[index - 1].lower) ?? numbers[words[index - 1].lower],
        (1...400).contains(count)
      else { continue }
      switch words[index].key {
      case "day": return count
      case "night": return count + 1
      case "week": return count * 7
      default: continue
      }
    }
    return nil
  }

  /// Returns true if a selection asks for entries that describe setting out on journeys.
  static func isAsked(_ selection: Selection) -> Bool {
    selection.concepts.contains { $0.isJourney && !$0.term.isExcluded }
  }

  /// Counts the days in a span that belong to journeys whose start an entry describes.
  static func days(of entries: [TimelineEntry], in span: ClosedRange<DayKey>) -> Int {
    var days: Set<DayKey> = []
    for entry in entries {
      for offset in 0..<(length(of: entry) ?? 1) {
        let day = entry.day.advanced(by: offset)
        if span.contains(day) { days.insert(day) }
      }
    }
    return days.count
  }

  /// Returns the entries that describe setting out on a journey, if any.
  func starts() -> [TimelineEntry] {
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [
      ["day", "night", "week"].map { .word($0) },
      Journeys.moves.sorted().map { .word($0) },
    ]
    return timeline.entries(.activity, where: condition).filter { Journeys.length(of: $0) != nil }
  }

  /// Returns the destinations of journeys that state their length, with their days.
  func towns() -> [(days: ClosedRange<DayKey>, name: String)] {
    starts().compactMap { entry in
      let words = entry.words
      guard let length = Journeys.length(of: entry), (1...400).contains(length),
        let goal = words.indices.first(where: { Journeys.isGoal($0, words) })
      else { return nil }
      return (entry.day...entry.day.advanced(by: length - 1), words[goal].text)
    }
  }

  /// Returns the days of all journeys to a place; nil if there are none.
  func days(at key: String) -> Set<DayKey>? {
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [[.word(key)], Journeys.moves.sorted().map { .word($0) }]
    var start: DayKey?
    var result: Set<DayKey> = []
    for entry in timeline.entries(.activity, where: condition) {
      guard let place = entry.words.firstIndex(where: { $0.key == key }), place > 0 else {
        continue
      }
      let before = entry.words[place - 1].lower
      if let count = Journeys.length(of: entry), Journeys.isGoal(place, entry.words) {
        for offset in 0..<min(count, 400) { result.insert(entry.day.advanced(by: offset)) }
        start = nil
      } else if before == "to" {
        start = entry.day
      } else if before == "from", let first = start, first.distance(to: entry.day) <= 60 {
        for offset in 0...first.distance(to: entry.day) {
          result.insert(first.advanced(by: offset))
        }
        start = nil
      }
    }
    return result.isEmpty ? nil : result
  }
}
