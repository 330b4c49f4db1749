import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Any filter with any action")
struct SearchActionTests {
  private let arkived: Program

  init() throws {
    arkived = try Program()
    for line in [
      "2024-03-14 09:00: castle #trip", "2026-03-12 at 7:00: ran 5 km #sport (health)",
      "2026-03-12 at 18:00: swam #sport (health)", "yesterday at 19:00: soup with @Priya #food",
      "buy milk #draft",
    ] {
      #expect(try arkived("add", line).status == 0)
    }
    #expect(try arkived("note", "--day", "yesterday", "Rain all day.").status == 0)
  }

  private func titles(_ arguments: String...) throws -> [String] {
    let result = try arkived.run(arguments + ["--json"])
    #expect(result.status == 0, "\(result.talk)")
    return result.json["results"]?.array?.compactMap { $0["title"]?.string } ?? []
  }

  @Test func filtersAloneListWhatPasses() throws {
    #expect(try titles("search", "--on", "yesterday") == ["Rain all day.", "soup with Priya"])
    #expect(
      try titles("search", "--from", "last year", "--to", "last thursday") == ["swam", "ran 5 km"])
    #expect(try titles("search", "--to", "before 2025") == ["castle"])
    #expect(try titles("--on-this-day") == ["castle"])
    #expect(try titles("search", "--on-this-day", "12", "march") == ["swam", "ran 5 km"])
    #expect(
      try titles("search", "--tag", "food,draft", "--not-tag", "draft") == ["soup with Priya"])
    #expect(try titles("search", "--kind", "health", "--sort", "oldest") == ["ran 5 km", "swam"])
    #expect(try titles("search", "--contains", "ILK") == ["buy milk"])
    #expect(try titles("search", "--person", "@Priya") == ["soup with Priya"])
    #expect(try titles("search").count == 6)
  }

  @Test func theNewestComeOldestFirst() throws {
    #expect(try titles("-2") == ["Rain all day.", "buy milk"])
    #expect(try titles("search", "-n", "2", "--kind", "health") == ["ran 5 km", "swam"])
    #expect(try titles("search", "soup", "-1") == ["soup with Priya"])
    #expect(try titles("search", "--limit", "2") == ["buy milk", "Rain all day."])
    #expect(try titles("search", "--limit", "9223372036854775807").count == 6)
    #expect(try titles("search", "soup", "--limit", "9223372036854775807").count == 1)
  }

  /// A script's variable may be unset.
  @Test(arguments: ["--tag", "--not-tag", "--kind", "--source", "--person", "--contains"])
  func anEmptyFilterWidensNoAction(option: String) throws {
    for action in [["--delete", "--yes"], ["--count"], ["--add-tag", "old"]] {
      let refused = try arkived.run(["search", "--tag", "sport", option, ""] + action)
      #expect(refused.status == 64 && refused.talk.contains(option), "\(action) \(refused.talk)")
    }
    #expect(try titles("search", "--tag", "sport") == ["swam", "ran 5 km"])
  }

  @Test func anEmptyWordWidensNoAction() throws {
    for action in [["--delete", "--yes"], ["--count"], ["--add-tag", "old"]] {
      let refused = try arkived.run(["search", "", "--tag", "sport"] + action)
      #expect(refused.status == 64, "\(action) \(refused.talk)")
    }
    #expect(try titles("search", "--tag", "sport") == ["swam", "ran 5 km"])
  }

  @Test func wordsAndNewFiltersGoTogether() throws {
    #expect(try titles("search", "soup", "--not-tag", "food") == [])
    #expect(try titles("search", "soup", "--contains", "Priya") == ["soup with Priya"])
    #expect(try titles("search", "swim", "--sort", "oldest") == ["swam"])
    #expect(try titles("search", "castle", "--pinned") == [])
  }

  @Test("Filters in the line find what the options find, and hold beside them")
  func filtersInTheLine() throws {
    #expect(try titles("search", "tag:sport") == ["swam", "ran 5 km"])
    #expect(try titles("search", "#food soup") == ["soup with Priya"])
    #expect(try titles("search", "tag:spo -tag:food", "--sort", "oldest") == ["ran 5 km", "swam"])
    #expect(try titles("search", "on:yesterday", "--kind", "social") == [])
    #expect(try titles("search", "person:priya", "from:2026-03-01") == ["soup with Priya"])
    #expect(try titles("search", "before:2025") == ["castle"])
    #expect(try titles("search", "soup from:xyzzy") == ["soup with Priya"])
    for line in ["from:xyzzy", "tag:", "-on:march"] {
      #expect(try arkived("search", line).status == 64)
    }
    let said = try arkived("search", "soup from:xyzzy tag:")
    #expect(said.talk.contains("“from:xyzzy” is ignored"), "\(said.talk)")
  }

  @Test("An action takes no filter that is half typed or can’t be read")
  func actionsNeedExactFilters() throws {
    #expect(try arkived("search", "tag:sport", "--count").output == "2\n")
    #expect(try arkived("search", "tag:spo", "--count").output == "0\n")
    for line in ["soup from:xyzzy", "soup tag:", "soup -on:march"] {
      let refused = try arkived("search", line, "--delete", "--yes")
      #expect(refused.status == 64, "\(line) \(refused.talk)")
    }
    for option in ["--kind", "--contains", "--not-tag"] {
      let refused = try arkived(
        "search", "--from", "2020-01-01", option, "", "--delete", "--yes")
      #expect(refused.status == 64 && refused.talk.contains(option), "\(refused.talk)")
    }
    #expect(try arkived("delete", "--day", "", "--yes").status == 64)
    #expect(try arkived("purge", "--from", "", "--to", "", "--yes").status == 64)
    #expect(try arkived("search", "#milk", "--delete", "--yes").talk.contains("0 deleted"))
    #expect(try titles("search").count == 6)
    #expect(try arkived("search", "tag:draft", "--delete", "--yes").status == 0)
    #expect(try titles("search").count == 5)
  }

  @Test(arguments: [
    ["--from", "before 2020"], ["--from", "soonish"], ["--to", "after 2020"], ["--on", "x"],
    ["--on", "monday", "--to", "today"], ["-n", "3", "--limit", "3"], ["-n", "-3"],
    ["--limit", "99999999999999999999"], ["--sort", "up"], ["--format", "pdf"],
    ["--json", "--format", "csv"], ["--edit", "--delete"], ["--pin", "--unpin"],
    ["--add-tag", ","], ["--delete"], ["--on-this-day=never"],
    ["--contains", String(repeating: "x", count: 2_000)],
  ])
  func whatMakesNoSenseIsWrongUsage(arguments: [String]) throws {
    let result = try arkived.run(["search"] + arguments)
    #expect(result.status == 64 && result.json["results"] == nil, "\(result.talk)")
    #expect(result.talk.count > 20)
  }

  @Test func everyFormatShowsTheSame() throws {
    let text = try arkived("search", "--kind", "health")
    #expect(text.output.hasPrefix("2026-03-12 18:00 swam (Health) #sport "))
    #expect(text.talk.hasPrefix("2 entries found"))
    let short = try arkived("search", "--kind", "health", "--format", "short").output
    #expect(short.split(separator: "\n").count == 2 && short.hasPrefix("2026-03-12 18:00 swam "))
    let page = try arkived("search", "--on", "yesterday", "--format", "markdown").output
    #expect(
      page.hasPrefix("# Friday, 13 March 2026\n\nRain all day.\n\n## Timeline\n\n- 19:00 soup"))
    let csv = try arkived("search", "swam", "--format", "csv").output.split(separator: "\n")
    #expect(csv.count == 2 && csv[0].hasPrefix("id,type,dayKey,start,end"))
    #expect(
      csv[1].contains(",activity,2026-03-12,2026-03-12T18:00:00,,Europe/Berlin,health,swam,sport,"))
    for command in ["today", "day", "on-this-day"] {
      for format in ["text", "short", "markdown", "json", "jsonl", "csv"] {
        #expect(try arkived(command, "--format", format).status == 0, "\(command) \(format)")
      }
    }
  }

  @Test func tablesHoldNoFormula() throws {
    let formula = "=HYPERLINK(\"http://x\") tango"
    let file = try arkived.folder.file(
      "formula.jsonl",
      """
      {"type":"activity","text":\(JSON.string(formula).text()),"dayKey":"2026-03-11",\
      "notes":"-2+3","tags":["+tag"]}
      {"type":"day","dayKey":"2026-03-11","title":"@tango","note":"  =1+1 tango"}

      """)
    #expect(try arkived("import", file.path).status == 0)
    for command in [["search", "tango"], ["day", "2026-03-11"]] {
      let table = try arkived.run(command + ["--format", "csv"]).output
      #expect(table.contains(",\"'=HYPERLINK(\"\"http://x\"\") tango\",'+tag,"), "\(table)")
      #expect(table.contains(",'-2+3,") && table.contains(",'@tango,"), "\(table)")
      #expect(table.contains(",'  =1+1 tango,"), "\(table)")
    }
  }

  @Test func linesForProgramsCanBeImportedAgain() throws {
    let lines = try arkived("search", "--tag", "sport,food", "--format", "jsonl")
    let file = try arkived.folder.file("part.jsonl", lines.output)
    let other = try Program()
    #expect(try other("import", file.path).status == 0)
    func soup(_ program: Program) throws -> [String: JSON] {
      let line = try JSON(parsing: program("search", "soup", "--format", "jsonl").output)
      // The import notes what it knows the entry by.
      return Dictionary(
        uniqueKeysWithValues: (line.object?.members ?? []).map { ($0.key, $0.value) }
      )
      .filter { !["externalRefs", "mentions"].contains($0.key) }
    }
    #expect(try soup(other) == soup(arkived))
    #expect(try soup(arkived)["text"] == "soup with Priya")
  }

  @Test func taggingManyIsOneChangeAndWarnsOfALikeness() throws {
    let changed = try arkived(
      "search", "--kind", "health", "--add-tag", "sports,#outside", "--remove-tag", "SPORT",
      "--pin",
      "--json")
    #expect(changed.json["updated"]?.array?.count == 2)
    #expect(changed.json["updated"]?.array?.first?["tags"] == ["sports", "outside"])
    #expect(changed.talk.contains("2 entries found, 2 changed"))
    #expect(changed.talk.contains("#sports is new. Did you mean #sport (2 entries)?"))
    #expect(try titles("search", "--starred").count == 2)
    #expect(try arkived("undo").status == 0)
    #expect(try titles("search", "--tag", "sport").count == 2)
    let notes = try arkived("search", "--on", "yesterday", "--add-tag", "wet")
    #expect(notes.talk.contains("2 entries found, 1 changed; 1 day note unchanged"))
    #expect(try arkived("search", "--pinned", "--unpin").talk.contains("0 entries found"))
    for action in [["--add-tag", "all"], ["--remove-tag", "food"], ["--pin"], ["--unpin"]] {
      let all = try arkived.run(["search"] + action)
      #expect(all.status == 64 && all.talk.contains("Specify what to change"), "\(all.talk)")
    }
    #expect(try titles("search", "--tag", "food").count == 1)
    #expect(try arkived("search", "--tags", "--kind", "health").output == "2\t#sport\n")
    #expect(try arkived("search", "--count", "--json").json["count"] == 6)
    #expect(try arkived("search", "swim", "--count").output == "1\n")
  }

  @Test func deletingAsksForAllThatIsFound() throws {
    let refused = try arkived("search", "--tag", "draft", "--delete")
    #expect(refused.status == 77 && refused.talk.contains("buy milk"))
    let none = try arkived("search", "milk butter", "--delete", "--yes")
    // A search would show what holds some of the words; an action never takes that.
    #expect(none.status == 0 && none.talk.contains("0 deleted"))
    #expect(try arkived("search", "what did I do yesterday?", "--delete", "--yes").status == 64)
    let deleted = try arkived("search", "--on", "yesterday", "--delete", "--yes", "--json")
    #expect(deleted.json["deleted"]?.array?.count == 2 && deleted.talk.contains("2 deleted"))
    #expect(try titles("search").count == 4)
    #expect(try arkived("undo").status == 0)
    #expect(try titles("search").count == 6)
  }

  @Test func atATerminalTheAnswerCounts() throws {
    let no = try arkived.atTerminal(["search", "--kind", "health", "--delete"], typing: "n\n")
    #expect(no.status == 77 && no.screen.contains("Delete these 2 entries? [y/N]"))
    #expect(no.screen.contains("Nothing was deleted."))
    #expect(try titles("search").count == 6)
    let yes = try arkived.atTerminal(["search", "--kind", "health", "--delete"], typing: "y\n")
    #expect(yes.status == 0 && yes.screen.contains("2 deleted"))
    #expect(try titles("search").count == 4)
  }

  @Test func onThisDayTellsOfPastYears() throws {
    let days = try arkived("on-this-day", "--json").json["days"]?.array ?? []
    #expect(days.compactMap { $0["dayKey"]?.string } == ["2024-03-14"])
    #expect(try arkived("on-this-day").output.hasPrefix("2 years ago\nThursday, 14 March 2024"))
    #expect(try arkived("today-in-history", "1 january").talk.contains("1 January"))
    #expect(try arkived("on-this-day", "march").status == 64)
  }

  @Test func shortIdentitiesAreTakenEverywhere() throws {
    let line = try arkived("search", "milk").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let id = try #require(line.split(separator: " ").last.map(String.init))
    #expect(id.count == 8)
    for command in [
      ["edit", id, "--text", "buy bread"], ["pin", id], ["tag", id, "--add", "x"], ["history", id],
      ["delete", id.lowercased(), "--yes"], ["history", id],
    ] {
      #expect(try arkived.run(command).status == 0, "\(command)")
    }
    let note = try #require(
      try arkived("search", "--contains", "rain", "--format", "short").output
        .split(separator: " ").last)
    #expect(try arkived("history", note.trimmingCharacters(in: .newlines)).status == 0)
    #expect(try arkived("pin", note.trimmingCharacters(in: .newlines)).status == 64)
    #expect(try arkived("delete", note.trimmingCharacters(in: .newlines), "--yes").status == 0)
  }
}
