package import ArkivedCore
import ArkivedStore
import Foundation

/// A possible completion of a line at the cursor.
package struct LineCompletion: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case tag, person, kind, source, time, state
    /// An operator, such as `tag:`.
    case filter
  }

  package let kind: Kind
  /// The text that replaces `range`.
  package let text: String
  /// The text for display: the name without prefix characters and quotes.
  package let label: String
  /// The range in Unicode scalars of the line.
  package let range: Range<Int>
  /// The number of entries that have it, if known.
  package let count: Int?

  package var json: JSON {
    [
      "kind": .string(kind.rawValue), "text": .string(text), "label": .string(label),
      "range": [.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))],
      "count": JSON(count),
    ]
  }
}

extension HybridSearch {
  /// The largest number of completions.
  package static let completionLimit = 8

  /// Returns completions of the text at the cursor, the most likely first.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - cursor: the position in Unicode scalars of the line, or nil for its end.
  /// - Returns: the completions.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func completions(of line: String, at cursor: Int? = nil) throws -> [LineCompletion] {
    let end = line.unicodeScalars.count
    guard let typed = QueryCursor(line, at: min(max(cursor ?? end, 0), end)) else { return [] }
    func offer(
      _ kind: LineCompletion.Kind, _ label: String, text: String? = nil, count: Int? = nil
    ) -> LineCompletion {
      LineCompletion(
        kind: kind, text: text ?? QueryLine.quoted(label), label: label, range: typed.range,
        count: count)
    }
    func offers(_ kind: LineCompletion.Kind, _ names: [String]) -> [LineCompletion] {
      let prefix = typed.prefix.lowercased()
      return names.filter { $0.lowercased().hasPrefix(prefix) }.prefix(Self.completionLimit)
        .map { offer(kind, $0) }
    }
    let first = line.unicodeScalars.dropFirst(typed.range.lowerBound).first
    switch typed.subject {
    case .word: return operators(typed).map { offer(.filter, $0, text: $0) }
    case .value(.tag):
      let sign = first == "#" ? "#" : ""
      let bare =
        sign.isEmpty && typed.prefix.hasPrefix("#")
        ? String(typed.prefix.dropFirst()) : typed.prefix
      return try archive.tagOffers(beginningWith: bare, limit: Self.completionLimit).map {
        offer(.tag, $0.name, text: Self.marked(sign, $0.name), count: $0.count)
      }
    case .value(.person):
      let sign = first == "@" ? "@" : ""
      return try archive.personOffers(
        beginningWith: typed.prefix, limit: Self.completionLimit
      ).map { offer(.person, $0.name, text: Self.marked(sign, $0.name), count: $0.count) }
    case .value(.kind): return offers(.kind, ActivityKind.known.map(\.rawValue))
    case .value(.source): return offers(.source, ActivitySource.known.map(\.rawValue))
    case .value(.state): return offers(.state, ["pinned"])
    case .value: return offers(.time, Self.times)
    }
  }

  /// Returns a name after a sign, in quotes if it would otherwise be read as something else.
  private static func marked(_ sign: String, _ name: String) -> String {
    let text = sign + QueryLine.quoted(name)
    if sign.isEmpty || QueryLine(text).filters.first?.values == [name] { return text }
    return "\(sign)\"\(name)\""
  }

  private static let times =
    ["today", "yesterday", "last week", "last month", "last year", "this week", "this month"]
    + Weekday.allCases.map { $0.name.lowercased() } + MonthName.full.map { $0.lowercased() }

  /// Returns the operators that begin with the typed text, which must have at least three letters,
  /// because too many other words begin with fewer.
  private func operators(_ typed: QueryCursor) -> [String] {
    let prefix = typed.prefix.lowercased()
    guard prefix.utf8.count >= 3 else { return [] }
    return QueryLine.Name.allCases.map { $0.rawValue + ":" }.filter { $0.hasPrefix(prefix) }
  }
}
