import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Files of notes")
struct NoteAttachmentTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func file(_ caption: String) throws -> ArkivedCore.Attachment {
    try archive.store(
      Data("content of \(caption)".utf8),
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, caption: caption,
        originalName: "\(caption).txt", createdAt: test.clock.now, updatedAt: test.clock.now))
  }

  private func note(_ text: String, day: String? = nil, meeting: UUID? = nil) throws -> Note {
    try archive.create(
      Note(
        id: archive.identities.next(), text: text, meetingID: meeting,
        dayKey: day.flatMap(DayKey.init), createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  private func find(_ word: String) throws -> [SearchHit] {
    try archive.search(SearchRequest(query: word), words: WordQuery(word))
  }

  @Test func aFileOfANoteIsKeptFoundTakenOffAndBroughtBack() throws {
    let note = try note("plans", day: "2026-03-01")
    let plan = try file("lighthouse")
    let change = try #require(try archive.attach([plan], to: .note(note.id)))
    #expect(change.summary == "Attached “lighthouse”")
    #expect(try archive.note(note.id)?.attachments == [plan])
    #expect(try archive.owner(ofAttachment: plan.id) == .note(note.id))
    #expect(try archive.attachments() == [plan])
    let hit = try #require(try find("lighthouse").first)
    #expect(hit.type == .attachment && hit.dayKey == note.dayKey && hit.noteID == note.id)
    test.clock.advance(seconds: 60)
    #expect(try archive.deleteAttachment(plan.id).owner == .note(note.id))
    #expect(try archive.note(note.id)?.attachments == [])
    #expect(try find("lighthouse").isEmpty)
    _ = try archive.undo()
    #expect(try archive.note(note.id)?.attachments == [plan])
    #expect(try find("lighthouse").count == 1)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func aFileOfAnUndoneImportHasNoPage() throws {
    let note = try note("plans")
    let plan = try file("oak")
    _ = try archive.attach([plan], to: .note(note.id))
    #expect(try archive.attachmentKey(plan.id) != nil)
    try archive.writer.write { db in
      try db.execute(
        sql: """
          INSERT INTO hidden_changes (change_pk, state)
          SELECT changed_pk, 'staged' FROM note_rows
          """)
    }
    #expect(try archive.attachmentKey(plan.id) == nil)
  }

  @Test func filesAndTheAnswerAboutThemAreStoredTogetherOrNotAtAll() throws {
    struct Failure: Error {}
    let note = try note("plans")
    let day = try #require(DayKey("2026-03-14"))
    let walk = try test.add("walk")
    let owners: [Archive.AttachmentOwner] = [.note(note.id), .day(day), .activity(walk.id)]
    for (number, owner) in owners.enumerated() {
      let request = RequestKey(key: "k\(number)", requestHash: "h")
      #expect(throws: Failure.self) {
        try archive.attach([try file("oak")], to: owner, once: request) { _ in throw Failure() }
      }
      #expect(try archive.attachments(of: owner).isEmpty)
      #expect(try archive.keptAnswer(to: request) == nil)
      // The second time, another program gets the repeated request.
      let answers = try ["oak", "elm"].map { name in
        try archive.attach([try file(name)], to: owner, once: request) { change in
          KeptAnswer(status: 201, location: change?.id.uuidString)
        }
      }
      #expect(answers[0] == answers[1] && answers[0].location != nil)
      #expect(try archive.attachments(of: owner).map(\.caption) == ["oak"])
    }
  }

  @Test func aDeletedNoteTakesItsFilesAndUndoBringsBoth() throws {
    let note = try note("plans")
    let files = try ["oak", "elm"].map(file)
    _ = try archive.attach(files, to: .note(note.id))
    try archive.deleteNote(note.id)
    #expect(try archive.attachments().isEmpty && find("elm").isEmpty)
    // Their files stay for undo and are nobody's stray ones.
    #expect(try archive.oldAttachments().count >= 2)
    #expect(try archive.strayFiles().isEmpty)
    _ = try archive.undo()
    #expect(try archive.note(note.id)?.attachments == files)
    #expect(try find("elm").count == 1)
  }

  @Test func anOldVersionIsRestoredWithTheFilesItHad() throws {
    let note = try note("plans")
    let oak = try file("oak")
    _ = try archive.attach([oak], to: .note(note.id))
    test.clock.advance(seconds: 60)
    _ = try archive.updateNote(note.id) {
      $0.text = "other plans"
      $0.attachments = []
    }
    let version = try #require(
      try archive.history(of: note.id).first { $0.record["text"] == "plans" })
    _ = try archive.restore(version)
    let restored = try #require(try archive.note(note.id))
    let ids = (version.record["attachments"]?.array ?? []).compactMap { $0["id"]?.string }
    #expect(restored.text == "plans" && restored.attachments.map(\.id.uuidString) == ids)
  }

  @Test func theFilesOfAMeetingsNoteFollowItsDay() throws {
    let made = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: archive.identities.next(), activityID: UUID(), eventIdentifier: "own",
          createdAt: test.clock.now, updatedAt: test.clock.now),
        activity: try test.activity("Review", on: "2026-03-16", from: "10:00")
      ).linked
    ).value
    let note = try note("minutes", meeting: made.id)
    _ = try archive.attach([try file("lighthouse")], to: .note(note.id))
    #expect(try find("lighthouse").first?.dayKey.description == "2026-03-16")
    let day = try #require(DayKey("2026-03-17"))
    _ = try archive.updateMeeting(made.id) {
      $0.activity.dayKey = day
      $0.activity.startAt = $0.activity.startAt?.adding(seconds: 86_400)
    }
    #expect(try find("lighthouse").first?.dayKey.description == "2026-03-17")
    try archive.rebuildSearchWords()
    #expect(try find("lighthouse").first?.dayKey.description == "2026-03-17")
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func whatIsForgottenTakesTheFilesOfANoteWithIt() throws {
    let note = try note("plans")
    let plan = try file("lighthouse")
    _ = try archive.attach([plan], to: .note(note.id))
    let path = try #require(archive.file(of: plan)).path
    let purged = try archive.purge(.entities([note.id]))
    #expect(purged.plan.files == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try archive.attachments().isEmpty && archive.oldAttachments().isEmpty)
  }

  @Test func aRowBelongsToExactlyOneOwner() throws {
    let note = try note("plans")
    _ = try archive.attach([try file("oak")], to: .note(note.id))
    try test.add("walk")
    for assignment in ["activity_pk = 1", "note_pk = NULL", "day_pk = 1"] {
      #expect(throws: DatabaseError.self) {
        try archive.writer.write { try $0.execute(sql: "UPDATE attachments SET \(assignment)") }
      }
    }
  }

  @Test func theStepToNotesKeepsEveryRowAndItsNumber() throws {
    let queue = try DatabaseQueue()
    let steps = Migrations.all.steps
    let before = steps.prefix { $0.identifier != FilesAndSumsMigration.identifier }
    #expect(before.count < steps.count)
    try Migrations(steps: Array(before)).migrate(queue)
    func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO change_rows (pk, id, at, author, action, summary)
            VALUES (1, '\(id(1))', 0, 'owner', 'add', '');
          INSERT INTO activity_rows (pk, id, day_key, time_zone, kind, text, source,
              change_pk, changed_pk, created_at, updated_at)
            VALUES (5, '\(id(2))', '2026-03-16', 'UTC', 'other', 'x', 'manual', 1, 1, 0, 0);
          INSERT INTO day_rows (pk, id, day_key, change_pk, changed_pk, created_at, updated_at)
            VALUES (6, '\(id(3))', '2026-03-16', 1, 1, 0, 0);
          INSERT INTO attachments (pk, id, activity_pk, position, type, caption, relative_path,
              content_hash, byte_count, media_type, original_name, created_at, updated_at)
            VALUES (40, '\(id(4))', 5, 1, 'photo', 'c', 'ab/c.jpg', 'h', 7, 'image/jpeg', 'c.jpg',
              3, 4);
          INSERT INTO attachments (pk, id, day_pk, position, type, external_url, created_at,
              updated_at)
            VALUES (17, '\(id(5))', 6, 0, 'link', 'https://example.org/', 5, 6);
          """)
    }
    func rows() throws -> [String] {
      try queue.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT json_array(pk, id, activity_pk, day_pk, position, type, caption, relative_path,
              external_url, content_hash, byte_count, media_type, original_name, created_at,
              updated_at) FROM attachments ORDER BY pk
            """)
      }
    }
    let kept = try rows()
    #expect(kept.count == 2)
    try Migrations.all.migrate(queue)
    #expect(try rows() == kept)
    try queue.write { db in
      try db.execute(sql: "DELETE FROM activity_rows")
      #expect(try Int.fetchAll(db, sql: "SELECT pk FROM attachments") == [17])
    }
  }
}

extension MeetingEntry {
  /// With the entry that it stands on.
  fileprivate var linked: MeetingEntry {
    var entry = self
    entry.meeting.activityID = activity.id
    return entry
  }
}
