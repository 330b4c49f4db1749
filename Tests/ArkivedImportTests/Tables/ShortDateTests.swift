import ArkivedCore
import ArkivedImport
import Testing

@Suite("Dates with years of two digits")
struct ShortDateTests {
  private func days(_ dates: [String]) throws -> (days: [String], told: [String]) {
    let rows = dates.enumerated().map { "\($1),row \($0)" }
    let sink = try TableReading.read(
      "Date,Title\n" + rows.joined(separator: "\n") + "\n")
    return (
      sink.activities.map { "\($0.dayKey)" },
      sink.diagnostics.map(\.message).filter { $0.hasPrefix("the years in its dates") }
    )
  }

  @Test func yearsAreFirstIfTheDatesThenFollowEachOther() throws {
    let (days, told) = try days(["25-11-20", "25-11-21", "25-12-01"])
    #expect(days == ["2025-11-20", "2025-11-21", "2025-12-01"])
    #expect(told.count == 1 && told.first?.contains("read as coming first") == true)
  }

  @Test func yearsAreFirstIfNothingElseIsADate() throws {
    #expect(try days(["95-11-20", "95-11-21"]).days == ["1995-11-20", "1995-11-21"])
  }

  @Test func timesMayFollowThem() throws {
    let sink = try TableReading.read(
      "Date,Title\n25-11-20 18:12,a\n25-11-21 07:00,b\n25-12-01 09:30,c\n")
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-11-20", "2025-11-21", "2025-12-01"])
    #expect(sink.times == ["18:12", "07:00", "09:30"])
  }

  @Test(arguments: [
    (["20-11-25", "21-11-25", "01-12-25"], ["2025-11-20", "2025-11-21", "2025-12-01"]),
    (["11/25/25", "11/26/25", "12/01/25"], ["2025-11-25", "2025-11-26", "2025-12-01"]),
    (["20.11.25", "21.11.25", "01.12.25"], ["2025-11-20", "2025-11-21", "2025-12-01"]),
  ])
  func yearsAreLastIfTheDatesThenFollowEachOther(dates: [String], expected: [String]) throws {
    let (days, told) = try days(dates)
    #expect(days == expected && told == [])
  }

  @Test func aSingleDateIsReadWithTheYearLastAndTold() throws {
    let (days, told) = try days(["25-11-20"])
    #expect(days == ["2020-11-25"])
    #expect(told.count == 1 && told.first?.contains("assumed to be last") == true)
  }
}
