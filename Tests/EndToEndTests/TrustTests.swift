import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// What SECURITY.md promises of the whole program, shown on the whole program.
@Suite("Trust")
struct TrustTests {
  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Runs one of the project's Python programs on the built program.
  private func python(_ script: String, _ arguments: [String] = []) throws -> (Int32, String) {
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      [Self.project.appendingPathComponent(script).path, Program.executable.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder.url.path, "PYTHONDONTWRITEBYTECODE": "1",
    ]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: log, encoding: .utf8))
  }

  @Test(.enabled(if: FaultTests.hasCompiler, "A C compiler is missing: clang, gcc or cc"))
  func stormsOfWritersFailingDisksAndDamagedFilesLoseNothingAcknowledged() throws {
    let (status, said) = try python("Tests/Torture/torture.py", ["--short"])
    #expect(status == 0, "\(said)")
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(
        atPath: project.appendingPathComponent("Tests/.cache/schemathesis/bin/schemathesis").path),
      "Schemathesis is missing; run ./setup --test"))
  func noRequestThatTheDescriptionAllowsOrForbidsMakesTheServerFail() throws {
    let (status, said) = try python("Tests/Door/fuzz_api.py", ["--seconds", "40"])
    #expect(status == 0, "\(said.suffix(6_000))")
  }

  @Test func nothingLeavesTheComputer() throws {
    let (status, said) = try python("Tests/Door/silence.py")
    // Where the system allows no empty network, that is told in the log and nothing is shown.
    if status == 69 { print("nothingLeavesTheComputer was left out: \(said)") }
    #expect(status == 0 || status == 69, "\(said)")
  }

  // MARK: Files and logs

  private static let secret = "quillwort-canary"

  /// Uses everything that writes files, with a umask that leaves all of them open.
  private func work(_ program: Program) throws -> RunningServer {
    let letter = try program.folder.file("letter.txt", "Dear \(Self.secret),")
    let lines = try program.folder.file(
      "life.jsonl", #"{"type":"activity","dayKey":"2026-03-01","text":"\#(Self.secret)"}"#)
    let passphrase = try program.folder.file("passphrase", "\(Self.secret) passphrase 9!")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: passphrase.path)
    for words in [
      ["add", "\(Self.secret) #food", "--attach", letter.path], ["note", Self.secret],
      ["import", lines.path], ["token", "create", "a script"], ["index"], ["doctor"],
      ["export", "-o", program.folder.url.appendingPathComponent("out.jsonl").path],
      [
        "backup", program.folder.url.appendingPathComponent("life.zip.age").path,
        "--passphrase-file", passphrase.path,
      ],
    ] {
      let done = try program.underOpenMask(words)
      #expect(done.status == 0 || words == ["doctor"], "\(words) \(done.talk)")
    }
    let server = try RunningServer(program)
    let added = try server.ask("POST", "/api/v1/activities", ["text": .string(Self.secret)])
    #expect(added.status == 201 || added.status == 200)
    return server
  }

  @Test func onlyTheOwnerMayReadAnythingThatIsWritten() throws {
    let program = try Program()
    let server = try work(program)
    let folder = URL(fileURLWithPath: program.archive)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(names.contains { $0.hasPrefix("attachments/") } && names.contains("owner-token"))
    var places = [folder] + names.map { folder.appendingPathComponent($0) }
    places += ["out.jsonl", "life.zip.age"].map { program.folder.url.appendingPathComponent($0) }
    for place in places {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
      let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(place.path) \(String(mode, radix: 8))")
    }
    #expect(try server.ask("GET", "/api/v1/tags").status == 200)
  }

  @Test func everythingInTheFolderIsOnThePage() throws {
    let program = try Program()
    let server = try work(program)
    let inbox = program.folder.url.appendingPathComponent("inbox").path
    let editor = try program.editor(#"echo typed >> "$1"; exit 3"#)
    #expect(try program("inbox", "set", inbox).status == 0)
    #expect(try program("note", "--edit", environment: editor).status == 1)
    let page = try String(
      contentsOf: Self.project.appendingPathComponent("PRIVACY.md"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: program.archive)
    #expect(
      Set(names).isSuperset(of: [
        "archive.sqlite", "attachments", "drafts", "identity.json", "index", "inbox.json",
        "owner-token", "server.json",
      ]))
    // The page names the database's own files, locks and temporary names together.
    for name in names
    where !name.hasPrefix("archive.sqlite") && !name.hasSuffix(".lock") && !name.hasPrefix(".") {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
    #expect(try server.ask("GET", "/api/v1/tags").status == 200)
  }

  @Test func theServersLogHoldsNoEntryTokenOrPassphrase() throws {
    let program = try Program()
    let server = try work(program)
    let wrong = ["Authorization": "Bearer \(Self.secret)-guess"]
    for path in [
      "/", "/api/v1/tags", "/api/v1/search?query=\(Self.secret)", "/login/\(Self.secret)",
      "/day/\(Self.secret)", "/\(Self.secret)",
    ] {
      _ = try PlainAnswer.ask(port: server.port, "GET", path, headers: wrong)
      _ = try server.ask("GET", path)
    }
    for body: JSON in [["text": .integer(7)], ["secret": .string(Self.secret)], [:]] {
      #expect(try server.ask("POST", "/api/v1/activities", body).status >= 400)
    }
    let broken = try PlainConnection(port: server.port)
    try broken.send("\(Self.secret) \(server.token)\r\n\r\n")
    _ = broken.receive()
    let end = try #require(try server.stop(within: 30))
    #expect(end.status == 0)
    for word in [Self.secret, server.token] { #expect(!end.talk.contains(word), "\(end.talk)") }
  }

  // MARK: Promises

  /// In these pages tests are named as `path/of/file.swift` › `nameOfTest`.
  @Test func everyTestThatAPromiseNamesIsThere() throws {
    for page in ["SECURITY.md", "PRIVACY.md", "Documentation/Durability.md"] {
      let text = try String(
        contentsOf: Self.project.appendingPathComponent(page), encoding: .utf8)
      var named = 0
      for line in text.split(separator: "\n") where line.hasPrefix("|") {
        var source: String?
        for match in line.matches(of: /`([^`]+)`/) {
          let name = String(match.1)
          if name.hasPrefix("Tests/") {
            let file = Self.project.appendingPathComponent(name)
            source = try? String(contentsOf: file, encoding: .utf8)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(name)")
          } else if let source, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            named += 1
            #expect(
              source.contains("func \(name)(") || source.contains("def \(name)("),
              "\(page): \(name) is not in the file named before it")
          }
        }
      }
      #expect(named > (page == "SECURITY.md" ? 20 : 3), "\(page) names \(named) tests")
    }
  }
}

extension Program {
  /// Runs the program where new files would be open to all, unless it takes care itself.
  fileprivate func underOpenMask(_ arguments: [String]) throws -> Result {
    let script = try folder.file("open.sh", "umask 000; exec \"$@\"\n")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [script.path, Self.executable.path] + arguments
    process.environment = environment
    process.currentDirectoryURL = folder.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: said, talk: said)
  }
}
