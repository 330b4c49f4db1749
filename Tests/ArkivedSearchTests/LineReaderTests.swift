import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Testing

@Suite("Filters in the search line")
struct LineReaderTests {
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    try test.add(
      "ran by the river", on: "2026-02-10", tags: ["work"], people: ["Alex Kim"], kind: .health)
    try test.add("tea and cake", on: "2026-02-11", tags: ["food"], people: ["Alex Moreau"])
    try test.add("tea alone", on: "2026-03-12", tags: ["woods", "deep work"], kind: .social)
    try test.add("bought running shoes", on: "2025-01-12", people: ["Zoë"])
    let day = try #require(DayKey("2026-03-13"))
    _ = try test.archive.updateDay(day) { $0.note = "A quiet day." }
    try test.add("10:30 note: buy milk #1", on: "2026-03-01")
    return test
  }

  private func search(_ query: String, _ test: TestArchive) throws -> HybridSearch.Outcome {
    try HybridSearch(archive: test.archive, zone: test.zone).search(SearchRequest(query: query))
  }

  @Test(
    "find what passes them, with or without words",
    arguments: [
      ("tag:work", ["ran by the river"]),
      ("TAG:Work river", ["ran by the river"]),
      ("tag:work tea", []),
      ("#food", ["tea and cake"]),
      ("tag:food,woods", ["tea alone", "tea and cake"]),
      ("tea -tag:food", ["tea alone"]),
      ("tea -#food", ["tea alone"]),
      ("tea -kind:social", ["tea and cake"]),
      ("-kind:other,social", ["ran by the river", "A quiet day."]),
      ("tea -person:alex", ["tea alone"]),
      ("tag:work,food -person:\"Alex Kim\"", ["tea and cake"]),
      ("person:alex -@Alex.Moreau", ["ran by the river"]),
      ("tea -is:pinned -source:jrnl", ["tea alone", "tea and cake"]),
      ("tea -source:manual", []),
      ("tea -person:nobody", ["tea alone", "tea and cake"]),
      ("a quiet day -kind:work -person:alex", ["A quiet day."]),
      ("on:2026-03-13 -kind:work -person:alex -is:pinned", ["A quiet day."]),
      ("tag:deep work", ["tea alone"]),
      ("tag:\"deep work\"", ["tea alone"]),
      ("#\"deep work\"", ["tea alone"]),
      ("person:\"Alex Kim\"", ["ran by the river"]),
      ("person:alex kim", ["ran by the river"]),
      ("person:alex", ["tea and cake", "ran by the river"]),
      ("person:alex cake", ["tea and cake"]),
      ("@Alex.Moreau", ["tea and cake"]),
      ("person:zoë,moreau shoes", ["bought running shoes"]),
      ("kind:health,social", ["tea alone", "ran by the river"]),
      ("kind:Health", ["ran by the river"]),
      ("tea from:march", ["tea alone"]),
      ("tea to:2026-02-11", ["tea and cake"]),
      ("on:last year", ["bought running shoes"]),
      ("on:last-year", ["bought running shoes"]),
      ("before:2026", ["bought running shoes"]),
      ("after:2026-03-11", ["tea alone", "A quiet day."]),
      ("from:2026-02-11 to:march 10", ["10:30 note: buy milk #1", "tea and cake"]),
      ("is:pinned", []),
      ("source:manual shoes", ["bought running shoes"]),
      ("source:calendar shoes", []),
      // Ordinary text.
      ("10:30", ["10:30 note: buy milk #1"]),
      ("note: buy milk", ["10:30 note: buy milk #1"]),
      ("milk #1", ["10:30 note: buy milk #1"]),
      ("#milk", ["10:30 note: buy milk #1"]),
      ("\"tag:work\"", []),
      // Half typed.
      ("tag:", []),
      ("tea tag:", ["tea alone", "tea and cake"]),
      ("tea tag:fo", ["tea and cake"]),
      ("tag:wo", ["tea alone", "ran by the river"]),
      ("person:al", ["tea and cake", "ran by the river"]),
      ("person:\"Alex M", ["tea and cake"]),
      ("kind:hea", ["ran by the river"]),
      ("tea from:mar", ["tea alone"]),
      ("tea from:xyzzy", ["tea alone", "tea and cake"]),
      ("tea is:pin", []),
    ])
  func findWhatPasses(query: String, titles: [String]) throws {
    #expect(Set(try search(query, archive()).hits.map(\.title)) == Set(titles))
  }

  @Test("leave out day notes that name somebody, with words and without")
  func leaveOutDayNotes() throws {
    let test = try archive()
    let day = try #require(DayKey("2026-02-20"))
    _ = try test.archive.updateDay(day) { $0.note = "Quiet too, with Alex Kim." }
    func titles(_ line: String) throws -> [String] { try search(line, test).hits.map(\.title) }
    #expect(try titles("quiet").count == 2)
    #expect(try titles("quiet person:\"Alex Kim\"") == ["Quiet too, with Alex Kim."])
    #expect(try titles("quiet -person:\"Alex Kim\"") == ["A quiet day."])
    #expect(try titles("on:2026-02-20") == ["Quiet too, with Alex Kim."])
    #expect(try titles("on:2026-02-20 -person:alex") == [])
  }

  @Test("list notes among the entries of their days, page by page")
  func listNotesToo() throws {
    let test = try archive()
    for (title, day) in [("Plans", "2026-02-11"), ("Recipes", "2026-03-20")] {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: title, text: "Cake with Alex Moreau.",
          dayKey: DayKey(day), tags: ["food"], createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    func titles(_ line: String) throws -> [String] { try search(line, test).hits.map(\.title) }
    let all = ["Recipes", "tea and cake", "Plans"]
    #expect(try titles("#food") == all)
    #expect(try titles("person:\"Alex Moreau\"") == all)
    #expect(try titles("tag:food to:2026-02-28") == ["tea and cake", "Plans"])
    #expect(try titles("tag:food kind:other") == ["tea and cake"])
    #expect(try titles("on:2026-03-20 -tag:food").isEmpty)
    let found = HybridSearch(archive: test.archive, zone: test.zone)
    for (place, title) in all.enumerated() {
      let page = try found.search(SearchRequest(query: "#food", limit: 1, offset: place))
      #expect(page.hits.map(\.title) == [title])
    }
    var ofNotes = SearchRequest(query: "#food")
    ofNotes.types = [.note]
    #expect(try found.search(ofNotes).hits.map(\.title) == ["Recipes", "Plans"])
  }

  @Test("leave out a name that several people have as they find it")
  func leaveOutSharedNames() throws {
    let test = try TestArchive()
    for name in ["Robin Kim", "Robin Moreau"] {
      _ = try test.archive.create(
        Person(
          id: test.archive.identities.next(), name: name, aliases: ["Robin"],
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    try test.add("tea at noon", people: ["Robin"])
    try test.add("tea alone")
    func titles(_ line: String) throws -> [String] { try search(line, test).hits.map(\.title) }
    #expect(try titles("tea person:robin") == ["tea at noon"])
    #expect(try titles("tea -person:robin") == ["tea alone"])
    #expect(try titles("on:2026-03-14 -person:robin") == ["tea alone"])
  }

  @Test("alone list the newest first, and say which filter each passed")
  func aloneListTheNewestFirst() throws {
    let outcome = try search("person:alex", archive())
    #expect(outcome.hits.map(\.title) == ["tea and cake", "ran by the river"])
    #expect(outcome.hits.first?.why.filters == ["person: alex"])
  }

  @Test("say how they were read, and what was not used")
  func sayHowTheyWereRead() throws {
    let test = try archive()
    #expect(try search("tea from:march", test).reading == ["from march: since 1 March 2026"])
    #expect(try search("tag:wo", test).reading == ["tag:wo: woods or work"])
    #expect(try search("tag:work", test).reading == [])
    #expect(
      try search("tea from:xyzzy", test).notes
        == ["“from:xyzzy” is ignored: “xyzzy” isn’t a time"])
    #expect(try search("tag: work", test).notes == ["“tag:” needs a value right after the colon"])
    #expect(try search("tea tag:", test).notes == [])
    #expect(try search("tag:zebra", test).notes == ["No tag named “zebra”"])
    #expect(try search("tea -on:march", test).notes.count == 1)
  }

  @Test("hold beside filters that were given otherwise")
  func holdBesideOtherFilters() throws {
    let test = try archive()
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    func titles(_ query: String, from: String, to: String) throws -> [String] {
      try search.search(
        SearchRequest(query: query, from: TimeBound(from), to: TimeBound(to))
      ).hits.map(\.title)
    }
    #expect(try titles("from:march", from: "2026-01-01", to: "2026-03-05").count == 1)
    #expect(try titles("from:2020", from: "2026-03-01", to: "2026-03-12").count == 2)
    #expect(try titles("what did I do in march", from: "2026-03-10", to: "2026-12-31").count == 2)
    var tagged = SearchRequest(query: "tag:woods")
    tagged.tags = ["deep work"]
    #expect(try search.search(tagged).hits.map(\.title) == ["tea alone"])
    tagged.tags = ["food"]
    #expect(try search.search(tagged).hits.isEmpty)
    var ofKinds = SearchRequest(query: "kind:social")
    ofKinds.kinds = [.health, .social]
    #expect(try search.search(ofKinds).hits.map(\.title) == ["tea alone"])
    ofKinds.kinds = [.health]
    let refused = try search.search(ofKinds)
    #expect(refused.hits.map(\.title) == ["ran by the river"])
    #expect(refused.notes == ["“kind:social” is ignored: an entry has only one kind"])
    #expect(try search.read(ofKinds, isExact: true).unread.count == 1)
  }

  @Test("stand in questions too")
  func standInQuestions() throws {
    let test = try archive()
    let hits = try search("what did I do with Alex tag:food", test).hits
    #expect(hits.map(\.title) == ["tea and cake"])
  }

  @Test("mean exactly what they say where an action follows")
  func meanExactlyWhatTheySay() throws {
    let test = try archive()
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    func read(_ line: String) throws -> LineRequest {
      try search.read(SearchRequest(query: line), isExact: true)
    }
    #expect(try read("tag:wo").request.tags == ["wo"])
    #expect(try read("tag:wo").missing.count == 1)
    #expect(try read("#milk").request.tags == ["milk"])
    #expect(try read("tea tag:").unread.count == 1)
    #expect(try read("kind:hea").request.kinds == ["hea"])
  }

  @Test("read once are not read again as something else")
  func areReadOnce() throws {
    let test = try archive()
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    for line in ["tag:work tea", "#milk x", "is:raining", "\"tag:a\" from:xyzzy", "-@alex b"] {
      let once = try search.read(SearchRequest(query: line))
      let twice = try search.read(once.request)
      #expect(once.request == twice.request && twice.reading.isEmpty)
    }
  }

  private func completions(_ line: String, _ test: TestArchive) throws -> [String] {
    try HybridSearch(archive: test.archive, zone: test.zone).completions(of: line).map {
      "\($0.kind.rawValue) \($0.text)\($0.count.map { " \($0)" } ?? "")"
    }
  }

  @Test("are completed as they are typed")
  func areCompleted() throws {
    let test = try archive()
    try test.add("more", tags: ["woods"])
    #expect(try completions("tag:wo", test) == ["tag woods 2", "tag work 1"])
    #expect(try completions("x #wo", test) == ["tag #woods 2", "tag #work 1"])
    #expect(try completions("tag:dee", test) == ["tag \"deep work\" 1"])
    #expect(try completions("#dee", test) == ["tag #\"deep work\" 1"])
    #expect(
      try completions("person:al", test) == ["person \"Alex Kim\" 1", "person \"Alex Moreau\" 1"])
    #expect(try completions("@mor", test) == ["person @\"Alex Moreau\" 1"])
    #expect(try completions("kind:so", test) == ["kind social"])
    #expect(try completions("source:jr", test) == ["source jrnlImport"])
    #expect(try completions("from:last", test).first == "time \"last week\"")
    #expect(try completions("pers", test) == ["filter person:"])
    #expect(try completions("tea", test) == [])
    #expect(try completions("to", test) == [])
    #expect(try completions("#", test).count == 4)
    #expect(try completions("tag:zebra", test) == [])
  }

  @Test("are completed to what is read as the same name")
  func areCompletedAsTheyAreRead() throws {
    let test = try TestArchive()
    let names = ["❤️", "👨‍👩‍👧", "2024", "c(draft)", "rest.", "deep work", "a,b", "plain"]
    for name in names { try test.add("about \(name)", tags: [name]) }
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    for line in ["#", "tag:"] {
      let offers = try search.completions(of: line)
      #expect(Set(offers.map(\.label)) == Set(names))
      for offer in offers {
        let whole = line == "#" ? offer.text : line + offer.text
        let hits = try search.search(SearchRequest(query: whole)).hits
        #expect(hits.map(\.title) == ["about \(offer.label)"], "\(whole)")
      }
    }
  }

  @Test("with any text and cursor are completed without an error")
  func anyTextIsCompleted() throws {
    let test = try archive()
    let search = HybridSearch(archive: test.archive, zone: test.zone)
    for line in ["tag:\"", "#%_'\"", "person:\u{0}", "@\u{10FFFF}", "tag:' OR 1 --", "👨‍👩‍👧 #👨‍👩‍👧"] {
      for cursor in [-1, 0, 1, 5, line.unicodeScalars.count, 1_000_000] {
        let found = try search.completions(of: line, at: cursor)
        #expect(found.allSatisfy { $0.range.upperBound <= line.unicodeScalars.count })
      }
    }
  }
}
