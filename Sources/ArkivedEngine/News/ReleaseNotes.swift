import Foundation

/// The changelog by version, as in `CHANGELOG.md`.
package struct ReleaseNotes: Sendable {
  /// The notes on one version.
  package struct Section: Hashable, Sendable {
    /// The heading, such as “November 2026 (version 0.1.0)”.
    package var title: String
    package var version: String
    /// The text below the heading, in Markdown.
    package var text: String
  }

  /// The versions, newest first.
  package let sections: [Section]

  /// Parses a changelog; headings of the second level without a version are left out.
  package init(_ text: String) {
    var sections: [Section] = []
    var current: Section?
    func end() {
      guard var section = current else { return }
      section.text = section.text.trimmingCharacters(in: .whitespacesAndNewlines)
      sections.append(section)
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        end()
        let title = String(line.dropFirst(3))
        let found = title.firstMatch(of: #/\(version ([0-9]+(\.[0-9]+)*)\)/#)
        current = found.map { Section(title: title, version: String($0.output.1), text: "") }
      } else {
        current?.text += line + "\n"
      }
    }
    end()
    self.sections = sections
  }

  /// Returns the versions after one version, up to and including another.
  package func sections(after old: String, upTo new: String) -> [Section] {
    sections.filter { Self.isOlder(old, $0.version) && !Self.isOlder(new, $0.version) }
  }

  /// Returns true if a version such as `0.9.1` is older than another one such as `0.10`.
  package static func isOlder(_ version: String, _ other: String) -> Bool {
    var left = version.split(separator: ".").map { Int($0) ?? 0 }
    var right = other.split(separator: ".").map { Int($0) ?? 0 }
    let count = max(left.count, right.count)
    left += Array(repeating: 0, count: count - left.count)
    right += Array(repeating: 0, count: count - right.count)
    return left.lexicographicallyPrecedes(right)
  }
}
