import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

/// Dates as Notion writes them into its pages, read as if at home in Rome.
@Suite("Dates of Notion's pages")
struct NotionDateTests {
  private let importer = NotionImporter()

  private func page(_ date: String, key: String = "Date") -> String {
    """
    <html><head><title>T</title></head><body><article id="61234567-89ab-cdef-0123-456789abcdef"
    class="page sans"><header><h1 class="page-title">T</h1><table class="properties"><tbody>
    <tr class="property-row property-row-date"><th>\(key)</th><td><time>\(date)</time></td></tr>
    </tbody></table></header><div class="page-body"><p>x</p></div></article></body></html>
    """
  }

  private func read(_ date: String, key: String = "Date") throws -> PlaceSink {
    try PlaceReading.read(
      importer, page(date, key: key), name: "T 61234567890bcdef0123456789abcdef.html")
  }

  @Test(arguments: [
    ("@January 5, 2024 11:30 PM (PST)", "2024-01-06T07:30:00Z", "2024-01-05"),
    ("@2024/01/05 23:30 (GMT+9)", "2024-01-05T14:30:00Z", "2024-01-05"),
    ("@January 5, 2024 11:30 PM (UTC)", "2024-01-05T23:30:00Z", "2024-01-05"),
    ("@July 5, 2024 11:30 PM (GMT+5:30)", "2024-07-05T18:00:00Z", "2024-07-05"),
    ("@July 5, 2024 11:30 PM (CEST)", "2024-07-05T21:30:00Z", "2024-07-05"),
    ("@July 5, 2024 9:00 PM → 11:30 PM (EDT)", "2024-07-06T01:00:00Z", "2024-07-05"),
    ("@July 5, 2024 11:30 PM", "2024-07-05T21:30:00Z", "2024-07-05"),
    ("2024年7月5日 23:30", "2024-07-05T21:30:00Z", "2024-07-05"),
    ("2024年7月5日(金) 下午11:30", "2024-07-05T21:30:00Z", "2024-07-05"),
    ("2024년 7월 5일 금요일 오후 11:30", "2024-07-05T21:30:00Z", "2024-07-05"),
    ("2024年7月5日 23:30 (GMT+9)", "2024-07-05T14:30:00Z", "2024-07-05"),
    ("5. maj 2024 23:30", "2024-05-05T21:30:00Z", "2024-05-05"),
  ])
  func aZoneInBracketsIsRead(date: String, instant: String, day: String) throws {
    let sink = try read(date)
    let entry = try #require(sink.activities.first, "\(sink.diagnostics)")
    #expect(entry.startAt == Instant(instant) && "\(entry.dayKey)" == day)
    #expect(sink.diagnostics.isEmpty)
  }

  private static let ranges: [(String, String?, String?)] = [
    ("@July 5, 2024 9:00 PM → 11:30 PM (EDT)", "2024-07-06T03:30:00Z", nil),
    ("@July 5, 2024 9:00 PM → July 6, 2024 2:00 AM", "2024-07-06T00:00:00Z", nil),
    ("@July 5, 2024 9:00 PM (EDT) → 11:30 PM", "2024-07-06T03:30:00Z", nil),
    ("@March 31, 2024 1:30 AM → 3:30 AM", "2024-03-31T01:30:00Z", nil),
    ("@July 5, 2024 9:00 PM → 8:00 PM", nil, "until 8:00 PM"),
    ("@July 5, 2024 → July 8, 2024", nil, "until July 8, 2024"),
    ("@July 5, 2024", nil, nil),
  ]

  @Test(arguments: ranges)
  func theEndOfARangeIsKept(date: String, end: String?, description: String?) throws {
    let entry = try #require(try read(date).activities.first)
    #expect(entry.endAt == end.flatMap { Instant($0) } && entry.description == description)
  }

  @Test func anUnknownZoneIsToldAndTheHomeZoneIsUsed() throws {
    let sink = try read("@July 5, 2024 11:30 PM (Mars Standard Time)")
    #expect(sink.activities.first?.startAt == Instant("2024-07-05T21:30:00Z"))
    #expect(sink.diagnostics.map(\.message).first?.contains("Mars Standard Time") == true)
    #expect(sink.skipped.isEmpty && sink.diagnostics.count == 1)
  }

  @Test func anAbbreviationOfSeveralZonesIsTheOneAtHome() throws {
    let date = try #require(JournalDate("January 5, 2024 11:30 PM (CST)"))
    let shanghai = try #require(Zone("Asia/Shanghai"))
    let chicago = try #require(Zone("America/Chicago"))
    #expect(date.moment(home: shanghai)?.start == Instant("2024-01-05T15:30:00Z"))
    #expect(date.moment(home: chicago)?.start == Instant("2024-01-06T05:30:00Z"))
  }

  @Test(arguments: ["@Yesterday 3:00 PM", "@Last Friday"])
  func aRelativeDateIsToldWithItsTextAndPage(date: String) throws {
    let sink = try read(date)
    #expect(sink.activities.isEmpty && sink.skipped.count == 1)
    #expect(sink.skipped[0].place.hasPrefix("T 6123"))
    #expect(sink.skipped[0].message.contains(date) && sink.skipped[0].message.contains("Date"))
  }

  @Test func everyPageWithoutADateIsCounted() throws {
    let folder = try TemporaryFolder()
    let scratch = try TemporaryFolder()
    let sink = PlaceSink(folders: [folder, scratch])
    let context = ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")), identities: RandomIdentities(),
      scratchFolder: { scratch.url })
    for number in 1...3 {
      let name = "T\(number) \(number)1234567890bcdef0123456789abcdef.html"
      let url = try folder.file(name, Data(page("words", key: "Note").utf8))
      try importer.read(ImportFile(url: url, name: name), context: context, into: sink)
    }
    #expect(sink.skipped.count == 3)
    #expect(sink.skipped.filter { $0.message.contains("Created time") }.count == 1)
  }
}
