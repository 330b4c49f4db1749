import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Backups at the command line")
struct BackupCommandTests {
  private func filled() throws -> Program {
    let program = try Program()
    let letter = try program.folder.file("letter.txt", "Dear Jana,\n")
    #expect(try program("add", "a letter #post", "--attach", letter.path).status == 0)
    #expect(try program("add", "a walk 09:00-10:30 with @Jana").status == 0)
    #expect(try program("note", "A quiet day.", "--mood", "4").status == 0)
    return program
  }

  @Test func oneEntryIsCountedAsOne() throws {
    let program = try Program()
    #expect(try program("add", "walk").status == 0)
    let file = path(program, "life.zip")
    let made = try program("backup", file, "--unencrypted").output
    #expect(made.contains(": 1 entry, 3 files, "), "\(made)")
    let verified = try program("backup", "verify", file).output
    #expect(verified.contains(", 1 entry, 3 files."), "\(verified)")
    let tested = try program("backup", "test", file).output
    #expect(tested.contains(" checked: 1 entry and 0 attachments."), "\(tested)")
  }

  private func path(_ program: Program, _ name: String) -> String {
    program.folder.url.appendingPathComponent(name).path
  }

  private func lines(_ program: Program) throws -> [Substring] {
    Array(try program("export").output.split(separator: "\n").dropFirst())
  }

  private static func has(_ tool: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }

  private static var hasTools: Bool { has("age") && has("age-keygen") && has("unzip") }

  /// Runs another program in the test's folder.
  @discardableResult
  private func run(_ program: Program, _ words: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = program.folder.url
    process.standardOutput = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(words)")
    return String(decoding: said, as: UTF8.self)
  }

  @Test("A backup under a passphrase is restored with everything, history included")
  func passphrase() throws {
    let program = try filled()
    let secret = try program.folder.file("secret", "correct horse battery\n")
    let file = path(program, "life.zip.age")
    let made = try program("backup", file, "--passphrase-file", secret.path, "--json")
    #expect(made.status == 0, "\(made.talk)")
    #expect(made.json["backup"]?["isEncrypted"] == true)
    #expect(made.json["backup"]?["entries"]?.int ?? 0 > 4)
    #expect(!(made.output + made.talk).contains("correct horse"))

    let other = try Program()
    let restored = try other("restore", file, "--passphrase-file", secret.path, "--json")
    #expect(restored.status == 0, "\(restored.talk)")
    #expect(restored.json["restored"] == true && restored.json["safetyCopy"] == .null)
    #expect(try lines(other) == lines(program))
    #expect(try other("doctor", "--json").json["isWell"] == true)
    #expect(try other("search", "letter").output.contains("a letter"))

    let opened = path(program, "life.zip")
    let result = try program("backup", "open", file, "--passphrase-file", secret.path, "-o", opened)
    #expect(result.status == 0, "\(result.talk)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: opened)).prefix(2) == Data("PK".utf8))
    let listed = try program("backup", "list", "--json").json["backups"]?.array
    #expect(listed?.count == 1 && listed?.first?["isThere"] == true)
    let verified = try program("backup", "verify", "--passphrase-file", secret.path, "--json")
    #expect(verified.json["verified"]?["depth"] == "entries", "\(verified.talk)")
  }

  @Test("What cannot be opened is told apart, and nothing is changed")
  func refusals() throws {
    let program = try filled()
    let before = try lines(program)
    let secret = try program.folder.file("secret", "one two three")
    let wrong = try program.folder.file("wrong", "one two four")
    let empty = try program.folder.file("empty", "\n")
    let file = path(program, "life.zip.age")
    #expect(try program("backup", file, "--passphrase-file", secret.path).status == 0)
    let content = try Data(contentsOf: URL(fileURLWithPath: file))
    let cut = try program.folder.file("cut.zip.age", content.dropLast(9))
    let cases: [([String], Int32, String)] = [
      (["restore", file, "--passphrase-file", wrong.path], 77, "doesn’t open this file"),
      (["restore", file], 64, "--passphrase-file"),
      (["restore", cut.path, "--passphrase-file", secret.path], 65, "cut off"),
      (["restore", secret.path], 65, "isn’t an Arkived backup"),
      (["restore", path(program, "none")], 66, "not found"),
      (["restore", file, "--passphrase-file", secret.path], 77, "--yes"),
      (["backup", file, "--passphrase-file", empty.path], 65, "empty"),
      (["backup", file], 64, "--passphrase-file"),
      (["backup", file, "--to", "age1nonsense"], 64, "public key"),
      (["backup", file, "--unencrypted", "--passphrase-file", secret.path], 64, "only one of"),
      (["backup"], 77, "backup schedule"),
      (["backup", "verify", cut.path, "--passphrase-file", secret.path], 65, "cut off"),
    ]
    for (arguments, status, sentence) in cases {
      let result = try program.run(arguments)
      #expect(result.status == status, "\(arguments) \(result.status) \(result.talk)")
      #expect(result.talk.contains(sentence), "\(arguments): \(result.talk)")
    }
    #expect(try lines(program) == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)
  }

  @Test("At the terminal a passphrase is typed twice, and its strength is told")
  func typing() throws {
    let program = try filled()
    let words = "lantern oboe gravel tundra wick sandal"
    let made = try program.atTerminal(
      ["backup", "life.zip.age"], typing: "\(words)\n\(words)\n")
    #expect(made.status == 0, "\(made.screen)")
    #expect(made.screen.contains("Strength: strong") && made.screen.contains("Repeat passphrase:"))
    let secret = try program.folder.file("secret", words)
    let verified = try program(
      "backup", "verify", path(program, "life.zip.age"), "--passphrase-file", secret.path)
    #expect(verified.status == 0, "\(verified.talk)")
    let other = try program.atTerminal(["backup", "b.zip.age"], typing: "one\ntwo\n")
    #expect(other.status == 77 && other.screen.contains("don’t match"))
    #expect(!FileManager.default.fileExists(atPath: path(program, "b.zip.age")))
  }

  @Test("A restore shows the difference and leads back to the safety copy")
  func safetyCopy() throws {
    let program = try filled()
    let file = path(program, "life.zip")
    #expect(try program("backup", file, "--unencrypted").status == 0)
    #expect(try program("add", "written after the backup").status == 0)
    let before = try lines(program)
    let checked = try program("restore", file, "--check", "--json")
    let activities = checked.json["differences"]?.array?.first { $0["type"] == "activity" }
    #expect(activities?["onlyHere"] == 1 && activities?["onlyThere"] == 0)
    #expect(try lines(program) == before)
    let restored = try program("restore", file, "--yes", "--json")
    let copy = try #require(restored.json["safetyCopy"]?.string)
    #expect(!(try program("today").output.contains("after the backup")))
    #expect(try program("restore", copy, "--yes").status == 0)
    #expect(try lines(program) == before)
    let day = try program("restore", file, "--day", "2026-03-14", "--json")
    #expect(day.status == 0 && day.json["runs"]?.array?.count == 1, "\(day.talk)")
  }

  @Test("Of an archive too damaged to open, doctor names what brings it back, and that does")
  func damagedBeyondOpening() throws {
    let program = try filled()
    let archive = URL(fileURLWithPath: program.archive)
    let names = { try FileManager.default.contentsOfDirectory(atPath: archive.path) }
    func damage() throws {
      for name in try names() where name.hasPrefix("archive.sqlite") {
        try FileManager.default.removeItem(at: archive.appendingPathComponent(name))
      }
      try Data(repeating: 7, count: 40_000)
        .write(to: archive.appendingPathComponent("archive.sqlite"))
    }
    let before = try lines(program)
    #expect(try program("backup", path(program, "life.zip"), "--unencrypted").status == 0)
    try damage()
    let told = try program("doctor")
    #expect(told.status == 65, "\(told.talk)")
    #expect(told.talk.contains("arkived restore") && told.talk.contains("life.zip"))
    let away = program.folder.url.appendingPathComponent("away")
    try FileManager.default.createDirectory(at: away, withIntermediateDirectories: true)
    for name in try names() where name.hasPrefix("archive.sqlite") {
      try FileManager.default.moveItem(
        at: archive.appendingPathComponent(name), to: away.appendingPathComponent(name))
    }
    let restored = try program("restore", path(program, "life.zip"), "--yes")
    #expect(restored.status == 0, "\(restored.talk)")
    #expect(try lines(program) == before)
    #expect(try program("doctor", "--json").json["isWell"] == true)
    // Where there is none, it says so, and what may still help.
    try FileManager.default.removeItem(atPath: path(program, "life.zip"))
    try? FileManager.default.removeItem(at: archive.appendingPathComponent("snapshots"))
    try damage()
    #expect(try program("doctor").talk.contains("doesn’t know of any backup or snapshot"))
  }

  @Test("What a killed restore left is told by doctor, and removed by doctor --mend")
  func killedRestore() throws {
    let program = try filled()
    let left = try program.folder.file(
      "archive/.restoring-3F2A91B0-0000-4000-8000-000000000001/archive/archive.sqlite", "half")
    let told = try program("doctor", "--json")
    let finding = told.json["findings"]?.array?.first { $0["check"] == "unfinished files" }
    #expect(finding?["detail"]?.string?.hasPrefix("1 unfinished file (4 bytes)") == true)
    #expect(told.status == 0 && FileManager.default.fileExists(atPath: left.path))
    let mended = try program("doctor", "--mend", "--json")
    #expect(mended.json["findings"]?.array?.contains { $0["check"] == "unfinished files" } == false)
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test("What doctor finds is one document, also if the archive needs to be repaired")
  func oneDocument() throws {
    let program = try Program()
    let file = try program.folder.file("photo.bin", "a file that will be missing")
    #expect(try program("add", "lunch", "--attach", file.path).status == 0)
    let folder = URL(fileURLWithPath: program.archive).appendingPathComponent("attachments")
    try FileManager.default.removeItem(at: folder)
    let told = try program("doctor", "--json")
    #expect(told.status == 1 && told.json["isWell"] == false, "\(told.output)")
    #expect(told.talk.contains("needs to be repaired"))
  }

  @Test("A test restores to a throwaway place, and what it found stands in the list")
  func testing() throws {
    let program = try filled()
    #expect(try program("backup", "test").status == 66)
    let file = path(program, "life.zip")
    #expect(try program("backup", file, "--unencrypted").status == 0)
    let before = try lines(program)
    let tested = try program("backup", "test", "--json")
    #expect(tested.status == 0, "\(tested.talk)")
    #expect(tested.json["test"]?["isGood"] == true && tested.json["test"]?["comparedFiles"] == 1)
    #expect(try lines(program) == before)
    #expect(try program("backup", "list").output.contains("(tested on"))
    var content = try Data(contentsOf: URL(fileURLWithPath: file))
    content[content.count / 2] ^= 1
    try content.write(to: URL(fileURLWithPath: file))
    #expect(try program("backup", "test", file).status == 65)
    #expect(try program("backup", "list").output.contains("(failed a test on"))
    let listed = try program("backup", "list", "--json").json["files"]?.array?.first
    #expect(listed?["health"] == "failed")
  }

  @Test("A backup becomes a new archive beside the present one")
  func beside() throws {
    let program = try filled()
    let file = path(program, "life.zip")
    #expect(try program("backup", file, "--unencrypted").status == 0)
    #expect(try program("add", "written later").status == 0)
    let folder = path(program, "a new life")
    #expect(try program("restore", file, "--beside", folder, "--check").status == 64)
    let made = try program("restore", file, "--beside", folder, "--json")
    #expect(made.status == 0 && made.json["archive"]?.string == folder, "\(made.talk)")
    #expect(try program("search", "later").output.contains("written later"))
    #expect(try !program("search", "later", "--archive", folder).output.contains("written later"))
    #expect(try program("search", "letter", "--archive", folder).output.contains("a letter"))
    #expect(try program("doctor", "--json", "--archive", folder).json["isWell"] == true)
    #expect(try program("restore", file, "--beside", folder).status == 77)
  }

  @Test("A repair makes files private and copies the database before")
  func repair() throws {
    let program = try filled()
    let open = try program.folder.file("archive/open.txt", "x")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open.path)
    let mended = try program("doctor", "--mend")
    #expect(mended.status == 0 && mended.talk.contains("before-repair-"), "\(mended.talk)")
    let mode = try FileManager.default.attributesOfItem(atPath: open.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    // Nothing is wrong any more, so nothing is copied.
    #expect(try !program("doctor", "--mend").talk.contains("before-repair-"))
  }

  @Test("A backup without a key is refused if a byte of it was changed, added or repeated")
  func alteredOpenBackup() throws {
    let program = try filled()
    let file = path(program, "life.zip")
    #expect(try program("backup", file, "--unencrypted").status == 0)
    let content = try Data(contentsOf: URL(fileURLWithPath: file))
    let before = try lines(program)
    var flipped = content
    // The time of the first file, which no reader looks at.
    flipped[10] ^= 1
    let cases = [
      flipped, content + Data([0]), content + content, content.prefix(30) + content,
      content.dropLast(9),
    ]
    for (number, altered) in cases.enumerated() {
      let copy = try program.folder.file("altered-\(number).zip", altered)
      for command in [["backup", "verify"], ["restore", "--yes"], ["merge"]] {
        let result = try program.run(command + [copy.path])
        #expect(result.status == 65, "\(number) \(command): \(result.talk)")
        #expect(result.talk.contains("damaged"), "\(number) \(command): \(result.talk)")
      }
    }
    #expect(try program("backup", "verify", file).status == 0)
    #expect(try lines(program) == before)
  }

  @Test("serve makes the scheduled backup, for a public key alone")
  func schedule() throws {
    let program = try filled()
    let key = try program("backup", "key", "-o", path(program, "key.txt"))
    let recipient = key.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(key.status == 0 && recipient.hasPrefix("age1"))
    let folder = path(program, "backups")
    let set = try program(
      "backup", "schedule", "--folder", folder, "--to", recipient, "--daily", "3", "--json")
    #expect(set.json["plan"]?["daily"] == 3, "\(set.talk)")
    let server = try RunningServer(program)
    func names() -> [String] {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return all.filter { $0.hasSuffix(".zip.age") }
    }
    for _ in 0..<1_200 where names().isEmpty { usleep(50_000) }
    let name = try #require(names().first)
    _ = try server.stop(within: 60)
    let verified = try program(
      "backup", "verify", "\(folder)/\(name)", "--identity", path(program, "key.txt"))
    #expect(verified.status == 0, "\(verified.talk)")
    let blind = try program("backup", "verify", "\(folder)/\(name)", "--json")
    #expect(blind.json["verified"]?["depth"] == "file", "\(blind.talk)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: program.archive)
    for file in files {
      let content = (try? Data(contentsOf: URL(fileURLWithPath: "\(program.archive)/\(file)")))
      #expect(content?.range(of: Data("AGE-SECRET-KEY-1".utf8)) == nil, "\(file)")
    }
    #expect(try program("backup", "schedule", "--off", "--json").json["plan"] == .null)
  }

  @Test(
    "age and unzip open ours, and ours opens theirs",
    .enabled(if: hasTools, "age or unzip is missing: ./setup --test"))
  func others() throws {
    let program = try filled()
    try run(program, "age-keygen", "-o", "key.txt")
    let recipient = try run(program, "age-keygen", "-y", "key.txt")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try program("backup", path(program, "life.zip.age"), "--to", recipient).status == 0)
    try run(program, "age", "-d", "-i", "key.txt", "-o", "life.zip", "life.zip.age")
    try run(program, "unzip", "-q", "life.zip", "-d", "life")
    let folder = program.folder.url.appendingPathComponent("life")
    let manifest = try JSON(
      parsing: Data(contentsOf: folder.appendingPathComponent("manifest.json")))
    let files = try #require(manifest["files"]?.array)
    #expect(files.count > 4)
    for file in files {
      let name = try #require(file["path"]?.string)
      let sum = try run(program, "sha256sum", "life/\(name)").prefix(64)
      #expect(file["sha256"]?.string == String(sum), "\(name)")
    }
    // What was unpacked can be imported as it lies there.
    let other = try Program()
    #expect(try other("import", folder.path).status == 0)
    #expect(try other("search", "letter").output.contains("a letter"))
    // Theirs, also in text form.
    let text = try program.folder.file("text.txt", String(repeating: "A line.\n", count: 20_000))
    for armour in [[], ["-a"]] {
      let file = path(program, "theirs\(armour.count).age")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["age", "-r", recipient, "-o", file] + armour + [text.path]
      try process.run()
      process.waitUntilExit()
      let opened = path(program, "opened\(armour.count).txt")
      let result = try program(
        "backup", "open", file, "-i", path(program, "key.txt"), "-o", opened)
      #expect(result.status == 0, "\(result.talk)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: opened)) == Data(contentsOf: text))
    }
  }
}
