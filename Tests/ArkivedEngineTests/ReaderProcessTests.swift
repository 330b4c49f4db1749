import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import ArkivedEngine

/// A process that reads files may do anything but what it should: the file is named, and nothing of it
/// comes in.
@Suite("Readers that go wrong")
struct ReaderProcessTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  /// A program that is started as the reader.
  private func program(
    _ script: String, for interpreter: String = "/bin/sh", patience: Double = 600
  ) throws -> ReaderProgram {
    let file = try test.folder.script(
      "reader-\(UUID().uuidString)", script, for: interpreter)
    return ReaderProgram(path: file.path, patience: patience)
  }

  private func job(_ readers: ReaderProgram, watch: ImportWatch = ImportWatch()) -> ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, watch: watch, readers: readers)
  }

  private func calendar(_ name: String) throws -> URL {
    try test.folder.file(
      name, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
  }

  private func expectRefusal(of readers: ReaderProgram, _ words: String) throws {
    let file = try calendar("work.ics")
    let refusal = #expect(throws: ImportRefusal.self) { try job(readers).run(file) }
    #expect(refusal?.place == "work.ics")
    #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
    #expect(throws: ImportRefusal.self) { try job(readers).forecast(file) }
    #expect(try test.archive.counts().activities == 0)
    #expect(try test.archive.importRuns().isEmpty)
  }

  @Test func thatEndAtOnceRefuseTheFile() throws {
    try expectRefusal(of: ReaderProgram(path: "/bin/false"), "the file reader crashed")
    try expectRefusal(of: try program("kill -SEGV $$"), "the file reader crashed")
    try expectRefusal(of: try program("kill -KILL $$"), "was stopped by the system")
    try expectRefusal(of: ReaderProgram(path: "/nonexistent"), "couldn’t be started")
  }

  @Test func thatStandStillAreEnded() throws {
    let sleeping = try program("exec sleep 600", patience: 0.2)
    try expectRefusal(of: sleeping, "got stuck and was stopped")
    let spinning = try program("while :; do :; done", patience: 0.2)
    try expectRefusal(of: spinning, "got stuck and was stopped")
  }

  @Test func thatTalkNonsenseAreEnded() throws {
    try expectRefusal(of: try program("exec yes"), "returned invalid results")
    // A whole frame of a kind that there is not, and an end with something behind it.
    for bytes in [#"\001\000\000\000\143"#, #"\001\000\000\000\010\001\000"#] {
      let talking = try program("printf '\(bytes)'\nexec sleep 600")
      try expectRefusal(of: talking, "returned invalid results")
    }
  }

  @Test func areEndedWhenTheOwnerBreaksOff() throws {
    let sleeping = try program("exec sleep 600")
    let file = try calendar("work.ics")
    #expect(throws: ImportCancelled.self) {
      try job(sleeping, watch: ImportWatch(isCancelled: { true })).run(file)
    }
    let process = ReaderProcess(sleeping, in: ScratchFolder(at: test.folder.url))
    #expect(throws: ImportCancelled.self) {
      try process.find(file, ImportJob.formats) { throw ImportCancelled() }
    }
    #expect(process.processNumber == nil)
  }

  /// A reader that knows what it is going to find, and ends at one of the files.
  private func reader(finding names: [String], fatal: String) throws -> (URL, ReaderProgram) {
    var found = FrameWriter()
    var folder = test.folder.url
    var files: [ImportFile] = []
    for name in names {
      let file = try test.folder.file("in/\(name)", "<gpx></gpx>")
      folder = file.deletingLastPathComponent()
      files.append(ImportFile(url: file, name: name))
    }
    _ = found.frame(ReaderAnswer.group.rawValue) { frame in
      frame.put("gpx")
      frame.list(files) { $0.put($1) }
    }
    _ = found.frame(ReaderAnswer.done.rawValue) { _ in }
    let answers = names.map { "b\"\($0)\": \"\(Self.hex(Self.answer(to: $0)))\"" }
    let script = """
      import os, signal, sys

      def take(count):
          data = b""
          while len(data) < count:
              piece = os.read(0, count - len(data))
              if not piece:
                  sys.exit()
              data += piece
          return data

      answers = {\(answers.joined(separator: ", "))}
      while True:
          frame = take(int.from_bytes(take(4), "little"))
          if frame[0] == 1:
              os.write(1, bytes.fromhex("\(Self.hex(found))"))
          elif frame[0] == 3:
              if b"\(fatal)" in frame:
                  os.kill(os.getpid(), signal.SIGSEGV)
              for name, answer in answers.items():
                  if frame.endswith(name):
                      os.write(1, bytes.fromhex(answer))
      """
    return (folder, try program(script, for: "/usr/bin/env python3"))
  }

  /// An entry of its own for each file, then the end.
  private static func answer(to name: String) -> FrameWriter {
    var frames = FrameWriter()
    let walk = Activity(
      id: UUID(), dayKey: DayKey(clamping: 20_000), timeZone: "UTC", text: "walk \(name)",
      createdAt: TestArchive.now, updatedAt: TestArchive.now)
    _ = frames.frame(ReaderAnswer.record.rawValue) {
      $0.put(ImportedRecord(.activity(walk), place: name))
    }
    for kind in [ReaderAnswer.goOn, .beat, .done] { _ = frames.frame(kind.rawValue) { _ in } }
    return frames
  }

  private static func hex(_ frames: FrameWriter) -> String {
    frames.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func loseOneFileOfManyAndNoMore() throws {
    let (folder, readers) = try reader(
      finding: ["a.gpx", "fatal.gpx", "z.gpx"], fatal: "fatal.gpx")
    let foreseen = try #require(try job(readers).forecast(folder).runs.first)
    #expect(foreseen.created == ["activity": 2])
    #expect(foreseen.warnings.map(\.place) == ["fatal.gpx"])
    let run = try #require(try job(readers).run(folder).first)
    #expect(run.created == ["activity": 2] && run.skipped == 1)
    #expect(run.warnings.map(\.place) == ["fatal.gpx"])
    #expect(run.warnings.first?.message.contains("the file reader crashed") == true)
    #expect(try test.archive.counts().activities == 2)
  }

  @Test func loseAllThatTheyCannotReadButNotForEver() throws {
    let (folder, readers) = try reader(finding: (0..<30).map { "f\($0).gpx" }, fatal: ".gpx")
    #expect(throws: ImportRefusal.self) { try job(readers).run(folder) }
    #expect(try test.archive.counts().activities == 0)
    #expect(try test.archive.importRuns().isEmpty)
  }

  @Test func leaveNoProcessAndNoFolderBehind() throws {
    let (folder, readers) = try reader(finding: ["a.gpx"], fatal: "none of them")
    let scratch = try ScratchFolders.make()
    defer { ScratchFolders.remove(scratch) }
    let process = ReaderProcess(readers, in: ScratchFolder(at: scratch))
    let found = try process.find(folder, ImportJob.formats) {}
    #expect(found.groups.map(\.importer.format) == ["gpx"])
    let number = try #require(process.processNumber)
    #expect(kill(number, 0) == 0)
    process.end()
    #expect(kill(number, 0) != 0)
    #expect(throws: RecordChannel.Closed.self) { try process.find(folder, ImportJob.formats) {} }
  }

  @Test(arguments: ["/nonexistent", "/bin/false"])
  func leaveACalendarForTheNextSync(path: String) async throws {
    let file = try test.folder.file(
      "weekly.ics",
      [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:weekly", "DTSTART:20260302T090000Z",
        "DTEND:20260302T100000Z", "SUMMARY:Weekly", "RRULE:FREQ=WEEKLY", "END:VEVENT",
        "END:VCALENDAR", "",
      ].joined(separator: "\r\n"))
    let sync = SyncJob(archive: test.archive, homeZone: test.zone)
    let link = try sync.linkCalendar(.file(file), name: "Work")
    func run(_ readers: ReaderProgram) async throws -> SyncReport {
      var calendars = CalendarSync(
        archive: test.archive, homeZone: test.zone, link: link, source: try sync.source(of: link))
      calendars.readers = readers
      return try await calendars.run()
    }
    #expect(try await run(ReaderProgram(path: path)).warnings.count == 1)
    #expect(try test.archive.counts().activities == 0)
    let before = try #require(try await run(.own).pulled["new"])
    // Later, the series goes on; a failure doesn't end it either.
    test.clock.advance(seconds: 28 * 86_400)
    #expect(try await run(ReaderProgram(path: path)).warnings.count == 1)
    #expect(try await run(.own).pulled["new"] == 4)
    #expect(try test.archive.counts().activities == before + 4)
  }

  @Test func refuseACalendarAndLetTheOthersIn() async throws {
    let file = try calendar("work.ics")
    let sync = SyncJob(archive: test.archive, homeZone: test.zone)
    let link = try sync.linkCalendar(.file(file), name: "Work")
    var calendars = CalendarSync(
      archive: test.archive, homeZone: test.zone, link: link, source: try sync.source(of: link))
    calendars.readers = ReaderProgram(path: "/bin/false")
    let report = try await calendars.run()
    #expect(report.warnings.count == 1)
    #expect(report.warnings.first?.message.contains("the file reader crashed") == true)
    #expect(try test.archive.counts().activities == 0)
  }
}
