import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("Tags and entries that several devices keep apart")
struct DeviceSyncPairsTests {
  private func add(tags: [String], to computer: Computer) throws {
    var activity = computer.activity("walked")
    activity.tags = tags
    _ = try computer.archive.add(activity)
  }

  private func id(_ name: String, _ computer: Computer) throws -> UUID {
    try #require(try computer.archive.tags().first { $0.tag.name == name }?.tag.id)
  }

  private func list(_ name: String, _ computer: Computer) throws -> [JSON]? {
    try computer.archive.read { db in try StoredSetting.value(name, db)?.array }
  }

  @Test("Pairs that two devices keep apart at the same time are both kept apart everywhere")
  func bothPairs() throws {
    let pair = try TwoDevices()
    try add(tags: ["sport", "sports", "walk", "walks"], to: pair.one)
    let entries = try (0..<4).map { number in
      try pair.one.archive.add(pair.one.activity("\(number)")).value.id
    }
    try pair.exchange()
    for computer in [pair.one, pair.two] { computer.clock.advance(seconds: 60) }
    try pair.one.archive.keepTagsApart(id("sport", pair.one), id("sports", pair.one))
    try pair.two.archive.keepTagsApart(id("walk", pair.two), id("walks", pair.two))
    try pair.one.archive.keepApart(entries[0], entries[1])
    try pair.two.archive.keepApart(entries[2], entries[3])
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.countTagsApart() == 2)
      let keys = try list("entriesApart", computer)?.compactMap(\.string)
      let expected = [entries[...1], entries[2...]].map { ids in
        ids.map(\.uuidString).sorted().joined(separator: " ")
      }
      #expect(Set(keys ?? []) == Set(expected))
      #expect(try computer.archive.replicaConflicts().isEmpty)
    }
    // They are proposed again everywhere.
    try pair.two.archive.proposeTagsAgain()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.countTagsApart() == 0)
      #expect(try list("entriesApart", computer)?.count == 2)
    }
  }

  @Test("A pair stays apart if one of its tags turns out to be the same as one of another device")
  func unitedTag() throws {
    let pair = try TwoDevices()
    for computer in [pair.one, pair.two] {
      try add(tags: ["sport", "sports"], to: computer)
      computer.clock.advance(seconds: 60)
      try computer.archive.keepTagsApart(id("sport", computer), id("sports", computer))
    }
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.tags().count == 2)
      #expect(try computer.archive.countTagsApart() == 1)
      #expect(try list("tagsApart", computer)?.count == 1)
      #expect(try computer.archive.tagProposals().isEmpty)
    }
    try pair.one.archive.proposeTagsAgain()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.countTagsApart() == 0)
    }
  }
}
