import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The program as its user runs it")
struct CommandTests {
  @Test func aTypedLineBecomesACitedAnswer() throws {
    let arkived = try Program()
    let added = try arkived(
      "lunch", "with", "Sam", "at", "Joe's", "12:30-13:15", "#friends", "#food", "@Sam", "--json")
    #expect(added.status == 0)
    let created = try #require(added.json["created"])
    #expect(created["text"] == "lunch with Sam at Joe's")
    #expect(created["tags"] == ["friends", "food"] && created["people"] == ["Sam"])
    #expect(
      created["startAt"] == "2026-03-14T11:30:00Z" && created["endAt"] == "2026-03-14T12:15:00Z")
    #expect(created["locationLabel"] == "Joe's")
    #expect(try arkived("yesterday", "at", "7am:", "ran", "5", "km").status == 0)
    #expect(try arkived("today", "at", "3am:", "woke", "up").status == 0)

    let day = try arkived("day", "yesterday", "--json").json
    #expect(day["dayKey"] == "2026-03-13")
    #expect(day["activities"]?.array?.first?["measurements"] == ["km": 5])
    let answer = try arkived("ask", "what did I do with Sam this week?", "--json").json
    #expect(answer["kind"] == "list" && answer["citationCount"] == 1)
    #expect(answer["citations"]?.array?.first?["id"] == created["id"])
    let found = try arkived("search", "lunches", "--tag", "food", "--limit", "5", "--json").json
    #expect(found["results"]?.array?.first?["id"] == created["id"])
    let when = try arkived("when", "the last friday of 2019", "--json").json
    #expect(when["matches"]?.array?.first?["start"] == "2019-12-27T00:00:00")
    #expect(when["matches"]?.array?.first?["end"] == "2019-12-28T00:00:00")
  }

  @Test func aMisspeltCommandIsSavedAndSaid() throws {
    let arkived = try Program()
    let saved = try arkived("serch", "castle")
    #expect(saved.status == 0 && saved.output.contains("serch castle"))
    #expect(
      saved.talk.contains("Saved as an entry. Did you mean `arkived search castle`?"),
      "\(saved.talk)")
    #expect(saved.talk.contains("`arkived undo`"))
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("today", "--json").json["activities"]?.array?.isEmpty == true)
    for line in ["served dinner", "simple lunch", "met Sam", "phoned home"] {
      let words = line.split(separator: " ").map(String.init)
      #expect(try !arkived.run(words).talk.contains("Did you mean"), "\(line)")
    }
    #expect(try arkived("serch", "castle", "--json").talk.isEmpty)
    let help = try arkived("help", "serch")
    #expect(help.status == 64 && help.talk.contains("Did you mean `arkived help search`?"))
    #expect(try arkived("help", "foo").status == 64)
    #expect(try arkived("help", "search").status == 0)
  }

  @Test func aNewNameIsOfferedAsAPerson() throws {
    let arkived = try Program()
    let saved = try arkived("lunch", "with", "Lena")
    #expect(
      saved.talk.contains(
        "Lena isn’t among your people yet. To add them: `arkived person create \"Lena\"`"))
    #expect(try arkived("person", "create", "Lena").status == 0)
    let next = try arkived("tea", "with", "Lena", "--json").json
    #expect(next["suggestedPeople"] == [] && next["created"]?["people"] == ["Lena"])
  }

  @Test func promisesOverdueForLongAreLetGo() throws {
    let arkived = try Program()
    let text = "- [ ] old by 2025-01-02\n- [ ] soon by 2026-03-20\n- [ ] free"
    #expect(try arkived("notes", "add", text, "--title", "Plan").status == 0)
    #expect(try arkived("promises", "let-go").status == 64)
    #expect(try arkived("promises", "let-go", "--overdue", "-1").status == 64)
    let gone = try arkived("promises", "let-go", "--overdue", "60", "--json")
    #expect(gone.json["letGo"]?.array?.count == 1 && gone.json["letGo"]?.array?.first?["line"] == 1)
    #expect(try arkived("notes", "show", "Plan").output.contains("[-] old"))
    #expect(try arkived("promises", "let-go", "--overdue", "60").talk.contains("Nothing changed"))
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("promises", "--json").json["total"] == 3)
  }

  @Test func anImportIsForetoldMappedAndItsDoublesAreMerged() throws {
    let arkived = try Program()
    let watch = try arkived.folder.file(
      "watch.csv", "When,Until,What,Way (km)\n2026-03-10 07:30,2026-03-10 08:15,Running,8.4\n")
    let map = "start=When,end=Until,text=What"
    let told = try arkived("import", watch.path, "--dry-run", "--map", map)
    #expect(told.status == 0 && told.output.contains("measure in km"), "\(told.talk)")
    #expect(told.output.contains("Nothing was changed"))
    #expect(try arkived("import", "list", "--json").json["runs"]?.array?.isEmpty == true)
    let json = try arkived("import", watch.path, "--dry-run", "--map", map, "--json").json
    #expect(json["dryRun"] == true && json["runs"]?.array?.first?["created"] == ["activity": 1])
    #expect(try arkived("import", watch.path, "--map", map, "--profile", "watch").status == 0)
    // A person reads times of their own zone.
    let listed = try arkived("import", "list").output
    #expect(listed.contains("2026-03-14 21:00  ") && !listed.contains("T20:00"), "\(listed)")
    #expect(try arkived("search", "xyzzy").talk.contains("Nothing found"))
    let phone = try arkived.folder.file(
      "phone.csv", "What,When,Until,Way (km)\nRun,2026-03-10 07:31,2026-03-10 08:14,8.5\n")
    #expect(try arkived("import", phone.path).status == 0)
    let found = try arkived("import", "duplicates", "--json").json
    let pair = try #require(found["duplicates"]?.array?.first)
    let kept = try #require(pair["first"]?["id"]?.string)
    let other = try #require(pair["second"]?["id"]?.string)
    let merged = try arkived("import", "duplicates", "--merge", kept, other, "--json")
    #expect(merged.status == 0 && merged.json["merged"]?["id"]?.string == kept)
    #expect(try arkived("day", "2026-03-10", "--json").json["activities"]?.array?.count == 1)
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("day", "2026-03-10", "--json").json["activities"]?.array?.count == 2)
    #expect(try arkived("import", "duplicates", "--keep", kept, other).status == 0)
    #expect(
      try arkived("import", "duplicates", "--json").json["duplicates"]?.array?.isEmpty == true)
    #expect(try arkived("import", "duplicates", "--merge", kept).status == 64)
  }

  @Test func everyCommandPrintsOneDocumentWithJSON() throws {
    let arkived = try Program()
    let id = try #require(try arkived("add", "walk", "--json").json["created"]?["id"]?.string)
    let file = try arkived.folder.file(
      "life.jsonl", #"{"type":"activity","text":"a","dayKey":"2026-01-01"}"#)
    let target = arkived.folder.url.appendingPathComponent("out.jsonl").path
    let commands: [[String]] = [
      ["today"], ["day", "2026-03-14"], ["note", "hello", "--mood", "4"], ["note"],
      ["edit", id, "--text", "long walk", "--start", "10:00"], ["pin", id],
      ["tag", id, "--add", "x"], ["tag"], ["search", "walk"], ["ask", "what did I do today?"],
      ["recap"], ["recap", "yesterday"], ["recap", "week", "2026-03-09"],
      ["recap", "last", "month"], ["insights"], ["insights", "year"],
      ["insights", "time", "--from", "2026-01-01"], ["insights", "compare", "--a", "2026"],
      ["goal", "create", "Run 5 km"], ["goal"], ["goal", "show", "run"],
      ["goal", "progress", "run"],
      ["goal", "actions", "run"], ["goal", "edit", "run", "--notes", "x"], ["value"], ["term"],
      ["term", "create"], ["term", "current"], ["term", "progress"], ["progress"], ["action"],
      ["action", "goals", id], ["match"], ["match", "infer"], ["lifetime"],
      ["history", "diff", "run"], ["goal", "delete", "run", "--yes"],
      ["when", "yesterday"], ["import", file.path], ["import", "list"], ["history"],
      ["history", id], ["export", "-o", target], ["delete", id, "--yes"], ["undo"], ["doctor"],
    ]
    for command in commands {
      let result = try arkived.run(command + ["--json"])
      #expect(result.status == 0, "\(command) \(result.talk)")
      #expect(result.json.object != nil, "\(command) \(result.output.prefix(200))")
    }
    #expect(try arkived("day", "--json").json["activities"]?.array?.first?["text"] == "long walk")
  }

  @Test func anExportAsJSONLinesCountsAttachmentsAndNoFiles() throws {
    let arkived = try Program()
    let target = arkived.folder.url.appendingPathComponent("life.jsonl").path
    #expect(try arkived("add", "walk").status == 0)
    let bare = try arkived("export", "-o", target).output
    #expect(bare.hasPrefix("Exported 1 entry to ") && !bare.contains("0 files"), "\(bare)")
    let photo = try arkived.folder.file("lake.txt", "water")
    #expect(try arkived("add", "swim", "--attach", photo.path).status == 0)
    let whole = try arkived("export", "-o", target).output
    #expect(whole.contains(" and 1 attachment to "), "\(whole)")
  }

  @Test func exitCodesSayWhatWentWrong() throws {
    let arkived = try Program()
    let binary = try arkived.folder.file("x.bin", Data([0, 1, 2, 0xFF]))
    let file = try arkived.folder.file("taken", "x")
    let cases: [([String], Int32)] = [
      (["add"], 65), (["add", "#tag"], 65), (["add", "13:15-12:30 x"], 65), (["day", "never"], 64),
      (["note", "--mood", "9"], 65), (["edit", "ABCDEF", "--text", "x"], 66),
      (["delete", "ABCDEF", "--yes"], 66), (["delete"], 64), (["search", "--limit", "x"], 64),
      (["search", "x", "--mode", "magic"], 64), (["search", "x", "--from", "gibberish"], 64),
      (["import", "/no/such/file"], 66), (["import", binary.path], 65), (["import"], 64),
      (["import", "undo", "ABCDEF"], 66), (["undo"], 66), (["history", "restore", "ABCDEF"], 66),
      (["export", "--format", "pdf"], 64), (["today", "--archive", file.path], 73),
      (["serve", "--port", "99999"], 64), (["add", "x", "--attach", "/no/such/file"], 66),
      (["note", "--replace", ""], 65), (["export", "-o", arkived.folder.url.path], 77),
      (["import", ""], 64), (["inbox", "set", "", "--yes"], 64), (["export", "-o", ""], 64),
      (["backup", "--plain", ""], 64), (["sql", "select"], 65),
      (["sql", "delete from activities"], 77),
    ]
    for (arguments, status) in cases {
      let result = try arkived.run(arguments)
      #expect(result.status == status, "\(arguments) \(result.status) \(result.talk)")
      #expect(!result.talk.isEmpty, "\(arguments)")
      #expect(!result.talk.contains("Fatal"), "\(arguments)")
    }
    for (name, value) in [("ARKIVED_NOW", "noon"), ("ARKIVED_TIME_ZONE", "Mars")] {
      #expect(try arkived("today", environment: [name: value]).status == 64)
    }
  }

  @Test func anImportIsToldOfAgainWithItsRemarks() throws {
    let arkived = try Program()
    let file = try arkived.folder.file(
      "life.jsonl", #"{"type":"activity","text":"a","dayKey":"2026-01-01"}"# + "\n{bad\n")
    let id = try #require(
      try arkived("import", file.path, "--json").json["runs"]?.array?.first?["id"]?.string)
    let run = try arkived("import", "show", String(id.prefix(8)), "--json").json["run"]
    #expect(run?["id"]?.string == id && run?["skipped"]?.int == 1)
    #expect(run?["warnings"]?.array?.first?["place"]?.string?.hasPrefix("life.jsonl:2") == true)
    let told = try arkived("import", "show", id)
    #expect(told.status == 0 && told.output.contains("life.jsonl:2"))
    #expect(try arkived.run(["import", "show", "ABCDEF"]).status == 66)
  }

  @Test func severalFilesOfWhichOneFailsAreOneDocument() throws {
    let arkived = try Program()
    let good = try arkived.folder.file(
      "good.jsonl", #"{"type":"activity","text":"a","dayKey":"2026-01-01"}"#)
    let result = try arkived("import", good.path, "/no/such/file", "--json")
    #expect(result.status == 66)
    #expect(result.json["runs"]?.array?.count == 1 && result.json["error"] != nil)
    #expect(try arkived("ask", "--json").json["error"] != nil)
  }

  @Test func whatIsPipedInIsWrittenOrRefusedWhole() throws {
    let arkived = try Program()
    #expect(try arkived("add", "-", input: Data("on 3 march: dentist\n".utf8)).status == 0)
    #expect(try arkived("add", "-", input: Data([0xC3, 0x28])).status == 65)
    #expect(try arkived("add", "-", input: Data()).status == 65)
    #expect(try arkived("add", "-", input: Data("a\u{0}b".utf8)).status == 65)
    let note = String(repeating: "A long line of a letter.\n", count: 40_000)
    #expect(try arkived("note", "-", input: Data(note.utf8)).status == 0)
    let day = try arkived("day", "--json").json
    #expect(day["note"]?.string?.utf8.count == note.utf8.count - 1)
    #expect(try arkived("day", "2026-03-03", "--json").json["activities"]?.array?.count == 1)
  }

  @Test func anEditedListOfPeopleKeepsNamesWithCommas() throws {
    let arkived = try Program()
    let file = try arkived.folder.file(
      "dinner.jsonl",
      #"{"type":"activity","text":"dinner","dayKey":"2026-03-14","people":["Kim, Alex"]}"#)
    #expect(try arkived("import", file.path).status == 0)
    let dinner = try arkived("day", "2026-03-14", "--json").json["activities"]?.array?.first
    let id = try #require(dinner?["id"]?.string)
    let edited = try arkived("edit", id, "--people", "Kim, Alex, Sam", "--json").json["updated"]
    #expect(edited?["people"] == ["Kim, Alex", "Sam"])
  }

  @Test func aNoteForAnotherDayIsReadFromAPipe() throws {
    let arkived = try Program()
    let letter = Data("Dear Alex".utf8)
    #expect(try arkived("note", "yesterday", "-", input: letter).status == 0)
    #expect(try arkived("day", "yesterday", "--json").json["note"] == "Dear Alex")
    #expect(try arkived("note", "--day", "today", "-", input: letter).status == 0)
    #expect(try arkived("day", "--json").json["note"] == "Dear Alex")
    #expect(try arkived("note", "a", "letter", "-", input: letter).status == 64)
    #expect(try arkived("day", "--json").json["note"] == "Dear Alex")
  }

  @Test func severalPipedLinesAreReadAsByCapture() throws {
    let arkived = try Program()
    let lines = Data("09:00 coffee\n12:30 lunch #food\n".utf8)
    for command in [["add", "-"], ["capture"], []] {
      let saved = try arkived.run(command + ["--json"], input: lines).json["created"]?.array
      #expect(saved?.compactMap { $0["text"]?.string } == ["coffee", "lunch"], "\(command)")
      #expect(saved?.first?["startAt"] == "2026-03-14T08:00:00Z", "\(command)")
    }
    let letter = try arkived("add", "-", "--json", input: Data("tea with Sam\nIt rained.\n".utf8))
    #expect(letter.json["created"]?["text"] == "tea with Sam")
    #expect(letter.json["created"]?["notes"] == "It rained.")
    #expect(letter.json["created"]?["source"] == "manual")
    let both = try arkived("add", "-", "--weather", "rain", input: lines)
    #expect(both.status == 64 && both.talk.contains("2 entries"))
  }

  @Test func deletingAsksAndBothDeletingAndUndoCanBeUndone() throws {
    let arkived = try Program()
    let id = try #require(try arkived("add", "walk", "--json").json["created"]?["id"]?.string)
    let short = String(id.prefix(8))
    #expect(try arkived("delete", short).status == 77)
    #expect(try arkived("delete", short, "--yes").status == 0)
    #expect(try arkived("today", "--json").json["activities"] == [])
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("today", "--json").json["activities"]?.array?.count == 1)
  }

  @Test func attachmentsTravelWithExportAndImport() throws {
    let arkived = try Program()
    let photo = try arkived.folder.file("cat.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 7]))
    let added = try arkived("add", "the cat", "--attach", photo.path, "--json").json["created"]
    #expect(added?["attachments"]?.array?.first?["type"] == "photo")
    let target = arkived.folder.url.appendingPathComponent("out/life.jsonl").path
    #expect(try arkived("export", "-o", target).status == 0)
    let other = try Program()
    #expect(try other("import", target).status == 0)
    #expect(try other("doctor", "--json").json["isWell"] == true)
    #expect(try other("today", "--json").json["activities"]?.array?.first == added)
    #expect(try arkived("export", "--format", "markdown", "-o", target + ".d").status == 0)
  }

  @Test func anEntryStaysOnItsDayWhenTheSystemsZoneChanges() throws {
    let arkived = try Program()
    func here(_ zone: String) -> [String: String] {
      ["TZ": zone, "ARKIVED_TIME_ZONE": "", "ARKIVED_NOW": "2026-03-14T15:30:00Z"]
    }
    let added = try arkived("add", "night train 23:50", environment: here("Europe/Moscow"))
    #expect(added.status == 0)
    for zone in ["America/Sao_Paulo", "Pacific/Apia", "Asia/Tokyo", "Europe/Moscow"] {
      let day = try arkived("day", "2026-03-14", environment: here(zone))
      #expect(day.output.contains("23:50 night train"), "\(zone)")
      let other = try arkived("day", "2026-03-15", "--json", environment: here(zone))
      #expect(other.json["activities"] == [], "\(zone)")
    }
  }

  @Test func anArchiveInMemoryLeavesNothing() throws {
    let arkived = try Program()
    #expect(try arkived("add", "x", "--archive", ":memory:").status == 0)
    #expect(!FileManager.default.fileExists(atPath: arkived.archive))
    #expect(try arkived("today", "--json").json["activities"] == [])
  }

  @Test func aDamagedArchiveIsNamedAndLeftAlone() throws {
    let arkived = try Program()
    let file = try arkived.folder.file("archive/archive.sqlite", "this is not a database at all")
    let result = try arkived("today")
    #expect(result.status == 65 && result.talk.contains("archive.sqlite"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "this is not a database at all")
  }

  @Test func whatCannotBeWrittenIsNamedWithTheReason() throws {
    let arkived = try Program()
    let file = try arkived.folder.file("in-the-way", "kept").path
    let result = try arkived("export", "-o", "\(file)/life.jsonl", "--json")
    #expect(result.status == 73)
    #expect(result.talk == "arkived: \(file): Not a directory. Nothing was changed.\n")
    #expect(result.json["error"]?["code"] == 73)
  }
}
