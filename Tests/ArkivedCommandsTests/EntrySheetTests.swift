import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedCommands

@Suite("Entries as a text to edit")
struct EntrySheetTests {
  private let test: TestArchive
  private let entries: [JournalEntry]
  private let ids: [UUID: String]

  init() throws {
    test = try TestArchive()
    var run = try test.activity(
      "ran 5 km", on: "2026-03-13", from: "07:00", to: "07:40", tags: ["sport", "deep work"],
      kind: .health)
    run.startAt = run.startAt.map { Instant(milliseconds: $0.milliseconds + 1_234) }
    run.isPinned = true
    run.description = "=== not a head\n--- notes\n\\=== nor this"
    run.notes = "# A heading\n\nSlow.\n"
    let odd = try test.activity("two\r\nlines", tags: ["a\"b\\c"], kind: "odd (one)")
    var night = try test.activity("night train", from: "23:50")
    night.endAt = night.startAt?.adding(seconds: 8 * 3600)
    let day = DayEntry(
      id: test.archive.identities.next(), dayKey: try #require(DayKey("2026-03-14")),
      title: "Quiet", note: "First.\n\n=== Last.", mood: 4, createdAt: test.clock.now,
      updatedAt: test.clock.now)
    entries = [.activity(run), .activity(odd), .activity(night), .day(day)]
    ids = Dictionary(
      uniqueKeysWithValues: zip(
        entries.map(\.id), ["AAAA0001", "AAAA0002", "AAAA0003", "AAAA0004"]))
  }

  private var text: String { EntrySheet.text(entries, ids: ids) }

  private func changes(_ edited: String) throws -> Archive.EntryEdits {
    var byID: [String: JournalEntry] = [:]
    for entry in entries { byID[ids[entry.id] ?? ""] = entry }
    return try SheetChanges(
      from: try EntrySheet(reading: text), to: try EntrySheet(reading: edited), entries: byID
    ) { day in
      Activity(
        id: test.archive.identities.next(), dayKey: day, timeZone: TestArchive.zoneName, text: "",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    }.edits
  }

  private func problem(_ edited: String) -> EntrySheet.Problem? {
    #expect(throws: EntrySheet.Problem.self) { try changes(edited) }
  }

  @Test func aChangedTimeChangesTheDuration() throws {
    var run = try test.activity("ran", from: "07:00", to: "07:30")
    run.durationMinutes = 30
    try SheetTime.apply("07:00-08:00", before: "07:00-07:30", to: &run)
    #expect(run.duration == 60)
  }

  @Test func aStartThatClocksSkipIsNotTheDayAfterItsEnd() throws {
    var awake = try test.activity("awake", on: "2026-03-29")
    try SheetTime.apply("02:40-03:20", before: nil, to: &awake)
    #expect(awake.startAt == Instant("2026-03-29T01:40:00Z") && awake.duration == 40)
  }

  @Test func anEndWithOneDigitIsPastMidnightToo() throws {
    var shift = try test.activity("night shift", from: "22:00", to: "23:00")
    try SheetTime.apply("22:00-6:30", before: "22:00-23:00", to: &shift)
    #expect(shift.duration == 510)
  }

  @Test func headLinesShowWhatCanBeChanged() {
    let lines = text.components(separatedBy: "\n")
    #expect(lines.contains("=== AAAA0001 2026-03-13 07:00-07:40 (health) #sport #\"deep work\" *"))
    #expect(lines.contains(#"=== AAAA0002 2026-03-14 ("odd (one)") #"a\"b\\c""#))
    #expect(lines.contains("=== AAAA0003 2026-03-14 23:50-2026-03-15T07:50"))
    #expect(lines.contains("=== AAAA0004 2026-03-14 note mood=4"))
    #expect(lines.contains("\\=== not a head") && lines.contains("\\\\=== nor this"))
  }

  @Test func whatIsNotTouchedStaysToTheByte() throws {
    #expect(try changes(text).isEmpty)
    // Blank lines around entries and an editor's line ends mean nothing.
    #expect(try changes(text.replacingOccurrences(of: "\n", with: "\r\n") + "\n\n").isEmpty)
    #expect(try changes(text.replacingOccurrences(of: "ran 5 km", with: "\nran 5 km\n")).isEmpty)
    #expect(try changes(text.replacingOccurrences(of: "AAAA", with: "aaaa")).isEmpty)
  }

  @Test func onlyTheFieldThatDiffersChanges() throws {
    let edits = try changes(text.replacingOccurrences(of: "#sport", with: "#running"))
    guard case .activity(let old) = entries[0], case .activity(let new)? = edits.changed.first
    else {
      Issue.record("no activity changed")
      return
    }
    var expected = old
    expected.tags = ["running", "deep work"]
    #expect(edits.changed.count == 1 && edits.deleted.isEmpty && new == expected)
  }

  @Test func everyFieldCanChange() throws {
    let edited =
      text
      .replacingOccurrences(
        of: "2026-03-13 07:00-07:40 (health) #sport #\"deep work\" *",
        with: "2026-03-12 07:00-08:10 (work)"
      )
      .replacingOccurrences(of: "ran 5 km", with: "ran 6 km\nand walked")
      .replacingOccurrences(of: "# A heading", with: "\\=== escaped")
      .replacingOccurrences(of: "--- title\nQuiet", with: "")
      .replacingOccurrences(of: "mood=4", with: "energy=2")
      .replacingOccurrences(of: "23:50-2026-03-15T07:50", with: "23:50-06:30")
    let edits = try changes(edited)
    guard case .activity(let run) = edits.changed[0], case .activity(let night) = edits.changed[1],
      case .day(let day) = edits.changed[2], case .activity(let old) = entries[0]
    else {
      Issue.record("not what was changed")
      return
    }
    #expect(run.dayKey.description == "2026-03-12" && run.kind == .work && run.tags.isEmpty)
    #expect(!run.isPinned && run.text == "ran 6 km\nand walked")
    #expect(run.startAt == Instant("2026-03-12T06:00:01Z"))
    #expect(run.endAt == Instant("2026-03-12T07:10:00Z"))
    #expect(run.notes == "=== escaped\n\nSlow." && run.description == old.description)
    #expect(night.endAt == Instant("2026-03-15T05:30:00Z"))
    #expect(day.title == nil && day.mood == nil && day.energy == 2)
    #expect(day.note == "First.\n\n=== Last.")
  }

  @Test func aTimeCanComeAndGo() throws {
    let edited =
      text.replacingOccurrences(of: "2026-03-13 07:00-07:40", with: "2026-03-13")
      .replacingOccurrences(of: "AAAA0002 2026-03-14", with: "AAAA0002 2026-03-14 9:05")
      .replacingOccurrences(of: "23:50-2026-03-15T07:50", with: "all-day")
    let activities = try changes(edited).changed.compactMap(\.activity)
    // The side of a time that reads as before keeps its milliseconds.
    let longer = try changes(text.replacingOccurrences(of: "07:40", with: "07:41")).changed
    #expect(longer.first?.activity?.startAt == entries[0].activity?.startAt)
    #expect(longer.first?.activity?.endAt == Instant("2026-03-13T06:41:00Z"))
    #expect(activities[0].startAt == nil && activities[0].endAt == nil)
    #expect(activities[1].startAt == Instant("2026-03-14T08:05:00Z") && activities[1].endAt == nil)
    #expect(activities[2].isAllDay)
    let short = try changes(
      text.replacingOccurrences(of: "23:50-2026-03-15T07:50", with: "23:50-6:30"))
    #expect(short.changed.first?.activity?.endAt == Instant("2026-03-15T05:30:00Z"))
    #expect(SheetTime.text(of: activities[2]) == "all-day")
  }

  @Test func takenOutIsDeletedAndNewIsAdded() throws {
    let lines = text.components(separatedBy: "\n")
    let cut = try #require(lines.firstIndex { $0.hasPrefix("=== AAAA0003") })
    let edited =
      lines[..<cut].joined(separator: "\n")
      + "\n=== new 2026-03-10 08:00 (social) #friends *\nbreakfast\n--- notes\nwith Sam\n"
    let edits = try changes(edited)
    #expect(edits.deleted == entries[2...].map(\.id) && edits.changed.isEmpty)
    let added = try #require(edits.added.first)
    #expect(added.text == "breakfast" && added.notes == "with Sam" && added.tags == ["friends"])
    #expect(added.startAt == Instant("2026-03-10T07:00:00Z") && added.isPinned)
  }

  @Test(arguments: [
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-02-30", "a heading must be"),
    ("=== AAAA0002 2026-03-14", "===", "a heading must be"),
    ("=== AAAA0002 2026-03-14", "=== BBBB0002 2026-03-14", "entry BBBB0002 wasn’t opened here"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0001 2026-03-14", "AAAA0001 already appears in line"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 soon", "isn’t a time, a (kind), a #tag"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 25:00", "time is “25:00”"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 9am", "time is “9am”"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 #", "nothing follows “#”"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 (x", "missing its closing parenthesis"),
    ("23:50-2026-03-15T07:50", "#\"x", "a closing quote is missing"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 mood=3", "mood is only for day notes"),
    ("=== AAAA0002 2026-03-14", "=== AAAA0002 2026-03-14 note", "an entry can’t become a day note"),
    ("two\nlines", "", "text is empty"),
    ("mood=4", "mood=9", "mood is “9”"), ("mood=4", "#tag", "tags are only for entries"),
    ("2026-03-14 note", "2026-03-15 note", "day can’t be changed"),
    ("--- description", "--- title", "the part “title” isn’t allowed"),
    ("--- description", "--- notes", "already has a part named “notes”"),
  ])
  func whatCannotBeReadIsNamedWithItsLine(old: String, new: String, message: String) throws {
    let edited = text.replacingOccurrences(of: old, with: new)
    let problem = try #require(self.problem(edited))
    #expect(problem.message.contains(message), "\(problem)")
    let lines = edited.components(separatedBy: "\n")
    #expect((1...lines.count).contains(problem.line))
    #expect(lines[problem.line - 1].hasPrefix("===") || lines[problem.line - 1].hasPrefix("---"))
  }

  @Test func textBeforeTheFirstEntryIsNotLost() {
    #expect(problem("dear diary\n" + text)?.line == 1)
    #expect(problem("=== new 2026-03-14 note\nhello")?.message.contains("arkived note") == true)
  }
}

@Suite("A new entry as a text to edit")
struct EntryTemplateTests {
  @Test func theAdviceIsNotSaved() throws {
    #expect(try EntryTemplate(reading: EntryTemplate.text("")) == nil)
    let read = try EntryTemplate(reading: EntryTemplate.text("lunch with Sam 12:30"))
    #expect(read?.line == "lunch with Sam 12:30" && read?.notes == nil)
  }

  @Test func linesAboveAndBelowAddToTheText() throws {
    let test = try TestArchive()
    let template = try #require(
      try EntryTemplate(
        reading: "Time: yesterday 12:30-13:15\nkind: Social\r\ntags: friends, #food\n\n"
          + "lunch with Sam #food\n\nWe talked.\n\n- long\n"))
    let activity = try template.activity(archive: test.archive, zone: test.zone).activity
    #expect(activity.text == "lunch with Sam" && activity.typedText == "lunch with Sam #food")
    #expect(activity.dayKey.description == "2026-03-13" && activity.kind == .social)
    #expect(activity.startAt == Instant("2026-03-13T11:30:00Z"))
    #expect(activity.endAt == Instant("2026-03-13T12:15:00Z"))
    #expect(activity.tags == ["food", "friends"] && activity.notes == "We talked.\n\n- long")
  }

  @Test func emptyLinesOfTheTemplateMeanNothing() throws {
    #expect(try EntryTemplate(reading: "time:\nkind: \ntags:\n\n") == nil)
    #expect(try EntryTemplate(reading: "time:\nran")?.line == "ran")
    #expect(try EntryTemplate(reading: "Dear diary: hello")?.line == "Dear diary: hello")
  }

  @Test func whatIsWrongIsNamed() throws {
    let test = try TestArchive()
    #expect(throws: EntrySheet.Problem.self) { try EntryTemplate(reading: "time: 9:00\n\n") }
    #expect(throws: EntrySheet.Problem.self) {
      try EntryTemplate(reading: "tags: a\ntags: b\nran")
    }
    let template = try EntryTemplate(reading: "time: soonish\nran")
    #expect(throws: FieldError.self) {
      try template?.activity(archive: test.archive, zone: test.zone)
    }
  }
}
