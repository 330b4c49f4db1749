import Foundation

/// A list of names as a person types it, separated by commas or lines.
package enum NameList {
  /// Returns the names in a list; a known name that contains separators stays whole.
  ///
  /// - Parameters:
  ///   - text: the list.
  ///   - known: the names that may be in it.
  ///   - separators: the characters that separate names, as do line breaks.
  /// - Returns: the names in order.
  package static func names(
    in text: String, known: [String], separators: String = ","
  ) -> [String] {
    func pieces(_ text: String) -> [String] {
      text.split(whereSeparator: { separators.contains($0) || $0.isNewline })
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    let whole = known.map { (name: $0, pieces: pieces($0)) }.filter { $0.pieces.count > 1 }
      .sorted { $0.pieces.count > $1.pieces.count }
    var names: [String] = []
    var rest = pieces(text)[...]
    while let first = rest.first {
      let match = whole.first { rest.starts(with: $0.pieces) }
      names.append(match?.name ?? first)
      rest = rest.dropFirst(match?.pieces.count ?? 1)
    }
    return names
  }
}
