import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The owner's editor")
struct EditorTests {
  private let arkived: Program
  private let home: String

  init() throws {
    arkived = try Program()
    home = arkived.folder.url.path
    for line in ["yesterday at 7:00: ran 5 km #sport", "yesterday at 19:00: soup #food"] {
      #expect(try arkived("add", line).status == 0)
    }
  }

  private func texts(_ day: String = "yesterday") throws -> [String] {
    try arkived("day", day, "--json").json["activities"]?.array?.compactMap { $0["text"]?.string }
      ?? []
  }

  @Test func aNoteIsWrittenInTheEditor() throws {
    let editor = try arkived.editor(
      #"printf 'A quiet day.\n\n# Not a comment\n' > "$1"; stat -c '%a' "$1" "$(dirname "$1")" > "#
        + "\(home)/mode")
    let saved = try arkived("note", "--edit", "--json", environment: editor)
    #expect(saved.status == 0 && saved.json["note"] == "A quiet day.\n\n# Not a comment")
    let mode = try String(
      contentsOf: arkived.folder.url.appendingPathComponent("mode"), encoding: .utf8)
    #expect(mode == "600\n700\n")
    #expect(arkived.drafts.isEmpty)
    let other = try arkived.editor(#"echo Rain. >> "$1""#)
    #expect(try arkived("note", "yesterday", "--edit", environment: other).status == 0)
    #expect(try arkived("note", "--day", "yesterday").output == "Rain.\n")
    let emptied = try arkived.editor(#": > "$1""#)
    #expect(try arkived("note", "yesterday", "--edit", environment: emptied).status == 0)
    #expect(try arkived("day", "yesterday", "--json").json["note"] == .null)
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("note", "--day", "yesterday").output == "Rain.\n")
    #expect(try arkived("note", "soonish", "--edit", environment: other).status == 64)
  }

  @Test func aNoteAtATerminalOpensTheEditor() throws {
    let editor = try arkived.editor(#"echo typed > "$1""#)
    #expect(try arkived.atTerminal(["note"], environment: editor).status == 0)
    #expect(try arkived("note").output == "typed\n")
    let shown = try arkived.atTerminal(["note", "--show"], environment: editor)
    #expect(shown.status == 0 && shown.screen.contains("typed"))
  }

  @Test func unchangedOrRefusedNothingIsWritten() throws {
    let same = try arkived("note", "--edit", environment: try arkived.editor("true"))
    #expect(same.status == 0 && same.talk.contains("othing was saved"))
    let failed = try arkived("note", "--edit", environment: try arkived.editor("exit 3"))
    #expect(failed.status == 1 && failed.talk.contains("code 3"))
    #expect(arkived.drafts.isEmpty)
    #expect(try arkived("history", "--json").json["changes"]?.array?.count == 2)
    for name in ["/no/such/editor", "no-such-editor --wait"] {
      let missing = try arkived("note", "--edit", environment: ["EDITOR": name, "VISUAL": ""])
      #expect(missing.status == 69 && missing.talk.contains("export EDITOR"), "\(missing.talk)")
    }
    let none = try arkived("note", "--edit", environment: ["EDITOR": "", "PATH": "/nowhere"])
    #expect(none.status == 69 && none.talk.contains("export EDITOR"))
    #expect(arkived.drafts.isEmpty)
  }

  @Test func thatNothingWasSavedIsADocumentToo() throws {
    let same = try arkived.editor("true")
    let note = try arkived("note", "--edit", "--json", environment: same)
    #expect(note.status == 0 && note.json["dayKey"] == "2026-03-14")
    let added = try arkived("add", "--edit", "--json", environment: same)
    #expect(added.status == 0 && added.json["created"] == .null)
    for words in [["--on", "yesterday"], ["nowhere"]] {
      let edited = try arkived.run(["search"] + words + ["--edit", "--json"], environment: same)
      #expect(edited.status == 0 && edited.json["updated"] == [], "\(words) \(edited.talk)")
    }
  }

  @Test func anEditorMayHaveArgumentsAndSpacesInItsPath() throws {
    let plain = try arkived.editor(#"[ "$1" = --wait ] && echo arguments > "$2""#)
    let words = ["EDITOR": "\(plain["EDITOR"] ?? "") --wait"]
    #expect(try arkived("note", "--edit", environment: words).status == 0)
    #expect(try arkived("note").output == "arguments\n")
    let spaced = try arkived.editor(#"echo spaces > "$1""#, name: "my editor.sh")
    #expect(try arkived("note", "--edit", environment: spaced).status == 0)
    #expect(try arkived("note").output == "spaces\n")
    // VISUAL goes before EDITOR.
    let both = ["VISUAL": plain["EDITOR"] ?? "", "EDITOR": "false"]
    #expect(try arkived("note", "--edit", environment: both).status == 1)
  }

  @Test func whatIsFoundIsEditedAsOneText() throws {
    let editor = try arkived.editor(
      #"""
      sed -i -e 's/#sport/#running/' -e 's/^soup$/soup with Priya/' "$1"
      printf '\n=== new 2026-03-13 21:00\nread\n' >> "$1"
      """#)
    let edited = try arkived("search", "--on", "yesterday", "--edit", "--json", environment: editor)
    #expect(edited.status == 0, "\(edited.talk)")
    #expect(edited.json["updated"]?.array?.count == 2 && edited.json["created"]?.array?.count == 1)
    #expect(edited.talk.contains("2 changed, 1 added"))
    #expect(try texts() == ["ran 5 km", "soup with Priya", "read"])
    #expect(try arkived("undo").status == 0)
    #expect(try texts() == ["ran 5 km", "soup"])
    #expect(try arkived("search", "--tag", "sport", "--count").output == "1\n")
  }

  @Test func whatIsTakenOutIsDeletedAfterAQuestion() throws {
    let editor = try arkived.editor(#"sed -i '/soup/d; /19:00/d' "$1""#)
    let refused = try arkived("search", "--on", "yesterday", "--edit", environment: editor)
    #expect(refused.status == 77 && refused.talk.contains("soup"))
    #expect(try texts().count == 2 && arkived.drafts.count == 2)
    let name = try #require(
      try arkived("drafts").output.split(separator: " ").first.map(String.init))
    #expect(try arkived("drafts", "recover", name, "--as-is").status == 77)
    #expect(try arkived("drafts", "recover", "--as-is", "--yes").status == 0)
    #expect(try texts() == ["ran 5 km"] && arkived.drafts.isEmpty)
    let typed = try arkived.editor(#"sed -i '/ran/d; /07:00/d' "$1""#)
    let answered = try arkived.atTerminal(
      ["search", "--on", "yesterday", "--edit"], typing: "y\n", environment: typed)
    #expect(answered.status == 0 && answered.screen.contains("Delete it?"))
    #expect(try texts().isEmpty)
  }

  @Test func aMistakeIsNamedAndTheTextKept() throws {
    let editor = try arkived.editor(#"sed -i -e 's/07:00/7 o clock/' "$1""#)
    let failed = try arkived("search", "--on", "yesterday", "--edit", environment: editor)
    #expect(failed.status == 65)
    #expect(failed.talk.contains("line 1") && failed.talk.contains("arkived drafts recover"))
    let file = try #require(arkived.drafts.first { $0.hasSuffix(".md") })
    #expect(failed.talk.contains("drafts/\(file)"))
    let shown = try arkived("drafts", "show").output
    #expect(shown.contains("7 o clock"))
    // The next editor tells of it, and recovering takes the mended text.
    let told = try arkived("note", "--edit", environment: try arkived.editor("true"))
    #expect(told.talk.contains("unsaved draft"))
    #expect(try arkived("doctor").output.contains("drafts"))
    let mend = try arkived.editor(#"sed -i -e 's/7 o clock/07:30/' "$1""#)
    #expect(try arkived("drafts", "recover", environment: mend).status == 0)
    let run = try arkived("day", "yesterday", "--json").json["activities"]?.array?.first
    #expect(run?["startAt"] == "2026-03-13T06:30:00Z")
    #expect(arkived.drafts.isEmpty)
    #expect(try arkived("drafts").talk.contains("No unsaved drafts"))
  }

  @Test func whatWasTypedOutlivesTheEditorAndTheProgram() throws {
    let dying = try arkived.editor(#"echo typed > "$1"; kill -9 $$"#)
    let killed = try arkived("note", "--edit", environment: dying)
    #expect(killed.status == 1 && killed.talk.contains("signal 9"))
    #expect(try arkived("drafts", "--json").json["drafts"]?.array?.first?["dayKey"] == "2026-03-14")
    #expect(try arkived("drafts", "recover", "--as-is").status == 0)
    #expect(try arkived("note").output == "typed\n")
    // The program itself is killed while the editor runs.
    let lonely = try arkived.editor(#"echo alone >> "$1"; kill -9 $PPID; sleep 0.1"#)
    _ = try arkived("note", "--edit", environment: lonely)
    let left = try arkived("drafts").output
    #expect(left.contains("the note for 2026-03-14"))
    #expect(try arkived("drafts", "discard").status == 77)
    #expect(try arkived("drafts", "discard", "--yes").status == 0)
    #expect(try arkived("note").output == "typed\n" && arkived.drafts.isEmpty)
    #expect(try arkived("drafts", "recover").status == 66)
  }

  @Test func aChangeElsewhereIsNotWrittenOver() throws {
    #expect(try arkived("note", "Mine.").status == 0)
    let editor = try arkived.editor(
      #"echo Edited. > "$1"; "\#(Program.executable.path)" note --replace Elsewhere."#)
    let conflict = try arkived("note", "--edit", environment: editor)
    #expect(conflict.status == 1 && conflict.talk.contains("--overwrite"), "\(conflict.talk)")
    #expect(try arkived("note").output == "Elsewhere.\n")
    #expect(try arkived("drafts", "recover", "--as-is").status == 1)
    #expect(try arkived("drafts", "recover", "--as-is", "--overwrite").status == 0)
    #expect(try arkived("note").output == "Edited.\n")

    let id = try #require(
      try arkived("day", "yesterday", "--json").json["activities"]?.array?.first?["id"]?.string)
    let both = try arkived.editor(
      #"sed -i 's/ran 5 km/ran 6 km/' "$1"; "\#(Program.executable.path)" tag \#(id) --add fast"#)
    let other = try arkived("edit", id, "--edit", environment: both)
    #expect(other.status == 1 && other.talk.contains("was changed"), "\(other.talk)")
    #expect(try arkived("drafts", "recover", "--as-is", "--overwrite").status == 0)
    let run = try arkived("day", "yesterday", "--json").json["activities"]?.array?.first
    // Only what differs in the text is written over what was changed elsewhere.
    #expect(run?["text"] == "ran 6 km" && run?["tags"] == ["sport", "fast"])
  }

  @Test func anEntryIsWrittenInTheEditor() throws {
    let editor = try arkived.editor(
      #"sed -i '1s/.*/kind: social\nlunch with Sam 12:30-13:15 #food\n\nIt was long./' "$1""#)
    let added = try arkived("add", "--edit", "--json", environment: editor).json["created"]
    #expect(added?["text"] == "lunch with Sam" && added?["notes"] == "It was long.")
    #expect(added?["kind"] == "social" && added?["tags"] == ["food"])
    let begun = try arkived(
      "add", "buy", "bread", "--edit",
      environment: try arkived.editor(
        #"sed -i '1s/$/ and milk/' "$1""#))
    #expect(begun.status == 0 && begun.output.hasPrefix("buy bread and milk"))
    let untouched = try arkived("add", "--edit", environment: try arkived.editor("true"))
    #expect(untouched.status == 0 && untouched.talk.contains("othing was saved"))
    let latin = try arkived.editor(#"printf 'caf\351\n' > "$1""#)
    let refused = try arkived("add", "--edit", environment: latin)
    #expect(refused.status == 65 && arkived.drafts.count == 2)
  }
}
