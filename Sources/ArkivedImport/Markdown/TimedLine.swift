import ArkivedCore
import Foundation

/// A line of a note that begins with a time of day, `- 09:30 coffee with Sam`, with the lines
/// indented below it.
struct TimedLine: Hashable {
  /// A clock time, or two.
  struct Span: Hashable {
    /// Seconds since midnight.
    var start: Int
    var end: Int?
    /// The number of days from the start to the end, if the line states it.
    var further: Int?
  }

  /// Nil for a line without a clock time.
  var span: Span?
  /// The day of the start, if the line states it.
  var day: DayKey?
  /// The time of a line of Arkived's own export that has no clock time.
  var mark: TimelineMark?
  /// The time zone, if the line states it.
  var zone: Zone?
  var text: String
  /// The indented lines, without their common indentation.
  var notes: String?
  /// The index of the line in its text, from 0.
  var index: Int

  var start: Int? { span?.start }

  /// Separates the lines with a time from a note.
  ///
  /// - Parameters:
  ///   - lines: all lines.
  ///   - takesAll: true to include list items without a time.
  /// - Returns: The timed lines, and the remaining lines.
  static func split(
    _ lines: [Substring], takesAll: Bool = false
  ) -> (timed: [TimedLine], rest: [Substring]) {
    var timed: [TimedLine] = []
    var rest: [Substring] = []
    var isInCode = false
    var index = 0
    while index < lines.count {
      let line = lines[index]
      if line.drop(while: \.isWhitespace).hasPrefix("```") { isInCode.toggle() }
      guard !isInCode, var found = TimedLine(line, at: index, takesAll: takesAll) else {
        rest.append(line)
        index += 1
        continue
      }
      let indentation = line.prefix(while: \.isWhitespace).count
      var below: [Substring] = []
      index += 1
      while let next = indented(lines, from: index, below: indentation, skipsBlanks: takesAll) {
        below += lines[index...next]
        index = next + 1
      }
      found.notes = notes(below)
      timed.append(found)
    }
    return (timed, rest)
  }

  /// Returns the index of the next line if it belongs to the entry above it.
  ///
  /// Below a line of Arkived's own export, blank lines before it are parts of the entry's notes,
  /// even if an editor has removed their indentation.
  private static func indented(
    _ lines: [Substring], from index: Int, below indentation: Int, skipsBlanks: Bool
  ) -> Int? {
    var next = index
    if skipsBlanks {
      while next < lines.count, lines[next].allSatisfy(\.isWhitespace) { next += 1 }
    }
    guard next < lines.count, !lines[next].allSatisfy(\.isWhitespace),
      lines[next].prefix(while: \.isWhitespace).count > indentation
    else { return nil }
    return next
  }

  private static func notes(_ lines: [Substring]) -> String? {
    let written = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    guard let common = written.map({ $0.prefix(while: \.isWhitespace).count }).min() else {
      return nil
    }
    return lines.map { $0.dropFirst(common) }.joined(separator: "\n")
  }

  /// Parses a line.
  ///
  /// - Returns: nil for a line without a time, or an unfinished task.
  private init?(_ line: Substring, at index: Int, takesAll: Bool) {
    var words = line.drop(while: \.isWhitespace)
    var isPoint = false
    if let mark = words.first, "-*+".contains(mark), words.dropFirst().first == " " {
      words = words.dropFirst(2).drop(while: \.isWhitespace)
      isPoint = true
    }
    if words.hasPrefix("[ ]") { return nil }
    if words.hasPrefix("[x]") || words.hasPrefix("[X]") {
      words = words.dropFirst(3).drop(while: \.isWhitespace)
    }
    let isBold = words.hasPrefix("**")
    var rest = isBold ? words.dropFirst(2) : words
    self.index = index
    if takesAll, isPoint, let (mark, zone) = TimelineMark.removed(from: &words) {
      self.zone = zone
      if case .span(let span, let day) = mark {
        (self.span, self.day) = (span, day)
      } else {
        self.mark = mark
      }
      rest = words
    } else if let span = Self.span(&rest, takesFurther: takesAll) {
      self.span = span
      if isBold, rest.hasPrefix("**") { rest = rest.dropFirst(2) }
      guard rest.first.map({ $0.isWhitespace || ":-–—,".contains($0) }) == true else { return nil }
      rest = rest.drop { $0.isWhitespace || ":-–—,".contains($0) }
    } else {
      guard takesAll, isPoint else { return nil }
      rest = words
    }
    text = rest.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return nil }
  }

  /// Removes a time such as `9:30` or `09:30–10:15` from the beginning and returns it.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - takesFurther: true if the number of days to the end may follow: `23:00–07:00 (+1)`.
  /// - Returns: the time; nil if the text doesn't begin with one.
  static func span(_ text: inout Substring, takesFurther: Bool) -> Span? {
    guard let start = clock(&text) else { return nil }
    var span = Span(start: start)
    var after = text.drop { $0 == " " }
    guard let dash = after.first, "-–—".contains(dash) else { return span }
    after = after.dropFirst().drop { $0 == " " }
    guard let end = clock(&after) else { return span }
    span.end = end
    if takesFurther { span.further = further(&after) }
    text = after
    return span
  }

  /// Removes a number of days such as ` (+2)` from the beginning and returns it.
  static func further(_ text: inout Substring) -> Int? {
    guard text.hasPrefix(" (+"), let end = text.firstIndex(of: ")"),
      let days = Int(text[..<end].dropFirst(" (+".count)), (0...100_000).contains(days)
    else { return nil }
    text = text[end...].dropFirst()
    return days
  }

  /// Removes a time such as `9:30`, `09:30:15` or `9:30 pm` from the beginning and returns it.
  private static func clock(_ text: inout Substring) -> Int? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
    let clock = digits.hasSuffix(":") ? digits.dropLast() : digits
    guard clock.contains(":") else { return nil }
    var rest = text.dropFirst(clock.count)
    var words = String(clock)
    let half = rest.drop { $0 == " " }
    for name in ["am", "pm", "AM", "PM", "a.m.", "p.m."] where half.hasPrefix(name) {
      guard half.dropFirst(name.count).first?.isLetter != true else { continue }
      words += name
      rest = half.dropFirst(name.count)
      break
    }
    guard let second = TableTimes.secondOfDay(words) else { return nil }
    text = rest
    return second
  }
}
