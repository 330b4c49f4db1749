import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("Entities that refer to one of several IDs")
struct ReplicaNamingTests {
  @Test func anIDThatWasMergedTwiceIsStillFound() throws {
    let test = try TestArchive()
    let persons = ["1111", "2222", "3333"].map { ReplicaKey(type: "persons", id: $0) }
    let meeting = ReplicaKey(type: "meetings", id: "M")
    try test.archive.transact { db in
      let tables = ReplicaTables(db: db)
      // 3333 was merged into 2222, and 2222 into 1111 later.
      for (key, other) in [(persons[2], "2222"), (persons[1], "1111")] {
        var alias = ReplicaState()
        alias.alias = other
        try tables.save(alias, key)
      }
      var state = ReplicaState()
      state.registers["attendees"] = ReplicaState.Register(
        value: [["name": "Ann", "personId": "3333"]],
        stamp: ReplicaStamp(time: 1, device: "d", sequence: 1))
      try tables.save(state, meeting)
      #expect(try tables.canonical(persons[2]) == persons[0])
      #expect(try tables.naming([persons[0]]) == [meeting])
    }
  }

  @Test("Many IDs are found in one pass just as each of them alone")
  func manyIDs() throws {
    let test = try TestArchive()
    let people = (0..<12).map { _ in ReplicaKey(type: "persons", id: UUID().uuidString) }
    let odd = ReplicaKey(type: "persons", id: "a person/7")
    let stamp = ReplicaStamp(time: 1, device: "d", sequence: 1)
    func state(_ fields: [String: JSON]) -> ReplicaState {
      var state = ReplicaState()
      state.touched = stamp
      for (name, value) in fields {
        state.registers[name] = ReplicaState.Register(value: value, stamp: stamp)
      }
      return state
    }
    let states: [(key: ReplicaKey, state: ReplicaState)] = [
      (ReplicaKey(type: "activities", id: "A"), state(["mentions/#\(people[0].id)": [:]])),
      (ReplicaKey(type: "activities", id: "B"), state(["mentions/#\(people[1].id)\u{1F}2": [:]])),
      (ReplicaKey(type: "days", id: "C"), state(["mentions/#\(odd.id)": [:]])),
      (
        ReplicaKey(type: "meetings", id: "D"),
        state(["attendees": [["name": "Ann", "personId": .string(people[2].id)]]])
      ),
      (ReplicaKey(type: "notes", id: "E"), state(["meetingId": .string(people[3].id)])),
      // Nobody, a person it isn't about, and a longer word.
      (ReplicaKey(type: "notes", id: "F"), state(["title": "é – nobody"])),
      (ReplicaKey(type: "notes", id: "G"), state(["mentions/#\(UUID().uuidString)": [:]])),
      (ReplicaKey(type: "goals", id: "H"), state(["title": .string(people[4].id)])),
    ]
    try test.archive.transact { db in
      let tables = ReplicaTables(db: db)
      for (key, state) in states { try tables.save(state, waits: key.id == "B", key) }
      let all = Set(people + [odd])
      let alone = try all.reduce(into: Set<ReplicaKey>()) { found, key in
        found.formUnion(try tables.naming([key]))
      }
      #expect(Set(alone.map(\.id)) == ["A", "B", "C", "D", "E"])
      #expect(Set(try tables.naming(all)) == alone)
      // What waits and is shown later isn't searched.
      let later = try tables.naming(all, turn: ReplicaFields.order(of: "persons"))
      #expect(Set(later.map(\.id)) == ["A", "C", "D", "E"])
      let turn = try tables.naming(all, turn: ReplicaFields.order(of: "activities"))
      #expect(Set(turn.map(\.id)) == ["A", "B", "C", "D", "E"])
    }
  }

  // MARK: Snapshots

  private func lines(_ computers: [Computer]) throws -> Set<[String]> {
    Set(try computers.map { try DeviceSyncSimulation.lines($0.archive) })
  }

  /// Adds entries with the same eight tags on every computer, each with a person of their own.
  private func addEntries(to computer: Computer, _ name: String) throws -> [UUID] {
    try (0..<8).map { number in
      var activity = computer.activity("walked with \(name) \(number)")
      activity.tags = ["tag\(number)", "walk"]
      activity.people = [Mention(name: "\(name) \(number)")]
      return try computer.archive.add(activity).value.id
    }
  }

  /// Renames all people on the first computer, and deletes them after the others could read that.
  private func renameAndDeletePeople(_ pair: TwoDevices) throws {
    let people = try pair.one.archive.people()
    #expect(!people.isEmpty)
    for person in people {
      _ = try pair.one.archive.updatePerson(person.id) { $0.name = "Old \(person.name ?? "")" }
    }
    var job = try pair.job(pair.one)
    try job.exchange()
    for person in people { _ = try pair.one.archive.deletePerson(person.id) }
    try job.exchange()
  }

  @Test("A new device with tags of the same names has each once, and entries name deleted people")
  func unitedTagsInASnapshot() throws {
    let pair = try TwoDevices()
    let third = try Computer()
    let entries = try addEntries(to: pair.one, "Ann")
    _ = try addEntries(to: pair.two, "Ben")
    let own = try addEntries(to: third, "Cleo")
    // The first two unite their tags; people are renamed and then deleted.
    try pair.exchange()
    try renameAndDeletePeople(pair)
    try pair.join(third, as: "tablet")
    for computer in [third, pair.one, pair.two, third] {
      var job = try pair.job(computer)
      try job.exchange()
    }
    for computer in [pair.one, pair.two, third] {
      #expect(try computer.archive.tags().count == 9)
      for (number, id) in (entries + own).enumerated() {
        let found = try #require(try computer.archive.activity(id))
        #expect(Set(found.tags) == ["tag\(number % 8)", "walk"])
        let name = number < 8 ? "Old Ann \(number)" : "Cleo \(number % 8)"
        #expect(found.people.map(\.name) == [name])
      }
      let left = try computer.archive.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM replica_states WHERE waits = 1")
      }
      #expect(left == 0)
    }
    #expect(try lines([pair.one, pair.two, third]).count == 1)
  }

  @Test("Entries of a returning device name people as they were called when they were deleted")
  func renamedAndDeletedMeanwhile() throws {
    let pair = try TwoDevices()
    let entries = try addEntries(to: pair.one, "Ann")
    try pair.exchange()
    try DevicePairing.leave(pair.two.archive)
    for computer in [pair.one, pair.two] { computer.clock.advance(seconds: 60) }
    try renameAndDeletePeople(pair)
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      for (number, id) in entries.enumerated() {
        let found = try #require(try computer.archive.activity(id))
        #expect(found.people == [Mention(name: "Old Ann \(number)")])
      }
    }
    #expect(try lines([pair.one, pair.two]).count == 1)
  }
}
