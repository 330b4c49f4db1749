import ArkivedCore
import Foundation

/// Telling the start and end of a row from those of something around it.
extension TableGuess {
  /// The columns in which something begins and ends, such as `Workout start time` and `Workout end
  /// time`.
  private struct Span {
    var start: Int
    var end: Int
    /// The number of rows with a start.
    var count: Int
    /// The mean length in seconds.
    var length: Double
  }

  /// Assigns the start and the end if several pairs of columns have one: what a row is about lies
  /// within the others, as a workout lies within its day.
  static func settleSpan(
    _ fields: inout [TableField?], _ header: [String], _ rows: [[String]]
  ) {
    var edges: [String: (start: Int?, end: Int?)] = [:]
    for index in header.indices where fields[index] == nil {
      guard let (name, isEnd) = edge(header[index]) else { continue }
      if isEnd {
        edges[name, default: (nil, nil)].end = index
      } else {
        edges[name, default: (nil, nil)].start = index
      }
    }
    let spans = edges.values.compactMap { edge -> Span? in
      guard let start = edge.start, let end = edge.end else { return nil }
      return span(start, end, rows)
    }
    // A start that rows sometimes lack can't be theirs.
    let most = spans.map(\.count).max() ?? 0
    let whole = spans.filter { $0.count == most }.sorted {
      ($0.length, $0.start) < ($1.length, $1.start)
    }
    guard whole.count > 1, let own = whole.first else { return }
    fields[own.start] = .start
    fields[own.end] = .end
  }

  /// Returns a span if its columns contain moments with clock times.
  private static func span(_ start: Int, _ end: Int, _ rows: [[String]]) -> Span? {
    func seconds(_ row: [String], _ column: Int) -> Double? {
      guard column < row.count else { return nil }
      let text = row[column].trimmingCharacters(in: .whitespaces)
      switch TableMoment(text, order: .dayFirst) ?? TableMoment(text, order: .monthFirst) {
      case .local(let day, let second?): return Double(day.daysSinceEpoch * 86_400 + second)
      case .instant(let instant, _): return Double(instant.milliseconds) / 1_000
      case .local, nil: return nil
      }
    }
    let count = rows.count { seconds($0, start) != nil }
    let lengths = rows.compactMap { row -> Double? in
      guard let first = seconds(row, start), let last = seconds(row, end), first <= last else {
        return nil
      }
      return last - first
    }
    guard !lengths.isEmpty, lengths.count * 2 >= count else { return nil }
    return Span(
      start: start, end: end, count: count,
      length: lengths.reduce(0, +) / Double(lengths.count))
  }

  /// Returns the name of what begins or ends in a column, and true for the end; nil for other
  /// columns.
  private static func edge(_ column: String) -> (name: String, isEnd: Bool)? {
    var words = TableUnits.words(of: column)
    // Whoop calls the ends of a sleep like this.
    if words == ["sleep", "onset"] || words == ["wake", "onset"] {
      return ("sleep onset", words[0] == "wake")
    }
    while let last = words.last, ["time", "date", "at", "datetime", "timestamp"].contains(last) {
      words.removeLast()
    }
    guard words.count > 1, let last = words.popLast() else { return nil }
    let name = words.joined(separator: " ")
    if ["start", "started", "begin", "beginn"].contains(last) { return (name, false) }
    return ["end", "ended", "stop", "finish", "ende"].contains(last) ? (name, true) : nil
  }
}
