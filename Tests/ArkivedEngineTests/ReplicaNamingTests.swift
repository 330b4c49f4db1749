import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

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
}
