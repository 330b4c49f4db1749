import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Doing what plain sentences tell")
struct ActTests {
  /// Today is Saturday, 14 March 2026, 21:00 in Berlin.
  private let test: TestArchive
  private let tools: ToolBox
  private let engine: ActEngine

  init() throws {
    test = try TestArchive()
    tools = ToolBox(archive: test.archive, zone: test.zone)
    engine = ActEngine(archive: test.archive, zone: test.zone, tools: tools)
  }

  private func act(_ text: String, _ spoken: [UUID] = []) throws -> ActOutcome {
    try #require(try engine.act(text, spokenOf: spoken, by: .assistant(thread: nil)))
  }

  private func pending(_ outcome: ActOutcome) throws -> UUID {
    try #require(outcome.pending?["id"]?.string.flatMap { UUID(uuidString: $0) })
  }

  @Test func addingIsDoneAtOnceAndTakenBackByUndo() throws {
    let done = try act("add lunch with Sam yesterday at noon #food")
    #expect(done.state == .done)
    let entry = try #require(try test.day("2026-03-13").activities.first)
    #expect(entry.text == "lunch with Sam" && entry.tags == ["food"])
    #expect(entry.startAt == Instant("2026-03-13T11:00:00Z"))
    #expect(done.spokenOf == [entry.id])
    _ = try test.archive.undo(done.changeID)
    #expect(try test.day("2026-03-13").activities.isEmpty)
  }

  @Test func thatIsTheEntryLastSpokenOf() throws {
    let done = try act("add lunch with Sam")
    let tagged = try act("tag that as work", done.spokenOf)
    #expect(tagged.state == .done && tagged.spokenOf == done.spokenOf)
    #expect(try test.archive.activity(done.spokenOf[0])?.tags == ["work"])
    let again = try act("tag it as work", done.spokenOf)
    #expect(again.sentence.contains("already the case"))
    let none = try act("tag that as work")
    #expect(none.state == .unclear && none.sentence.contains("No entry has been mentioned"))
  }

  @Test func undoingTakesBackWhatWasDoneLast() throws {
    let done = try act("add lunch with Sam")
    let undone = try engine.act(
      "undo that", spokenOf: [], lastChange: done.changeID, by: .assistant(thread: nil))
    #expect(undone?.state == .done && undone?.sentence.contains("lunch with Sam") == true)
    #expect(try test.day("2026-03-14").activities.isEmpty)
    #expect(try act("undo that").state == .unclear)
  }

  @Test func whatARepeatedRequestTellsIsDoneOnce() throws {
    func act(_ text: String, _ key: RequestKey, _ last: UUID? = nil) throws -> ActOutcome {
      let engine = ActEngine(archive: test.archive, zone: test.zone, tools: tools, once: key)
      return try #require(
        try engine.act(text, spokenOf: [], lastChange: last, by: .assistant(thread: nil)))
    }
    let key = RequestKey(key: "k", requestHash: "h")
    let done = try act("add lunch with Sam", key)
    let again = try act("add lunch with Sam", key)
    #expect(again.state == .done && again.sentence == done.sentence)
    #expect(again.spokenOf == done.spokenOf && again.changeID == done.changeID)
    #expect(try test.day("2026-03-14").activities.count == 1)
    for _ in 1...2 {
      _ = try act("note that the boiler hums", RequestKey(key: "n", requestHash: "h"))
    }
    #expect(try test.day("2026-03-14").entry?.note.contains("\n\n") == false)
    // An undo that is undone would bring the entry back.
    let last = done.changeID
    let undone = try act("undo that", RequestKey(key: "u", requestHash: "h"), last)
    let same = try act("undo that", RequestKey(key: "u", requestHash: "h"), last)
    #expect(undone.state == .done && same.state == .done && same.sentence == undone.sentence)
    #expect(try test.day("2026-03-14").activities.isEmpty)
    // The key of a request that was never answered may come with another text.
    _ = try act("add lunch with Lena", RequestKey(key: "k", requestHash: "i"))
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["lunch with Lena"])
  }

  @Test func aRepetitionAddsNothingAgainEvenIfItsTimeIsRelative() throws {
    let once = ActEngine(
      archive: test.archive, zone: test.zone, tools: tools,
      once: RequestKey(key: "k", requestHash: "h"))
    func act() throws -> ActOutcome {
      try #require(
        try once.act("add ran 5 km two hours ago", spokenOf: [], by: .assistant(thread: nil)))
    }
    let done = try act()
    test.clock.advance(seconds: 600)
    let again = try act()
    #expect(again.state == .done && again.sentence == done.sentence)
    #expect(again.spokenOf == done.spokenOf && again.changeID == done.changeID)
    let entries = try test.day("2026-03-14").activities
    #expect(entries.map(\.startAt) == [Instant("2026-03-14T18:00:00Z")])
  }

  @Test func aTimeOfDayNamesAnEntryOfTodayOrElseOfAnyDay() throws {
    let old = try test.add("standup", on: "2026-03-10", from: "09:00")
    #expect(try act("pin the 9am standup").spokenOf == [old.id])
    let new = try test.add("standup", on: "2026-03-14", from: "09:00")
    #expect(try act("pin the 9am standup").spokenOf == [new.id])
  }

  @Test func anEntryIsNotTakenForTheOnlyOneWhileMoreMatch() throws {
    let old = try test.add("standup", on: "2025-06-02", from: "09:00")
    for number in 10..<52 { try test.add("standup \(number)", on: "2025-12-\(number % 20 + 10)") }
    // A clock time is compared with all of them.
    #expect(try act("pin the 9am standup").spokenOf == [old.id])
    let new = try test.add("standup", on: "2026-03-10", from: "09:00")
    #expect(try act("unpin the 9am standup").state == .unclear)
    // The other one is behind those that are examined.
    let one = try act("unpin the standup entry")
    #expect(one.state == .unclear && one.candidates.map(\.id) == [new.id])
    #expect(one.sentence.hasPrefix("More than one entry matches “"), "\(one.sentence)")
    #expect(try test.archive.activity(old.id)?.isPinned == false)
  }

  @Test func movingWaitsForAYesAndKeepsHowLongItLasts() throws {
    let entry = try test.add("dentist", on: "2026-03-10", from: "09:00", to: "09:45")
    let moved = try act("move the dentist entry to friday at 3pm")
    #expect(moved.state == .pending)
    #expect(try test.archive.activity(entry.id)?.dayKey == entry.dayKey)
    _ = try tools.confirm(try pending(moved))
    let new = try #require(try test.archive.activity(entry.id))
    #expect(new.dayKey == DayKey("2026-03-13"))
    #expect(new.startAt == Instant("2026-03-13T14:00:00Z"))
    #expect(new.endAt == Instant("2026-03-13T14:45:00Z"))
  }

  @Test func aWholeDayThatIsMovedToATimeHasNoKnownEnd() throws {
    var fair = try test.activity("fair", on: "2026-03-10", from: "00:00")
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    try test.archive.add(fair)
    _ = try tools.confirm(try pending(try act("move the fair entry to friday at 3pm")))
    let timed = try #require(try test.archive.activity(fair.id))
    #expect(timed.startAt == Instant("2026-03-13T14:00:00Z") && timed.endAt == nil)
  }

  @Test func aTimeAloneIsOneOfTheEntrysOwnDay() throws {
    let entry = try test.add("dentist", on: "2026-03-10", from: "09:00")
    _ = try tools.confirm(try pending(try act("move it to 17:30", [entry.id])))
    let new = try #require(try test.archive.activity(entry.id))
    #expect(new.dayKey == DayKey("2026-03-10") && new.startAt == Instant("2026-03-10T16:30:00Z"))
  }

  /// Returns the day to which an instruction would move an entry.
  private func target(_ entry: Activity, _ words: String) throws -> DayKey? {
    let act = try tools.pendingAct(try pending(try act("move it to \(words)", [entry.id])))
    return act.effects[0].after?["dayKey"]?.string.flatMap { DayKey($0) }
  }

  @Test func aDateThatIsTodayIsNotTheEntrysOwnDay() throws {
    let entry = try test.add("dentist", on: "2026-03-10", from: "09:00")
    for words in ["14 march at 10:00", "14 march 2026 at 10:00", "today at 10:00"] {
      #expect(try target(entry, words) == DayKey("2026-03-14"), "\(words)")
    }
    #expect(try target(entry, "10:00") == DayKey("2026-03-10"))
  }

  @Test func aWeekdayIsTheNextOneForWhatIsToComeButADateStays() throws {
    let planned = try test.add("dentist", on: "2026-03-20", from: "09:00")
    #expect(try target(planned, "thursday") == DayKey("2026-03-19"))
    #expect(try target(planned, "thursday 5 march 2026") == DayKey("2026-03-05"))
    #expect(try target(planned, "last thursday").map { $0 < planned.dayKey } == true)
    // Now it’s 21:00.
    let tonight = try test.add("call", on: "2026-03-14", from: "22:00")
    #expect(try target(tonight, "thursday") == DayKey("2026-03-19"))
    let done = try test.add("swim", on: "2026-03-14", from: "08:00")
    #expect(try target(done, "thursday") == DayKey("2026-03-12"))
  }

  @Test func aDateWithoutAYearIsTheOneNearTheEntry() throws {
    let planned = try test.add("dentist", on: "2026-03-20", from: "09:00")
    #expect(try target(planned, "27 march at 10:00") == DayKey("2026-03-27"))
    #expect(try target(planned, "27 march 2025") == DayKey("2025-03-27"))
    let old = try test.add("dentist", on: "2024-03-20", from: "09:00")
    #expect(try target(old, "27 march") == DayKey("2024-03-27"))
    #expect(try target(old, "next month").map { $0.year == 2026 } == true)
    let december = try test.add("dinner", on: "2025-12-30", from: "19:00")
    #expect(try target(december, "2 january") == DayKey("2026-01-02"))
  }

  @Test func theLastOneIsNotPlannedUnlessAllAre() throws {
    let done = try test.add("dentist", on: "2026-03-10", from: "09:00")
    let planned = try test.add("dentist", on: "2026-03-20", from: "09:00")
    #expect(try act("delete the last dentist entry").spokenOf == [done.id])
    // Now it’s 21:00.
    let swim = try test.add("swim", on: "2026-03-14", from: "08:00")
    try test.add("swim", on: "2026-03-14", from: "22:00")
    #expect(try act("delete the last swim").spokenOf == [swim.id])
    _ = try test.archive.deleteActivities([done.id])
    #expect(try act("delete the last dentist entry").spokenOf == [planned.id])
  }

  @Test func aPlannedEntryIsFoundByItsWeekdayAndDate() throws {
    let planned = try test.add("dentist", on: "2026-03-20", from: "09:00")
    for words in ["the dentist on friday", "the dentist on 20 march", "friday's dentist entry"] {
      #expect(try act("delete \(words)").spokenOf == [planned.id], "\(words)")
    }
    for words in ["the dentist on 20 march 2025", "last friday's dentist", "yesterday's dentist"] {
      #expect(try act("delete \(words)").sentence.contains("No entry matches"), "\(words)")
    }
    let done = try test.add("dentist", on: "2026-03-13", from: "09:00")
    #expect(try act("delete the dentist on friday").spokenOf == [done.id])
  }

  @Test func deletingWaitsForAYes() throws {
    let entry = try test.add("dentist", on: "2026-03-10")
    let asked = try act("delete the dentist entry")
    #expect(asked.state == .pending && asked.sentence.contains("waiting for your approval"))
    #expect(try test.archive.activity(entry.id) != nil)
    _ = try tools.confirm(try pending(asked))
    #expect(try test.archive.activity(entry.id) == nil)
  }

  @Test func whereSeveralFitTheyAreListedAndNothingIsDone() throws {
    for day in ["03", "05"] { try test.add("dentist", on: "2026-03-\(day)") }
    let asked = try act("delete the dentist entry")
    #expect(asked.state == .unclear && asked.candidates.count == 2 && asked.steps.isEmpty)
    let one = try act("delete the last dentist entry")
    #expect(one.state == .pending && one.sentence.contains("2026-03-05"))
    let day = try act("delete the dentist entry from 3 march")
    #expect(day.state == .pending && day.sentence.contains("2026-03-03"))
    #expect(try act("delete the plumber entry").sentence.contains("No entry matches"))
    #expect(try act("delete everything").state == .unclear)
    #expect(try tools.pendingActs().count == 2)
  }

  @Test func aDaysMoodAndNoteAreWrittenWhereNothingStands() throws {
    #expect(try act("set mood to 4").state == .done)
    #expect(try act("set mood to 5").state == .pending)
    #expect(try act("set mood to 9").state == .failed)
    #expect(try act("set mood to 4 and energy to 2").state == .done)
    _ = try act("note that the boiler hums")
    let day = try test.day("2026-03-14")
    #expect(day.entry?.mood == 4 && day.entry?.energy == 2)
    #expect(day.entry?.note.contains("the boiler hums") == true)
  }
}
