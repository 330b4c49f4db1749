import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Completion in shells")
struct CompletionTests {
  private let arkived: Program

  init() throws {
    arkived = try Program()
    #expect(try arkived("add", "lunch #food #friends @\"Sam Lee\"").status == 0)
    #expect(try arkived("add", "2025-05-05: deep #\u{201C}x\u{201D} (work)").status == 0)
  }

  /// What bash offers for a line, asked of the completion function itself.
  private func offered(_ line: String...) throws -> [String] {
    let script = try arkived.folder.file(
      "complete.bash",
      """
      PATH="$(dirname "$PROGRAM"):$PATH"
      source <("$PROGRAM" --generate-completion-script bash)
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      COMP_TYPE=9; COMP_KEY=9
      _arkived arkived "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>&1
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [script.path, "arkived"] + line
    process.environment = arkived.environment.merging(["PROGRAM": Program.executable.path]) { $1 }
    process.currentDirectoryURL = arkived.folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func commandsOptionsAndValuesAreOffered() throws {
    #expect(try offered("sea").contains("search"))
    #expect(try offered("on").contains("on-this-day"))
    #expect(try offered("search", "--add").contains("--add-tag"))
    #expect(try offered("search", "--kind", "he") == ["health"])
    #expect(try offered("search", "--format", "j") == ["json", "jsonl"])
  }

  @Test func whatTheArchiveKnowsIsOffered() throws {
    #expect(try offered("search", "--tag", "f") == ["food", "friends"])
    #expect(try offered("search", "--tag", "food,fr") == ["food,friends"])
    #expect(try offered("search", "--person", "Sa").first?.contains("Sam") == true)
    #expect(try offered("day", "2025-").contains("2025-05-05"))
    #expect(try arkived("goal", "create", "Run", "--unit", "km").status == 0)
    #expect(try arkived("value", "create", "Health").status == 0)
    #expect(try offered("goal", "show", "Ru") == ["Run"])
    #expect(try offered("value", "goals", "He") == ["Health"])
    #expect(try offered("goal", "create", "Swim", "--value", "H") == ["Health"])
    #expect(try offered("term", "show", "cu") == ["current"])
    let id = try #require(
      try arkived("search", "lunch", "--json").json["results"]?.array?.first?["id"]?.string)
    #expect(try offered("edit", String(id.prefix(3))) == [String(id.prefix(8))])
    #expect(try offered("edit", "").contains(String(id.prefix(8))))
  }

  @Test func namesAreOfferedAsTheyAreAndNeverRunInTheShell() throws {
    let names = [
      "Sam $(touch ran)", "Sam `touch ran`", "Sam O'Brien", "Sam \"the Fox", "Sam $HOME",
      "Sam '\u{301}$(touch ran)", "Sam \\", "Sam {a,b}",
    ]
    // Control characters would drive the terminal that lists the names.
    for name in names + ["Sam \u{1B}]0;evil\u{7}"] {
      #expect(try arkived("goal", "create", name).status == 0)
    }
    #expect(try Set(offered("goal", "show", "Sam")) == Set(names))
    let ran = arkived.folder.url.appendingPathComponent("ran").path
    #expect(!FileManager.default.fileExists(atPath: ran))
  }

  @Test func bareWordsOfferNothingAndWriteNothing() throws {
    #expect(try offered("lunch", "wi").filter { !$0.isEmpty }.isEmpty)
    #expect(try arkived("search", "--count").output == "2\n")
    let none = try Program()
    #expect(
      try none("---completion", "search", "--", "--tag", "2", "0", "arkived", "search", "--tag", "")
        .status == 0)
    #expect(!FileManager.default.fileExists(atPath: none.archive))
  }

  @Test func scriptsForAllShellsAreWritten() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try arkived("--generate-completion-script", shell)
      #expect(script.status == 0 && script.output.contains("on-this-day"))
    }
  }
}
