import Foundation

/// Removing events from the text of a calendar that is stored as fetched.
enum CalendarBlock {
  /// Returns the calendar without the events with some identifiers (RFC 5545 §3.8.4.7).
  ///
  /// - Returns: nil if the calendar has none of them or is not UTF-8.
  static func without(_ identifiers: Set<String>, _ content: Data) -> Data? {
    guard String(data: content, encoding: .utf8) != nil else { return nil }
    var kept: [Data] = []
    var block: [Data] = []
    var hasDropped = false
    for line in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let word = text(line).trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
      guard word == "BEGIN:VEVENT" || !block.isEmpty else {
        kept.append(line)
        continue
      }
      block.append(line)
      guard word == "END:VEVENT" else { continue }
      if identifiers.contains(identifier(of: block)) {
        hasDropped = true
      } else {
        kept += block
      }
      block = []
    }
    return hasDropped ? Data((kept + block).joined(separator: [0x0A])) : nil
  }

  private static func text(_ line: Data) -> String { String(decoding: line, as: UTF8.self) }

  private static func identifier(of block: [Data]) -> String {
    var value = ""
    var isInside = false
    for line in block {
      let bare = text(line).trimmingCharacters(in: .newlines)
      if isInside {
        guard let first = bare.first, first == " " || first == "\t" else { break }
        value += bare.dropFirst()
        continue
      }
      let name = bare.prefix { $0 != ":" && $0 != ";" }.uppercased()
      if name == "UID", let colon = bare.firstIndex(of: ":") {
        value = String(bare[bare.index(after: colon)...])
        isInside = true
      }
    }
    for (escape, plain) in [("\\;", ";"), ("\\,", ","), ("\\\\", "\\")] {
      value = value.replacingOccurrences(of: escape, with: plain)
    }
    return value.trimmingCharacters(in: .whitespaces)
  }
}
