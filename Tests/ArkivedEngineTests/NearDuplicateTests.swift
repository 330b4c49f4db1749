import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Entries that two sources tell of")
struct NearDuplicateTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  @discardableResult
  private func bring(_ name: String, _ rows: String) throws -> ImportRun {
    let content = "Start,End,Title,Distance (km),Kind,\(name)\n" + rows
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file("\(name).csv", content)).first)
  }

  private let watch = "2026-03-10 07:30,2026-03-10 08:15,Outdoor running,8.4,health,pulse 150\n"
  private let phone = "2026-03-10 07:31,2026-03-10 08:14,Run,8.5,other,with Sam\n"

  @Test func aRunFromTheWatchAndThePhoneIsProposedAndNothingElse() throws {
    try bring("watch", watch + "2026-03-11 10:00,2026-03-11 11:00,Yoga,,health,\n")
    try bring(
      "phone",
      phone + "2026-03-11 10:50,2026-03-11 12:00,Yoga,,health,\n"
        + "2026-03-12 10:00,2026-03-12 11:00,Run,5,health,\n")
    try bring("other", "2026-03-12 10:00,2026-03-12 11:00,Run,9,health,\n")
    try test.add("Call", on: "2026-03-10", from: "07:30", to: "08:15")
    let pairs = try test.archive.nearDuplicates()
    #expect(pairs.map { Set([$0.first.text, $0.second.text]) } == [["Outdoor running", "Run"]])
    // Only a little of the time is common, or the ways differ, or the words and the kind do.
    let day = try #require(DayKey("2026-03-11"))
    #expect(try test.archive.nearDuplicates(on: day...day).isEmpty)
    #expect(try test.archive.counts().activities == 7)
  }

  @Test func mergingTakesOverWhatTheOtherSaysAndUndoPartsThemAgain() throws {
    try bring("watch", watch)
    try bring("phone", phone)
    let before = try ExportJob(archive: test.archive).lines().filter { $0.contains("activity\",") }
    let pair = try #require(try test.archive.nearDuplicates().first)
    let merged = try test.archive.mergeActivity(pair.second.id, into: pair.first.id)
    #expect(merged.value.measurements == pair.first.measurements)
    #expect(merged.value.kind == .health && merged.value.externalRefs.count == 2)
    #expect(try test.day("2026-03-10").activities.count == 1)
    // Both sources know it again.
    for (name, rows) in [("watch", watch), ("phone", phone)] {
      let again = try bring(name, rows)
      #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
    }
    #expect(try test.archive.nearDuplicates().isEmpty)
    _ = try test.archive.undo(try #require(merged.change).id)
    let after = try ExportJob(archive: test.archive).lines().filter { $0.contains("activity\",") }
    #expect(after.count == before.count)
    #expect(try test.day("2026-03-10").activities.map(\.externalRefs.count) == [1, 1])
  }

  @Test func whatTheOwnerKeepsIsProposedNoMore() throws {
    try bring("watch", watch)
    try bring("phone", phone)
    let pair = try #require(try test.archive.nearDuplicates().first)
    try test.archive.keepApart(pair.second.id, pair.first.id)
    #expect(try test.archive.nearDuplicates().isEmpty)
    #expect(throws: FieldError.self) {
      try test.archive.mergeActivity(pair.first.id, into: pair.first.id)
    }
  }
}
