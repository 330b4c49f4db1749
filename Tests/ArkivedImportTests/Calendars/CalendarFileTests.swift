import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CalendarFileTests {
  private let folder: TemporaryFolder
  private let calendar = CollectedCalendar()

  init() throws { folder = try TemporaryFolder() }

  /// A file that nobody has touched for a while.
  private func file(_ name: String, _ text: String, age: TimeInterval = 600) throws -> URL {
    let url = try folder.file(name, text)
    try touch(url, age: age)
    return url
  }

  private func touch(_ url: URL, age: TimeInterval) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: url.path)
  }

  @Test func aFileIsToldOnceAndAgainWhenItChanges() async throws {
    let url = try file("work.ics", CollectedCalendar.event("1", "One"))
    let source = CalendarFileSource(url: url)
    try await calendar.fetch(source)
    #expect(calendar.taken == ["work.ics"])
    let version = try #require(calendar.versions["work.ics"])
    #expect(version.split(separator: "-").count == 3)
    #expect(version.split(separator: "-").last?.count == 64)
    #expect(calendar.kept == nil)
    #expect(try await calendar.fetch(source).taken.isEmpty)

    _ = try file("work.ics", CollectedCalendar.event("1", "Two"), age: 300)
    #expect(try await calendar.fetch(source).taken == ["work.ics"])
    #expect(calendar.contents["work.ics"]?.contains("SUMMARY:Two") == true)
  }

  @Test func aFileThatIsOnlyTouchedIsReadOnceAndNotTold() async throws {
    let url = try file("work.ics", CollectedCalendar.event("1"))
    let source = CalendarFileSource(url: url)
    try await calendar.fetch(source)
    try touch(url, age: 200)
    #expect(try await calendar.fetch(source).taken.isEmpty)
    #expect(calendar.state.progress == ["1/1"])
    // Not even read.
    #expect(try await calendar.fetch(source).state.progress.isEmpty)
  }

  @Test func aFileWrittenInTheSameMomentWithTheSameSizeIsSeen() async throws {
    let url = try file("work.ics", CollectedCalendar.event("1", "One"), age: 0)
    let time = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate]
    let source = CalendarFileSource(url: url)
    try await calendar.fetch(source)
    _ = try folder.file("work.ics", CollectedCalendar.event("1", "Two"))
    try FileManager.default.setAttributes(
      [.modificationDate: time as Any], ofItemAtPath: url.path)
    #expect(try await calendar.fetch(source).taken == ["work.ics"])
    #expect(calendar.contents["work.ics"]?.contains("SUMMARY:Two") == true)
  }

  @Test func aMissingFileRemovesNothing() async throws {
    let url = try file("work.ics", CollectedCalendar.event("1"))
    let source = CalendarFileSource(url: url)
    try await calendar.fetch(source)
    try FileManager.default.removeItem(at: url)
    await #expect(throws: CalendarSourceError.missing(path: url.path)) {
      try await calendar.fetch(source)
    }
    #expect(calendar.versions.count == 1)
  }

  @Test func aFileThatBreaksOffIsRefused() async throws {
    let text = String(CollectedCalendar.event("1").dropLast(40))
    let url = try file("work.ics", text)
    await #expect(throws: CalendarSourceError.incomplete(path: url.path)) {
      try await calendar.fetch(CalendarFileSource(url: url))
    }
    // Young: waited for, and then the same.
    try touch(url, age: 0)
    var source = CalendarFileSource(url: url)
    source.patience = .milliseconds(300)
    await #expect(throws: CalendarSourceError.incomplete(path: url.path)) {
      try await calendar.fetch(source)
    }
    #expect(calendar.taken.isEmpty)
  }

  @Test func aFileThatIsBeingWrittenIsWaitedFor() async throws {
    let text = CollectedCalendar.event("1", "Whole")
    let url = try file("work.ics", String(decoding: text.utf8.dropLast(60), as: UTF8.self), age: 0)
    var waiting = CalendarFileSource(url: url)
    // However long a busy machine keeps the writer from its next byte.
    waiting.patience = .seconds(3_600)
    let source = waiting
    async let fetched = calendar.fetch(source)
    let writer = try FileHandle(forWritingTo: url)
    try writer.seekToEnd()
    for byte in text.utf8.suffix(60) {
      try writer.write(contentsOf: [byte])
      await Task.yield()
    }
    // It is whole as soon as it says that it ends, however much of that line's end is there.
    let content = try #require(try await fetched.contents["work.ics"])
    #expect(
      content.trimmingCharacters(in: .whitespacesAndNewlines)
        == text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test func whatIsNoCalendarSaysWhatItIs() async throws {
    let url = try file("work.ics", "<html><head><title>Moved</title></head></html>")
    let error = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(CalendarFileSource(url: url))
    }
    #expect(error == .notACalendar(place: url.path, came: "a web page (“Moved”)"))
  }

  @Test func aLargeFileComesAsAnUnchangingCopyThatIsRemovedAfterwards() async throws {
    let event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260314T090000Z\r\nEND:VEVENT\r\n"
    let text = "BEGIN:VCALENDAR\r\n" + String(repeating: event, count: 80_000) + "END:VCALENDAR\r\n"
    let url = try file("work.ics", text)
    let sink = Copies()
    let source = CalendarFileSource(url: url)
    _ = try await source.fetch(known: [:], state: nil, into: sink)
    let copy = try #require(await sink.url)
    #expect(await sink.size == text.utf8.count)
    #expect(copy != url)
    #expect(!FileManager.default.fileExists(atPath: copy.deletingLastPathComponent().path))

    var small = source
    small.limit = 1 << 20
    await #expect(throws: CalendarSourceError.tooLarge(place: url.path, megabytes: 1)) {
      _ = try await small.fetch(known: [:], state: nil, into: sink)
    }
  }

  private actor Copies: CalendarSink {
    var url: URL?
    var size = 0

    func take(_ resource: CalendarResource) throws {
      guard case .file(let file) = resource.content else { return }
      url = file
      size = try Data(contentsOf: file).count
    }
    func remove(_ name: String) {}
    func progress(_ done: Int, of total: Int?) {}
    func warn(_ place: String, _ message: String) {}
  }

  @Test(
    .enabled(if: !CalendarCorpus.names.isEmpty, "the calendars from the wild are not here"),
    arguments: CalendarCorpus.names)
  func everyCalendarFromTheWildIsTakenOrSaysWhyNot(name: String) async throws {
    let data = try Data(contentsOf: CalendarCorpus.folder.appending(path: name))
    let url = try folder.file(name, data)
    try touch(url, age: 600)
    do {
      try await calendar.fetch(CalendarFileSource(url: url))
      #expect(calendar.taken == [name])
    } catch let error as CalendarSourceError {
      #expect(
        ["fuzz_testcase", "Type_Error"].contains { name.contains($0) }, "\(error)")
    }
  }
}
