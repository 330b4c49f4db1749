import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore

@Suite("People who are named often")
struct PersonSightingsTests {
  private let test: TestArchive
  private let people: [Person]
  private let today: DayKey
  /// The days on which each is named.
  private var days: [UUID: [DayKey]] = [:]

  /// Six hundred days with an entry each, the last hundred of them still to come.
  init() throws {
    test = try TestArchive()
    let first = try #require(DayKey("2024-01-01"))
    today = first.advanced(by: 499)
    let test = test
    people = try ["Ana", "Ben", "Cem", "Dora", "Nobody"].map { name in
      try test.archive.create(
        Person(
          id: test.archive.identities.next(), name: name, createdAt: TestArchive.now,
          updatedAt: TestArchive.now)
      ).value
    }
    let people = people
    let named = try test.archive.write(by: .owner, "add", "Added a life") { scope in
      var days: [UUID: [DayKey]] = [:]
      for index in 0..<600 {
        var activity = try test.activity("Entry \(index)")
        activity.dayKey = first.advanced(by: index)
        var who: [Person] = []
        if index % 3 == 0 { who.append(people[0]) }
        if (250...330).contains(index) { who.append(people[1]) }
        if index == 10 || index == 498 { who.append(people[2]) }
        if index > 480 { who.append(people[3]) }
        activity.people = who.map { Mention(name: $0.displayName, personID: $0.id) }
        for person in who { days[person.id, default: []].append(activity.dayKey) }
        try scope.insert(activity)
      }
      return days
    }.0
    days = named
  }

  private func seen(_ person: Person) -> [DayKey] {
    (days[person.id] ?? []).filter { $0 <= today }
  }

  @Test func countingFromBothEndsFindsWhatReadingAllDoes() throws {
    try test.archive.read { db in
      for record in try PersonRecord.fetch(db, where: "1") {
        let seen = seen(record.person)
        for (many, walk) in [(1_000_000, 1), (0, 1), (0, 7), (0, 60), (0, 10_000)] {
          var sightings = PersonSightings(today, db, many: many, walk: walk)
          let found = try sightings.sighting(of: record.pk)
          #expect(found.count == seen.count, "\(record.person.displayName) \(walk)")
          #expect(found.first == seen.min() && found.last == seen.max())
        }
      }
    }
  }

  @Test func whoIsMissingAmongTheLastSeenWasSeenEarlier() throws {
    try test.archive.read { db in
      let records = try PersonRecord.fetch(db, where: "1")
      for walk in [1, 3, 20, 200, 10_000] {
        let last = try PersonRows.lastSeen(today: today, walk: walk, db)
        for record in records {
          let truth = seen(record.person).max()?.description
          if let found = last[record.pk] {
            #expect(found == truth, "\(record.person.displayName) \(walk)")
          } else if let truth, let earliest = last.values.min() {
            #expect(truth < earliest, "\(record.person.displayName) \(walk)")
          }
        }
      }
    }
  }

  @Test func aPageOfPeopleIsAPartOfTheWholeList() throws {
    for order in [Archive.PersonOrder.name, .lastSeen, .meetings] {
      let all = try test.archive.people(order: order, today: today)
      #expect(all.count == 5)
      for (limit, offset) in [(1, 0), (2, 0), (2, 1), (3, 2), (4, 4), (0, 0), (9, 3)] {
        let page = try test.archive.people(
          order: order, today: today, limit: limit, offset: offset)
        #expect(page == Array(all.dropFirst(offset).prefix(limit)), "\(order) \(limit) \(offset)")
      }
    }
    #expect(
      try test.archive.people(matching: "d", order: .lastSeen, today: today, limit: 1)
        .map(\.person.name) == ["Dora"])
    #expect(try test.archive.countPeople(matching: "d") == 2)
    #expect(try test.archive.countPeople() == 5)
  }
}
