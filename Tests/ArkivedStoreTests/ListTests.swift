import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Lists of entries")
struct ListTests {
  private func titles(
    _ test: TestArchive, order: Archive.ResultOrder = .newest, window: Int = 20_000,
    _ narrow: (inout SearchRequest) -> Void = { _ in }
  ) throws -> [String] {
    var request = SearchRequest(query: "", limit: .max)
    request.homeZone = test.zone
    narrow(&request)
    let found = try test.archive.list(request, order: order, window: window)
    return try test.archive.entries(found).map(\.title)
  }

  /// Entries of all sorts over some days.
  private func life() throws -> TestArchive {
    let test = try TestArchive()
    try test.add("castle", on: "2024-03-14", from: "09:00", tags: ["trip"])
    try test.add("run", on: "2026-03-12", from: "07:00", tags: ["sport", "morning"], kind: .health)
    try test.add("swim", on: "2026-03-12", from: "18:00", tags: ["sport"], kind: .health)
    try test.add("soup", on: "2026-03-13", from: "19:00", people: ["Priya Nair"], kind: .social)
    var pinned = try test.activity("passport", on: "2026-03-13")
    pinned.isPinned = true
    pinned.notes = "in the ÉTAGÈRE drawer"
    try test.archive.add(pinned)
    try test.add("standup", on: "2026-03-14", from: "09:00", kind: .work)
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-13"))) {
      $0.note = "Rain all day. Priya Nair came."
    }
    return test
  }

  @Test func entriesComeInTheOrderOfTime() throws {
    let test = try life()
    // What has no time of its own stands where it was written, here on the evening of the 14th.
    #expect(
      try titles(test, order: .oldest)
        == ["castle", "run", "swim", "soup", "passport", "Rain all day", "standup"])
    #expect(try titles(test).first == "standup")
    #expect(try titles(test) { $0.limit = 2 } == ["standup", "Rain all day"])
    #expect(
      try titles(test) {
        $0.limit = 2
        $0.offset = 1
      } == ["Rain all day", "passport"])
    #expect(try titles(test) { $0.limit = 0 }.isEmpty)
    #expect(
      try titles(test) {
        $0.limit = .max
        $0.offset = .max
      }.isEmpty)
  }

  @Test func everyFilterHolds() throws {
    let test = try life()
    #expect(try titles(test) { $0.tags = ["Sport"] } == ["swim", "run"])
    #expect(try titles(test) { $0.tags = ["sport", "morning"] } == ["run"])
    #expect(try titles(test) { $0.tagGroups = [["trip", "morning"]] } == ["run", "castle"])
    #expect(
      try titles(test) {
        $0.excludedTags = ["sport", "trip"]
        $0.to = TimeBound("2026-03-13")
      } == ["Rain all day", "passport", "soup"])
    #expect(try titles(test) { $0.kinds = [.work, .social] } == ["standup", "soup"])
    #expect(try titles(test) { $0.source = .calendarImport }.isEmpty)
    #expect(try titles(test) { $0.isPinned = true } == ["passport"])
    #expect(try titles(test) { $0.people = ["priya"] } == ["Rain all day", "soup"])
    #expect(try titles(test) { $0.pieces = ["étagère"] } == ["passport"])
    #expect(try titles(test) { $0.pieces = ["AIN ALL"] } == ["Rain all day"])
    #expect(try titles(test) { $0.pieces = ["100%"] }.isEmpty)
    #expect(
      try titles(test) {
        $0.from = TimeBound("2026-03-12T12:00:00Z")
        $0.to = TimeBound("2026-03-13T18:00:00Z")
      } == ["swim"])
    let today = try #require(DayKey("2026-03-14"))
    #expect(
      try titles(test) { $0.anniversary = Anniversary(of: today, before: today) } == ["castle"])
  }

  /// Looking through the nearest rows first must not change what is found.
  @Test func aLongArchiveListsAsAShortOne() throws {
    let test = try life()
    for index in 0..<60 {
      try test.add(
        "entry \(index)", on: "2025-0\(1 + index % 9)-\(10 + index % 18)", from: "10:00",
        tags: index % 7 == 0 ? ["seven"] : [], people: index % 11 == 0 ? ["Sam"] : [])
    }
    let requests: [(inout SearchRequest) -> Void] = [
      { _ in }, { $0.tags = ["seven"] }, { $0.tags = ["trip"] }, { $0.people = ["Sam"] },
      { $0.isPinned = true }, { $0.pieces = ["entry 5"] }, { $0.excludedTags = ["seven"] },
      { $0.to = TimeBound("2025-06-30") }, { $0.from = TimeBound("2025-06-30") },
    ]
    for (index, narrow) in requests.enumerated() {
      for order in [Archive.ResultOrder.newest, .oldest] {
        let all = try titles(test, order: order, narrow)
        for limit in [1, 3, 200] {
          let near = try titles(test, order: order, window: 5) {
            narrow(&$0)
            $0.limit = limit
          }
          #expect(near == Array(all.prefix(limit)), "request \(index), \(limit)")
        }
      }
    }
  }

  @Test func wordsAndFiltersMeetInTheOrderOfTime() throws {
    let test = try life()
    var cat = try test.activity("a photo", on: "2025-01-01")
    cat.attachments = [
      Attachment(
        id: test.archive.identities.next(), type: .link, caption: "rain on the castle",
        externalURL: "https://example.org/", createdAt: test.clock.now, updatedAt: test.clock.now)
    ]
    try test.archive.add(cat)
    func found(_ query: String, _ narrow: (inout SearchRequest) -> Void = { _ in }) throws
      -> [String]
    {
      var request = SearchRequest(query: query, limit: .max)
      narrow(&request)
      let references = try test.archive.list(
        request, words: WordQuery(query), expand: { _ in [] }, order: .oldest)
      return try test.archive.entries(references).map(\.title)
    }
    #expect(try found("castle") == ["castle", "a photo"])
    #expect(try found("rain castle") == ["a photo"])
    #expect(try found("rain") { $0.pieces = ["all day"] } == ["Rain all day"])
    #expect(try found("run") { $0.isPinned = true }.isEmpty)
    #expect(try found("castle") { $0.tagGroups = [["trip", "x"]] } == ["castle"])
    #expect(try found("castle") { $0.excludedTags = ["trip"] } == ["a photo"])
    let today = try #require(DayKey("2026-03-14"))
    #expect(
      try found("castle") { $0.anniversary = Anniversary(of: today, before: today) } == ["castle"])
  }

  @Test func anExcludedEntryTakesItsAttachmentsAlong() throws {
    let test = try TestArchive()
    func photo(_ activity: Activity) throws {
      var activity = activity
      activity.attachments = [
        Attachment(
          id: test.archive.identities.next(), type: .link, caption: "sunset over the bay",
          externalURL: "https://example.org/", createdAt: test.clock.now, updatedAt: test.clock.now)
      ]
      try test.archive.add(activity)
    }
    var beach = try test.activity(
      "at the beach", on: "2026-03-01", tags: ["private"], people: ["Priya Nair"], kind: .social)
    beach.isPinned = true
    try photo(beach)
    var hill = try test.activity("up the hill", on: "2026-03-02")
    hill.source = .calendarImport
    try photo(hill)
    func found(
      _ line: String = "sunset", _ narrow: (inout SearchRequest) -> Void = { _ in }
    ) throws -> [String] {
      var request = SearchRequest(query: line, limit: .max)
      narrow(&request)
      let references = try test.archive.list(
        request, words: WordQuery(line), expand: { _ in [] }, order: .oldest)
      return try test.archive.entries(references).map(\.title)
    }
    #expect(try found() == ["at the beach", "up the hill"])
    #expect(try found { $0.excludedTags = ["private"] } == ["up the hill"])
    #expect(try found { $0.excludedKinds = [.social] } == ["up the hill"])
    #expect(try found { $0.excludedSources = [.calendarImport] } == ["at the beach"])
    #expect(try found { $0.isUnpinned = true } == ["up the hill"])
    let priya = try #require(try test.archive.people().first)
    #expect(try found { $0.excludedPeople = [priya.id] } == ["up the hill"])
    // A word is excluded from the whole entry.
    #expect(try found("sunset -beach") == ["up the hill"])
    #expect(try found("sunset -*each*") == ["up the hill"])
    var request = SearchRequest(query: "sunset", limit: 10)
    request.excludedTags = ["private"]
    #expect(
      try test.archive.search(request, words: WordQuery("sunset")).map(\.dayKey.description)
        == ["2026-03-02"])
  }

  @Test func countsAndTagsOfWhatIsFound() throws {
    let test = try life()
    var request = SearchRequest(query: "", limit: 1)
    #expect(try test.archive.count(request) == 7)
    request.kinds = [.health]
    #expect(try test.archive.count(request) == 2)
    request.limit = .max
    let tags = try test.archive.tagCounts(of: test.archive.list(request))
    #expect(tags.map(\.name) == ["sport", "morning"] && tags.map(\.count) == [2, 1])
    request.pieces = ["x"]
    #expect(try test.archive.reasons(request) == ["kind: health", "contains: x"])
  }
}

@Suite("Short identities")
struct IdentityTests {
  @Test func theyGrowOnlyWhereTheyMust() throws {
    let test = try TestArchive()
    func entry(_ id: String) throws -> UUID {
      var activity = try test.activity("entry \(id)")
      activity.id = try #require(UUID(uuidString: id))
      return try test.archive.add(activity).value.id
    }
    let alone = try entry("3F2A91B0-0000-4000-8000-000000000001")
    let first = try entry("AAAAAAAA-1111-4000-8000-000000000001")
    let second = try entry("AAAAAAAA-1111-4000-8000-000000000002")
    let third = try entry("AAAAAAAA-2222-4000-8000-000000000001")
    let ids = [alone, first, second, third]
    let short = try test.archive.shortIDs(ids)
    #expect(
      short == [
        alone: "3F2A91B0", first: first.uuidString, second: second.uuidString,
        third: "AAAAAAAA-2",
      ])
    #expect(try test.archive.shortIDs(ids, shared: test.archive.sharedBeginnings()) == short)
    for (id, text) in short {
      #expect(try test.archive.entryReference(matching: text.lowercased()).id == id)
    }
    #expect(try test.archive.entryReference(matching: "aaaaaaaa2222").id == third)
    let error = #expect(throws: ArchiveError.self) {
      try test.archive.entryReference(matching: "AAAAAAAA")
    }
    #expect(error?.description.contains("AAAAAAAA-2  2026-03-14 entry AAAAAAAA-2222") == true)
    for text in ["", "3F2", "ZZZZ", "3F2A91B1", "%%%%", String(repeating: "A", count: 33)] {
      #expect(throws: ArchiveError.self) { try test.archive.entryReference(matching: text) }
    }
    #expect(try test.archive.identities(beginningWith: "3f", limit: 5) == ["3F2A91B0"])
  }

  @Test func aDaysNoteHasOneToo() throws {
    let test = try TestArchive()
    let note = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "x" }
    let found = try test.archive.entryReference(matching: note.value.id.uuidString)
    #expect(found.type == .day && found.id == note.value.id)
    #expect(throws: ArchiveError.self) {
      try test.archive.activityID(matching: note.value.id.uuidString)
    }
  }
}
