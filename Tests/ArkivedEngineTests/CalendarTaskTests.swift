import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Tasks (VTODO) as Nextcloud Tasks, Apple Reminders and Thunderbird write them.
@Suite("Tasks of a calendar file")
struct CalendarTaskTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  private func bring(_ name: String, _ body: String) throws -> ImportRun {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(body)\nEND:VCALENDAR\n"
    let file = try test.folder.file(name, text.replacing("\n", with: "\r\n"))
    return try #require(try job.run(file).first)
  }

  private func note(_ title: String) throws -> Note {
    let notes = try test.archive.notes(NoteFilter())
    return try #require(notes.first { $0.title == title }, "\(notes.map(\.title))")
  }

  /// Subtasks, percentages and `X-` lines, as Nextcloud Tasks and Tasks.org have them.
  private func nextcloud(second: String = "STATUS:NEEDS-ACTION") -> String {
    """
    PRODID:-//Nextcloud Tasks v0.16
    X-WR-CALNAME:Errands
    BEGIN:VTODO
    UID:a
    CREATED:20260301T080000Z
    SUMMARY:Plan the trip
    PERCENT-COMPLETE:20
    STATUS:IN-PROCESS
    PRIORITY:1
    CATEGORIES:Travel,Summer
    DUE;VALUE=DATE:20260401
    DESCRIPTION:Ask Ann\\nBook early
    END:VTODO
    BEGIN:VTODO
    UID:b
    RELATED-TO:a
    SUMMARY:Book the train
    \(second)
    BEGIN:VALARM
    TRIGGER:-PT15M
    DESCRIPTION:not this
    END:VALARM
    END:VTODO
    """
  }

  @Test func openTasksBecomePromisesOfOneNotePerList() throws {
    let run = try bring("errands.ics", nextcloud())
    #expect(run.created == ["note": 1] && run.warnings.isEmpty, "\(run.warnings)")
    let note = try note("Tasks: Errands")
    #expect(
      note.text == """
        - [ ] Plan the trip (due 2026-04-01)
          Ask Ann
          Book early
          - [ ] Book the train
        """)
    #expect(note.tags == ["Travel", "Summer"])
    let promises = PromiseReader().promises(in: note.text, writtenOn: nil)
    #expect(promises.map(\.isDone) == [false, false])
    #expect(promises.first?.due == DayKey("2026-04-01"))
  }

  @Test func aTaskThatIsDoneBecomesAnEntryAndLeavesTheList() throws {
    _ = try bring("a/errands.ics", nextcloud())
    let again = try bring("b/errands.ics", nextcloud())
    #expect(again.created.isEmpty && again.updated == 0)
    let done = nextcloud(second: "STATUS:COMPLETED\nCOMPLETED:20260310T201500Z")
    let run = try bring("c/errands.ics", done)
    #expect(run.created == ["activity": 1] && run.updated == 1)
    #expect(try !note("Tasks: Errands").text.contains("Book the train"))
    let entry = try #require(try test.day("2026-03-10").activities.first)
    #expect(entry.text == "Book the train" && entry.startAt == Instant("2026-03-10T20:15:00Z"))
    #expect(try bring("d/errands.ics", done).created.isEmpty)
  }

  @Test func aBoxThatIsTickedHereStaysTicked() throws {
    _ = try bring("a/errands.ics", nextcloud())
    _ = try test.archive.updateNote(try note("Tasks: Errands").id) {
      $0.text = $0.text.replacing("[ ] Plan", with: "[x] Plan")
    }
    _ = try bring(
      "b/errands.ics", nextcloud().replacing("Plan the trip", with: "Plan the long trip"))
    #expect(try self.note("Tasks: Errands").text.contains("[x] Plan the trip"))
  }

  /// Apple Reminders write no list's name, dates with zones, and `COMPLETED` beside the status.
  @Test func appleRemindersComeIn() throws {
    let run = try bring(
      "Reminders.ics",
      """
      PRODID:-//Apple Inc.//iOS 17.2//EN
      BEGIN:VTODO
      UID:9A
      DTSTAMP:20260305T101500Z
      SUMMARY:Call the bank
      STATUS:NEEDS-ACTION
      DUE;TZID=Europe/Rome:20260306T090000
      RRULE:FREQ=MONTHLY
      X-APPLE-SORT-ORDER:700000000
      END:VTODO
      BEGIN:VTODO
      UID:9B
      SUMMARY:Water plants
      COMPLETED:20260304T183000Z
      PERCENT-COMPLETE:100
      STATUS:COMPLETED
      END:VTODO
      """)
    #expect(run.created == ["note": 1, "activity": 1], "\(run.warnings)")
    #expect(
      try note("Tasks: Reminders").text == "- [ ] Call the bank (due 2026-03-06, repeats)")
    #expect(try test.day("2026-03-04").activities.map(\.text) == ["Water plants"])
  }

  /// Thunderbird writes starts, and may finish a task without saying when.
  @Test func thunderbirdsTasksComeIn() throws {
    let run = try bring(
      "home.ics",
      """
      PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
      BEGIN:VTODO
      UID:t1
      SUMMARY:Paint the fence
      DTSTART;VALUE=DATE:20260501
      END:VTODO
      BEGIN:VTODO
      UID:t2
      SUMMARY:Sweep
      PERCENT-COMPLETE:100
      END:VTODO
      BEGIN:VTODO
      UID:t3
      SUMMARY:Never mind
      STATUS:CANCELLED
      END:VTODO
      BEGIN:VTODO
      UID:t4
      END:VTODO
      """)
    #expect(
      try note("Tasks: home").text
        == "- [ ] Paint the fence (starts 2026-05-01)\n- [x] Sweep")
    #expect(
      run.warnings.map(\.message)
        == ["skipped: this task was cancelled", "this VTODO was skipped: it has no text"])
  }

  @Test func undoingAnImportTakesTasksBack() throws {
    let before = try ExportJob(archive: test.archive).lines()
    let run = try bring(
      "errands.ics", nextcloud(second: "STATUS:COMPLETED\nCOMPLETED:20260310T201500Z"))
    _ = try test.archive.undo(try test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try ExportJob(archive: test.archive).lines() == before)
  }

  @Test func tasksInACircleAreListedOnce() throws {
    _ = try bring(
      "loop.ics",
      """
      BEGIN:VTODO
      UID:a
      RELATED-TO:b
      SUMMARY:One
      END:VTODO
      BEGIN:VTODO
      UID:b
      RELATED-TO:a
      SUMMARY:Two
      END:VTODO
      """)
    #expect(try note("Tasks: loop").text == "- [ ] One\n  - [ ] Two")
  }
}
