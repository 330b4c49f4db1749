import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Two archives on this computer that sync through a folder, from the command line.
@Suite("Devices at the command line")
struct DeviceCommandTests {
  private let desk: Program
  private let laptop: Program
  private let folder: TemporaryFolder

  init() throws {
    desk = try Program()
    laptop = try Program()
    folder = try TemporaryFolder()
  }

  /// A command that goes on in the background; its output is read line by line.
  private final class Background {
    let process = Process()
    private let pipe = Pipe()

    init(_ program: Program, _ arguments: String...) throws {
      process.executableURL = Program.executable
      process.arguments = arguments
      process.environment = program.environment
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    func line() throws -> String {
      var bytes: [UInt8] = []
      while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Shows a code on the first device, which lets in whoever answers it.
  private func invite() throws -> (command: Background, code: String) {
    let adding = try Background(desk, "sync", "add-device", "--yes", "--json")
    let code = try #require(try JSON(parsing: try adding.line())["code"]?.string)
    return (adding, code)
  }

  private func start() throws {
    let started = try desk("sync", "folder", folder.url.path, "--name", "desk", "--json")
    #expect(started.status == 0, "\(started.talk)")
  }

  private func texts(_ program: Program) throws -> Set<String> {
    let rows = try program("sql", "SELECT text FROM activities", "--json").json["rows"]?.array
    return Set((rows ?? []).compactMap { $0.array?.first?.string })
  }

  @Test func aCodeThatNobodyUsesIsOneDocument() throws {
    try start()
    let asked = try desk("sync", "add-device", "--wait", "0", "--json")
    #expect(asked.status == 69 && asked.json["code"]?.string != nil, "\(asked.output)")
  }

  @Test func whatIsLinkedSyncsThoughTheDevicesCannot() throws {
    try start()
    let calendar = try desk.folder.file(
      "work.ics",
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Work//EN\r\nBEGIN:VEVENT\r\nUID:1\r
      DTSTAMP:20260310T080000Z\r\nDTSTART:20260313T100000Z\r\nDTEND:20260313T110000Z\r
      SUMMARY:Pricing review\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """)
    #expect(try desk("sync", "link", calendar.path).status == 0)
    let lock = try FileLock(
      at: URL(fileURLWithPath: desk.archive).appendingPathComponent("device-sync.lock"), waits: 5)
    let synced = try desk("sync", "--json")
    try FileManager.default.removeItem(at: calendar)
    let neither = try desk("sync")
    lock.release()
    #expect(neither.status == 75 && neither.talk.contains("is missing"), "\(neither.talk)")
    #expect(synced.status == 75 && synced.json["error"]?["code"] == 75, "\(synced.talk)")
    #expect(synced.json["syncs"]?.array?.count == 1, "\(synced.output)")
    let meetings = try desk("meeting", "list", "--past", "--json").json["meetings"]?.array
    #expect(meetings?.count == 1)
  }

  @Test func aDeviceJoinsIsRenamedRevokedAndLeaves() throws {
    #expect(try desk("add", "written on the desk").status == 0)
    #expect(try laptop("add", "written on the laptop").status == 0)
    try start()
    let (adding, code) = try invite()
    let joined = try laptop(
      "sync", "join", folder.url.path, code.lowercased(), "--name", "laptop", "--json")
    #expect(joined.status == 0, "\(joined.talk)")
    #expect(joined.talk.contains("Compare this number"))
    adding.process.waitUntilExit()
    #expect(adding.process.terminationStatus == 0)
    #expect(try desk("sync").status == 0)
    let both: Set = ["written on the desk", "written on the laptop"]
    #expect(try texts(desk) == both && texts(laptop) == both)
    let status = try desk("sync", "status", "--json").json["devices"]
    #expect(status?["isOn"] == true)
    let names = (status?["devices"]?.array ?? []).compactMap { $0["name"]?.string }
    #expect(Set(names) == ["desk", "laptop"], "\(status?.text() ?? "")")
    #expect(try desk("sync", "rename-device", "laptop", "old laptop").status == 0)
    #expect(try desk("sync", "status").output.contains("old laptop"))
    let unknown = try desk("sync", "revoke-device", "nobody")
    #expect(unknown.status == 66 && unknown.talk.contains("No device named “nobody”"))
    #expect(try desk("sync", "revoke-device", "old laptop").status == 0)
    #expect(try desk("add", "after that").status == 0)
    #expect(try desk("sync").status == 0)
    let removed = try laptop("sync")
    #expect(removed.status == 69, "\(removed.talk)")
    #expect(try laptop("sync", "status").output.contains("was removed from your devices"))
    #expect(try !texts(laptop).contains("after that"))
    #expect(try laptop("sync", "leave").status == 0)
    #expect(try texts(laptop) == both)
    let again = try invite()
    #expect(try laptop("sync", "join", folder.url.path, again.code).status == 0)
    again.command.process.waitUntilExit()
    #expect(try texts(laptop) == both.union(["after that"]))
  }

  @Test func aWrongCodeAndAFolderThatIsNotThereSayWhatToDo() throws {
    let missing = try desk("sync", "folder", folder.url.path + "/none")
    #expect(missing.status != 0 && missing.talk.contains(folder.url.path + "/none"))
    try start()
    let wrong = try laptop("sync", "join", folder.url.path, "00000-00000-00000-00000")
    #expect(wrong.status == 66 && wrong.talk.contains("No device shows this code"))
    let half = try laptop("sync", "join", folder.url.path, "12345")
    #expect(half.status == 65 && half.talk.contains("20 letters and digits"), "\(half.talk)")
  }

  @Test func aJoinThatIsKilledAgainAndAgainLosesNothing() throws {
    func lines(_ name: String, _ count: Int) -> String {
      (0..<count).map { number in
        #"{"type":"activity","dayKey":"2026-03-\#(number % 9 + 10)","text":"\#(name) \#(number)"}"#
      }.joined(separator: "\n")
    }
    let first = try desk.folder.file("first.jsonl", lines("desk", 1_500))
    let second = try laptop.folder.file("second.jsonl", lines("laptop", 300))
    #expect(try desk("import", first.path).status == 0)
    #expect(try laptop("import", second.path).status == 0)
    try start()
    let (adding, code) = try invite()
    for number in 1...8 {
      let joining = try Background(laptop, "sync", "join", folder.url.path, code)
      Thread.sleep(forTimeInterval: 0.15 * Double(number))
      joining.kill()
    }
    let joined = try laptop("sync", "join", folder.url.path, code)
    // It may have been through before it was killed.
    #expect(joined.status == 0 || joined.talk.contains("already syncs"), "\(joined.talk)")
    guard joined.status == 0 || joined.talk.contains("already syncs") else { return adding.kill() }
    adding.process.waitUntilExit()
    for program in [desk, laptop, desk, laptop] { #expect(try program("sync").status == 0) }
    #expect(try texts(desk).count == 1_800)
    #expect(try texts(laptop) == texts(desk))
    #expect(try laptop("doctor").status == 0)
  }
}
