import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The promises behind a column of the board")
struct PromiseColumnTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var archive: Archive { test.archive }

  private func person(_ name: String) throws -> UUID {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
  }

  private func note(_ text: String, in meeting: MeetingEntry? = nil) throws {
    try archive.create(
      Note(
        id: archive.identities.next(), text: text, meetingID: meeting?.id,
        createdAt: test.clock.now, updatedAt: test.clock.now))
  }

  @Test func aNameThatIsKnownElsewhereIsNotInTheColumnOfTheUnknown() throws {
    let priya = try person("Priya Nair")
    _ = try person("Priya Shah")
    var entry = MeetingEntry.own(
      try test.activity("Review", on: "2026-03-13", from: "10:00"), id: archive.identities.next())
    entry.setAttendees([Attendance(name: "Priya Nair", personID: priya)])
    try note("- [ ] @Priya send the draft", in: try archive.create(entry).value)
    // Which of the two is meant is unknown.
    try note("- [ ] @Priya call back")
    let board = try archive.promiseBoard(
      includesDone: false, today: try #require(DayKey("2026-03-14")), limit: 10, columns: 0..<10,
      most: 100)
    #expect(Set(board.columns.map(\.owner)) == [.person(priya), .named("priya")])
    for column in board.columns {
      var filter = PromiseFilter()
      filter.owner = column.owner
      let page = try archive.promisePage(filter)
      #expect(page.total == column.total && page.promises == column.promises)
    }
  }
}
