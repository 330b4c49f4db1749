import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("People without a name")
struct NamelessPersonTests {
  private func restored(_ test: TestArchive) throws -> TestArchive {
    let file = test.folder.url.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    let copy = try TestArchive()
    _ = try RestoreJob(archive: copy.archive, homeZone: copy.zone)
      .prepare(file, unlocks: []).apply()
    return copy
  }

  @Test func aBlankNameIsNone() throws {
    let test = try TestArchive()
    let now = test.clock.now
    let person = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: "Mei Ito", email: "mei@x.example",
        createdAt: now, updatedAt: now)
    ).value
    let entry = try test.add("tea", people: ["Mei Ito"])
    test.clock.advance(seconds: 60)
    let saved = try test.archive.updatePerson(person.id) {
      $0.name = " "
      $0.aliases = ["", "M"]
    }
    #expect(saved.value.name == nil && saved.value.aliases == ["M"])
    #expect(try test.archive.activity(entry.id)?.people.map(\.name) == ["M"])
    // The entry can be changed and restored.
    _ = try test.archive.updateActivity(entry.id) { $0.isPinned = true }
    let copy = try restored(test)
    #expect(try copy.archive.activity(entry.id)?.people.map(\.personID) == [person.id])
    #expect(throws: FieldError.self) {
      try test.archive.create(
        Person(id: UUID(), name: " ", createdAt: now, updatedAt: now))
    }
  }

  @Test func whatEarlierVersionsWroteWithoutANameIsRead() throws {
    let test = try TestArchive()
    let id = "11111111-1111-4111-8111-111111111111"
    let file = try test.folder.file(
      "life.jsonl",
      """
      {"type":"arkived","version":1}
      {"type":"person","id":"\(id)","name":"","email":"bo@x.example"}
      {"type":"activity","id":"22222222-2222-4222-8222-222222222222","text":"Sync",\
      "startAt":"2026-03-14T09:00:00Z","people":[""],"mentions":[{"name":"","personId":"\(id)"}]}
      {"type":"meeting","activityId":"22222222-2222-4222-8222-222222222222",\
      "eventIdentifier":"e1","attendees":[{"name":"","personId":"\(id)"}]}
      """)
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
    #expect(run.skipped == 0 && run.warnings.isEmpty, "\(run.warnings)")
    let entry = try #require(try test.day("2026-03-14").activities.first)
    #expect(entry.people.map { $0.personID?.uuidString } == [id])
    let person = try #require(try test.archive.people().first)
    #expect(person.name == nil && person.displayName == "bo@x.example")
    let copy = try restored(test)
    #expect(try copy.day("2026-03-14").activities.first?.people == entry.people)
  }
}
