import ArkivedCore
import ArkivedImport
import Testing

/// Rows that an export of a service has twice.
@Suite("Repeated rows of services")
struct ServiceRepeatTests {
  private func numbers(_ sink: PlaceSink) -> [String: Double] {
    Dictionary(sink.metrics.map { ($0.metric, $0.value) }) { first, _ in first }
  }

  @Test func aNightThatIsListedTwiceCountsOnce() throws {
    let row = "2024-01-05T23:00:00+01:00,2024-01-06T06:00:00+01:00,12000,6000,6000,600\n"
    let other = "2024-01-06T13:00:00+01:00,2024-01-06T14:00:00+01:00,3000,0,0,0\n"
    let sink = try ServiceReading.read(
      WithingsImporter(),
      [("sleep.csv", "from,to,light (s),deep (s),rem (s),awake (s)\n" + row + row + other)])
    let day = numbers(sink)
    #expect(day["sleepMinutes"] == 450 && day["deepSleepMinutes"] == 100, "\(day)")
  }

  @Test func theActiveMinutesOfADayThatIsListedTwiceCountOnce() throws {
    let row = "2024-01-31,40,7000\n"
    let sink = try ServiceReading.read(
      GoogleFitImporter(),
      [("Daily activity metrics.csv", "Date,Move Minutes count,Step count\n" + row + row)])
    let day = numbers(sink)
    #expect(day["activeMinutes"] == 40 && day["steps"] == 7000, "\(day)")
  }
}
