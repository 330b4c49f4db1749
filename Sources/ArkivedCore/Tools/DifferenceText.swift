extension PendingAct.Effect.Difference {
  /// Both values on one line each, without what they share at their beginning and end.
  package struct Short: Hashable, Sendable {
    /// The value; nil if there is none.
    package var before: String?
    package var after: String?
    /// True if a value is longer than the limit, so part of the difference is missing.
    package var isCut: Bool
  }

  /// The number of characters kept of what both values share.
  private static let context = 30

  /// Returns both values for display.
  ///
  /// - Parameter limit: the maximum number of characters of each.
  /// - Returns: the values.
  package func short(limit: Int) -> Short {
    var (old, new) = (Self.text(before), Self.text(after))
    // Files of the same name can still differ.
    if old == new { (old, new) = (before.text(), after.text()) }
    var isCut = false
    func cut(_ text: ArraySlice<Unicode.Scalar>, _ start: Int, _ end: Int) -> String? {
      guard !text.isEmpty else { return nil }
      var part = text[start..<(text.count - end)]
      if part.count > limit {
        isCut = true
        part = part.prefix(limit)
      }
      return (start > 0 ? "…" : "") + OneLine.of(part)
        + (start + part.count < text.count ? "…" : "")
    }
    let (was, became) = (Array((old ?? "").unicodeScalars), Array((new ?? "").unicodeScalars))
    let shortest = min(was.count, became.count)
    var start = 0
    while start < shortest, was[start] == became[start] { start += 1 }
    var end = 0
    while end < shortest - start, was[was.count - 1 - end] == became[became.count - 1 - end] {
      end += 1
    }
    start = max(0, start - Self.context)
    end = max(0, end - Self.context)
    return Short(
      before: cut(was[...], start, end), after: cut(became[...], start, end), isCut: isCut)
  }

  private static func text(_ value: JSON) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return text.isEmpty ? nil : text
    case .array(let elements):
      if elements.isEmpty { return nil }
      return elements.map { element in
        element.string ?? ["name", "caption", "originalName", "id"].lazy
          .compactMap { element[$0]?.string }.first { !$0.isEmpty } ?? element.text()
      }.joined(separator: ", ")
    default: return value.text()
    }
  }
}

/// Text on one line, in which nothing can pass for another line or change the order of letters.
package enum OneLine {
  package static func of(_ text: String) -> String { of(text.unicodeScalars) }

  static func of(_ scalars: some Collection<Unicode.Scalar>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        result.append(scalar == "\t" ? " " : "↵")
      // Joiners are part of words and emoji.
      case .format where scalar != "\u{200C}" && scalar != "\u{200D}": result.append("�")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
