import ArkivedCore
import Foundation

/// A line of a note that begins with a time of day, `- 09:30 coffee with Sam`, with the lines
/// indented below it.
struct TimedLine: Hashable {
  /// Seconds since midnight; nil for a line without a time.
  var start: Int?
  var end: Int?
  var text: String
  /// The indented lines, without their common indentation.
  var notes: String?
  /// The index of the line in its text, from 0.
  var index: Int

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
      while index < lines.count,
        lines[index].prefix(while: \.isWhitespace).count > indentation,
        !lines[index].allSatisfy(\.isWhitespace)
      {
        below.append(lines[index])
        index += 1
      }
      found.notes = notes(below)
      timed.append(found)
    }
    return (timed, rest)
  }

  private static func notes(_ lines: [Substring]) -> String? {
    guard let common = lines.map({ $0.prefix(while: \.isWhitespace).count }).min() else {
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
    if let start = Self.clock(&rest) {
      self.start = start
      var after = rest.drop { $0 == " " }
      if let dash = after.first, "-–—".contains(dash) {
        after = after.dropFirst().drop { $0 == " " }
        if let end = Self.clock(&after) {
          self.end = end
          rest = after
        }
      }
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
