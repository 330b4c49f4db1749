import Testing

@testable import ArkivedStore

@Suite("Texts that two changed")
struct TextMergeTests {
  private func merged(_ base: String?, _ earlier: String, _ later: String) -> (String, Bool) {
    let merge = TextMerge(base: base, earlier: earlier, later: later)
    return (merge.text, merge.gaveWay)
  }

  @Test("Each change is taken where only one made it")
  func changesAreTaken() {
    #expect(merged("a\nb\nc", "a\nB\nc", "a\nb\nc\nd") == ("a\nB\nc\nd", false))
    #expect(
      merged("one two three", "one 2 three", "one two three four") == ("one 2 three four", false))
    #expect(merged("a", "a", "b") == ("b", false))
  }

  @Test("Both additions stay, the earlier first")
  func additionsStay() {
    #expect(merged("day", "day\nrun", "day\nswim") == ("day\nrun\nswim", false))
    #expect(merged(nil, "mine", "yours") == ("mine\n\nyours", false))
    #expect(merged(nil, "mine", "mine and yours") == ("mine and yours", false))
  }

  @Test("Of one word that both changed the later stays")
  func laterStays() {
    #expect(merged("a big dog", "a small dog", "a huge dog") == ("a huge dog", true))
  }

  // MARK: Long texts

  /// A text of about a megabyte, in which no line occurs twice.
  private static let lines = (0..<20_000).map { "Line \($0) of a day that was long, \($0 % 97)." }

  /// Runs a merge that must not take long.
  private func merged(
    _ base: [String]?, _ earlier: [String], _ later: [String], separator: String = "\n"
  ) -> (text: String, gaveWay: Bool, time: Duration) {
    let texts = [base ?? [], earlier, later].map { $0.joined(separator: separator) }
    var outcome = ("", false)
    let time = ContinuousClock().measure {
      outcome = merged(base == nil ? nil : texts[0], texts[1], texts[2])
    }
    return (outcome.0, outcome.1, time)
  }

  @Test(
    "A text of a megabyte that both changed in many places contains all changes",
    arguments: [
      "\n", " ",
    ])
  func longText(separator: String) {
    let base = Self.lines
    var (earlier, later, expected) = (base, base, base)
    for place in stride(from: 100, to: 19_900, by: 400) {
      (earlier[place], expected[place]) = ("earlier \(place)", "earlier \(place)")
      (later[place + 200], expected[place + 200]) = ("later \(place)", "later \(place)")
    }
    earlier.insert("begun earlier", at: 0)
    later.append("ended later")
    let merge = merged(base, earlier, later, separator: separator)
    // The text itself is too long for a message.
    let hasAll =
      merge.text == (["begun earlier"] + expected + ["ended later"]).joined(separator: separator)
    #expect(hasAll)
    #expect(!merge.gaveWay)
    #expect(merge.time < .seconds(120))
  }

  @Test("Long texts that have nothing in common end quickly, and the earlier one gives way")
  func differentTexts() {
    func lines(_ letter: String) -> [String] {
      Self.lines.indices.map { "\(letter)\($0) is a line of \(letter) and of nothing else" }
    }
    let (earlier, later) = (lines("e"), lines("l"))
    let merge = merged(lines("b"), earlier, later)
    let isLater = merge.text == later.joined(separator: "\n")
    #expect(isLater)
    #expect(merge.gaveWay)
    #expect(merge.time < .seconds(120))
    let united = merged(nil, earlier, later)
    let hasBoth =
      united.text == [earlier, later].map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    #expect(hasBoth)
    #expect(united.time < .seconds(120))
  }

  @Test("Long texts of few different lines end quickly, and nothing of them is lost unnoticed")
  func repeatedLines() {
    var numbers = HistoryDigits()
    let versions = (0..<3).map { _ in (0..<20_000).map { _ in "line \(numbers.next() % 3)" } }
    let merge = merged(versions[0], versions[1], versions[2])
    #expect(merge.gaveWay)
    #expect(merge.time < .seconds(120))
    #expect(merged(nil, versions[1], versions[2]).time < .seconds(120))
  }

  @Test("A part that only one side changed stays, wherever it is")
  func randomChanges() {
    var numbers = HistoryDigits()
    for _ in 0..<300 {
      let base = (0..<(numbers.next() % 40)).map { _ in "\(numbers.next() % 7)" }
      var changed = base
      for _ in 0..<(1 + numbers.next() % 6) {
        let place = changed.isEmpty ? 0 : numbers.next() % changed.count
        switch numbers.next() % 3 {
        case 0 where !changed.isEmpty: changed.remove(at: place)
        case 1 where !changed.isEmpty: changed[place] = "\(numbers.next() % 7)"
        default: changed.insert("\(numbers.next() % 7)", at: place)
        }
      }
      let alignment = TextAlignment(base.map { $0[...] }, changed.map { $0[...] })
      let found = alignment.places.compactMap(\.self)
      #expect(found == found.sorted() && Set(found).count == found.count)
      for (place, match) in alignment.places.enumerated() {
        if let match { #expect(base[place] == changed[match]) }
      }
      // As many pieces as the longest common sequence has.
      #expect(found.count == longestCommon(base, changed))
    }
  }

  private func longestCommon(_ one: [String], _ other: [String]) -> Int {
    var row = [Int](repeating: 0, count: other.count + 1)
    for piece in one {
      var diagonal = 0
      for (place, match) in other.enumerated() {
        let above = row[place + 1]
        row[place + 1] = piece == match ? diagonal + 1 : max(above, row[place])
        diagonal = above
      }
    }
    return row[other.count]
  }
}

/// Numbers that look random and are always the same.
private struct HistoryDigits {
  private var state: UInt64 = 7

  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33)
  }
}
