import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Words in the archive")
struct SearchTests {
  private func find(
    _ query: String, in test: TestArchive, _ narrow: (inout SearchRequest) -> Void = { _ in }
  ) throws -> [SearchHit] {
    var request = SearchRequest(query: query)
    narrow(&request)
    return try test.archive.search(request, words: WordQuery(query))
  }

  @Test(arguments: [
    ("running", "ran and kept running"), ("runs", "ran and kept running"),
    ("cafe", "Café Einstein"),
    ("CAFÉ", "Café Einstein"), ("日本", "日本語テキスト"), ("テキ", "日本語テキスト"),
    ("ไทย", "อาหารไทยอร่อย"), ("\"kept running\"", "ran and kept running"),
    ("einst*", "Café Einstein"), ("*inste*", "Café Einstein"),
    ("*AFÉ*", "Café Einstein"), ("*本語*", "日本語テキスト"),
    ("Ünïcode", "unicode"), ("friends", "lunch"), ("Priya", "soup"), ("rooftop", "party"),
  ])
  func aWordIsFound(query: String, text: String) throws {
    let test = try TestArchive()
    for other in ["ran and kept running", "Café Einstein", "日本語テキスト", "อาหารไทยอร่อย", "unicode"] {
      try test.add(other)
    }
    try test.add("lunch", tags: ["friends"])
    try test.add("soup", people: ["Priya Nair"])
    var party = try test.activity("party")
    party.notes = "on the rooftop"
    try test.archive.add(party)
    let hits = try find(query, in: test)
    #expect(hits.map(\.title) == [text])
    #expect(hits.first?.why.words.isEmpty == false)
  }

  @Test func notesTitlesAndCaptionsAreFoundWithTheirDay() throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2020-05-01"))
    _ = try test.archive.updateDay(day) {
      $0.title = "Moving"
      $0.note = "The piano stayed on the stairs."
    }
    var activity = try test.activity("photo")
    activity.attachments = [
      Attachment(
        id: test.archive.identities.next(), type: .link, caption: "lighthouse at dusk",
        externalURL: "https://example.org/", createdAt: test.clock.now, updatedAt: test.clock.now)
    ]
    try test.archive.add(activity)
    #expect(try find("piano", in: test).map(\.type) == [.day])
    #expect(try find("moving", in: test).first?.dayKey == day)
    #expect(try find("lighthouse", in: test).map(\.type) == [.attachment])
  }

  @Test func theFoundWordsAreMarkedInTheSnippet() throws {
    let test = try TestArchive()
    try test.add("a walk to the castle and back")
    let snippet = try #require(try find("castles", in: test).first?.snippet)
    let marked = snippet.pieces.filter(\.isHighlighted).map(\.text)
    #expect(marked == ["castle"])
  }

  @Test func anEntryFoundByATagOrNameShowsItsText() throws {
    let test = try TestArchive()
    try test.add("up the hill and down", tags: ["sport"], people: ["Priya Nair"])
    for query in ["sport", "priya"] {
      let snippet = try #require(try find(query, in: test).first?.snippet)
      #expect(snippet.text == "up the hill and down" && snippet.highlights.isEmpty)
    }
  }

  @Test func anEntryFoundByItsPlaceOrNotesIsStillNamed() throws {
    let test = try TestArchive()
    var choir = try test.activity("choir")
    choir.locationLabel = "the parish hall"
    choir.notes = "two new altos"
    try test.archive.add(choir)
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-02"))) {
      $0.title = "Monday"
      $0.note = "The parish fair was cancelled."
    }
    for (query, title) in [
      ("hall", "choir"), ("altos", "choir"), ("choir", nil), ("fair", "Monday"), ("monday", nil),
    ] {
      let hit = try #require(try find(query, in: test).first, "\(query)")
      #expect(hit.titleBesideSnippet == title, "\(query)")
      #expect(hit.excerpt.contains(title ?? hit.title) && hit.excerpt.lowercased().contains(query))
    }
    #expect(try find("hall", in: test).first?.snippet.text.contains("the parish hall") == true)
  }

  @Test func anEntryWithLinksIsToldOnceInTheWordsOfItsLinks() throws {
    let test = try TestArchive()
    var tea = try test.activity("tea with [[Alex Kim|an old friend]] outside")
    tea.locationLabel = "the parish hall"
    try test.archive.add(tea)
    let hit = try #require(try find("tea", in: test).first)
    #expect(hit.titleBesideSnippet == nil)
    #expect(hit.excerpt == "tea with an old friend outside")
    let place = try #require(try find("parish", in: test).first)
    #expect(place.titleBesideSnippet == "tea with an old friend outside")
    let listed = JournalEntry.activity(tea).hit(because: SearchHit.Reason())
    #expect(listed.excerpt == "tea with an old friend outside")
  }

  @Test func aLongTitleIsNotToldTwice() throws {
    let test = try TestArchive()
    let words = (1...120).map { "word\($0)" }.joined(separator: " ")
    try test.add(words, tags: ["long"])
    for query in ["word60", "word119", "long"] {
      let hit = try #require(try find(query, in: test).first, "\(query)")
      #expect(hit.titleBesideSnippet == nil, "\(query): \(hit.snippet.text)")
    }
  }

  @Test func everyFilterNarrowsAndDaysIncludeThemselves() throws {
    let test = try TestArchive()
    try test.add("a", on: "2026-03-01", from: "10:00", tags: ["x"], kind: .work)
    try test.add("b", on: "2026-03-10", from: "10:00", tags: ["x", "y"], people: ["Sam Lee"])
    try test.add("c", on: "2026-03-31", from: "10:00", people: ["Sam Roe"])
    func titles(_ narrow: (inout SearchRequest) -> Void) throws -> [String] {
      try find("", in: test, narrow).map(\.title)
    }
    let tenth = try #require(DayKey("2026-03-10"))
    #expect(try titles { $0.from = .day(tenth) } == ["c", "b"])
    #expect(try titles { $0.to = .day(tenth) } == ["b", "a"])
    let start = try #require(Instant("2026-03-10T09:00:00Z"))
    #expect(try titles { $0.to = .instant(start) } == ["a"])
    #expect(try titles { $0.from = .instant(start) } == ["c", "b"])
    #expect(try titles { $0.tags = ["X", "y"] } == ["b"])
    #expect(try titles { $0.kinds = [.work] } == ["a"])
    #expect(try titles { $0.source = .assistant } == [])
    #expect(try titles { $0.people = ["sam"] } == ["c", "b"])
    #expect(try titles { $0.people = ["Sam Lee"] } == ["b"])
    #expect(try titles { $0.people = ["nobody"] } == [])
  }

  @Test(arguments: [
    "\"", "(", "a AND", "NEAR(a b)", "a:b", "^a", "-", "*", "\u{0}", "a\u{0}b", "😀", "'; DROP",
    "title:x", "a OR b NOT", "{a b}", "+", "a\"b", "\u{1F}", "بحث", "%", "_", "*%*", "-a",
    "*" + String(repeating: "漢", count: 19_000) + "*",
    String(repeating: "(", count: 5_000), String(repeating: "word ", count: 10_000),
  ])
  func noQueryIsAnError(query: String) throws {
    let test = try TestArchive()
    try test.add("a b title word")
    #expect(throws: Never.self) { try find(query, in: test) }
  }

  @Test func whatIsChangedOrDeletedIsFoundByItsNewWordsOnly() throws {
    let test = try TestArchive()
    let activity = try test.add("apple", tags: ["fruit"])
    _ = try test.archive.updateActivity(activity.id) {
      $0.text = "pear"
      $0.tags = []
    }
    #expect(try find("apple", in: test).isEmpty && find("fruit", in: test).isEmpty)
    #expect(try find("pear", in: test).count == 1)
    _ = try test.archive.deleteActivities([activity.id])
    #expect(try find("pear", in: test).isEmpty)
  }

  @Test func exclusionsCountWithoutAWordToo() throws {
    let test = try TestArchive()
    try test.add("port office")
    try test.add("port harbour")
    #expect(try find("*port* -office", in: test).map(\.title) == ["port harbour"])
    let day = try #require(DayKey("2026-01-01"))
    #expect(try find("-office", in: test) { $0.from = .day(day) }.map(\.title) == ["port harbour"])
  }

  @Test func aLongNoteIsFoundAtOnceWithItsSurroundings() throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-03-14"))
    let filler = String(repeating: "lorem ipsum dolor ", count: 60_000)
    _ = try test.archive.updateDay(day) { $0.note = filler + "the lighthouse " + filler }
    let snippet = try #require(try find("lighthouse", in: test).first?.snippet)
    #expect(snippet.text.contains("lighthouse") && snippet.text.count < 400)
    #expect(try find("lorem", in: test).count == 1)
  }

  @Test func aPersonsNewNameIsFound() throws {
    let test = try TestArchive()
    try test.add("tea", people: ["Zo"])
    var person = try #require(try test.archive.people().first)
    person.name = "Éva"
    _ = try test.archive.write(by: .owner, "edit", "Renamed") { try $0.update(person) }
    #expect(try find("eva", in: test).count == 1 && find("zo", in: test).isEmpty)
    #expect(try find("", in: test) { $0.people = ["éva"] }.count == 1)
  }

  @Test func whoIsRenamedOrMergedIsFoundInNotesByThePresentName() throws {
    let test = try TestArchive()
    let archive = test.archive
    func person(_ name: String) throws -> Person {
      try archive.create(
        Person(
          id: archive.identities.next(), name: name, createdAt: test.clock.now,
          updatedAt: test.clock.now)
      ).value
    }
    let (first, second) = (try person("Zo"), try person("Ida Quist"))
    for one in [first, second] {
      _ = try archive.create(
        Note(
          id: archive.identities.next(), text: "tea with @\(one.name ?? "")",
          people: [Mention(name: one.name ?? "", personID: one.id)], createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    _ = try archive.updatePerson(first.id) { $0.name = "Éva" }
    #expect(try find("eva", in: test).map(\.type) == [.note])
    let merge = try archive.merge(second.id, into: first.id)
    #expect(try find("eva", in: test).count == 2)
    try archive.rebuildSearchWords()
    #expect(try find("eva", in: test).count == 2)
    _ = try archive.undo(merge.change?.id)
    #expect(try find("eva", in: test).count == 1)
    #expect(try find("quist", in: test).count == 1)
  }

  @Test func anInstantAndADayMeetInTheHomeZone() throws {
    let test = try TestArchive()
    try test.add("no time", on: "2026-03-31")
    try test.add("day before", on: "2026-03-30")
    let start = try #require(Instant("2026-03-30T22:00:00Z"))
    let end = try #require(Instant("2026-03-31T22:00:00Z"))
    let found = try find("", in: test) {
      $0.homeZone = test.zone
      $0.from = .instant(start)
      $0.to = .instant(end)
    }
    #expect(found.map(\.title) == ["no time"])
  }

  @Test func theIndexMadeAnewFindsTheSame() throws {
    let test = try TestArchive()
    for number in 0..<50 { try test.add("entry \(number) 日本", tags: ["t\(number % 3)"]) }
    let queries = ["entry", "日本", "t1", "7"]
    let before = try queries.map { try find($0, in: test).map(\.id) }
    try test.archive.rebuildSearchWords()
    #expect(try queries.map { try find($0, in: test).map(\.id) } == before)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func aTallyCountsAndSumsWithoutALimit() throws {
    let test = try TestArchive()
    for day in 1...28 {
      try test.add(
        "run", on: "2026-02-\(day < 10 ? "0" : "")\(day)", from: "07:00", to: "07:30",
        measurements: ["km": 5])
    }
    try test.add("run", on: "2026-02-28")
    let tally = try test.archive.tally(
      SearchRequest(query: "", limit: 1), words: WordQuery("run"), types: [.activity])
    #expect(tally.entries == 29 && tally.days == 28)
    #expect(tally.minutes == 28 * 30)
    #expect(tally.amounts["km"]?.sum == 140)
    #expect(tally.first?.description == "2026-02-01")
  }
}
