import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Days and activities in the archive")
struct JournalTests {
  private func key(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  @Test func whatWasSavedIsReadBackWholeByAnotherConnection() throws {
    let test = try TestArchive()
    var activity = try test.activity(
      "ran by the river — 日本 \u{1F}\u{2}e\u{301}", from: "07:00", to: "07:30", tags: ["Run", "é"],
      people: ["Sam"], kind: "future", measurements: ["km": 5.25])
    activity.description = "<b>not bold</b>"
    activity.lat = 52.5
    activity.lon = 13.4
    activity.weather = Weather(conditions: "rain", temperatureCelsius: -1)
    activity.attachments = [
      Attachment(
        id: test.archive.identities.next(), type: .link, caption: "map",
        externalURL: "https://example.org/", createdAt: test.clock.now, updatedAt: test.clock.now)
    ]
    let saved = try test.archive.add(activity).value
    #expect(try test.another().activity(activity.id) == saved)
    #expect(saved.people.first?.personID != nil)
    activity.people = saved.people
    #expect(saved == activity)
  }

  @Test func anotherUnicodeFormIsAChange() throws {
    let test = try TestArchive()
    let archive = test.archive
    let (old, new) = ("Cafe\u{301}", "Caf\u{E9}")
    let (now, day) = (test.clock.now, try key("2026-03-14"))
    let entry = try test.add(old)
    _ = try archive.updateDay(day) { $0.note = old }
    let note = try archive.create(
      Note(id: archive.identities.next(), text: old, createdAt: now, updatedAt: now)
    ).value
    let person = try archive.create(
      Person(id: archive.identities.next(), name: old, createdAt: now, updatedAt: now)
    ).value
    for isNew in [true, false] {
      let changes = [
        try archive.updateActivity(entry.id) { $0.text = new }.change,
        try archive.updateDay(day) { $0.note = new }.change,
        try archive.updateNote(note.id) { $0.text = new }.change,
        try archive.updatePerson(person.id) { $0.name = new }.change,
      ]
      #expect(changes.allSatisfy { ($0 != nil) == isNew })
    }
    let stored = [
      try archive.activity(entry.id)?.text, try archive.day(day).entry?.note,
      try archive.note(note.id)?.text, try archive.people([person.id]).first?.name,
    ]
    #expect(stored.map { Array(($0 ?? "").utf8) } == Array(repeating: Array(new.utf8), count: 4))
  }

  @Test func aDayHoldsItsTimelineInOrder() throws {
    let test = try TestArchive()
    try test.add("no time")
    try test.add("late", from: "22:00")
    try test.add("early", from: "06:00")
    try test.add("elsewhere", on: "2026-03-13")
    let day = try test.archive.day(try key("2026-03-14"))
    #expect(day.activities.map(\.text) == ["early", "late", "no time"])
  }

  @Test func anEntryFromAnotherZoneLiesOnTheDayItHadThere() throws {
    let test = try TestArchive()
    let tokyo = try #require(Zone("Asia/Tokyo"))
    var activity = try test.activity("sushi", on: "2026-03-15")
    activity.startAt = Instant("2026-03-14T22:00:00Z")
    activity.timeZone = tokyo.identifier
    activity.dayKey = tokyo.dayKey(at: try #require(activity.startAt))
    try test.archive.add(activity)
    let day = try test.another().day(try key("2026-03-15"))
    #expect(day.activities.first?.timeText == "07:00")
    #expect(try test.another().day(try key("2026-03-14")).activities.isEmpty)
  }

  @Test func whatTakesDaysIsToldOnEachOfThem() throws {
    let test = try TestArchive()
    func add(_ text: String, from start: String, to end: String, zone: String) throws {
      var activity = try test.activity(text)
      activity.timeZone = zone
      let begins = try #require(Instant(start))
      (activity.startAt, activity.endAt) = (begins, Instant(end))
      activity.dayKey = activity.zone.dayKey(at: begins)
      try test.archive.add(activity)
    }
    try add("fair", from: "2026-03-10T08:00:00Z", to: "2026-03-12T17:00:00Z", zone: "Europe/Berlin")
    // Whole days, and a day in Auckland, which is over twelve hours before Berlin's.
    try add("trip", from: "2026-03-10T23:00:00Z", to: "2026-03-12T23:00:00Z", zone: "Europe/Berlin")
    try add(
      "down under", from: "2026-03-10T11:00:00Z", to: "2026-03-12T11:00:00Z",
      zone: "Pacific/Auckland")
    try add(
      "night", from: "2026-03-11T22:00:00Z", to: "2026-03-12T06:00:00Z", zone: "Europe/Berlin")
    func goingOn(_ day: String) throws -> [String] {
      try test.archive.day(try key(day)).continuing.map { activity in
        "\(activity.text) \(activity.placeText(on: try key(day)))"
      }
    }
    #expect(try goingOn("2026-03-10").isEmpty)
    #expect(try goingOn("2026-03-11") == ["fair day 2 of 3"])
    #expect(
      try goingOn("2026-03-12") == [
        "fair day 3 of 3", "down under day 2 of 2", "trip day 2 of 2",
      ])
    #expect(try goingOn("2026-03-13").isEmpty)
    let part = try test.archive.dayPart(try key("2026-03-11"), limit: 5)
    #expect(part.continuing.map(\.text) == ["fair"])
  }

  @Test func aDayThatTheZoneSkippedCanStillBeWritten() throws {
    let test = try TestArchive()
    let skipped = try key("2011-12-30")
    _ = try test.archive.updateDay(skipped) { $0.note = "the day that was not" }
    #expect(try test.archive.day(skipped).entry?.note == "the day that was not")
  }

  @Test func aDayEntryComesWithItsFirstWordAndGoesWithItsLast() throws {
    let test = try TestArchive()
    let day = try key("2026-03-14")
    let saved = try test.archive.updateDay(day) {
      $0.note = "note"
      $0.mood = 4
    }
    #expect(saved.change != nil)
    #expect(try test.archive.updateDay(day) { $0.mood = 4 }.change == nil)
    _ = try test.archive.updateDay(day) {
      $0.note = ""
      $0.mood = nil
    }
    #expect(try test.archive.day(day).entry == nil)
    _ = try test.archive.undo()
    #expect(try test.archive.day(day).entry?.note == "note")
  }

  @Test func aChangeBasedOnAnOldVersionIsAConflict() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    let newer = try test.archive.updateActivity(activity.id) { $0.text = "two" }.value
    #expect(newer.updatedAt > activity.updatedAt)
    #expect(throws: ArchiveError.self) {
      try test.archive.updateActivity(activity.id, version: activity.updatedAt) { $0.text = "3" }
    }
    #expect(try test.archive.activity(activity.id)?.text == "two")
    let day = try key("2026-03-14")
    _ = try test.archive.updateDay(day) { $0.note = "first" }
    #expect(throws: ArchiveError.self) {
      try test.archive.updateDay(day, version: .some(nil)) { $0.note = "second" }
    }
    #expect(try test.archive.day(day).entry?.note == "first")
  }

  @Test func anInvalidEntryLeavesNothingBehind() throws {
    let test = try TestArchive()
    var wrong = try test.activity("x", tags: ["fresh"], people: ["Somebody"])
    wrong.measurements = ["km": .infinity]
    #expect(throws: FieldError.self) { try test.archive.add(wrong) }
    #expect(try test.archive.tags().isEmpty)
    #expect(try test.archive.people().isEmpty)
    #expect(try test.archive.changes().isEmpty)
  }

  @Test func aNULIsRefusedRatherThanCutOff() throws {
    let test = try TestArchive()
    #expect(throws: FieldError.self) { try test.add("before\u{0}after") }
    #expect(throws: FieldError.self) {
      try test.archive.updateDay(try key("2026-03-14")) { $0.note = "before\u{0}after" }
    }
  }

  @Test func tagsAreOneWhateverTheirCaseAndComposition() throws {
    let test = try TestArchive()
    try test.add("a", tags: ["Café", "food"])
    try test.add("b", tags: ["cafe\u{301}", "FOOD", "Food"])
    let tags = try test.archive.tags()
    #expect(tags.map(\.tag.name).sorted() == ["Café", "food"])
    #expect(tags.allSatisfy { $0.count == 2 })
    #expect(try test.archive.tags(prefix: "FO").map(\.tag.name) == ["food"])
    #expect(try test.archive.tags(prefix: "#fo").map(\.tag.name) == ["food"])
  }

  @Test func namesFindTheirPersonAndAmbiguousOnesStayNames() throws {
    let test = try TestArchive()
    let first = try test.add("a", people: ["Alex Moreau"])
    let again = try test.add("b", people: ["alex moreau"])
    #expect(first.people.first?.personID == again.people.first?.personID)
    let short = try test.add("c", people: ["Alex"])
    #expect(short.people == first.people)
    try test.add("d", people: ["Alex Kim"])
    let ambiguous = try test.add("e", people: ["Alex"])
    #expect(ambiguous.people == [Mention(name: "Alex")])
    #expect(try test.archive.people().count == 2)
  }

  @Test func whoIsNamedInANoteIsReadFromIt() throws {
    let test = try TestArchive()
    try test.add("tea", people: ["Priya Nair"])
    let day = try key("2026-03-14")
    var people = try test.archive.updateDay(day) {
      $0.note = "Tea with Priya Nair, then @Sam.Lee came (not mail@example.org)."
    }.value.people
    #expect(people.map(\.name) == ["Sam Lee", "Priya Nair"])
    #expect(people.allSatisfy { $0.personID != nil })
    people = try test.archive.updateDay(day) { $0.note = "Only Sam stayed." }.value.people
    #expect(people.map(\.name) == ["Sam Lee"])
  }

  @Test func theOwnerIsNobodyNewInANote() throws {
    let test = try TestArchive()
    let people = try test.archive.updateDay(try key("2026-03-14")) {
      $0.note = "- [ ] @me: water the beans\n- [ ] @Zoe brings @Myself the seeds"
    }.value.people
    #expect(people.map(\.name) == ["Zoe"])
    let german = try test.archive.updateDay(try key("2026-03-15")) {
      $0.note = "- [ ] @ich: Bohnen gießen\n- [ ] @Zoe erinnert @mich"
    }.value.people
    #expect(german.map(\.name) == ["Zoe"])
    #expect(try test.archive.people().map(\.name) == ["Zoe"])
    #expect(try test.archive.ownPerson() == nil)
    // Somebody who goes by that name is meant by it.
    let kim = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: "Kim Lee", aliases: ["me"],
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    let known = try test.archive.updateDay(try key("2026-03-13")) { $0.note = "@me: a nap" }
    #expect(known.value.people.map(\.personID) == [kim.id])
  }

  @Test func everySingleWriteIsOneChangeThatSaysWhoAndWhat() throws {
    let test = try TestArchive()
    let activity = try test.add("walk")
    _ = try test.archive.updateActivity(activity.id, by: .assistant) { $0.isPinned = true }
    let changes = try test.archive.changes()
    #expect(changes.map(\.action) == ["edit", "add"])
    #expect(changes.map(\.author) == [.assistant, .owner])
  }

  @Test func aShortIdentityFindsItsActivityOrSaysThatItIsNotClear() throws {
    let test = try TestArchive()
    let activity = try test.add("a")
    try test.add("b")
    #expect(try test.archive.activityID(matching: activity.id.uuidString) == activity.id)
    #expect(throws: ArchiveError.self) { try test.archive.activityID(matching: "0000") }
    #expect(throws: ArchiveError.self) { try test.archive.activityID(matching: "FFFF") }
    #expect(throws: ArchiveError.self) { try test.archive.activityID(matching: "'; --") }
  }

  @Test func aParagraphAndItsAnswerAreStoredTogetherOrNotAtAll() throws {
    struct Failure: Error {}
    let test = try TestArchive()
    let (archive, day) = (test.archive, try key("2026-03-14"))
    let request = RequestKey(key: "k", requestHash: "h")
    func add() throws -> KeptAnswer {
      try archive.add("Slept well.", toNoteOf: day, once: request) { saved in
        KeptAnswer(status: 303, location: saved.change?.id.uuidString)
      }
    }
    #expect(throws: Failure.self) {
      try archive.add("Slept well.", toNoteOf: day, once: request) { _ in throw Failure() }
    }
    #expect(try archive.day(day).entry == nil && archive.keptAnswer(to: request) == nil)
    let first = try add()
    // The answer was lost, and another program gets the repeated request.
    #expect(try archive.keptAnswer(to: request) == first)
    #expect(try add() == first)
    #expect(try archive.day(day).entry?.note == "Slept well.")
    _ = try archive.add("A long walk.", toNoteOf: day, once: nil) { _ in KeptAnswer(status: 303) }
    #expect(try archive.day(day).entry?.note == "Slept well.\n\nA long walk.")
  }

  @Test func anEmptyTitleOfADayIsNone() throws {
    let test = try TestArchive()
    let day = try key("2026-03-14")
    _ = try test.archive.updateDay(day) { ($0.note, $0.title) = ("A note.", "A title") }
    _ = try test.archive.updateDay(day) { $0.title = "" }
    let entry = try test.archive.day(day).entry
    #expect(entry?.title == nil && entry?.note == "A note.")
    #expect(try test.archive.updateDay(day) { $0.title = "" }.change == nil)
  }
}
