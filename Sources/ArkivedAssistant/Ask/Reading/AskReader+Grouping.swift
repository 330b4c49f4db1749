import ArkivedCore
import Foundation

/// Grouping of figures by period: "per week", "each month".
extension AskReader {
  func readGrouping(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let units: [(String, AskQuestion.Period)] = [
      ("day", .day), ("week", .week), ("month", .month), ("quarter", .quarter), ("year", .year),
    ]
    // "on average each day I read": averaged over the days on which it happened.
    if line.has("average", "typically"), !line.has("day on average"),
      line.take("each|every|per day i|we|that|on|when") != nil
    {
      question.isOfDay = true
    }
    for (word, period) in units {
      if line.take("on|in an|a|the average|typical|normal \(word)") != nil {
        question.per = period
        question.isAverageWanted = true
      }
      if period != .day, line.take("in? how many different? \(word)s") != nil {
        question.kind = .count
        question.countsPeriod = period
      }
      if line.take("by \(word)", "each \(word) of?", "every \(word) of?", "for each \(word)") != nil
        || line.take("\(word)ly") != nil
      {
        question.group = period
      } else if let range = line.find("per|a \(word)", free: true) {
        // "in a day" means that day, as does "in a month".
        if line.lower(range.lowerBound - 1) == "in" {
          if period == .day, line.has("most", "longest", "furthest", "highest") {
            question.isOfDay = true
          }
          if period != .day, line.has("most", "longest", "furthest", "highest", "record") {
            question.sumPeriod = period
            line.take(range)
          }
          continue
        }
        line.take(range)
        question.per = period
      } else if line.take("in|within a|one|a single \(word)") != nil, period == .day {
        question.isOfDay = true
      }
    }
    // "km per ride": averaged over entries.
    if question.per == nil, question.group == nil, let range = line.find("per *", free: true),
      AskReader.weekday(line.lower(range.lowerBound + 1)) == nil,
      !["weekday", "day", "week", "month", "year"].contains(line.lower(range.lowerBound + 1))
    {
      line.take(range.lowerBound..<range.lowerBound + 1)
      question.isAverageWanted = true
    }
    if line.take("by weekday", "per weekday", "by day of the week", "each weekday") != nil {
      question.group = .weekday
    }
  }
}

/// Nouns for kinds of places.
enum FrameNouns {
  static let places: Set<String> = Set(
    [
      "café", "cafe", "pub", "bar", "restaurant", "cinema", "museum", "park", "theater", "hotel",
      "beach", "bakery", "street", "city", "town", "country", "library", "church", "gym", "club",
    ].map { Lemma.key($0) })

  /// Places for meals, even if the entry doesn't state their kind.
  static let meals: Set<String> = Set(
    ["restaurant", "café", "cafe", "pub", "bar", "bistro", "place"].map { Lemma.key($0) })

  static func isNoun(_ words: [Word], _ index: Int) -> Bool {
    words.indices.contains(index) && !AskReader.auxiliaries.contains(words[index].lower)
  }
}
