import Foundation

/// Finds English time expressions in a text and says which span of wall-clock time they mean.
///
/// The readings look back, as one does in a journal:
/// - "monday" is the latest Monday up to and including today, "march" the latest March that has
///   begun, "Easter" the latest Easter. "Last monday" and "last march" lie wholly before today,
///   "this friday" is that of the running week, "next" is the first that begins after today.
/// - "Last week" and "last month" are the calendar's, "the last week" and "past month" run up to
///   and including today, as "last 10 days" does.
/// - "Two weeks ago" is the day it lands on (see `TimeMatch.widenedDays`); "in 3 days" looks
///   ahead. A length of time alone is no time; beside a moment it is a span: "the three days after
///   Christmas", "at 3 pm for two hours", "ten days starting 1 June".
/// - "Since X" begins with X and ends with today; "after X" begins behind X; "before X" and
///   "until X" end where X begins, "by X" and "through X" where X ends.
/// - A name without a year takes that of the name it is told with: "March and April 2020".
/// - Zones are told by abbreviation ("EST"), offset ("UTC+2"), region ("ET") or city ("Tokyo
///   time"), and the time is given in the reader's zone.
/// - 3/4/2026 is read by `dateOrder`, unless only the other order is a date; 3.4.2026 has its day
///   first, 2026-04-03 its year.
/// - A time alone is today's. Without am or pm, an hour told in words or alone ("at 3") is after
///   noon from one to six; written with a colon it is as on a 24-hour clock.
///
/// A word that is also something else (may, march, fall, sat, April, 1984) is read as a time only
/// where the words around it say so.
package struct TimeReader: Sendable {
  package let now: Instant
  package let zone: Zone
  package let dateOrder: DateOrder
  package let firstWeekday: Weekday
  /// How the language of the texts says times; nil for English.
  private let wording: TimeWording?
  /// What is counted and measured, and so is no time.
  private let units: UnitTable

  /// - Parameter language: of the texts. English words are understood beside another one's, where
  ///   they are no words of that language.
  package init(
    now: Instant, zone: Zone, dateOrder: DateOrder = .inProcess, firstWeekday: Weekday = .monday,
    language: Language = .english, units: UnitTable = .standard
  ) {
    self.units = units
    self.now = now
    self.zone = zone
    self.dateOrder = dateOrder
    self.firstWeekday = firstWeekday
    var wording = TimeWording.of(language)
    wording?.table = units
    self.wording = wording
  }

  /// The expressions of a text, in order and not overlapping; the longest reading wins. Only the
  /// first 16,384 characters are looked at.
  package func matches(in text: String) -> [TimeMatch] {
    scan(text, grammar(for: text)).compactMap(\.match)
  }

  /// Something found in a text: a match, or words that contradict the calendar or themselves.
  struct Finding {
    /// Tokens, the last excluded.
    var tokens: Range<Int>
    var range: Range<String.Index>
    var reading: TimeReading
    var match: TimeMatch?

    /// Whether it is a part of a day, such as an afternoon.
    var isPart: Bool { reading.grain == .partOfDay }
  }

  func grammar(for text: String) -> TimeGrammar {
    let tokens = TimeTokenizer.tokens(of: text)
    return TimeGrammar(
      tokens: wording?.tokens(tokens) ?? tokens, now: zone.wallTime(at: now), instant: now,
      zone: zone,
      dateOrder: dateOrder, firstWeekday: firstWeekday, units: units)
  }

  func scan(_ text: String, _ grammar: TimeGrammar) -> [Finding] {
    var findings: [Finding] = []
    var index = 0
    while index < grammar.tokens.count {
      guard let (reading, next) = grammar.expression(index), next > index else {
        index += 1
        continue
      }
      let range =
        grammar.tokens[index].range.lowerBound..<grammar.tokens[next - 1].range.upperBound
      var match: TimeMatch?
      if !reading.isImpossible, !reading.isContradictory {
        match = TimeMatch(
          range: range, text: String(text[range]), start: reading.start, end: reading.end,
          grain: reading.grain)
      }
      findings.append(
        Finding(tokens: index..<next, range: range, reading: reading, match: match))
      index = next
    }
    return findings
  }
}
