import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The terms of the word index")
struct WordIndexTermsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An index in which each term occurs in so many documents.
  private func index(_ frequencies: [String: Int]) throws -> WordIndex {
    let count = frequencies.values.max() ?? 0
    let documents = (0..<count).map { number in
      WordCorpus.Document(
        row: Int64(number), day: 0, order: 0,
        columns: [[], frequencies.filter { $0.value > number }.keys.sorted(), []])
    }
    try WordCorpus(documents).build(at: folder.index)
    return try WordIndex(contentsOf: folder.index)
  }

  @Test("Every term is found with its frequency, whatever its bytes")
  func frequencies() throws {
    var frequencies: [String: Int] = [
      "a": 3, "ab": 1, "abc": 9, "b": 2, "zz": 1, "日本": 4, "日本語": 2, "é": 1, "\u{10FFFF}": 2,
      String(repeating: "long", count: 400): 2, "": 1,
    ]
    for number in 0..<700 { frequencies["t\(number)"] = number % 7 + 1 }
    let index = try index(frequencies)
    #expect(index.termCount == frequencies.count)
    for (term, frequency) in frequencies { #expect(try index.frequency(of: term) == frequency) }
    for unknown in ["aa", "zzz", "日", "t", "t7000", "\u{0}", "A"] {
      #expect(try index.frequency(of: unknown) == 0, "\(unknown)")
    }
  }

  @Test("Completions come most frequent first, equal ones in their order")
  func prefixes() throws {
    let index = try index(["run": 5, "runner": 9, "rum": 2, "rune": 5, "sun": 20, "日本": 1])
    func terms(_ prefix: String, _ limit: Int) throws -> [String] {
      try index.terms(withPrefix: prefix, limit: limit).map(\.term)
    }
    #expect(try terms("run", 9) == ["runner", "run", "rune"])
    #expect(try terms("ru", 2) == ["runner", "run"])
    #expect(try terms("", 2) == ["sun", "runner"])
    #expect(try terms("日", 3) == ["日本"])
    #expect(try terms("rus", 3).isEmpty && terms("run", 0).isEmpty && terms("zz", 5).isEmpty)
    #expect(try index.terms(withPrefix: "run", limit: 1).first?.frequency == 9)
  }

  @Test(
    "A slip of the fingers is set right",
    arguments: [
      ("meetng", "meeting"), ("metting", "meeting"), ("meetings", "meeting"),
      ("emeting", "meeting"),
      ("maeitng", "meeting"), ("rvier", "river"), ("ривер", "ривар"), ("čaj", "čay"),
      ("rive", "river"),
    ])
  func slips(word: String, meant: String) throws {
    let index = try index(["meeting": 60, "river": 50, "ривар": 40, "čay": 30, "unrelated": 90])
    #expect(try index.suggestion(for: word)?.term == meant)
  }

  @Test("What is common, too different or no word has no suggestion")
  func noSuggestions() throws {
    let index = try index(["car": 40, "cat": 38, "river": 50, "2025": 50, "kot": 30, "кот": 2])
    for word in ["cat", "xyz", "rviex", "ca", "c", "", "2026", "котик", "river"] {
      #expect(try index.suggestion(for: word) == nil, "\(word)")
    }
  }

  @Test(
    "The nearest comes first, then the most frequent; the distances are those of the definition")
  func order() throws {
    var chance = SeededChance(9)
    let letters = Array("abcde")
    func word(_ lengths: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: lengths, using: &chance)).map { _ in
          letters.randomElement(using: &chance) ?? "a"
        })
    }
    var frequencies: [String: Int] = [:]
    for _ in 0..<500 { frequencies[word(3...9)] = Int.random(in: 1...60, using: &chance) }
    let index = try index(frequencies)
    for _ in 0..<60 {
      let asked = word(3...9)
      let most = asked.count >= 7 ? 2 : 1
      let least = max(3, (frequencies[asked] ?? 0) * 10)
      let near = frequencies.filter { $0.value >= least && $0.key != asked }
        .map { (slips: Self.distance(asked, $0.key), frequency: $0.value, term: $0.key) }
        .filter { $0.slips <= most }
        .sorted { ($0.slips, $1.frequency, $0.term) < ($1.slips, $0.frequency, $1.term) }
      #expect(
        try index.suggestions(for: asked, limit: 100).map(\.term) == near.map(\.term), "\(asked)")
    }
  }

  /// Restricted Damerau–Levenshtein distance, as it is defined.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (a, b) = (Array(left), Array(right))
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count {
        guard i > 0, j > 0 else {
          table[i][j] = i + j
          continue
        }
        var least = min(table[i - 1][j], table[i][j - 1]) + 1
        least = min(least, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          least = min(least, table[i - 2][j - 2] + 1)
        }
        table[i][j] = least
      }
    }
    return table[a.count][b.count]
  }
}
