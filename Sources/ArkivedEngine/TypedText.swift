package import ArkivedCore
import Foundation

/// A text of one or several lines that was typed elsewhere, such as a note from a phone or piped
/// input.
///
/// It is several entries if every line begins as one: with a time (“09:00 coffee”, “yesterday at
/// 7am: ran”) or with a list marker. Otherwise the first line is the entry, and the lines below it
/// are its notes.
package struct TypedText: Hashable, Sendable {
  package struct Piece: Hashable, Sendable {
    /// The line as typed.
    package var line: String
    package var notes: String?
    /// The number of its line in the text, from 1.
    package var number: Int
  }

  package let pieces: [Piece]

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - reader: determines if a line begins with a time.
  package init(_ text: String, reader: QuickAddReader) {
    let lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + 1, text: String($0.element)) }
    let written = lines.filter { !$0.text.allSatisfy(\.isWhitespace) }
    let items = written.map { Self.item($0.text) }
    let areEntries = zip(items, written).allSatisfy { item, line in
      item != nil || Self.beginsWithTime(line.text, reader)
    }
    if written.count > 1, areEntries {
      pieces = zip(items, written).map { item, line in
        Piece(line: item ?? line.text, notes: nil, number: line.number)
      }
      return
    }
    guard let first = written.first else {
      pieces = []
      return
    }
    let notes = lines.drop { $0.number <= first.number }.map(\.text).joined(separator: "\n")
      .trimmingCharacters(in: .newlines)
    let line = written.count == 1 ? items.first.flatMap { $0 } ?? first.text : first.text
    pieces = [
      Piece(
        line: line, notes: notes.allSatisfy(\.isWhitespace) ? nil : notes, number: first.number)
    ]
  }

  private static func beginsWithTime(_ line: String, _ reader: QuickAddReader) -> Bool {
    if reader.startsWithTime(line) { return true }
    let start = line.firstIndex { !$0.isWhitespace }
    let parts = (try? reader.read(line))?.understood ?? []
    return parts.contains { $0.role == .time && $0.range.lowerBound == start }
  }

  /// Returns the text of a list item, with or without a checkbox; nil for another line.
  private static func item(_ line: String) -> String? {
    let text = line.drop(while: \.isWhitespace)
    guard let mark = ["- ", "* ", "• ", "– "].first(where: { text.hasPrefix($0) }) else {
      return nil
    }
    var rest = text.dropFirst(mark.count)
    for box in ["[ ] ", "[x] ", "[X] "] where rest.hasPrefix(box) { rest = rest.dropFirst(4) }
    return rest.allSatisfy(\.isWhitespace) ? nil : String(rest)
  }
}
