import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Filters of search, kept from one search to the next")
struct FilterSetTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))

  /// Indexes that keep even the smallest set.
  private func index(_ test: TestArchive, bytes: Int? = nil) async throws -> SearchIndexes {
    var limits = FilterSets.Limits()
    limits.leastCount = 0
    if let bytes { limits.bytes = bytes }
    let indexes = SearchIndexes(test.archive, model: Self.noModel, setLimits: limits)
    _ = try await IndexJob(test.archive, indexes).run()
    return indexes
  }

  private func titles(
    _ query: String, _ test: TestArchive, _ indexes: SearchIndexes
  ) throws -> [String] {
    try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
      .search(SearchRequest(query: query)).hits.map(\.title).sorted()
  }

  @Test("A tag that another connection puts on, takes off, deletes or brings back counts at once")
  func tagsCountAtOnce() async throws {
    let test = try TestArchive()
    let cake = try test.add("tea and cake", tags: ["food"])
    let plain = try test.add("tea alone")
    let indexes = try await index(test)
    #expect(try titles("tea tag:food", test, indexes) == ["tea and cake"])
    #expect(try #require(try indexes.currentWords()).sets.keptCount == 1)

    let other = try test.another()
    _ = try other.updateActivity(plain.id) { $0.tags = ["food"] }
    #expect(try titles("tea tag:food", test, indexes) == ["tea alone", "tea and cake"])
    _ = try other.updateActivity(cake.id) { $0.tags = [] }
    #expect(try titles("tea tag:food", test, indexes) == ["tea alone"])
    _ = try other.undo()
    #expect(try titles("tea tag:food", test, indexes) == ["tea alone", "tea and cake"])
    _ = try other.undo()
    #expect(try titles("tea tag:food", test, indexes) == ["tea and cake"])

    let tag = try #require(try other.tags(prefix: "food").first?.tag)
    _ = try other.write(by: .owner, "tag", "Deleted a tag") { try $0.deleteTag(tag.id) }
    #expect(try titles("tea tag:food", test, indexes).isEmpty)
    // The row of the new tag may get the number of the one that was deleted.
    try test.add("tea in the garden", tags: ["garden"])
    #expect(try titles("tea tag:garden", test, indexes) == ["tea in the garden"])
    let new = try test.add("tea late", tags: ["food"])
    #expect(try titles("tea tag:food", test, indexes) == ["tea late"])
    _ = try other.deleteActivities([new.id])
    #expect(try titles("tea tag:food", test, indexes).isEmpty)
    #expect(try indexes.currentWords() != nil)
  }

  @Test("Who was deleted and brought back is found by name all the time")
  func peopleCountAtOnce() async throws {
    let test = try TestArchive()
    try test.add("tea with a friend", people: ["Alex Kim"])
    let day = try #require(DayKey("2026-03-10"))
    _ = try test.archive.updateDay(day) { $0.note = "more tea with Alex Kim" }
    try test.add("tea alone")
    let indexes = try await index(test)
    let both = ["more tea with Alex Kim", "tea with a friend"]
    func found() throws -> Int { try titles("tea person:\"Alex Kim\"", test, indexes).count }
    #expect(try found() == both.count)

    let other = try test.another()
    let alex = try #require(try other.people().first { $0.name == "Alex Kim" })
    _ = try other.write(by: .owner, "person", "Deleted a person") { try $0.deletePerson(alex.id) }
    #expect(try found() == both.count)
    // A set that is kept of now, while nobody has the name.
    _ = try other.undo()
    #expect(try found() == both.count)
    #expect(
      try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
        .search(SearchRequest(query: "tea", personGroups: [[alex.id]])).hits.count == both.count)
    #expect(try indexes.currentWords() != nil)
  }

  @Test("A person who comes back after the index was built without them is found by who they are")
  func peopleComeBack() async throws {
    let test = try TestArchive()
    try test.add("tea with a friend", people: ["Alex Kim"])
    let alex = try #require(try test.archive.people().first)
    _ = try test.archive.write(by: .owner, "person", "Deleted") { try $0.deletePerson(alex.id) }
    // Takes the number of the row that went, which comes back with that number later on.
    try test.add("tea with a neighbour", people: ["Bo Lind"])
    let indexes = try await index(test)
    #expect(try titles("tea person:\"Bo Lind\"", test, indexes) == ["tea with a neighbour"])
    let bo = try #require(try test.archive.people().first)
    _ = try test.archive.write(by: .owner, "person", "Also") { try $0.deletePerson(bo.id) }
    let deletion = try #require(try test.archive.changes().first { $0.summary == "Deleted" })
    _ = try test.archive.undo(deletion.id)
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    let found = try search.search(SearchRequest(query: "tea", personGroups: [[alex.id]]))
    #expect(found.hits.map(\.title) == ["tea with a friend"])
  }

  @Test("A meeting is found by who takes part as soon as that changes")
  func attendeesCountAtOnce() async throws {
    let test = try TestArchive()
    let now = test.clock.now
    try test.add("tea alone")
    let alex = try test.archive.create(
      Person(id: test.archive.identities.next(), name: "Alex Kim", createdAt: now, updatedAt: now)
    ).value
    let entry = try test.activity("tea at the office")
    let id = test.archive.identities.next()
    let meeting = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: entry.id, eventIdentifier: id.uuidString, createdAt: now,
          updatedAt: now), activity: entry)
    ).value
    let indexes = try await index(test)
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    func found(_ groups: [[UUID]]) throws -> [String] {
      var request = SearchRequest(query: "tea")
      request.meetings = MeetingConditions(groups: groups)
      return try search.search(request).hits.map(\.title)
    }
    #expect(try found([]) == ["tea at the office"])
    #expect(try found([[alex.id]]).isEmpty)
    _ = try test.another().updateMeeting(meeting.id) { entry in
      entry.setAttendees([Attendance(name: "Alex Kim", personID: alex.id)])
    }
    #expect(try found([[alex.id]]) == ["tea at the office"])
    var request = SearchRequest(query: "tea")
    request.types = [.note, .day]
    #expect(try search.search(request).hits.isEmpty)
    let day = try #require(DayKey("2026-03-10"))
    _ = try test.archive.updateDay(day) { $0.note = "more tea" }
    #expect(try search.search(request).hits.map(\.type) == [.day])
    request.types = [.activity]
    #expect(
      try search.search(request).hits.map(\.title).sorted() == ["tea alone", "tea at the office"])
  }

  @Test("An import that comes, goes and comes back takes its tags along")
  func importsComeAndGo() async throws {
    let test = try TestArchive()
    try test.add("entry of mine", tags: ["new"])
    let indexes = try await index(test)
    #expect(try titles("entry tag:new", test, indexes).count == 1)
    try run(test, ScriptedImporter(records: scripted(10)))
    #expect(try titles("entry tag:new", test, indexes).count == 11)
    _ = try await IndexJob(test.archive, indexes).run()
    #expect(try titles("entry tag:new", test, indexes).count == 11)
    let change = try #require(try test.archive.changes().first { $0.action == "import" })
    let undone = try test.archive.undo(change.id)
    #expect(try titles("entry tag:new", test, indexes).count == 1)
    _ = try await IndexJob(test.archive, indexes).run()
    #expect(try titles("entry tag:new", test, indexes).count == 1)
    _ = try test.archive.undo(undone.change.id)
    #expect(try titles("entry tag:new", test, indexes).count == 11)
  }

  @Test(
    "Whatever is changed, all filters together let through what the full-text table lets through")
  func filtersAgreeWithTheTable() async throws {
    let test = try TestArchive()
    var random = SplitMix(seed: 7)
    let tags = ["food", "home", "work"]
    let kinds: [ActivityKind] = [.work, .health, .other]
    let people = ["Alex Kim", "Bo Lind"]
    var ids: [UUID] = []
    func some(_ names: [String]) -> [String] { names.filter { _ in random.next() % 3 == 0 } }
    func add() throws {
      ids.append(
        try test.add(
          "tea number \(ids.count)", tags: some(tags), people: some(people),
          kind: kinds[Int(random.next() % 3)]
        ).id)
    }
    for _ in 0..<60 { try add() }
    let indexes = try await index(test)
    let other = try test.another()
    for turn in 0..<40 {
      let id = ids[Int(random.next() % UInt64(ids.count))]
      let (newTags, newPeople) = (some(tags), some(people))
      let kind = kinds[Int(random.next() % 3)]
      switch turn % 4 {
      case 0: try add()
      case 1:
        _ = try other.deleteActivities([id])
        ids.removeAll { $0 == id }
      case 2: _ = try other.undo()
      default:
        _ = try other.updateActivity(id) {
          $0.tags = newTags
          $0.people = newPeople.map { Mention(name: $0) }
          $0.kind = kind
          $0.isPinned.toggle()
        }
      }
      ids = try test.archive.identities(
        of: try test.archive.list(SearchRequest(query: "", limit: 200)))
      var request = SearchRequest(
        query: "tea", tags: some(tags), kinds: Array(kinds.prefix(Int(random.next() % 3))),
        source: random.next() % 2 == 0 ? .manual : nil, people: some(people), limit: 200,
        mode: .words)
      request.isPinned = random.next() % 4 == 0
      if random.next() % 3 == 0 { request.tagGroups = [["food", "work"]] }
      let expected = try test.archive.search(request, words: WordQuery("tea")).map(\.id)
      let found = try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
        .search(request).hits.map(\.id)
      #expect(Set(found) == Set(expected), "turn \(turn): \(request)")
    }
    #expect(try indexes.currentWords() != nil)
  }

  @Test("No more is kept than was agreed, and what is not kept is found all the same")
  func memoryIsBounded() async throws {
    let test = try TestArchive()
    for number in 0..<50 { try test.add("tea number \(number)", tags: ["t\(number)"]) }
    let probe = try await index(test)
    _ = try titles("tea tag:t49", test, probe)
    let one = try #require(try probe.currentWords()).sets.keptBytes
    #expect(one > 0)

    let limit = one * 3
    let indexes = try await index(test, bytes: limit)
    for number in [0, 1, 2, 49, 48, 47, 46, 0, 49] + Array(0..<50) {
      #expect(try titles("tea tag:t\(number)", test, indexes) == ["tea number \(number)"])
      let sets = try #require(try indexes.currentWords()).sets
      #expect(sets.keptBytes <= limit)
      #expect(sets.keptCount > 0)
    }
  }

  @Test("A new index begins with no sets of the one before")
  func newIndexesBeginAnew() async throws {
    let test = try TestArchive()
    try test.add("tea and cake", tags: ["food"])
    let plain = try test.add("tea alone")
    let indexes = try await index(test)
    #expect(try titles("tea tag:food", test, indexes) == ["tea and cake"])
    _ = try test.archive.updateActivity(plain.id) { $0.tags = ["food"] }
    _ = try await IndexJob(test.archive, indexes).run(rebuild: true)
    #expect(try titles("tea tag:food", test, indexes) == ["tea alone", "tea and cake"])
  }
}

/// Chance that is the same in every run (SplitMix64, Steele, Lea and Flood 2014).
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
