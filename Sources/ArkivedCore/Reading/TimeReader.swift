import Foundation

/// Finds English time expressions in a text and determines the wall-clock spans they mean.
///
/// Readings look back, as is usual in a journal:
///
/// - "monday" is the latest Monday up to and including today, "march" the latest March that has
///   begun, "Easter" the latest Easter. "Last monday" and "last march" are entirely before today,
///   "this friday" is in the current week, "next" is the first that begins after today.
/// - "Last week" and "last month" are those of the calendar; "the last week" and "past month"
///   extend up to and including today, as "last 10 days" does.
/// - "Two weeks ago" is the resulting day (see `TimeMatch.widenedDays`); "in 3 days" is in the
///   future. A duration by itself is not a time; next to a time it is a span: "the three days after
///   Christmas", "at 3 pm for two hours", "ten days starting 1 June".
/// - "Since X" begins with X and ends with today; "after X" begins after X; "before X" ends where X
///   begins, "by X" and "through X" where X ends. "Until X" includes X if it is a day, and otherwise
///   ends where X begins: "until Friday", but "until March".
/// - A name without a year shares the year of the name next to it: "March and April 2020".
/// - Time zones are given by abbreviation ("EST"), offset ("UTC+2"), region ("ET") or city ("Tokyo
///   time"), and the time is converted to the reader's zone.
/// - 3/4/2026 is read by `dateOrder`, unless only the other order is a date; 3.4.2026 has the day
///   first, 2026-04-03 the year.
/// - A time alone is today's. Without am or pm, an hour in words or alone ("at 3") is in the
///   afternoon from one to six; with a colon it uses a 24-hour clock.
///
/// A word with other meanings (may, march, fall, sat, April, 1984) is read as a time only if the
/// surrounding words show that it is one.
package struct TimeReader: Sendable {
  package let now: Instant
  package let zone: Zone
  package let dateOrder: DateOrder
  package let firstWeekday: Weekday
  /// The wording of times in the language of the texts, or nil for English.
  private let wording: TimeWording?
  /// The units of things counted and measured, which are therefore not times.
  private let units: UnitTable

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - now: the current time.
  ///   - zone: the time zone.
  ///   - dateOrder: the order of day and month in dates like 3/4.
  ///   - firstWeekday: the first day of the week.
  ///   - language: the language of the texts. English words are also understood in other languages,
  ///     unless they are words of that language.
  ///   - units: the units of things counted and measured, which are therefore not times.
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

  /// Returns the expressions in a text, in order and without overlaps; the longest reading wins.
  ///
  /// Only the first 16,384 characters are read.
  package func matches(in text: String) -> [TimeMatch] {
    scan(text, grammar(for: text)).compactMap(\.match)
  }

  /// A finding in a text: a match, or words that contradict the calendar or themselves.
  struct Finding {
    /// The range of tokens, excluding the last.
    var tokens: Range<Int>
    var range: Range<String.Index>
    var reading: TimeReading
    var match: TimeMatch?

    /// True if it is a part of a day, such as an afternoon.
    var isPart: Bool { reading.grain == .partOfDay }
  }

  /// Returns the grammar of a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - correctsDays: true to read misspelt names of days.
  /// - Returns: the grammar.
  func grammar(for text: String, correctsDays: Bool = false) -> TimeGrammar {
    var tokens = TimeTokenizer.tokens(of: text)
    if correctsDays { tokens = MisspeltDays.joined(tokens).map(MisspeltDays.corrected) }
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
