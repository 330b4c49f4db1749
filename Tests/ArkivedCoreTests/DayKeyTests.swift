import ArkivedCore
import Foundation
import Testing

@Suite("Days, zones and instants")
struct DayKeyTests {
  private func zone(_ name: String) throws -> Zone { try #require(Zone(name)) }
  private func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

  @Test func dayKeysReadOnlyDaysOfTheCalendar() {
    #expect(DayKey("2024-02-29")?.description == "2024-02-29")
    #expect(DayKey("0001-01-01") == .earliest)
    #expect(DayKey("9999-12-31") == .latest)
    for wrong in [
      "2023-02-29", "2024-13-01", "2024-00-10", "2024-1-01", "24-01-01", "2024-01-01 ", "",
      "0000-01-01", "２０２４-01-01", "2024/01/01",
    ] { #expect(DayKey(wrong) == nil, "\(wrong)") }
  }

  @Test func everyDayOfFourCenturiesSurvivesItsCivilForm() throws {
    var day = try #require(DayKey("1899-12-31"))
    var weekday = day.weekday.rawValue
    for _ in 0..<146_097 {
      let civil = day.civil
      #expect(DayKey(year: civil.year, month: civil.month, day: civil.day) == day)
      day = day.advanced(by: 1)
      weekday = weekday % 7 + 1
      #expect(day.weekday.rawValue == weekday)
    }
  }

  @Test func movingPastTheCalendarsEdgeStaysInside() throws {
    #expect(DayKey.latest.advanced(by: 1) == .latest)
    #expect(DayKey.earliest.advanced(by: .min) == .earliest)
    #expect(DayKey.latest.adding(months: .max) == .latest)
    #expect(try #require(DayKey("2024-01-31")).adding(months: 1).description == "2024-02-29")
  }

  @Test(arguments: [
    ("2026-03-14T09:30:00Z", "2026-03-14T09:30:00Z"),
    ("2026-03-14T09:30:00.1239+02:00", "2026-03-14T07:30:00.123Z"),
    ("2026-03-14 09:30Z", "2026-03-14T09:30:00Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
  ])
  func instantsReadISO8601AndWriteUTC(text: String, written: String) throws {
    #expect(try instant(text).description == written)
  }

  @Test(arguments: [
    "2026-03-14", "2026-03-14T09:30", "2026-03-14T25:00:00Z", "2026-02-30T00:00:00Z", "now",
    "2026-03-14T09:30:00.Z", "2026-03-14T09:30:00Zx", "2026-03-14T09:30:00+25:00",
  ])
  func whatNamesNoMomentIsNoInstant(text: String) { #expect(Instant(text) == nil) }

  @Test func aTimeInASpringGapMovesOnByTheGap() throws {
    let berlin = try zone("Europe/Berlin")
    let day = try #require(DayKey("2026-03-29"))
    let instant = berlin.instant(of: WallTime(day: day, hour: 2, minute: 30))
    #expect(instant.description == "2026-03-29T01:30:00Z")
    #expect(berlin.wallTime(at: instant).clockText == "03:30")
    #expect(berlin.dayKey(at: instant) == day)
  }

  @Test func aTimeThatOccursTwiceIsTheFirst() throws {
    let berlin = try zone("Europe/Berlin")
    let day = try #require(DayKey("2026-10-25"))
    let instant = berlin.instant(of: WallTime(day: day, hour: 2, minute: 30))
    #expect(instant.description == "2026-10-25T00:30:00Z")
  }

  @Test func aDayThatTheZoneSkippedKeepsItsNeighboursApart() throws {
    // Samoa went from 29 to 31 December 2011.
    let apia = try zone("Pacific/Apia")
    let last = try instant("2011-12-30T09:59:59Z")
    let first = try instant("2011-12-30T10:00:00Z")
    #expect(apia.dayKey(at: last).description == "2011-12-29")
    #expect(apia.dayKey(at: first).description == "2011-12-31")
    let skipped = try #require(DayKey("2011-12-30"))
    #expect(apia.start(of: skipped) == first)
    #expect(apia.start(of: skipped.advanced(by: 1)) == first)
  }

  @Test func aDayWithoutAMidnightBeginsAfterTheGap() throws {
    let saoPaulo = try zone("America/Sao_Paulo")
    let day = try #require(DayKey("2018-11-04"))
    let start = saoPaulo.start(of: day)
    #expect(start.description == "2018-11-04T03:00:00Z")
    #expect(saoPaulo.wallTime(at: start).clockText == "01:00")
    #expect(saoPaulo.dayKey(at: start) == day)
    #expect(saoPaulo.dayKey(at: start.adding(seconds: -1)) == day.advanced(by: -1))
  }

  @Test(arguments: [
    "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "Australia/Lord_Howe",
    "America/St_Johns", "Africa/Casablanca", "Antarctica/Troll",
  ])
  func everyDayStartsOnItself(name: String) throws {
    let zone = try zone(name)
    var day = try #require(DayKey("2010-01-01"))
    let end = try #require(DayKey("2020-01-01"))
    while day < end {
      let start = zone.start(of: day)
      let isSkipped = name == "Pacific/Apia" && day.description == "2011-12-30"
      if !isSkipped {
        #expect(zone.dayKey(at: start) == day, "\(day)")
        #expect(zone.dayKey(at: start.adding(seconds: -1)) < day, "\(day)")
      }
      day = day.advanced(by: 1)
    }
  }

  @Test(arguments: ["EST", "GMT+2", "Mars/Olympus", "", "../etc/passwd", "Europe/Berlin\0"])
  func whatIsNoPlaceIsNoZone(name: String) { #expect(Zone(name) == nil) }

  @Test func theSystemsZoneIsReadAnewFromItsLink() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("arkived-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func read(_ target: String) throws -> String? {
      let link = folder.appendingPathComponent(UUID().uuidString).path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      return Zone.systemNow(environment: [:], link: link)?.identifier
    }
    #expect(try read("/usr/share/zoneinfo/Asia/Tokyo") == "Asia/Tokyo")
    #expect(
      try read("../usr/share/zoneinfo/posix/America/Argentina/Salta")
        == "America/Argentina/Salta")
    #expect(try read("/var/db/timezone/zoneinfo/Europe/Rome") == "Europe/Rome")
    #expect(try read("/nowhere/at/all") == nil)
    #expect(Zone.systemNow(environment: [:], link: folder.path) == nil)
    #expect(Zone.systemNow(environment: ["TZ": ":Asia/Kolkata"])?.identifier == "Asia/Kolkata")
  }
}
