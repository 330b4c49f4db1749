import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Queries of an archive")
struct QueryEngineTests {
  let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ text: String, _ timelines: ArchiveTimelines? = nil) throws -> JSON {
    try QueryEngine(archive: test.archive, zone: test.zone, timelines: timelines)
      .answer(QueryEngine.parse(text)).json
  }

  private func value(_ text: String) throws -> JSON? {
    try run(text)["rows"]?.array?.first?["value"]
  }

  @Test func whatHasChangedSinceTheTimelineWasWrittenCounts() throws {
    let timelines = ArchiveTimelines(test.archive, smallLimit: 0)
    let query = #"{"source":{"entries":{"tag":"rowing"}},"fold":"sum","unit":"km"}"#
    let first = try test.add(
      "rowed", on: "2026-03-10", from: "09:00", tags: ["rowing"], measurements: ["km": 4])
    try test.add("read", on: "2026-03-11", tags: ["books"])
    #expect(try run(query, timelines)["rows"]?.array?.first?["value"] == 4)
    try test.add(
      "rowed far", on: "2026-03-09", from: "10:00", tags: ["rowing"], people: ["Mira"],
      measurements: ["km": 8])
    _ = try test.archive.updateActivity(first.id) { $0.measurements = ["km": 5] }
    let told = try run(query, timelines)
    #expect(told["rows"]?.array?.first?["value"] == 13 && told["citationCount"] == 2)
    let listed = try run(#"{"source":{"entries":{"tag":"rowing"}}}"#, timelines)
    #expect(
      listed["rows"]?.array?.compactMap { $0["value"]?.string } == ["rowed far", "rowed"])
    #expect(listed["citations"]?.array?.last?["id"] == .string(first.id.uuidString))
    let all = try run(#"{"source":{"entries":{}}}"#, timelines)
    #expect(
      all["rows"]?.array?.compactMap { $0["value"]?.string } == ["rowed far", "rowed", "read"])
    let people = try run(#"{"source":{"entries":{}},"fold":"count","group":"person"}"#, timelines)
    #expect(people["rows"]?.array?.first?["label"] == "Mira")
  }

  @Test("Hours group the entries whose clock is known, and whole days begin at none")
  func hoursOfKnownClocks() throws {
    var fair = try test.activity("fair", from: "00:00")
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    var call = try test.activity("call", from: "18:00")
    call.dayPeriod = .evening
    for entry in [fair, call] { _ = try test.archive.add(entry) }
    try test.add("ran", from: "07:00")
    let hours = try run(#"{"source":{"entries":{}},"fold":"count","group":"hour"}"#)
    #expect(hours["rows"]?.array?.compactMap { $0["label"]?.string } == ["7"], "\(hours)")
    for (from, to, count) in [("22:00", "05:00", 0), ("18:00", "22:00", 1)] {
      let found = try run(
        #"{"source":{"entries":{"hours":{"from":"\#(from)","to":"\#(to)"}}}}"#)
      #expect(found["rowCount"] == JSON(count), "\(from)")
    }
  }

  @Test("A night that is dated to the day of waking isn’t one of that day’s evening")
  func hoursOfANightBefore() throws {
    var night = try test.activity("slept", on: "2026-03-11")
    let begun = test.zone.start(of: night.dayKey).adding(seconds: -3_600)
    (night.startAt, night.endAt) = (begun, begun.adding(seconds: 8 * 3_600))
    _ = try test.archive.add(night)
    func count(_ days: String, _ from: String, _ to: String) throws -> JSON? {
      try run(
        #"{"source":{"entries":{\#(days)"hours":{"from":"\#(from)","to":"\#(to)"}}}}"#)["rowCount"]
    }
    let day = #""days":{"from":"2026-03-11","to":"2026-03-11"},"#
    #expect(try count(day, "21:00", "23:59") == 0)
    #expect(try count(day, "22:00", "05:00") == 1)
    #expect(try count("", "21:00", "23:59") == 1)
  }

  @Test func entriesAreChosenByWhereTheyCameFrom() throws {
    try test.add("tea")
    var imported = try test.activity("coffee")
    imported.source = ActivitySource(rawValue: "jrnl")
    _ = try test.archive.add(imported)
    let query = #"{"source":{"entries":{"source":"jrnl"}}}"#
    #expect(try value(query) == "coffee" && (try run(query)["rowCount"]) == 1)
  }

  @Test func aReasonIsTheWholeTextWithItsNotes() throws {
    var entry = try test.activity("stayed at home", tags: ["home"])
    entry.notes = "because the ferry was cancelled"
    _ = try test.archive.add(entry)
    let told = try value(
      #"{"source":{"entries":{"tag":"home"}},"fold":"last","target":"reason"}"#)
    #expect(told?.string?.contains("stayed at home") == true)
    #expect(told?.string?.contains("because the ferry was cancelled") == true)
  }

  @Test func aQuotationOfSignsIsFoundWhereItStands() throws {
    try test.add("moved in 🎉", on: "2026-03-08")
    var entry = try test.activity("tea", on: "2026-03-09")
    entry.notes = "cost 3 €"
    _ = try test.archive.add(entry)
    for (text, day) in [("🎉", "2026-03-08"), ("€", "2026-03-09")] {
      for source in ["entries", "days"] {
        let query = #"{"source":{"\#(source)":{"text":"\#(text)"}},"target":"day"}"#
        let told = try run(query)
        #expect(told["items"] == 1, "\(text) in \(source)")
        #expect(told["rows"]?.array?.first?["value"] == .string(day))
      }
    }
  }

  @Test func recordsBesideTheJournalAreQueriedAlike() throws {
    let archive = test.archive
    let now = test.clock.now
    try test.add("tea with Alex", people: ["Alex"])
    let activity = try test.activity("Budget", on: "2026-03-12", from: "10:00", to: "11:30")
    let id = archive.identities.next()
    _ = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString,
          attendances: [
            Attendance(name: "Alex", reply: .accepted, isOrganizer: true),
            Attendance(name: "Mira", reply: .accepted),
          ], createdAt: now, updatedAt: now), activity: activity))
    try archive.create(
      Note(
        id: archive.identities.next(), title: "Crossing",
        text: """
          - [ ] @Alex send the map
          - [x] book the hut

          ## Decisions

          - Take the north route
          """, createdAt: now, updatedAt: now))
    try archive.create(
      Goal(
        id: archive.identities.next(), title: "Row 120 km", targetDate: DayKey("2026-06-30"),
        createdAt: now, updatedAt: now))
    try archive.create(
      Term(
        id: archive.identities.next(), termNumber: 1,
        startDate: try #require(DayKey("2026-03-02")), theme: "Water", createdAt: now,
        updatedAt: now))
    let cases: [(String, JSON)] = [
      (
        #"{"source":{"meetings":{"person":{"name":"Alex","role":"organizer"}}},"fold":"count"}"#, 1
      ),
      (
        #"{"source":{"meetings":{"person":{"name":"Alex","role":"attendee"}}},"fold":"count"}"#, 0
      ),
      (#"{"source":{"meetings":{"time":"2026"}},"fold":"sum","unit":"h"}"#, 1.5),
      (#"{"source":{"notes":{"text":"north route"}},"fold":"count"}"#, 1),
      (#"{"source":{"promises":{"done":true}},"target":"name"}"#, "book the hut"),
      (
        #"{"source":{"promises":{"person":{"name":"Alex","role":"owner"}}},"target":"name"}"#,
        "send the map"
      ),
      (#"{"source":{"decisions":{}},"fold":"first","target":"thing"}"#, "Take the north route"),
      (#"{"source":{"goals":{"concept":"rowing"}},"fold":"count"}"#, 1),
      (#"{"source":{"terms":{"time":"april 2026"}},"target":"name"}"#, "Water"),
      (#"{"source":{"people":{}},"fold":"count"}"#, JSON(try archive.people().count)),
    ]
    for (query, wanted) in cases { #expect(try value(query) == wanted, "\(query)") }
    let cited = try run(#"{"source":{"meetings":{}}}"#)["citations"]?.array?.first
    #expect(cited?["type"] == "meeting" && cited?["id"] == .string(id.uuidString))
  }

  @Test func daysToComeAreNoDaysWithoutSomething() throws {
    try test.add("ran", on: "2026-03-10", tags: ["run"])
    try test.add("tea", on: "2026-03-12")
    try test.add("dentist", on: "2026-03-20", tags: ["health"])
    let cases: [(String, JSON)] = [
      (#"{"time":"march 2026","not":{"tag":"run"}}"#, 4),
      (#"{"any":[{"tag":"run"},{"not":{"tag":"run"}}]}"#, 5),
      (#"{"time":"march 2026","tag":"health"}"#, 1), ("{}", 6), (#"{"not":{}}"#, 0),
      // What the calendar tells is known of them.
      (#"{"days":{"from":"2026-03-15"},"not":{"weekday":["saturday"]}}"#, 1),
      (#"{"days":{"from":"2026-03-15"},"not":{"weekday":["friday"]}}"#, 0),
    ]
    for (predicate, wanted) in cases {
      #expect(
        try value(#"{"source":{"days":\#(predicate)},"fold":"count"}"#) == wanted, "\(predicate)")
    }
  }

  @Test func bothSidesOfAComparisonAreCitedAndDoubted() throws {
    let rowed = try test.add(
      "rowed", on: "2026-03-10", tags: ["rowing"], measurements: ["km": 4])
    let ran = try test.add("ran", on: "2026-03-11", tags: ["run"], measurements: ["km": 5])
    try test.add("ran", on: "2026-03-12", tags: ["run"])
    let sides = #""source":{"entries":{"tag":"rowing"}},"against":{"entries":{"tag":"run"}}"#
    let told = try run(#"{\#(sides),"fold":"compare","by":"sum","unit":"km"}"#)
    #expect(told["rows"]?.array?.compactMap { $0["value"]?.double } == [4, 5, -1])
    #expect(
      told["citations"]?.array?.compactMap { $0["id"]?.string }
        == [rowed, ran].map(\.id.uuidString))
    #expect(told["citationCount"] == 2 && told["items"] == 1 && told["measured"] == 1)
    #expect(told["caveat"] == "An amount is given in only 2 of 3.")
    let share = try run(#"{\#(sides),"fold":"share"}"#)
    #expect(share["citationCount"] == 1)
  }

  @Test func kindsAndNamesAreFoundHoweverTheyAreWritten() throws {
    let now = test.clock.now
    try test.add("up the north face", kind: ActivityKind(rawValue: "Climbing"))
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "Crossing",
        text: "- [ ] @Zoe send the map", createdAt: now, updatedAt: now))
    for kind in ["Climbing", "climbing"] {
      #expect(
        try value(#"{"source":{"entries":{"kind":"\#(kind)"}},"fold":"count"}"#) == 1, "\(kind)")
    }
    let told = try run(
      #"{"source":{"promises":{"person":{"name":"zoe","role":"owner"}}},"target":"name"}"#)
    #expect(told["rows"]?.array?.first?["value"] == "send the map" && told["caveat"] == .null)
    let nobody = try run(#"{"source":{"promises":{"person":"Yan"}},"fold":"count"}"#)
    #expect(nobody["caveat"]?.string?.contains("Yan") == true)
  }

  @Test func theFirstDayIsThatOfAnEntryThatIsStillThere() throws {
    let timelines = ArchiveTimelines(test.archive, smallLimit: 0)
    let wrong = try test.add("typed with a wrong year", on: "1999-03-10")
    try test.add("ran", on: "2026-03-10")
    func days() throws -> JSON? {
      try run(#"{"source":{"days":{}},"fold":"count"}"#, timelines)["rows"]?.array?.first?["value"]
    }
    #expect(try days() == 9_867)
    _ = try test.archive.deleteActivities([wrong.id])
    #expect(try days() == 5)
  }

  @Test func aPeriodThatIsNotOverIsNoFall() throws {
    for month in ["2025-12", "2026-01", "2026-02"] {
      for day in ["03", "10", "17"] { try test.add("ran", on: "\(month)-\(day)", tags: ["run"]) }
    }
    try test.add("ran", on: "2026-03-02", tags: ["run"])
    let told = try run(#"{"source":{"entries":{"tag":"run"}},"fold":"trend","group":"month"}"#)
    #expect(told["rows"]?.array?.first?["value"] == 0, "\(told.text())")
    #expect(told["rows"]?.array?.first?["to"] == "2026-02-28" && told["citationCount"] == 9)
    #expect(told["caveat"] == "An incomplete month doesn’t count toward the trend.")
    // Nor is one of which the query asks for a part.
    let days = #""days":{"from":"2025-12-01","to":"2026-02-10"}"#
    let cut = try run(
      #"{"source":{"entries":{"tag":"run",\#(days)}},"fold":"trend","group":"month"}"#)
    #expect(cut["rows"]?.array?.first?["value"] == 0, "\(cut.text())")
    #expect(cut["rows"]?.array?.first?["to"] == "2026-01-31" && cut["citationCount"] == 6)
    let years = try run(
      #"{"source":{"entries":{"tag":"run","time":"2025"}},"fold":"trend","group":"day"}"#)
    #expect(years["caveat"] == .null)
  }

  @Test func theMonthInWhichTheArchiveBeginsIsNoRise() throws {
    try test.add("ran", on: "2025-11-25", tags: ["run"])
    for month in ["2025-12", "2026-01", "2026-02"] {
      for day in ["03", "10", "17"] { try test.add("ran", on: "\(month)-\(day)", tags: ["run"]) }
    }
    let query = #"{"source":{"entries":{"tag":"run"}},"fold":"trend","group":"month"}"#
    let told = try run(query)
    #expect(told["rows"]?.array?.first?["value"] == 0, "\(told.text())")
    #expect(told["rows"]?.array?.first?["from"] == "2025-12-01" && told["citationCount"] == 9)
    #expect(told["caveat"] == "An incomplete month doesn’t count toward the trend.")
    // With an older entry, little was done in that whole month.
    try test.add("read", on: "2025-10-02")
    let whole = try run(query)
    #expect(whole["rows"]?.array?.first?["from"] == "2025-11-01" && whole["citationCount"] == 10)
  }

  @Test(
    "Whole days are no hours beside entries and meetings that have a length",
    arguments: ["entries", "meetings"])
  func hoursOfWholeDays(source: String) throws {
    let archive = test.archive
    func add(_ activity: Activity) throws {
      let id = archive.identities.next()
      _ = try archive.create(
        MeetingEntry(
          meeting: Meeting(
            id: id, activityID: activity.id, eventIdentifier: id.uuidString,
            attendances: [Attendance(name: "Mira", reply: .accepted)],
            createdAt: test.clock.now, updatedAt: test.clock.now), activity: activity))
    }
    var fair = try test.activity("fair", on: "2026-03-10", from: "00:00")
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    try add(fair)
    let query = #"{"source":{"\#(source)":{}},"fold":"sum","unit":"min"}"#
    #expect(try value(query) == 1_440)
    try add(try test.activity("talk", on: "2026-03-11", from: "10:00", to: "11:30"))
    let told = try run(query)
    #expect(told["rows"]?.array?.first?["value"] == 90 && told["citationCount"] == 1, "\(told)")
  }

  @Test func monthsWithoutItemsCountAtBothEdges() throws {
    try test.add("began", on: "2025-06-01")
    for day in ["03", "10", "17"] { try test.add("ran", on: "2025-10-\(day)", tags: ["run"]) }
    try test.add("read", on: "2026-03-10")
    func slope(_ days: String) throws -> (from: JSON?, to: JSON?, value: Double?) {
      let told = try run(
        #"{"source":{"entries":{"tag":"run"\#(days)}},"fold":"trend","group":"month"}"#)
      let row = told["rows"]?.array?.first
      return (row?["from"], row?["to"], row?["value"]?.double)
    }
    // 3, 0, 0, 0, 0: no run since October.
    let since = try slope("")
    #expect(since.from == "2025-10-01" && since.to == "2026-02-28")
    #expect(abs((since.value ?? 0) + 0.6) < 1e-9)
    // 0, 0, 0, 0, 3: none from June on, where the archive begins.
    let until = try slope(#","days":{"from":"2025-01-01","to":"2025-10-31"}"#)
    #expect(until.from == "2025-06-01" && until.to == "2025-10-31")
    #expect(abs((until.value ?? 0) - 0.6) < 1e-9)
  }

  @Test func meetingsThatTheOwnerDeclinedAreNoMeetings() throws {
    let archive = test.archive
    let now = test.clock.now
    let own = try archive.create(
      Person(
        id: archive.identities.next(), name: "Kim Self", aliases: ["me"], createdAt: now,
        updatedAt: now)
    ).value
    for (title, reply) in [("Budget", AttendanceReply.accepted), ("Sales", .declined)] {
      let activity = try test.activity(title, on: "2026-03-12", from: "10:00", to: "11:00")
      let id = archive.identities.next()
      _ = try archive.create(
        MeetingEntry(
          meeting: Meeting(
            id: id, activityID: activity.id, eventIdentifier: id.uuidString,
            attendances: [
              Attendance(name: "Kim Self", personID: own.id, reply: reply),
              Attendance(name: "Mira", reply: .accepted),
            ], createdAt: now, updatedAt: now), activity: activity))
    }
    for source in ["meetings", "entries"] {
      let told = try run(#"{"source":{"\#(source)":{}},"target":"name"}"#)
      #expect(told["items"] == 1, "\(source)")
      #expect(told["rows"]?.array?.first?["value"] == "Budget", "\(source)")
    }
  }

  @Test func aMeetingsNoteIsOfTheDayOfItsMeeting() throws {
    let archive = test.archive
    let now = test.clock.now
    let activity = try test.activity("Budget", on: "2026-02-03", from: "10:00", to: "11:00")
    let id = archive.identities.next()
    _ = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString, createdAt: now,
          updatedAt: now), activity: activity))
    try archive.create(
      Note(
        id: archive.identities.next(), text: "the figures", meetingID: id, createdAt: now,
        updatedAt: now))
    try archive.create(
      Note(id: archive.identities.next(), text: "a thought", createdAt: now, updatedAt: now))
    for (time, text) in [("february 2026", "the figures"), ("march 2026", "a thought")] {
      let told = try run(#"{"source":{"notes":{"time":"\#(time)"}},"target":"name"}"#)
      #expect(told["items"] == 1, "\(time)")
      #expect(told["rows"]?.array?.first?["value"] == .string(text), "\(time)")
    }
  }

  @Test func aPhraseIsGroundedAndSaysInWhat() throws {
    try test.add("paddled to the island", on: "2026-03-08", tags: ["sea"])
    try test.add("ran by the river", on: "2026-03-09", tags: ["run"])
    let told = try run(#"{"source":{"entries":{"concept":"run"}},"fold":"count"}"#)
    #expect(told["rows"]?.array?.first?["value"] == 1)
    #expect(told["grounded"]?.array?.first?["by"] == "words")
    #expect(told["grounded"]?.array?.first?["as"]?.array?.contains("#run") == true)
    let event = try run(
      """
      {"source":{"entries":{"concept":{"phrase":"paddled to the island","role":"event"}}},\
      "fold":"first","target":"day"}
      """)
    #expect(event["rows"]?.array?.first?["value"] == "2026-03-08")
    #expect(event["items"] == 1)
    let nothing = try run(#"{"source":{"entries":{"concept":"zeppelin"}},"fold":"count"}"#)
    #expect(nothing["caveat"]?.string?.contains("zeppelin") == true)
  }

  @Test func aQueryThatIsCancelledEnds() throws {
    try test.add("tea")
    let engine = QueryEngine(archive: test.archive, zone: test.zone)
    #expect(throws: CancellationError.self) {
      try engine.answer(
        ["source": ["entries": [:]], "fold": "count"], isCancelled: { true })
    }
  }
}
