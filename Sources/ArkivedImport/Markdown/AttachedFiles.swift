/// The list of files that Arkived's own export writes below a note, after a comment that no program
/// displays.
package enum AttachedFiles {
  /// The line above the links.
  package static let mark = "<!-- attached -->"

  /// Returns a page's lines without the links below the marker, and these links; nothing is removed
  /// if anything else was written below the marker.
  static func split(_ lines: [Substring]) -> (text: [Substring], attached: [Substring]) {
    guard let place = lines.lastIndex(of: Substring(mark)) else { return (lines, []) }
    let attached = lines[(place + 1)...].filter { !$0.allSatisfy(\.isWhitespace) }
    guard !attached.isEmpty, attached.allSatisfy({ link($0) != nil }) else { return (lines, []) }
    return (Array(lines[..<place]), Array(attached))
  }

  /// Returns the label and target of a line that is only a link: `[label](<target>)`.
  static func link(_ line: Substring) -> (label: String, target: String)? {
    let body = line.hasPrefix("!") ? line.dropFirst() : line
    guard body.hasPrefix("["), body.hasSuffix(">)"), let middle = body.firstRange(of: "](<") else {
      return nil
    }
    let label = body[body.index(after: body.startIndex)..<middle.lowerBound]
    let target = body[middle.upperBound...].dropLast(2)
    guard !target.isEmpty, !label.contains("["), !label.contains("]") else { return nil }
    return (String(label), String(target))
  }
}
