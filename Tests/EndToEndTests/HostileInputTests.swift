import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Hostile input at the command line")
struct HostileInputTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  @Test func aVeryLongLineIsStoredWhole() throws {
    let line = String(repeating: "soup and bread ", count: 700_000)
    let added = try arkived("add", "-", "--json", input: Data(line.utf8))
    #expect(added.status == 0)
    #expect((added.json["created"]?["text"]?.string?.utf8.count ?? 0) > 10_000_000)
    let found = try arkived("search", "bread", "--format", "short")
    #expect(found.status == 0)
    #expect(try arkived("search", "--on", "today", "--json").status == 0)
  }

  @Test func controlAndBidiCharactersAreShownNotInterpreted() throws {
    let text = "a\u{1B}]0;evil\u{7}b \u{202E}txet \u{9B}31m \u{1B}[2mfaint\r over"
    let added = try arkived("add", "-", "--json", input: Data(text.utf8))
    #expect(added.json["created"]?["text"]?.string == text)
    let commands = [
      ["today"], ["search", "evil"], ["search", "--on", "today"], ["search", "evil", "--json"],
      ["-1", "--format", "csv"], ["-1", "--format", "jsonl"], ["-1", "--format", "markdown"],
      ["-1", "--format", "short"], ["history"], ["search", "evil", "--delete"],
      ["export"], ["goal", "show", "\u{9B}31mevil\u{202E}", "--json"],
    ]
    for command in commands {
      let screen = try arkived.atTerminal(command, typing: "n\n").screen
      #expect(screen.contains("evil"), "\(command)")
      for evil in ["\u{1B}]", "\u{7}", "\u{202E}", "\u{9B}", "\u{1B}[2mfaint", "\r over"] {
        #expect(!screen.contains(evil), "\(command) \(evil.debugDescription)")
      }
    }
    // Programs get it as it is.
    let line = try arkived("search", "evil", "--format", "jsonl").output
    #expect(try JSON(parsing: line)["text"]?.string == text)
  }

  @Test func noTableHoldsAFormulaThatASpreadsheetWouldRun() throws {
    let formula = "=HYPERLINK(\"http://example.org\")"
    #expect(try arkived("add", "-", input: Data(formula.utf8)).status == 0)
    for command in [
      ["search", "HYPERLINK", "--format", "csv"], ["-1", "--format", "csv"],
      ["sql", "SELECT text FROM activities", "--format", "csv"],
    ] {
      let table = try arkived.run(command).output
      #expect(table.contains("\"'=HYPERLINK("), "\(command)")
    }
  }

  @Test func whatCannotBeStoredIsRefusedWithAReason() throws {
    let nul = try arkived("add", "-", input: Data("a\u{0}b".utf8))
    #expect(nul.status == 65 && nul.talk.contains("NUL"))
    let note = try arkived("note", "-", input: Data("a\u{0}b".utf8))
    #expect(note.status == 65 && note.talk.contains("NUL"))
    for empty in ["", " ", "\u{200B}", "\n\n"] {
      #expect(try arkived("add", empty).status == 65, "\(empty.debugDescription)")
    }
    #expect(try arkived("edit", "", "--text", "x").status == 66)
    #expect(try arkived("search", "", "--tag", "", "--person", "", "--contains", "").status == 0)
  }

  /// A script's variable may be unset.
  @Test func anEmptyDayIsNotToday() throws {
    #expect(try arkived("add", "tea").status == 0)
    for command in [
      ["delete", "--day", "", "--yes"], ["purge", "--from", "", "--to", " ", "--yes"],
      ["note", "--day", "", "Rain."], ["day", ""], ["export", "--from", "", "-o", "life.jsonl"],
      ["lifetime", "set", ""],
    ] {
      #expect(try arkived.run(command).status == 64, "\(command)")
    }
    let today = try arkived("day", "--json").json
    #expect(today["activities"]?.array?.count == 1 && today["note"] == .null)
  }

  /// A script's variable may be unset.
  @Test func anEmptyPathIsNotTheCurrentFolder() throws {
    _ = try arkived.folder.file("2026-03-14.md", "Rain.\n")
    #expect(try arkived("add", "tea").status == 0)
    for command in [
      ["import", ""], ["import", "", "--dry-run"], ["inbox", "set", "", "--yes"], ["merge", ""],
      ["backup", "", "--unencrypted"], ["backup", "--plain", ""], ["backup", "verify", ""],
      ["backup", "test", ""], ["backup", "key", "-o", ""], ["backup", "schedule", "--folder", ""],
      ["restore", ""], ["restore", "life.zip", "--beside", ""], ["move", "unpack", ""],
      ["export", "-o", ""], ["sync", "folder", ""], ["sync", "join", " ", "code"],
    ] {
      let refused = try arkived.run(command)
      #expect(refused.status == 64 && refused.talk.contains("empty"), "\(command) \(refused.talk)")
    }
    #expect(try arkived("day", "2026-03-14", "--json").json["note"] == .null)
  }

  @Test func aNegativeLimitIsRefusedByEveryList() throws {
    #expect(try arkived("person", "create", "Priya").status == 0)
    let change = try arkived("history", "--json").json["changes"]?.array?.first?["id"]?.string
    for command in [
      ["person"], ["notes"], ["promises"], ["meeting"], ["history"], ["history", "--by", "owner"],
      ["history", "Priya"], ["history", "change", try #require(change)],
    ] {
      let refused = try arkived.run(command + ["--limit=-1"])
      #expect(refused.status == 64 && refused.output.isEmpty, "\(command) \(refused.talk)")
    }
  }

  /// Programs that run in the background often have no standard streams.
  @Test(arguments: [("add - <&-", Int32(65)), ("day >&-", 74), ("export -o life.jsonl >&-", 74)])
  func closedStreamsAreNoFiles(command: String, status: Int32) throws {
    #expect(try arkived("add", "tea").status == 0)
    let script = try arkived.folder.file("closed.sh", "exec \"$1\" \(command)\n")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [script.path, Program.executable.path]
    process.environment = arkived.environment
    process.currentDirectoryURL = arkived.folder.url
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == status)
    #expect(try arkived("doctor").status == 0)
  }

  @Test func argumentsThatAreNoTextAreRefused() throws {
    let script = try arkived.folder.file(
      "bytes.sh", "exec \"$1\" add \"$(printf 'caf\\351')\"\n")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [script.path, Program.executable.path]
    process.environment = arkived.environment
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let talk = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 65 && talk.contains("argument 2"))
    #expect(try arkived("search", "--count").output == "0\n")
  }

  @Test func attachmentsOfAnyNameAreStoredOrRefused() throws {
    let longest = String(repeating: "ü", count: 125) + ".jpg"
    let photo = try arkived.folder.file(longest, Data([0xFF, 0xD8, 0xFF, 0xE0, 7]))
    let added = try arkived("add", "photo", "--attach", photo.path, "--json")
    #expect(added.status == 0, "\(added.talk)")
    let stored = added.json["created"]?["attachments"]?.array?.first
    #expect(stored?["originalName"]?.string == longest)
    for (name, reason) in [
      (String(repeating: "x", count: 300), "File name too long"),
      ("/dev/zero", "not a regular file"),
      (arkived.folder.url.path, "not a regular file"), ("", "Couldn’t attach"),
    ] {
      let refused = try arkived("add", "photo", "--attach", name)
      #expect(refused.status == 66 && refused.talk.contains(reason), "\(refused.talk)")
    }
    #expect(try arkived("search", "--count").output == "1\n")
    #expect(try arkived("doctor").status == 0)
  }

  #if os(Linux)
    @Test func aLibraryThatIsMissingIsNamedAndTheRestWorks() throws {
      for name in ["libarchive.so.13", "libical.so.3"] {
        _ = try arkived.folder.file("libraries/\(name)", "no library")
      }
      let without = ["LD_LIBRARY_PATH": arkived.folder.url.appendingPathComponent("libraries").path]
      #expect(try arkived("add", "soup", environment: without).status == 0)
      let backup = try arkived("backup", "b.zip", "--unencrypted", environment: without)
      #expect(backup.status != 0 && backup.talk.contains("libarchive"), "\(backup.talk)")
      let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260301T100000Z\nSUMMARY:Choir\n"
      let calendar = try arkived.folder.file("c.ics", event + "END:VEVENT\nEND:VCALENDAR\n")
      let refused = try arkived("import", calendar.path, environment: without)
      #expect(refused.status != 0 && refused.talk.contains("libical"), "\(refused.talk)")
      #expect(try arkived("search", "--count").output == "1\n")
      #expect(try arkived("import", calendar.path).status == 0)
      #expect(try arkived("backup", "b.zip", "--unencrypted").status == 0)
    }
  #endif

  @Test func oddFiltersFindNothingAndBreakNothing() throws {
    #expect(try arkived("add", "soup #food").status == 0)
    let odd = [
      "' OR 1=1 --", "%", "_", "\\", "\"", "*", String(repeating: "a", count: 100_000), "\u{202E}",
      "NEAR(", "🧑‍🚀", "-",
    ]
    for text in odd {
      for option in ["--tag", "--not-tag", "--kind", "--source", "--person"] {
        let result = try arkived("search", "\(option)=\(text)", "--json")
        #expect(result.status == 0, "\(option) \(text.prefix(20))")
        #expect(result.json["results"]?.array?.count == (option == "--not-tag" ? 1 : 0))
      }
      #expect(try arkived("search", "--", text, "--json").status == 0)
    }
    #expect(try arkived("search", "--contains=%", "--count").output == "0\n")
  }
}
