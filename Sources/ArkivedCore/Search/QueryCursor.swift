import Foundation

/// The part of a search line being typed at the cursor.
package struct QueryCursor: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// A separate word, which may become an operator.
    case word
    case value(QueryLine.Name)
  }

  package let subject: Subject
  /// The text typed before the cursor, without quotes.
  package let prefix: String
  /// The range that a completion replaces, in Unicode scalars of the line.
  package let range: Range<Int>

  /// Finds the part being typed; nil if nothing that could be completed is being typed.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - position: the position of the cursor, in Unicode scalars of the line.
  package init?(_ line: String, at position: Int) {
    let scalars = Array(line.unicodeScalars.prefix(QueryLine.lengthLimit))
    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    guard position > 0, position <= scalars.count,
      let token = QueryToken.tokens(of: line).first(where: {
        $0.range.lowerBound < position && position <= $0.range.upperBound
      })
    else { return nil }
    guard case .filter(let head) = token.form else {
      let isExcluded = scalars[token.range.lowerBound] == "-"
      let start = token.range.lowerBound + (isExcluded ? 1 : 0)
      guard position == token.range.upperBound, start < position else { return nil }
      range = start..<position
      let typed = text(range)
      switch typed {
      case "#", "@":
        subject = .value(typed == "#" ? .tag : .person)
        prefix = ""
      case let word where QueryToken.quotes[scalars[start]] == nil:
        subject = .word
        prefix = word
      default: return nil
      }
      return
    }
    guard position >= head.start else { return nil }
    subject = .value(head.name)
    // A time may consist of several words, and the completion needs all of them.
    let value = head.values.first {
      $0.range.lowerBound < position && position <= $0.range.upperBound
    }
    guard let value else {
      prefix = ""
      range = (head.isMark ? token.range.lowerBound : position)..<position
      return
    }
    let isQuoted = QueryToken.quotes[scalars[value.range.lowerBound]] != nil
    let from = value.range.lowerBound + (isQuoted ? 1 : 0)
    prefix = from < position ? text(from..<position) : ""
    range = (head.isMark ? head.start - 1 : value.range.lowerBound)..<value.range.upperBound
  }
}
