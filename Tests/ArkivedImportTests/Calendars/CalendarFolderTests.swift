import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CalendarFolderTests {
  private let folder: TemporaryFolder
  private let calendar = CollectedCalendar()
  private var source: CalendarFolderSource { CalendarFolderSource(url: folder.url) }

  init() throws { folder = try TemporaryFolder() }

  private func event(_ name: String, _ title: String = "Talk", age: TimeInterval = 600) throws {
    let url = try folder.file(name, CollectedCalendar.event(name, title))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appending(path: name))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: name).path, withDestinationPath: target)
  }

  @Test func filesAreFoundInAllFoldersInTheOrderOfTheirNames() async throws {
    for name in [
      "b.ics", "A.ICS", "deep/er/z.ical", "deep/ü 1%.ics", "free.ifb", "long.icalendar",
      ".hidden.ics", ".git/x.ics", "~lock.ics", "#x.ics#", "notes.txt", "a.ics.tmp", "c.ics.part",
    ] {
      try event(name)
    }
    try await calendar.fetch(source)
    #expect(
      calendar.taken
        == ["A.ICS", "b.ics", "deep/er/z.ical", "deep/ü 1%.ics", "free.ifb", "long.icalendar"])
    #expect(calendar.state.progress.last == "6/6")
    #expect(calendar.warnings.isEmpty)
    #expect(try await calendar.fetch(source).taken.isEmpty)
  }

  @Test func changesAndRemovalsAreTold() async throws {
    for name in ["a.ics", "b.ics", "c/d.ics"] { try event(name) }
    try await calendar.fetch(source)
    try event("a.ics", "Changed", age: 300)
    try event("e.ics")
    try remove("c")
    try await calendar.fetch(source)
    #expect(calendar.taken == ["a.ics", "e.ics"])
    #expect(calendar.removed == ["c/d.ics"])
    #expect(calendar.versions.keys.sorted() == ["a.ics", "b.ics", "e.ics"])
  }

  @Test func aFolderThatIsGoneOrSuddenlyEmptyRemovesNothing() async throws {
    try await calendar.fetch(source)
    try event("a.ics")
    try await calendar.fetch(source)
    try remove("a.ics")
    await #expect(throws: CalendarSourceError.emptied(path: folder.url.path)) {
      try await calendar.fetch(source)
    }
    try FileManager.default.removeItem(at: folder.url)
    await #expect(throws: CalendarSourceError.missing(path: folder.url.path)) {
      try await calendar.fetch(source)
    }
    #expect(calendar.versions.count == 1)
  }

  @Test func aFileThatCannotBeUsedStaysAsItWas() async throws {
    try event("a.ics")
    try event("b.ics")
    try await calendar.fetch(source)
    let url = try folder.file("a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMM")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: url.path)
    _ = try folder.file("page.ics", "<html><title>Log in</title>")
    var source = source
    source.patience = .milliseconds(200)
    try await calendar.fetch(source)
    #expect(calendar.taken.isEmpty && calendar.removed.isEmpty)
    #expect(calendar.warnings.count == 2)
    #expect(calendar.warnings.first?.hasPrefix("a.ics: ") == true)
    #expect(calendar.versions.keys.sorted() == ["a.ics", "b.ics"])

    try event("a.ics", "Whole again")
    try await calendar.fetch(source)
    #expect(calendar.taken == ["a.ics"])
  }

  @Test func linksNeverLeadInACircle() async throws {
    try event("in/a.ics")
    try link("in/up", to: "..")
    try link("in/self", to: ".")
    try link("in/loop.ics", to: "loop.ics")
    let elsewhere = try TemporaryFolder()
    _ = try elsewhere.file("far.ics", CollectedCalendar.event("far"))
    try link("out", to: elsewhere.url.path)
    try await calendar.fetch(source)
    #expect(calendar.taken == ["in/a.ics", "out/far.ics"])

    // A disk that is not mounted any more.
    try FileManager.default.removeItem(at: elsewhere.url)
    try await calendar.fetch(source)
    #expect(calendar.removed.isEmpty)
    #expect(calendar.warnings.contains { $0.hasPrefix("out: ") })
    try remove("in")
    await #expect(throws: CalendarSourceError.emptied(path: folder.url.path)) {
      try await calendar.fetch(source)
    }
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
  func whatMayNotBeReadStaysAsItWas() async throws {
    try event("shut/a.ics")
    try event("b.ics")
    try await calendar.fetch(source)
    let shut = folder.url.appending(path: "shut").path
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: shut)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: shut) }
    try await calendar.fetch(source)
    #expect(calendar.removed.isEmpty)
    #expect(calendar.warnings.count == 1)
  }

  @Test func whatWasJustWrittenIsLookedAtAgain() async throws {
    for name in ["a.ics", "b.ics"] { try event(name, age: 0) }
    try await calendar.fetch(source)
    #expect(calendar.taken.count == 2)
    try event("a.ics", "Task", age: 0)
    try await calendar.fetch(source)
    #expect(calendar.taken == ["a.ics"])
  }

  @Test func aSinkThatFailsEndsTheFetch() async throws {
    for name in ["a.ics", "b.ics", "c.ics"] { try event(name) }
    let full = CollectedCalendar { name in if name == "b.ics" { throw CollectedCalendar.Full() } }
    await #expect(throws: CollectedCalendar.Full.self) { try await full.fetch(source) }
    #expect(full.taken == ["a.ics"])
  }

  @Test func manyFilesAreTakenOnce() async throws {
    for number in 0..<2_000 { try event("e\(number).ics") }
    try await calendar.fetch(source)
    #expect(calendar.taken.count == 2_000)
    try await calendar.fetch(source)
    #expect(calendar.taken.isEmpty)
  }
}
