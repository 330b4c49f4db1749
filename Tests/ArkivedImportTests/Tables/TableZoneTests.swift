import ArkivedCore
import ArkivedImport
import Testing

@Suite("Time zones in tables")
struct TableZoneTests {
  @Test(arguments: [
    ("2026-01-05,21:15:32,PST", "2026-01-06T05:15:32Z", "Etc/GMT+8"),
    ("2025-07-05,21:15:32,PDT", "2025-07-06T04:15:32Z", "Etc/GMT+7"),
    ("2025-07-05,10:00,Europe/London", "2025-07-05T09:00:00Z", "Europe/London"),
    ("2025-07-05,10:00,UTC+09:00", "2025-07-05T01:00:00Z", "Etc/GMT-9"),
    ("2025-07-05,10:00,CEST", "2025-07-05T08:00:00Z", "Europe/Berlin"),
    ("2025-07-05,10:00,Middle Earth", "2025-07-05T08:00:00Z", "Europe/Berlin"),
    ("2025-07-05,10:00,", "2025-07-05T08:00:00Z", "Europe/Berlin"),
  ])
  func aColumnGivesTheZoneOfARowsTimes(row: String, start: String, zone: String) throws {
    let sink = try TableReading.read("Date,Time,TimeZone,Name\n\(row),Shop\n")
    let activity = try #require(sink.activities.first)
    #expect(activity.startAt == Instant(start) && activity.timeZone == zone)
    #expect("\(activity.dayKey)" == row.prefix(10) && activity.text == "Shop")
  }

  @Test func theZoneDoesNotTellRowsApart() throws {
    let plain = try TableReading.read("Date,Time,Zone of it,Name\n2025-07-05,10:00,PDT,Shop\n")
    let zoned = try TableReading.read("Date,Time,TimeZone,Name\n2025-07-05,10:00,PDT,Shop\n")
    let ends = [plain, zoned].map { $0.identities.first?.split(separator: "/").last }
    #expect(ends[0] == ends[1])
  }

  @Test(arguments: [
    // A day in Tokyo, by the clock of UTC.
    ("2025-07-04T15:00:00Z,2025-07-05T15:00:00Z,true,Asia/Tokyo", "2025-07-05", ""),
    ("2025-07-04T15:00:00Z,2025-07-07T15:00:00Z,true,Asia/Tokyo", "2025-07-05", "2025-07-07"),
    // The date of a midnight, in whatever zone.
    ("2025-07-05T00:00:00Z,2025-07-05T23:59:59Z,true,Asia/Tokyo", "2025-07-05", ""),
    ("2025-07-04T22:00:00Z,2025-07-05T22:00:00Z,true,", "2025-07-05", ""),
  ])
  func aWholeDayIsOneInTheZoneOfItsRow(row: String, day: String, last: String) throws {
    let sink = try TableReading.read("Start,End,All Day,TimeZone,Name\n\(row),Fair\n")
    let activity = try #require(sink.activities.first)
    #expect(activity.startAt == nil && "\(activity.dayKey)" == day)
    let written = activity.description ?? ""
    #expect(written.contains("until") == !last.isEmpty)
    #expect(last.isEmpty || written.contains("until \(last)"))
  }
}
