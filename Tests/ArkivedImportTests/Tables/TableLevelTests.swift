import ArkivedCore
import ArkivedImport
import Testing

@Suite("Moods and energy in tables")
struct TableLevelTests {
  private let ten = """
    Date,Title,Mood
    2026-01-05,Tea,7
    2026-01-06,Coffee,4
    2026-01-07,Cake,10
    """

  private func days(_ sink: PlaceSink) -> [DayEntry] {
    sink.records.compactMap { record in
      if case .day(let entry) = record.value { entry } else { nil }
    }
  }

  @Test func aScaleUpToTenIsANumberAndNoMoodOfTheDay() throws {
    #expect(try TableReading.fields(ten)["Mood"] == "measure in mood")
    let sink = try TableReading.read(ten)
    #expect(days(sink).isEmpty && sink.skipped.isEmpty)
    #expect(sink.activities.map { $0.measurements["mood"] } == [7, 4, 10])
  }

  @Test func aScaleThatIsMappedToTheMoodIsKeptInWords() throws {
    let sink = try TableReading.read(ten, map: "mood=Mood")
    #expect(days(sink).isEmpty && sink.skipped.isEmpty)
    #expect(sink.activities.map(\.description) == ["Mood: 7", "Mood: 4", "Mood: 10"])
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("goes beyond 5") })
  }

  @Test func aRowWithOnlySuchAMoodBecomesAnEntry() throws {
    let table = "Date,Mood,Energy\n2026-01-05,7,3\n2026-01-06,4,2\n2026-01-07,,5\n"
    let sink = try TableReading.read(table, map: "date=Date,mood=Mood,energy=Energy")
    #expect(sink.texts == ["Mood: 7", "Mood: 4"] && sink.skipped.isEmpty)
    #expect(sink.activities.allSatisfy { $0.description == nil })
    #expect(days(sink).map(\.energy) == [3, 2, 5] && days(sink).allSatisfy { $0.mood == nil })
  }

  @Test func oneWrongValueDoesNotMakeAnotherScale() throws {
    let rows = (1...10).map { "2026-01-\($0 + 9),Day \($0),4\n" }.joined()
    let sink = try TableReading.read("Date,Title,Mood\n" + rows + "2026-01-25,Late,44\n")
    #expect(days(sink).map(\.mood) == Array(repeating: 4, count: 10))
    #expect(sink.diagnostics.contains { $0.message.contains("isn’t between 1 and 5") })
  }
}
