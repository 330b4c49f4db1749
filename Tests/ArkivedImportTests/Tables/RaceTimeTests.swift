import ArkivedCore
import ArkivedImport
import Testing

@Suite("Times of races in tables")
struct RaceTimeTests {
  private func minutes(_ table: String) throws -> [Double?] {
    try TableReading.read(table).activities.map(\.durationMinutes)
  }

  @Test func timesThatNoClockShowsAreDurations() throws {
    let sink = try TableReading.read(
      """
      Datum;Lauf;km;Zeit
      20.11.2025;Park;10,5;55:12
      22.11.2025;Wald;5,2;27:40
      24.11.2025;Lang;21,1;1:58:03
      """)
    let minutes = sink.activities.map { ($0.durationMinutes ?? 0) * 60 }.map { $0.rounded() }
    #expect(minutes == [3_312, 1_660, 7_083])
    #expect(sink.activities.map { $0.measurements["km"] } == [10.5, 5.2, 21.1])
    #expect(sink.activities.allSatisfy { $0.startAt == nil && $0.description == nil })
  }

  @Test func minutesThatAClockCouldShowAreDurationsBesideADistance() throws {
    let table = "Date,Title,Distance (km),Time\n2026-01-05,Park,5,19:30\n2026-01-06,Park,5,21:00\n"
    #expect(try minutes(table + "2026-01-07,Long,21,1:45:00\n") == [19.5, 21, 105])
    #expect(try minutes(table + "2026-01-07,Slow,5,25:30\n") == [19.5, 21, 25.5])
  }

  @Test(arguments: [
    "Date,Title,Km,Time\n2026-01-05,Park,5,19:30\n2026-01-06,Park,5,21:00\n",
    "Date,Title,Time\n2026-01-05,Tea,19:30\n2026-01-06,Tea,21:00:10\n",
    "Date,Title,Time\n2026-01-05,Tea,19:30\n2026-01-06,Tea,21:00\n2026-01-07,Tea,25:00\n",
  ])
  func timesOfAClockAreStarts(table: String) throws {
    #expect(try TableReading.read(table).times.prefix(2) == ["19:30", "21:00"])
  }
}
