import ArkivedCore
import Foundation
import Testing

/// Sentences with the times that a careful reader finds in them, one file for each way to name a
/// time.
///
/// A line is `class | now | zone | order of slashed dates | sentence with [its times] | start ..
/// end | …`, with local date-times, the end excluded, and `open` for an open side. The moments were
/// worked out from calendars, never by the reader.
struct TimePhraseSuite {
  struct Case: Sendable {
    let line: Int
    let kind: String
    let now: Instant
    let zone: Zone
    let dateOrder: DateOrder
    let sentence: String
    /// The times in the order of the sentence, each with its words, start and end.
    let times: [String]

    var found: [String] {
      TimeReader(now: now, zone: zone, dateOrder: dateOrder).matches(in: sentence).map {
        "[\($0.text)] \(Self.text($0.start)) .. \(Self.text($0.end))"
      }
    }

    private static func text(_ wall: WallTime?) -> String { wall?.description ?? "open" }
  }

  static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TimePhrases")
  }

  static func cases() throws -> [Case] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".txt") }
      .flatMap { name in
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
          .split(separator: "\n").enumerated().map { try read($1, line: $0 + 1) }
      }
  }

  private static func read(_ text: Substring, line: Int) throws -> Case {
    let fields = text.components(separatedBy: " | ")
    let marked = try #require(fields.count > 4 ? fields[4] : nil, "line \(line) is short: \(text)")
    let spans = marked.split(separator: "[", omittingEmptySubsequences: false).dropFirst()
      .map { $0.prefix { $0 != "]" } }
    try #require(spans.count == fields.count - 5, "line \(line) tells other times: \(text)")
    return Case(
      line: line, kind: fields[0], now: try #require(Instant(fields[1])),
      zone: try #require(Zone(fields[2])),
      dateOrder: fields[3] == "month first" ? .monthFirst : .dayFirst,
      sentence: marked.filter { $0 != "[" && $0 != "]" },
      times: zip(spans, fields.dropFirst(5)).map { "[\($0)] \($1)" })
  }

  @Test("every way to name a time is read as it is meant, and sentences without one stay silent")
  func readsWhatIsMeant() throws {
    struct Count {
      var right = 0
      var wrong: [String] = []
      var share: Double { Double(right) / Double(max(1, right + wrong.count)) }
    }
    var counts: [String: Count] = [:]
    var total = Count()
    for item in try Self.cases() {
      let found = item.found
      if found == item.times {
        counts[item.kind, default: Count()].right += 1
        total.right += 1
      } else {
        let note = "\(item.kind):\(item.line) \(item.sentence) gave \(found), not \(item.times)"
        counts[item.kind, default: Count()].wrong.append(note)
        total.wrong.append(note)
      }
    }
    #expect(total.right + total.wrong.count >= 1200)
    #expect(counts.count >= 20)
    #expect(total.share >= 0.97, "\(total.wrong.joined(separator: "\n"))")
    for (kind, count) in counts {
      #expect(count.right + count.wrong.count >= (kind == "silent" ? 150 : 25), "in \(kind)")
      let least = kind == "silent" ? 0.98 : 0.92
      #expect(count.share >= least, "in \(kind):\n\(count.wrong.joined(separator: "\n"))")
    }
  }
}
