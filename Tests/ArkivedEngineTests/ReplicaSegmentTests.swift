import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore

@Suite("Segments that other devices haven’t read yet")
struct ReplicaSegmentTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    try test.archive.startReplica(device: "own", settings: ["name": "desk"])
    try test.archive.captureReplica(publishes: true)
  }

  /// Puts everything that has changed into a segment that counts as published.
  private func publish() throws {
    test.clock.advance(seconds: 1)
    try archive.captureReplica(publishes: true)
    try archive.sealReplica()
    for segment in try archive.ownReplicaSegments() {
      try archive.markReplicaPublished(
        segment.sequence, with: archive.changes(ofReplicaSegment: segment.sequence))
    }
  }

  private func lines(_ segment: OwnSegment) throws -> [Substring] {
    try archive.changes(ofReplicaSegment: segment.sequence)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("A segment’s head is read by itself and fits its changes and its link")
  func heads() throws {
    for number in 0..<3 {
      try test.add("entry \(number)")
      try publish()
    }
    let segments = try archive.ownReplicaSegments()
    #expect(segments.map(\.sequence) == [1, 2, 3])
    var previous = ""
    for segment in segments {
      let head = try #require(try archive.head(ofReplicaSegment: segment.sequence))
      let lines = try lines(segment)
      #expect(head["hashes"]?.array?.count == lines.count)
      #expect(head["previous"]?.string == previous)
      #expect(head["link"]?.string == segment.link)
      previous = segment.link
    }
    try archive.forgetReplicaSegments(upTo: 1)
    #expect(try archive.head(ofReplicaSegment: 1) == nil)
    #expect(try archive.ownReplicaSegments().map(\.sequence) == [2, 3])
  }

  @Test("A segment that was written while something in it was permanently deleted is written again")
  func deletedWhileWritten() throws {
    let id = try test.add("a secret by the lake").id
    try archive.captureReplica(publishes: true)
    try archive.sealReplica()
    let segment = try #require(try archive.ownReplicaSegments().first)
    let written = try archive.changes(ofReplicaSegment: segment.sequence)
    #expect(written.contains("secret"))
    _ = try archive.purge(.entities([id]))
    try archive.markReplicaPublished(segment.sequence, with: written)
    #expect(try archive.ownReplicaSegments().first?.isPublished == false)
    let rest = try archive.changes(ofReplicaSegment: segment.sequence)
    #expect(!rest.contains("secret"))
    try archive.markReplicaPublished(segment.sequence, with: rest)
    #expect(try archive.ownReplicaSegments().first?.isPublished == true)
  }

  @Test("A permanent deletion removes its words from every unread segment and nothing else")
  func deletedInManySegments() throws {
    let secret = try test.add("the secret 0").id
    let other = try test.add("an entry 0").id
    try publish()
    for number in 1..<12 {
      // Every third segment doesn't have the secret.
      if number % 3 > 0 {
        _ = try archive.updateActivity(secret) { $0.text = "the secret \(number)" }
        _ = try archive.updateActivity(secret) { $0.text = "the secret \(number), again" }
      }
      _ = try archive.updateActivity(other) { $0.text = "an entry \(number)" }
      try publish()
    }
    let before = try archive.ownReplicaSegments()
    let linesBefore = try before.map(lines)
    #expect(before.count == 12)
    #expect(linesBefore.count { $0.contains { $0.contains("the secret") } } == 9)
    _ = try archive.purge(.entities([secret]))
    let after = try archive.ownReplicaSegments()
    #expect(after.map(\.link) == before.map(\.link))
    for (segment, old) in zip(after, linesBefore) {
      let new = try lines(segment)
      let hadIt = old.contains { $0.contains(secret.uuidString) }
      #expect(segment.isPublished == !hadIt)
      #expect(new == old.map { $0.contains(secret.uuidString) ? "-" : $0 })
      #expect(new.contains { $0.contains("an entry") })
    }
  }

  @Test("A permanent deletion also removes what was written under IDs that were merged, in turn")
  func deletedUnderOldIDs() throws {
    let ids = ["1", "2", "3"].map { "\($0)0000000-0000-4000-8000-000000000000" }
    func state(_ text: String) -> ReplicaState {
      let stamp = ReplicaStamp(time: 1, device: "own", sequence: 1)
      var state = ReplicaState()
      state.touched = stamp
      state.registers["name"] = ReplicaState.Register(value: .string(text), stamp: stamp)
      return state
    }
    try archive.transact { db in
      let tables = ReplicaTables(db: db)
      var capture = try #require(
        try Archive.replicaCapture(db, now: test.clock.now, publishes: true))
      for id in ids {
        try capture.send(state("the secret of \(id)"), ReplicaKey(type: "persons", id: id))
      }
      try capture.seal()
      // The third was merged into the second, and that into the first later.
      try tables.save(state("the secret"), ReplicaKey(type: "persons", id: ids[0]))
      for (id, kept) in [(ids[2], ids[1]), (ids[1], ids[0])] {
        var gone = ReplicaState()
        gone.alias = kept
        try tables.save(gone, ReplicaKey(type: "persons", id: id))
        try capture.send(gone, ReplicaKey(type: "persons", id: id))
      }
      try capture.seal()
      #expect(try tables.aliases(of: [ids[0]], type: "persons") == Set(ids))
      #expect(try tables.aliases(of: [ids[1]], type: "persons") == [ids[1], ids[2]])
      #expect(try tables.aliases(of: [ids[0]], type: "tags") == [ids[0]])
    }
    _ = try archive.write(by: .owner, "purge", "") { scope in
      try scope.purgeReplicas(of: [ids[0]])
    }
    let segments = try archive.ownReplicaSegments().map(lines)
    try #require(segments.count == 2)
    #expect(segments[0].suffix(3) == ["-", "-", "-"])
    // The others need these to delete the right person.
    #expect(segments[1].count == 2)
    #expect(segments[1].allSatisfy { $0.contains("\"same\"") })
  }

  @Test("The key at the beginning of a line is read only if it stands there as it is")
  func keysOfLines() throws {
    for key in [
      ReplicaKey(type: "activities", id: UUID().uuidString), ReplicaKey(version: "V", of: "E"),
      ReplicaKey(type: "settings", id: "preferences"),
    ] {
      let line = ReplicaChange(key: key, state: ReplicaState()).line
      #expect(ReplicaChange.key(ofLine: Substring(line)) == key)
      #expect(try ReplicaChange(line: line.utf8).key == key)
    }
    let odd = ReplicaChange(key: ReplicaKey(type: "a\"b", id: "c\\"), state: ReplicaState())
    for line in ["-", "", "[]", "[\"a\",1,{}]", " [\"a\",\"b\",{}]", odd.line] {
      #expect(ReplicaChange.key(ofLine: Substring(line)) == nil, "\(line)")
    }
  }
}
