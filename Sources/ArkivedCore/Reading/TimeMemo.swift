/// Caches the dates and moments a grammar has read, by their position and lead.
///
/// It is used for the reading of one text.
final class TimeMemo {
  private struct Key: Hashable {
    let index: Int
    let lead: Lead
  }

  private var dates: [Key: TimeGrammar.Parsed<DateValue>?] = [:]
  private var moments: [Key: TimeGrammar.Parsed<TimeMoment>?] = [:]

  private var lengths: [Int: TimeGrammar.Parsed<TimeLength>?] = [:]

  func length(
    at index: Int, _ read: () -> TimeGrammar.Parsed<TimeLength>?
  ) -> TimeGrammar.Parsed<TimeLength>? {
    if let known = lengths[index] { return known }
    let found = read()
    lengths[index] = .some(found)
    return found
  }

  func date(
    at index: Int, _ lead: Lead, _ read: () -> TimeGrammar.Parsed<DateValue>?
  ) -> TimeGrammar.Parsed<DateValue>? {
    let key = Key(index: index, lead: lead)
    if let known = dates[key] { return known }
    let found = read()
    dates[key] = .some(found)
    return found
  }

  func moment(
    at index: Int, _ lead: Lead, _ read: () -> TimeGrammar.Parsed<TimeMoment>?
  ) -> TimeGrammar.Parsed<TimeMoment>? {
    let key = Key(index: index, lead: lead)
    if let known = moments[key] { return known }
    let found = read()
    moments[key] = .some(found)
    return found
  }
}
