import Foundation

/// A Logseq page, which is an outline of blocks, converted to Markdown that other programs can show
/// as well.
struct LogseqOutline {
  /// The properties of the page: those of its first block if it contains nothing else.
  private(set) var properties: [(name: String, values: [String])] = []
  private(set) var lines: [Substring] = []

  /// Logseq's internal properties, which mean nothing to a reader.
  private static let inner: Set<String> = [
    "id", "collapsed", "card-last-interval", "card-repeats", "card-ease-factor",
    "card-next-schedule", "card-last-reviewed", "card-last-score", "ls-type",
    "logseq.order-list-type",
    "hl-page", "hl-color", "hl-stamp", "background-color",
  ]
  private static let open: Set<Substring> = [
    "TODO", "LATER", "DOING", "NOW", "WAITING", "WAIT", "IN-PROGRESS",
  ]
  private static let done: Set<Substring> = ["DONE"]
  private static let cancelled: Set<Substring> = ["CANCELED", "CANCELLED"]

  init(_ source: [Substring]) {
    var isInLogbook = false
    var isInCode = false
    var isAtHead = true
    for line in source {
      let words = line.drop { $0 == " " || $0 == "\t" }
      if words.hasPrefix("```") || words.hasPrefix("- ```") { isInCode.toggle() }
      guard !isInCode else {
        lines.append(line)
        isAtHead = false
        continue
      }
      // The clocked times of a task are between `:LOGBOOK:` and `:END:`.
      if words.hasPrefix(":LOGBOOK:") { isInLogbook = true }
      if isInLogbook {
        isInLogbook = !words.hasPrefix(":END:")
        continue
      }
      if let (name, value) = Self.property(words) {
        if Self.inner.contains(name.lowercased()) { continue }
        if isAtHead {
          properties.append((name, Self.values(value)))
          continue
        }
      } else if !words.isEmpty, words != "-" {
        isAtHead = false
      }
      lines.append(Self.marked(line))
    }
    // A block with only the page's properties leaves an empty block.
    lines = Array(lines.drop { $0.allSatisfy { $0.isWhitespace || $0 == "-" } })
    while let last = lines.last, last.allSatisfy({ $0.isWhitespace || $0 == "-" }) {
      lines.removeLast()
    }
  }

  /// Parses `name:: value`, on a separate line or as a block.
  private static func property(_ line: Substring) -> (name: String, value: String)? {
    let words = line.hasPrefix("- ") ? line.dropFirst(2) : line
    guard let mark = words.range(of: "::"), mark.lowerBound > words.startIndex,
      words[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "-_./?".contains($0) })
    else { return nil }
    return (
      String(words[..<mark.lowerBound]),
      words[mark.upperBound...].trimmingCharacters(in: .whitespaces)
    )
  }

  private static func values(_ text: String) -> [String] {
    text.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).replacing("[[", with: "").replacing("]]", with: "")
    }.filter { !$0.isEmpty }
  }

  /// Returns a block with its task marker converted to a checkbox.
  private static func marked(_ line: Substring) -> Substring {
    guard let dash = line.firstIndex(where: { $0 != " " && $0 != "\t" }),
      line[dash...].hasPrefix("- ")
    else { return line }
    let words = line[dash...].dropFirst(2)
    guard let space = words.firstIndex(of: " ") else { return line }
    let (marker, rest) = (words[..<space], words[space...].drop { $0 == " " })
    let box: String
    if open.contains(marker) {
      box = "[ ] \(rest)"
    } else if done.contains(marker) {
      box = "[x] \(rest)"
    } else if cancelled.contains(marker) {
      box = "[x] ~~\(rest)~~"
    } else {
      return line
    }
    return Substring("\(line[..<dash])- \(box)")
  }
}
