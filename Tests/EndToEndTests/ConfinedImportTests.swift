import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedImport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Imports with the real program as the process that reads files.
@Suite("Files read by a process of their own")
struct ConfinedImportTests {
  private let readers = ReaderProgram(path: Program.executable.path)

  // MARK: The same comes in

  private static let toggl = """
    User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
    Ann,a@x.org,,House,,paint,No,2026-03-03,09:00:00,2026-03-03,10:00:00,01:00:00,home

    """
  private static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//x//y
    BEGIN:VEVENT
    UID:1@x
    DTSTART:20260303T090000Z
    DTEND:20260303T100000Z
    RRULE:FREQ=DAILY;COUNT=3
    SUMMARY:Café with Sam
    ATTENDEE;CN=Sam Lee:mailto:sam@example.org
    END:VEVENT
    END:VCALENDAR

    """
  private static let ride = """
    <?xml version="1.0"?><gpx version="1.1" creator="x"><trk><name>Ride</name><trkseg>
    <trkpt lat="47.1" lon="8.1"><ele>400</ele><time>2026-03-03T09:00:00Z</time></trkpt>
    <trkpt lat="47.2" lon="8.2"><ele>420</ele><time>2026-03-03T09:30:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  private static let journal = """
    {"metadata": {"version": "1.0"}, "entries": [
    {"uuid": "2F8DDCA258634D9994DF3A4FEE328035", "creationDate": "2026-03-03T11:48:50Z",
    "timeZone": "Europe/Rome", "tags": ["sea"], "text": "A café by the sea"}]}
    """

  /// A folder of several formats, some of them in archives.
  private func folder(_ test: TestArchive) throws -> URL {
    let files: [(String, Data)] = [
      ("work.ics", Data(Self.calendar.utf8)), ("time.csv", Data(Self.toggl.utf8)),
      ("tracks/ride.gpx", Data(Self.ride.utf8)),
      ("dayone.zip", try TestZip([("Journal.json", Data(Self.journal.utf8))]).data()),
      ("vault/.obsidian/app.json", Data("{}".utf8)),
      ("vault/2026-03-04.md", Data("A day by the sea\n".utf8)),
      (
        "mixed.zip",
        try TestZip([
          ("a/old.gpx", Data(Self.ride.replacing("2026-03-03", with: "2026-03-02").utf8)),
          ("b/life.jsonl", Data(#"{"type":"activity","text":"tea","dayKey":"2026-03-05"}"#.utf8)),
          ("c/note.bin", Data([1, 2, 3])),
        ]).data()
      ),
      (
        "d.png",
        TestPicture.png(
          width: 8, height: 8, camera: TestPicture.Camera(taken: "2026:03:06 10:11:12"))
      ),
    ]
    for (name, content) in files { _ = try test.folder.file("in/\(name)", content) }
    return test.folder.url.appendingPathComponent("in")
  }

  /// What an archive holds of the days, without what is made anew for each.
  private func days(_ test: TestArchive) throws -> [String] {
    try (2...6).flatMap { number -> [String] in
      let day = try test.day("2026-03-0\(number)")
      let entries = day.activities.map { activity -> String in
        let refs = activity.externalRefs.map { "\($0.externalID) \($0.contentHash ?? "")" }
        let files = activity.attachments.map { $0.contentHash ?? "" }
        let amounts = activity.measurements.sorted { $0.key < $1.key }
        let parts: [String] = [
          "\(activity.dayKey)", activity.startAt?.description ?? "", activity.text,
          activity.tags.joined(separator: ","), "\(amounts)", "\(refs)", "\(files)",
          activity.people.map(\.name).joined(separator: ","), "\(activity.lat ?? 0)",
          activity.kind.rawValue,
        ]
        return parts.joined(separator: " ")
      }
      return entries.sorted() + [day.entry?.note ?? ""]
    }
  }

  @Test func aFolderOfManyFormatsComesInAsItDoesInOneProcess() throws {
    var accounts: [[String]] = []
    var contents: [[String]] = []
    for program in [ReaderProgram(path: nil), readers] {
      let test = try TestArchive()
      let folder = try folder(test)
      var job = ImportJob(archive: test.archive, homeZone: test.zone, readers: program)
      if program.path == nil {
        // Pictures are read by the program in either case.
        let reader = ImageReader(program: Program.executable.path)
        job = ImportJob(
          archive: test.archive, homeZone: test.zone,
          importers: ImportJob.formats.map { importer -> any Importer in
            importer is PhotosImporter ? PhotosImporter(reader: reader) : importer
          }, readers: program)
      }
      let foreseen = try job.forecast(folder)
      let runs = try job.run(folder)
      func line(_ format: String, _ created: [String: Int]) -> String {
        "\(format) \(created.sorted { $0.key < $1.key })"
      }
      var account: [String] = foreseen.runs.map { line($0.format, $0.created) }.sorted()
      account += runs.map { line($0.format, $0.created) }.sorted()
      account += runs.flatMap(\.warnings).map { "\($0.place): \($0.message)" }.sorted()
      accounts.append(account)
      contents.append(try days(test))
    }
    #expect(accounts[0] == accounts[1])
    #expect(contents[0] == contents[1])
    for format in ["dayone", "gpx", "ics", "jsonl", "markdown", "photos"] {
      #expect(accounts[1].contains { $0.hasPrefix(format + " ") }, "\(format)")
    }
  }

  @Test func whatIsRefusedIsRefusedInTheSameWords() throws {
    let test = try TestArchive()
    let files = [
      try test.folder.file("cut.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1"),
      try test.folder.file("cut.zip", try TestZip([("a.gpx", Data("x".utf8))]).data().prefix(40)),
      try test.folder.file("some.db", Data("SQLite format 3\0".utf8) + Data(count: 200)),
      try test.folder.file("none.bin", Data([0, 1, 2])),
      test.folder.url.appendingPathComponent("absent.ics"),
    ]
    for file in files {
      let words = [ReaderProgram(path: nil), readers].map { program -> String in
        do {
          let job = ImportJob(archive: test.archive, homeZone: test.zone, readers: program)
          return "\(try job.run(file).map(\.created))"
        } catch {
          return "\(error)"
        }
      }
      #expect(words[0] == words[1], "\(file.lastPathComponent)")
    }
  }

  @Test func theProgramItselfReadsSo() throws {
    let arkived = try Program()
    let file = try arkived.folder.file("work.ics", Self.calendar)
    #expect(try arkived("import", file.path).status == 0)
    let day = try arkived("day", "2026-03-05", "--json").json["activities"]?.array ?? []
    #expect(day.map { $0["text"]?.string } == ["Café with Sam"])
  }

  // MARK: What it may do

  #if os(Linux)
    /// Whether this system can keep a process from writing outside of a folder.
    private func canFence() throws -> Bool {
      let asking = Process()
      asking.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      asking.arguments = [
        "python3", "-c",
        "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)",
      ]
      try asking.run()
      asking.waitUntilExit()
      return asking.terminationStatus == 0
    }

    @Test func cannotOpenSocketsNorTakeMemoryWithoutEnd() throws {
      let folder = try TemporaryFolder()
      let child = try #require(
        ReaderChild(Program.executable.path, writingIn: folder.url))
      defer { _ = child.conclude(waits: false) }
      var status = ""
      for _ in 0..<500 where !status.contains("Seccomp:\t2") {
        usleep(20_000)
        status = try String(contentsOfFile: "/proc/\(child.number)/status", encoding: .utf8)
      }
      #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
      let limits = try String(contentsOfFile: "/proc/\(child.number)/limits", encoding: .utf8)
      let lines = limits.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(lines.contains { $0.starts(with: ["Max", "data", "size", "2147483648"]) })
      #expect(lines.contains { $0.starts(with: ["Max", "core", "file", "size", "0"]) })
    }

    /// The connections of a server aren't closed when it starts a program, and their numbers are as
    /// high as the limit that it raises.
    @Test func inheritsNoConnectionWhateverItsNumber() throws {
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      #expect(getrlimit(files, &limit) == 0)
      limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 2_048))
      #expect(setrlimit(files, &limit) == 0)
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      let inherited = fcntl(file, F_DUPFD, 1_500)
      guard inherited >= 0 else { return }
      defer { close(inherited) }

      let folder = try TemporaryFolder()
      let child = try #require(
        ReaderChild(Program.executable.path, writingIn: folder.url))
      defer { _ = child.conclude(waits: false) }
      let pictures = ImageReader(program: Program.executable.path)
      _ = try pictures.thumbnail(of: TestPicture.png(width: 8, height: 8), fitting: 320)
      let pictureChild = try #require(pictures.processNumber)
      for number in [child.number, pictureChild] {
        var status = ""
        for _ in 0..<500 where !status.contains("Seccomp:\t2") {
          usleep(20_000)
          status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        }
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd")
        #expect(numbers.contains("0") && !numbers.contains("\(inherited)"))
      }
    }

    @Test func canWriteNowhereButBelowItsFolder() throws {
      guard try canFence() else { return }
      let folder = try TemporaryFolder()
      let file = try folder.file(
        "mixed.zip",
        try TestZip([
          ("work.ics", Data(Self.calendar.utf8)), ("time.csv", Data(Self.toggl.utf8)),
        ]).data())
      for isInside in [true, false] {
        let inside = folder.url.appendingPathComponent("inside")
        let outside = folder.url.appendingPathComponent("outside")
        for url in [inside, outside] {
          try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        let child = try #require(ReaderChild(Program.executable.path, writingIn: inside))
        var frames = FrameWriter()
        let isAsked = FindQuestion(
          importers: ImportJob.formats.compactMap { ImporterForm.json($0) }, path: file,
          scratch: isInside ? inside : outside, besides: []
        ).write(into: &frames)
        #expect(isAsked && child.send(frames.bytes))
        var buffer = FrameBuffer()
        var kinds: [ReaderAnswer] = []
        while !kinds.contains(where: { [.done, .refusal, .failure].contains($0) }) {
          guard child.receive(into: &buffer, milliseconds: 60_000) == .bytes else { break }
          while let kind = try buffer.next({ kind, _ in kind }) {
            if let answer = ReaderAnswer(rawValue: kind) { kinds.append(answer) }
          }
        }
        #expect(kinds.contains(.group) == isInside && kinds.contains(.done) == isInside)
        #expect(child.conclude(waits: false) == .ended)
        let written = try FileManager.default.contentsOfDirectory(atPath: outside.path)
        #expect(written.isEmpty)
      }
    }

    /// The processes that read files for a server of an archive.
    private func processes(readingFor archive: String) -> [Int32] {
      func text(_ path: String) -> String {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map {
          String(decoding: $0, as: UTF8.self)
        } ?? ""
      }
      let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return numbers.compactMap { Int32($0) }.filter { number in
        guard text("/proc/\(number)/cmdline").hasSuffix("--read-files\0") else { return false }
        // The second field is a name in brackets, which may hold anything.
        let fields = text("/proc/\(number)/stat").split(separator: ")").last ?? ""
        let parent = fields.split(separator: " ").dropFirst().first ?? ""
        return text("/proc/\(parent)/environ").contains("ARKIVED_HOME=\(archive)\0")
      }
    }

    @Test func leavesTheServerServingWhenItIsKilledInTheMidst() throws {
      let arkived = try Program()
      let server = try RunningServer(arkived)
      let events = (0..<60_000).map { number in
        "BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTART:20260303T090000Z\r\nSUMMARY:\(number)\r\nEND:VEVENT"
      }
      let file = "BEGIN:VCALENDAR\r\n\(events.joined(separator: "\r\n"))\r\nEND:VCALENDAR\r\n"
      let body =
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.ics\"\r\n\r\n"
        + "\(file)\r\n--B--\r\n"
      let headers = server.door.merging(
        ["Content-Type": "multipart/form-data; boundary=B"]) { $1 }
      let isOver = DispatchSemaphore(value: 0)
      let killer = Thread { [archive = arkived.archive] in
        while isOver.wait(timeout: .now() + .milliseconds(5)) != .success {
          for number in processes(readingFor: archive) { kill(number, SIGKILL) }
        }
      }
      killer.start()
      let answer = try PlainAnswer.ask(
        port: server.port, "POST", "/api/v1/imports", headers: headers, body: body)
      isOver.signal()
      #expect(answer.status >= 400 && answer.status < 500, "\(answer.status) \(answer.body)")
      #expect(answer.body.contains("large.ics"))
      let day = try server.ask("GET", "/api/v1/days/2026-03-03")
      #expect(day.status == 200 && !day.body.contains("59999"))
    }
  #endif
}
