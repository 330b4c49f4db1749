import ArkivedCore
import ArkivedImport
import Testing

/// Tables in which a row has the start and end of what it is about, and of something around it.
@Suite("Spans in tables")
struct TableSpanTests {
  @Test func aWorkoutIsAtItsOwnTimeAndNotAtThatOfItsCycle() throws {
    let sink = try TableReading.read(
      """
      Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Max HR (bpm)
      2024-01-01 22:10:00,2024-01-02 22:30:00,UTC+01:00,2024-01-02 07:00:00,2024-01-02 07:45:00,45,Running,170
      2024-01-02 22:30:00,,UTC+01:00,2024-01-03 18:00:00,2024-01-03 18:30:00,30,Rowing,160
      """)
    #expect(sink.texts == ["Running", "Rowing"] && sink.times == ["07:00–07:45", "18:00–18:30"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2024-01-02", "2024-01-03"])
    #expect(sink.activities.first?.description?.contains("Cycle timezone: UTC+01:00") == true)
  }

  @Test func aNapIsNotAtTheStartOfItsCycle() throws {
    let sink = try TableReading.read(
      """
      Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Respiratory rate (rpm),Asleep duration (min),Nap
      2024-01-01 22:10:00,2024-01-02 22:30:00,UTC+01:00,2024-01-01 22:10:00,2024-01-02 06:30:00,14.5,430,false
      2024-01-01 22:10:00,2024-01-02 22:30:00,UTC+01:00,2024-01-02 14:00:00,2024-01-02 14:40:00,15.1,35,true
      2024-01-02 22:30:00,,UTC+01:00,2024-01-02 22:30:00,2024-01-03 06:00:00,14.2,440,false
      """)
    #expect(sink.times == ["22:10–06:30", "14:00–14:40", "22:30–06:00"])
    #expect(!sink.texts.contains { $0.hasPrefix("UTC") })
  }

  @Test func aCycleWithoutASleepKeepsItsOwnStart() throws {
    let sink = try TableReading.read(
      """
      Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Sleep onset,Wake onset
      2024-01-01 22:10:00,2024-01-02 22:30:00,UTC+01:00,66,2024-01-01 22:10:00,2024-01-02 06:30:00
      2024-01-02 22:30:00,2024-01-03 22:00:00,UTC+01:00,70,,
      """)
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2024-01-01", "2024-01-02"])
  }
}
