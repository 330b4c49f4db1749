import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// People, days and tags that both archives had once and that were changed on both sides since.
@Suite("The same on both sides: Merging what was edited")
struct MergeEditTests {
  private let test: TestArchive
  private let other: Archive

  init() throws {
    test = try TestArchive()
    other = try Archive(
      at: .folder(test.folder.url.appendingPathComponent("other")), clock: test.clock)
  }

  private func copyToOther() throws {
    let file = test.folder.url.appendingPathComponent("copy.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    _ = try RestoreJob(archive: other, homeZone: test.zone).prepare(file, unlocks: []).apply()
    test.clock.advance(seconds: 60)
  }

  /// Merges, and once more, which changes nothing.
  private func merge() throws {
    let job = MergeJob(archive: test.archive, homeZone: test.zone)
    let home = try #require(other.home)
    let run = try #require(try job.prepare(home).apply().run)
    #expect(run.skipped == 0 && run.warnings.isEmpty, "\(run.warnings)")
    let once = try lines()
    test.clock.advance(seconds: 60)
    _ = try job.prepare(home).apply()
    let twice = try lines()
    #expect(Set(twice).symmetricDifference(once).isEmpty, "\(Set(twice).symmetricDifference(once))")
  }

  private func lines() throws -> [String] {
    var lines: [String] = []
    try test.archive.forEachEntity { type, json in lines.append("\(type) \(json.text())") }
    return lines.sorted()
  }

  private func person(_ name: String, _ email: String) throws -> UUID {
    try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: name, email: email, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
  }

  private func person(_ id: UUID) throws -> Person {
    let today = try #require(DayKey("2026-03-14"))
    return try #require(try test.archive.person(id, today: today)).person
  }

  @Test func whoBecamePartOfSomebodyHereLosesNothing() throws {
    let (kim, lee) = (try person("Kim Lee", "kim@x.org"), try person("K. Lee", "lee@x.org"))
    try copyToOther()
    _ = try test.archive.merge(lee, into: kim)
    test.clock.advance(seconds: 60)
    _ = try other.updatePerson(lee) { $0.relationshipSummary = "climbs" }
    var walk = try test.activity("walk")
    walk.people = [Mention(name: "K. Lee", personID: lee)]
    let added = try other.add(walk).value
    try merge()
    let one = try person(kim)
    #expect(one.name == "Kim Lee" && one.email == "kim@x.org")
    #expect(one.furtherAddresses == ["lee@x.org"] && one.relationshipSummary == "climbs")
    #expect(try test.archive.activity(added.id)?.people.first?.personID == kim)
  }

  @Test func whoWasJoinedThereComesInWithoutTheAddressThatSomebodyHasHere() throws {
    let (kim, lee) = (try person("Kim Lee", "kim@x.org"), try person("K. Lee", "lee@x.org"))
    try copyToOther()
    _ = try other.merge(lee, into: kim)
    test.clock.advance(seconds: 60)
    _ = try other.updatePerson(kim) { $0.relationshipSummary = "a neighbour" }
    try merge()
    #expect(try person(kim).relationshipSummary == "a neighbour")
    #expect(try person(kim).furtherAddresses == [] && person(lee).email == "lee@x.org")
  }

  @Test func addressesThatChangedHandsThereStayWithWhomTheyHaveHere() throws {
    let (one, two) = (try person("One", "one@x.org"), try person("Two", "two@x.org"))
    try copyToOther()
    _ = try other.updatePerson(one) { $0.email = nil }
    _ = try other.updatePerson(two) {
      $0.email = "one@x.org"
      $0.aliases = ["Zwei"]
    }
    try merge()
    #expect(try person(one).email == "one@x.org")
    #expect(try person(two).email == "two@x.org" && person(two).aliases == ["Zwei"])
  }

  @Test func whatIsSaidOnceStaysAsItWasChangedThoughTheRestWasChangedLater() throws {
    let kim = try person("Kim", "kim@x.org")
    let day = try #require(DayKey("2026-03-01"))
    _ = try test.archive.updatePerson(kim) { $0.relationshipSummary = "a colleague" }
    _ = try test.archive.updateDay(day) { $0.mood = 3 }
    try copyToOther()
    _ = try test.archive.updatePerson(kim) { $0.relationshipSummary = "a friend" }
    _ = try test.archive.updateDay(day) { $0.mood = 5 }
    test.clock.advance(seconds: 60)
    _ = try other.updatePerson(kim) { $0.aliases = ["Kimmy"] }
    _ = try other.updateDay(day) { $0.energy = 2 }
    try merge()
    let one = try person(kim)
    #expect(one.relationshipSummary == "a friend" && one.aliases == ["Kimmy"])
    let entry = try #require(try test.archive.day(day).entry)
    #expect(entry.mood == 5 && entry.energy == 2)
  }

  @Test func aTagThatWasRenamedOnOneSideIsOneTag() throws {
    let run = try test.add("run", tags: ["sport", "runing"])
    try copyToOther()
    let tag = try test.archive.tag(named: "runing").tag
    _ = try test.archive.renameTag(tag.id, to: "laps")
    let swim = try other.add(try test.activity("swim", tags: ["runing"])).value
    let report = try MergeJob(archive: test.archive, homeZone: test.zone)
      .prepare(try #require(other.home)).report
    #expect(report.conflictCount == 0)
    try merge()
    #expect(try test.archive.activity(swim.id)?.tags == ["laps"])
    #expect(Set(try test.archive.activity(run.id)?.tags ?? []) == ["sport", "laps"])
    #expect(try test.archive.tagSummaries().count == 2)
  }

  @Test func theFolderOfFilesOfAMergeIsNoLinkToBeTold() throws {
    var rowing = try test.activity("rowing")
    rowing.attachments = [
      try other.store(
        Data("a picture".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, originalName: "boat.txt",
          createdAt: test.clock.now, updatedAt: test.clock.now))
    ]
    _ = try other.add(rowing)
    try merge()
  }
}
