import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("What comes back with one entry of a backup")
struct PartRestoreTests {
  private let identity = AgeIdentity()

  /// The lines of an export that are of some types, but for whose word was the last.
  private func lines(_ test: TestArchive, _ types: [String]) throws -> Set<String> {
    var lines: Set<String> = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { line in
      guard types.contains(where: { line.hasPrefix("{\"type\":\"\($0)\"") }) else { return }
      var object = try #require(try JSON(parsing: line).object)
      object["editedHere"] = nil
      lines.insert(JSON.object(object).text())
    }
    return lines
  }

  private func backup(_ test: TestArchive) throws -> URL {
    let file = test.folder.url.appendingPathComponent("out/life.zip.age")
    _ = try BackupJob(archive: test.archive, target: .recipients([identity.recipient]))
      .write(to: file)
    test.clock.advance(seconds: 60)
    return file
  }

  private func restore(_ id: UUID, of file: URL, into test: TestArchive) throws {
    let runs = try RestoreJob(archive: test.archive, homeZone: test.zone)
      .restore(.entry(id.uuidString), of: file, unlocks: [.identity(identity)])
    #expect(runs.allSatisfy { $0.skipped == 0 })
  }

  @Test func aMeetingComesBackByItsOwnIdentityWithItsEntryAndNotes() throws {
    let test = try TestArchive()
    let calendar = try test.folder.file(
      "work.ics",
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      UID:review
      DTSTART:20260316T090000Z
      DTEND:20260316T100000Z
      SUMMARY:Review
      ATTENDEE;CN=Mei Lin:mailto:mei@example.org
      END:VEVENT
      END:VCALENDAR
      """)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(calendar)
    let id = try #require(try test.archive.meeting(ofEvent: "review")).id
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "Minutes", text: "It was long.", meetingID: id,
        createdAt: test.clock.now, updatedAt: test.clock.now))
    let file = try backup(test)
    let before = try lines(test, ["activity", "meeting", "note"])
    #expect(before.count == 3)
    _ = try test.archive.deleteMeeting(id)
    #expect(try lines(test, ["activity", "meeting", "note"]).isEmpty)
    try restore(id, of: file, into: test)
    #expect(try lines(test, ["activity", "meeting", "note"]) == before)
  }

  @Test func aConversationComesBackWithWhatWasSaidInIt() throws {
    let test = try TestArchive()
    var thread: UUID?
    _ = try test.archive.say(
      "When do I meet Priya?", answered: "On Monday.", details: ["kind": "when"]
    ) { kept, _, _ in
      thread = kept.id
      return KeptAnswer(status: 200)
    }
    let id = try #require(thread)
    let file = try backup(test)
    let before = try lines(test, ["thread", "message"])
    #expect(before.count == 3)
    _ = try test.archive.delete(ConversationThread.self, id)
    #expect(try lines(test, ["thread", "message"]).isEmpty)
    try restore(id, of: file, into: test)
    #expect(try lines(test, ["thread", "message"]) == before)
  }

  @Test func whatItsOwnerLinkedComesBackLinked() throws {
    let test = try TestArchive()
    let activity = try test.add("dug a pond")
    let goal = try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: "A garden", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    _ = try test.archive.link(action: activity.id, goal: goal.id, amount: 2)
    let file = try backup(test)
    let before = try lines(test, ["activity", "goal", "contribution"])
    #expect(before.count == 3)
    for id in [activity.id, goal.id] {
      if id == activity.id {
        _ = try test.archive.deleteActivities([id])
      } else {
        _ = try test.archive.delete(Goal.self, id)
      }
      #expect(try lines(test, ["contribution"]).isEmpty)
      try restore(id, of: file, into: test)
      #expect(try lines(test, ["activity", "goal", "contribution"]) == before)
    }
  }
}
