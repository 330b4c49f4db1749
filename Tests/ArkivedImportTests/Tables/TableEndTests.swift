import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite("Starts, ends and durations in tables")
struct TableEndTests {
  private let hevy = """
    "title","start_time","end_time","description","exercise_title","superset_id","exercise_notes","set_index","set_type","weight_kg","reps","distance_km","duration_seconds","rpe"
    "Push","28 Mar 2024, 17:29","28 Mar 2024, 18:45","","Bench Press",,"",0,"normal",80,8,,,
    "Push","28 Mar 2024, 17:29","28 Mar 2024, 18:45","","Bench Press",,"",1,"normal",80,7,,,
    "Push","28 Mar 2024, 17:29","28 Mar 2024, 18:45","","Plank",,"",0,"normal",,,,60,
    "Pull","29 Mar 2024, 17:00","29 Mar 2024, 18:00","","Row",,"",0,"normal",60,8,,,
    """

  @Test func theSetsOfAWorkoutAreOneEntry() throws {
    let sink = try TableReading.read(hevy)
    #expect(sink.texts == ["Push", "Pull"] && sink.times == ["17:29–18:45", "17:00–18:00"])
    let push = try #require(sink.activities.first)
    #expect(
      push.notes == """
        - exercise_title: Bench Press, set_index: 0, weight_kg: 80, reps: 8
        - exercise_title: Bench Press, set_index: 1, weight_kg: 80, reps: 7
        - exercise_title: Plank, set_index: 0, duration_seconds: 60
        """)
    #expect(push.measurements.isEmpty && push.description == "set_type: normal")
    #expect(sink.activities.last?.measurements["kg"] == 60)
  }

  @Test func aWorkoutWithADurationOnlyIsOneEntryToo() throws {
    let sink = try TableReading.read(
      """
      Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE
      2021-03-05 18:00:12,"Evening Workout",1h 5m,"Bench Press (Barbell)",1,80.0,8,0,0,"","",
      2021-03-05 18:00:12,"Evening Workout",1h 5m,"Bench Press (Barbell)",2,80.0,7,0,0,"","",
      2021-03-05 18:00:12,"Evening Workout",1h 5m,"Plank",1,0,0,0,60,"hard","",
      """)
    #expect(sink.texts == ["Evening Workout"] && sink.times == ["18:00–19:05"])
    let notes = try #require(sink.activities.first?.notes)
    #expect(notes.split(whereSeparator: \.isNewline).count == 3 && notes.contains("Notes: hard"))
  }

  @Test func rowsThatAreAllAlikeOrOnlyShareADayStayApart() throws {
    let alike = "Start,End,Title\n2026-01-05 08:00,2026-01-05 09:00,Tea\n"
    #expect(
      try TableReading.read(alike + "2026-01-05 08:00,2026-01-05 09:00,Tea\n").texts
        == ["Tea", "Tea"])
    let days = "Date,Title,Cups\n2026-01-05,Tea,1\n2026-01-05,Tea,2\n"
    #expect(try TableReading.read(days).texts == ["Tea", "Tea"])
  }

  @Test func theEndThatIsWrittenCountsBeforeADurationThatSaysSomethingElse() throws {
    let sink = try TableReading.read(
      """
      Tag;Von;Bis;Pause;Projekt;Stunden
      05.01.24;8:00;16:30;0:30;Arkived;8,00
      06.01.24;22:00;2:00;;Nacht;4,00
      """)
    #expect(sink.times == ["08:00–16:30", "22:00–02:00"] && sink.texts == ["Arkived", "Nacht"])
    #expect(sink.activities.map(\.measurements) == [["hours": 8], ["hours": 4]])
    #expect(sink.diagnostics.contains { $0.message.hasPrefix("“Stunden” isn’t the time from") })
  }

  @Test func aDurationThatAgreesIsUsedAndOneThatDoesNotIsTold() throws {
    let sink = try TableReading.read(
      """
      Start,End,Duration,Title
      2026-01-05 08:00,2026-01-05 08:45,0:44:37,exact
      2026-01-06 08:00,2026-01-06 09:00,1:00:00,equal
      2026-01-07 08:00,2026-01-07 09:00,0:10:00,contradicting
      2026-01-08 08:00,,0:20:00,without an end
      2026-03-29 01:30,2026-03-29 03:30,1:00:00,spring
      2026-03-30 08:00,2026-03-30 09:00,1:00:00,equal again
      """)
    #expect(
      sink.activities.compactMap { $0.startAt?.seconds(to: $0.endAt ?? .earliest) }
        == [2_677, 3_600, 3_600, 1_200, 3_600, 3_600])
    #expect(sink.activities[2].description == "Duration: 0:10:00")
    #expect(
      sink.diagnostics.filter { $0.message.contains("isn’t the time from start to end; kept") }
        .map(\.place) == ["table.csv:4 field “Duration”"])
  }

  @Test func theEndOfARowWithoutAStartIsKeptInWords() throws {
    let trips = try TableReading.read(
      """
      Start date,End date,Title
      2026-01-05,2026-01-09,Rome
      2026-01-12,2026-01-12,Bonn
      2026-01-20,2026-01-18,Back
      """)
    #expect(trips.texts == ["Rome", "Bonn", "Back"] && trips.times == ["", "", ""])
    #expect(trips.activities.map(\.description) == ["until 2026-01-09", nil, nil])
    #expect(
      trips.diagnostics.filter { $0.message.contains("the end was skipped") }.map(\.place)
        == ["table.csv:4 field “End date”"])
    let shifts = try TableReading.read(
      """
      Date,Start time,End time,Title
      2026-01-05,08:00,16:00,early
      2026-01-06,,17:30,open
      """)
    #expect(shifts.times == ["08:00–16:00", ""])
    #expect(shifts.activities.map(\.description) == [nil, "until 17:30"])
  }

  @Test func anEndThatIsOnlyADayIsKeptInWordsBesideAStartWithATime() throws {
    let sink = try TableReading.read(
      """
      Start,End,Title
      2026-01-05 08:00,2026-01-07,trek
      2026-01-08 08:00,2026-01-08,tea
      2026-01-09 08:00,2026-01-09 10:00,swim
      2026-01-12 08:00,2026-01-11,back
      """)
    #expect(sink.times == ["08:00", "08:00", "08:00–10:00", "08:00"])
    #expect(sink.activities.map(\.description) == ["until 2026-01-07", nil, nil, nil])
    #expect(
      sink.diagnostics.filter { $0.message.contains("the end was skipped") }.map(\.place)
        == ["table.csv:5 field “End”"])
  }

  @Test func aStartThatClocksSkipIsNotAfterItsEnd() throws {
    for table in [
      "Date,Start time,End time,Title\n2025-03-30,02:40,03:20,awake\n2025-03-31,23:30,00:15,late",
      """
      Start,End,Title
      2025-03-30 02:40,2025-03-30 03:20,awake
      2025-03-31 23:30,2025-04-01 00:15,late
      """,
      """
      Date,Start time,End time,Title
      2025-03-30T00:00:00Z,02:40,03:20,awake
      2025-03-31T00:00:00Z,23:30,00:15,late
      """,
    ] {
      let sink = try TableReading.read(table)
      #expect(sink.times == ["03:40–04:20", "23:30–00:15"])
      #expect(
        sink.activities.map { $0.startAt?.seconds(to: $0.endAt ?? .earliest) } == [2_400, 2_700])
      #expect(sink.diagnostics.allSatisfy { !$0.message.contains("before the start") })
    }
  }

  @Test func theClockOfAnEndIsTheOneOfItsStart() throws {
    let sink = try TableReading.read(
      """
      Start,End time,Title
      2026-02-10T09:00:00+09:00,10:30,east
      2026-02-10T23:30:00-07:00,00:15,west
      """)
    #expect(sink.times == ["09:00–10:30", "23:30–00:15"])
    #expect(
      sink.activities.map { $0.startAt?.seconds(to: $0.endAt ?? .earliest) } == [5_400, 2_700])
  }

  @Test(arguments: ["2026-01-05 24:00", "2026-01-05T24:00:00", "05.01.2026 24:00"])
  func aDayEndsAtTwentyFourHoursInAnEndWithItsDateToo(end: String) throws {
    let sink = try TableReading.read(
      "Start,End,Title\n2026-01-05 16:00,\(end),late\n2026-01-06 08:00,2026-01-06 16:30,early\n")
    #expect(sink.times == ["16:00–00:00", "08:00–16:30"])
    let late = try #require(sink.activities.first)
    #expect(late.startAt?.seconds(to: late.endAt ?? .earliest) == 28_800)
    #expect(sink.diagnostics.allSatisfy { !$0.message.contains("isn’t a valid time") })
  }

  @Test func theEndOfASpanMayBeAClockTimeOfTheSameDay() throws {
    let sink = try TableReading.read(
      """
      Name,Date
      Talk,"November 21, 2025 6:00 PM → 7:30 PM"
      Trip,"November 22, 2025 → November 25, 2025"
      Odd,"November 23, 2025 6:00 PM → 5:00 PM"
      Walk,"November 24, 2025 6:00 PM"
      """)
    #expect(sink.texts == ["Talk", "Trip", "Odd", "Walk"])
    #expect(sink.times == ["18:00–19:30", "", "18:00", "18:00"])
    #expect(
      sink.activities.map(\.description) == [
        nil, "until November 25, 2025", "until 5:00 PM", nil,
      ])
  }

  @Test func aShiftEndsAtTwentyFourHours() throws {
    let sink = try TableReading.read(
      """
      Tag;Von;Bis;Projekt
      05.01.24;16:00;24:00;Spät
      06.01.24;8:00;16:30;Früh
      """)
    #expect(sink.times == ["16:00–00:00", "08:00–16:30"] && sink.skipped.isEmpty)
    let late = try #require(sink.activities.first)
    #expect(late.startAt?.seconds(to: late.endAt ?? .earliest) == 28_800)
    #expect(sink.diagnostics.allSatisfy { !$0.message.contains("isn’t a valid time of day") })
  }
}
