import Foundation

/// A line with parts removed or replaced.
struct QuickAddText {
  private var cuts: [(range: Range<String.Index>, replacement: String)] = []
  /// The ends of the removed ranges, by their starts.
  private var ends: [String.Index: String.Index] = [:]

  mutating func remove(_ range: Range<String.Index>) {
    cuts.append((range, ""))
    ends[range.lowerBound] = max(range.upperBound, ends[range.lowerBound] ?? range.upperBound)
  }

  mutating func replace(_ range: Range<String.Index>, with text: String) {
    cuts.append((range, text))
  }

  /// Returns true if only removed parts, white space, closing punctuation and pictographs follow a
  /// position.
  func isEnd(_ position: String.Index, of line: String) -> Bool {
    isBlank(position..<line.endIndex, of: line, besides: ".!?,;", orPictographs: true)
  }

  /// Returns true if only removed parts and white space precede a position.
  func isStart(_ position: String.Index, of line: String) -> Bool {
    isBlank(line.startIndex..<position, of: line, besides: "")
  }

  private func isBlank(
    _ range: Range<String.Index>, of line: String, besides signs: String,
    orPictographs: Bool = false
  ) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      if let end = ends[position], end > position {
        position = end
      } else if line[position].isWhitespace || signs.contains(line[position])
        || orPictographs && Self.isPictograph(line[position])
      {
        line.formIndex(after: &position)
      } else {
        return false
      }
    }
    return true
  }

  private static func isPictograph(_ sign: Character) -> Bool {
    sign.unicodeScalars.first.map {
      $0.properties.isEmojiPresentation || $0.value > 0x2600 && $0.properties.isEmoji
    } ?? false
  }

  /// Returns the remaining text; white space is tidied where something was removed and kept
  /// elsewhere.
  func result(of line: String) -> String {
    guard !cuts.isEmpty else { return line.trimmingCharacters(in: .whitespacesAndNewlines) }
    var text = ""
    var position = line.startIndex
    for cut in cuts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where cut.range.lowerBound >= position {
      append(line[position..<cut.range.lowerBound], to: &text)
      if cut.replacement.isEmpty {
        while text.last?.isWhitespace ?? false { text.removeLast() }
        if !text.isEmpty { text += " " }
      } else {
        text += cut.replacement
      }
      position = cut.range.upperBound
    }
    append(line[position...], to: &text)
    return QuickAddText.tidied(text, of: line)
  }

  private func append(_ piece: Substring, to text: inout String) {
    var piece = piece
    if text.isEmpty || text.last == " " {
      let hasSpace = piece.first?.isWhitespace ?? false
      piece = piece.drop { $0.isWhitespace }
      // Punctuation after a removed part moves up, or is removed if nothing precedes it.
      if let first = piece.first, ",;:.!?)".contains(first), text.last == " ",
        !hasSpace || !QuickAddText.beginsWord(piece)
      {
        text.removeLast()
        if text.last == first, ",;".contains(first) { piece = piece.dropFirst() }
        if text.last == "(" || text.isEmpty { piece = first == ")" ? piece : piece.dropFirst() }
      }
    }
    text += piece
  }

  /// Returns true if a punctuation mark is part of what follows: ":)", ":D", ":tada:".
  private static func beginsWord(_ text: Substring) -> Bool {
    guard let first = text.first, ":;".contains(first), let next = text.dropFirst().first,
      !next.isWhitespace
    else { return false }
    let letters = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let end = text[letters.endIndex...].first
    return letters.isEmpty || end == ":" || letters.count == 1 && (end?.isWhitespace ?? true)
  }

  private static func tidied(_ text: String, of line: String) -> String {
    var result = text
    // Empty brackets that the author typed stay: "fixed parse()".
    for empty in ["()", "( )", "[]", "[ ]"] where result.contains(empty) && !line.contains(empty) {
      result = result.replacing(" \(empty)", with: "").replacing(empty, with: "")
    }
    var rest = Substring(result)
    // A leading or trailing comma belonged to the removed part next to it.
    while let first = rest.first, first.isWhitespace || ",;:".contains(first), !beginsWord(rest) {
      rest = rest.dropFirst()
    }
    while let last = rest.last, last.isWhitespace || ",;".contains(last) { rest = rest.dropLast() }
    for joint in [" –", " —", " -", " |", " :"] where rest.hasSuffix(joint) {
      rest = rest.dropLast(joint.count)
    }
    return String(rest).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension QuickAddReader {
  // MARK: Words

  /// Returns the date as "Monday, 16 November 2026" in the current language.
  package static func label(day: DayKey) -> String {
    Language.current == .english ? day.longName : day.shownLongName
  }

  static func label(start: WallTime, end: WallTime?) -> String {
    guard let end else { return start.clockText }
    let days = start.day.distance(to: end.day)
    return "\(start.clockText)–\(end.clockText)" + (days > 0 ? " (+\(days))" : "")
  }

  /// Returns a label for a part of the day, which has no clock time: "morning, listed at 06:00".
  static func label(period: DayPeriod, _ start: WallTime) -> String {
    said("\(period.name), listed at \(start.clockText)")
  }

  static func label(minutes: Double) -> String {
    let whole = Int(minutes)
    guard minutes >= 60, minutes == Double(whole) else { return "\(AmountText.shown(minutes)) min" }
    return "\(whole / 60) h" + (whole % 60 > 0 ? " \(whole % 60) min" : "")
  }

  /// Returns true if a word commonly begins entries, although it looks like a misspelt command.
  package static func isPlainWord(_ word: String) -> Bool {
    LineLexicon.shared.has(word.lowercased(), .plainWord)
  }

  /// Returns true if a line contains anything visible.
  static func isVisible(_ line: String) -> Bool {
    line.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
  }

  /// Returns true if a character can be part of words for something done: letters, digits and
  /// pictographs.
  static func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
      .unassigned, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .nonspacingMark:
      false
    default: true
    }
  }
}
