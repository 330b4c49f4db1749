package import ArkivedCore
import Foundation

/// A text of one or several lines that was typed elsewhere: a note from a phone, what a program pipes.
///
/// It is several entries where every line begins as one: with a time (“09:00 coffee”, “yesterday at
/// 7am: ran”) or with the mark of a list. Else the first line is the entry, and what stands below it
/// are its notes.
package struct TypedText: Hashable, Sendable {
  package struct Piece: Hashable, Sendable {
    /// As one types it.
    package var line: String
    package var notes: String?
    /// On which line of the text it stands, from 1.
    package var number: Int
  }

  package let pieces: [Piece]

  /// - Parameter reader: tells whether a line begins with a time.
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

  /// The text of an item of a list, with or without a box; nil for another line.
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
