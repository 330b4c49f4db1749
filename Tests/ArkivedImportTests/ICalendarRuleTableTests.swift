import ArkivedCore
import ArkivedImport
import Foundation
import Testing

/// Recurrence rules beside the times that python-dateutil finds for them, which
/// `Recurrence/make_rules.py` has written down.
@Suite struct ICalendarRuleTableTests {
  /// One line of the table.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var zone: String
    var start: String
    var rule: String
    /// Nil for a rule that goes on.
    var count: Int?
    var first: [String]
    var last: String

    var testDescription: String { "\(rule) from \(start) in \(zone)" }

    func read(_ context: ImportContext) throws -> [String] {
      let isDate = zone == "DATE"
      let parameter = isDate ? ";VALUE=DATE" : ";TZID=\(zone)"
      let read = try CalendarReading.event("DTSTART\(parameter):\(start)\nRRULE:\(rule)", context)
      #expect(read.diagnostics.isEmpty)
      return isDate ? read.days : read.starts
    }
  }

  private static func table() throws -> [Case] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Recurrence/rules.json")
    return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
  }

  /// The rules run from 1985 to 2150; those that go on are followed up to 2150 as well.
  private func context(from first: DayKey? = nil) throws -> ImportContext {
    ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")),
      identities: RandomIdentities(), firstDay: first, daysAhead: 124 * 365,
      occurrenceLimit: 40_000, expansionSeconds: 60)
  }

  @Test func rulesFallWhereDateutilSaysTheyDo() throws {
    let table = try Self.table()
    #expect(table.count > 300)
    let context = try context()
    for one in table {
      let found = try one.read(context)
      #expect(Array(found.prefix(one.first.count)) == one.first, "\(one.testDescription)")
      if let count = one.count {
        #expect(found.count == count && found.last == one.last, "\(one.testDescription)")
      }
    }
  }

  @Test func aWindowHasTheSameTimesAsTheWhole() throws {
    for one in try Self.table() {
      let all = try one.read(try context())
      // From the middle of what there is.
      let middle = all[all.count / 2]
      let day = try #require(DayKey(String(middle.prefix(10)))).advanced(by: -2)
      let start = try #require(Zone("Europe/Rome")).start(of: day)
      let wanted = all.filter { text in
        Instant(text).map { $0 >= start } ?? (text >= day.description)
      }
      #expect(try one.read(try context(from: day)) == wanted, "\(one.testDescription)")
    }
  }
}
