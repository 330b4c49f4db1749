import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Testing

@testable import ArkivedEngine

@Suite struct LastNightLineTests {
  @Test func aNightIsTheLastOneUnlessAnotherDayIsOpen() throws {
    let test = try TestArchive()
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: .english)
    let today = test.zone.dayKey(at: test.archive.clock.now)
    let line = "slept from 11pm to 6:45am"
    for page in [nil, today] {
      let reading = try entry.understand(line, onPage: page)
      #expect(reading.dayKey == today.advanced(by: -1))
      #expect(reading.start?.day == today.advanced(by: -1) && reading.end?.day == today)
    }
    let other = today.advanced(by: -9)
    let reading = try entry.understand(line, onPage: other)
    #expect(reading.dayKey == other && reading.start?.day == other)
    #expect(!reading.understood.contains { $0.role == .day })
  }

  @Test func aStartThatClocksSkipKeepsTheLengthByTheClock() throws {
    let test = try TestArchive()
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: .english)
    let awake = entry.activity(from: try entry.understand("2026-03-29 02:40-03:20: awake"))
    #expect(awake.startAt == Instant("2026-03-29T01:40:00Z") && awake.duration == 40)
    try awake.validate()
  }
}
