import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Testing

@Suite("Searching as people type")
struct HybridSearchTests {
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    try test.add("ran by the river", on: "2026-02-10", people: ["Alex Kim"])
    try test.add("tea and cake", on: "2026-02-11", people: ["Alex Moreau"])
    try test.add("tea alone", on: "2026-02-12")
    try test.add("bought running shoes", on: "2026-01-12", people: ["Alex Kim"])
    return test
  }

  private func titles(_ query: String, _ test: TestArchive) throws -> [String] {
    try HybridSearch(archive: test.archive, zone: test.zone)
      .search(SearchRequest(query: query)).hits.map(\.title)
  }

  @Test func aQuestionBecomesFilters() throws {
    let test = try archive()
    let found = try titles("what did I do with Alex last month?", test)
    #expect(Set(found) == ["ran by the river", "tea and cake"])
    #expect(try titles("when did I drink tea with Alex Moreau?", test) == ["tea and cake"])
  }

  @Test(arguments: [
    ("what did I do with tea -cake", ["tea alone"]),
    ("what did I have with “tea and”", ["tea and cake"]),
    ("when did I have tea and ca*", ["tea and cake"]),
  ])
  func operatorsHoldInWhatLooksLikeAQuestion(query: String, found: [String]) throws {
    #expect(try titles(query, archive()) == found)
  }

  @Test func irregularFormsOfAWordAreFound() throws {
    let test = try archive()
    #expect(Set(try titles("run", test)) == ["ran by the river", "bought running shoes"])
    #expect(try titles("buy", test) == ["bought running shoes"])
  }

  @Test func aCommonWordIsExcludedToo() throws {
    let test = try archive()
    try test.add("tea again", on: "2026-02-13")
    #expect(try titles("tea cake -again", test) == ["tea and cake"])
    #expect(Set(try titles("tea -again", test)) == ["tea and cake", "tea alone"])
  }

  @Test func aCorrectionReplacesNoPartOfAnotherWord() throws {
    let test = try TestArchive()
    try test.add("ran a marathon with the marathnclub")
    let outcome = try HybridSearch(archive: test.archive, zone: test.zone)
      .search(SearchRequest(query: "marathnclub marathn"))
    #expect(outcome.hits.count == 1)
    #expect(outcome.suggestion == "marathnclub marathon")
  }

  @Test func whereNoEntryHoldsAllWordsSomeAreEnough() throws {
    let test = try archive()
    let outcome = try HybridSearch(archive: test.archive, zone: test.zone)
      .search(SearchRequest(query: "the river cruise"))
    #expect(outcome.isRelaxed && outcome.hits.map(\.title) == ["ran by the river"])
  }

  @Test func laterPagesHoldSomeOfTheWordsAsTheFirstDoes() throws {
    let test = try archive()
    try test.add("walked along the river", on: "2026-02-13")
    try test.add("tea by the river", on: "2026-02-14")
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    func page(_ query: String, _ offset: Int) throws -> HybridSearch.Outcome {
      try search.search(SearchRequest(query: query, limit: 1, offset: offset))
    }
    var found: Set<String> = []
    for offset in 0..<3 {
      let outcome = try page("river cruise", offset)
      #expect(outcome.isRelaxed)
      found.formUnion(outcome.hits.map(\.title))
    }
    #expect(found == ["ran by the river", "walked along the river", "tea by the river"])
    // After the last entry with all words, none with only some of them follows.
    #expect(try page("tea river", 0).hits.map(\.title) == ["tea by the river"])
    #expect(try page("tea river", 1).hits.isEmpty)
  }

  @Test(arguments: ["!!!", "\"\"", "?", "what", "* *"])
  func aQueryWithoutContentFindsNothingRatherThanEverything(query: String) throws {
    #expect(try titles(query, archive()).isEmpty)
  }
}
