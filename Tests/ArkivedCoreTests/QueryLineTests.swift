import ArkivedCore
import Foundation
import Testing

@Suite("A line in a search field")
struct QueryLineTests {
  /// Parts as text: words as they are, filters as `name=value|value`, with `-` and `~` in front
  /// for what is left out and what was written with a sign; `…` stands before what is unfinished.
  private func reading(of line: QueryLine) -> [String] {
    line.parts.map { part in
      switch part {
      case .word(let text): text
      case .unfinished(let text): "…\(text)"
      case .filter(let filter):
        (filter.isExcluded ? "-" : "") + (filter.isMark ? "~" : "") + filter.name.rawValue + "="
          + filter.values.joined(separator: "|")
      }
    }
  }

  private static let table: [(String, [String])] = [
    // Words stay as they are.
    ("", []),
    ("   ", []),
    ("castle", ["castle"]),
    ("run  river", ["run", "river"]),
    ("\"half marathon\" -injury", ["\"half marathon\"", "-injury"]),
    ("run* *port*", ["run*", "*port*"]),
    ("“ran along” «le vin» „so da“", ["“ran along”", "«le vin»", "„so da“"]),
    ("-\"not this\"", ["-\"not this\""]),
    ("a-b -- - x", ["a-b", "--", "-", "x"]),
    ("\"open phrase tag:work", ["\"open phrase tag:work"]),
    ("\"tag:work\"", ["\"tag:work\""]),
    ("東京で 走った", ["東京で", "走った"]),
    ("what did I do with Alex?", ["what", "did", "I", "do", "with", "Alex?"]),
    // Colons in ordinary text.
    ("10:30", ["10:30"]),
    ("at 10:30-11:00", ["at", "10:30-11:00"]),
    ("http://example.org/a:b", ["http://example.org/a:b"]),
    ("note: buy milk", ["note:", "buy", "milk"]),
    ("re:tag", ["re:tag"]),
    ("my-tag:work", ["my-tag:work"]),
    ("stage:work", ["stage:work"]),
    ("(tag:work)", ["(tag:work)"]),
    (":", [":"]),
    (":work", [":work"]),
    ("tag", ["tag"]),
    ("tag :work", ["tag", ":work"]),
    ("tág:work", ["tág:work"]),
    ("12:on:34", ["12:on:34"]),
    // One filter each.
    ("tag:work", ["tag=work"]),
    ("TAG:Work", ["tag=Work"]),
    ("person:alex", ["person=alex"]),
    ("person:\"Alex Doe\"", ["person=Alex Doe"]),
    ("person:“Alex Doe”", ["person=Alex Doe"]),
    ("kind:health", ["kind=health"]),
    ("source:jrnl", ["source=jrnl"]),
    ("from:march", ["from=march"]),
    ("to:2019-03-14", ["to=2019-03-14"]),
    ("on:yesterday", ["on=yesterday"]),
    ("before:2017 after:2015", ["before=2017", "after=2015"]),
    ("is:pinned", ["is=pinned"]),
    ("to:2019-03-14T10:30:00Z", ["to=2019-03-14T10:30:00Z"]),
    ("tag:#work", ["tag=#work"]),
    ("tag:a:b", ["tag=a:b"]),
    ("kind:work/life", ["kind=work/life"]),
    // Several values, and none.
    ("tag:food,drink", ["tag=food|drink"]),
    ("tag:\"eat, drink\",food", ["tag=eat, drink|food"]),
    ("tag:food,,drink,", ["tag=food|drink"]),
    ("from:march,2019", ["from=march,2019"]),
    ("tag:", ["…tag:"]),
    ("tag: work", ["…tag:", "work"]),
    ("tag:\"", ["…tag:\""]),
    ("tag:\"\" x", ["…tag:\"\"", "x"]),
    ("tag:,", ["…tag:,"]),
    ("person:\"Alex D", ["person=Alex D"]),
    ("from:ma", ["from=ma"]),
    // Left out.
    ("-tag:work", ["-tag=work"]),
    ("-tag:a,b", ["-tag=a|b"]),
    ("--tag:work", ["--tag:work"]),
    ("- tag:work", ["-", "tag=work"]),
    ("-tag:", ["…-tag:"]),
    // Signs.
    ("#work", ["~tag=work"]),
    ("@alex", ["~person=alex"]),
    ("@Alex.Kim", ["~person=Alex.Kim"]),
    ("@\"Alex Kim\" x", ["~person=Alex Kim", "x"]),
    ("#\"deep work\"", ["~tag=deep work"]),
    ("-#work", ["-~tag=work"]),
    ("#work, #food.", ["~tag=work", "~tag=food"]),
    ("#1 #42", ["#1", "#42"]),
    ("# @ #- @.", ["#", "@", "#-", "@."]),
    ("alex@example.org", ["alex@example.org"]),
    ("@alex@example.org", ["@alex@example.org"]),
    ("a#b c@d", ["a#b", "c@d"]),
    ("#été @Jürgen", ["~tag=été", "~person=Jürgen"]),
    ("#🏃", ["~tag=🏃"]),
    ("#❤️ #👨‍👩‍👧 x", ["~tag=❤️", "~tag=👨‍👩‍👧", "x"]),
    ("#\"2024\" #2024", ["~tag=2024", "#2024"]),
    ("#\"C (draft)\"", ["~tag=C (draft)"]),
    ("#2024trip", ["~tag=2024trip"]),
    // All together.
    (
      "tag:work from:march person:alex \"exact phrase\" -not",
      ["tag=work", "from=march", "person=alex", "\"exact phrase\"", "-not"]
    ),
    ("castle tag:trip is:pinned -rain", ["castle", "tag=trip", "is=pinned", "-rain"]),
    ("tag:a\"b\"", ["tag=a", "\"b\""]),
    ("tag:\"a\"b", ["tag=a", "b"]),
    ("a\"b c\"d", ["a", "\"b c\"", "d"]),
    ("x\u{a0}tag:work\u{3000}y", ["x", "tag=work", "y"]),
  ]

  @Test("is read into words and filters", arguments: table)
  func isReadIntoWordsAndFilters(line: String, parts: [String]) {
    #expect(reading(of: QueryLine(line)) == parts)
  }

  @Test("takes words that belong together where they are known to")
  func takesWordsThatBelongTogether() {
    let known: Set<String> = ["last month", "alex kim", "march 2019"]
    func read(_ line: String) -> [String] {
      reading(of: QueryLine(line) { known.contains($1) })
    }
    #expect(read("from:last month run") == ["from=last month", "run"])
    #expect(read("person:alex kim tag:x") == ["person=alex kim", "tag=x"])
    #expect(read("person:alex castle") == ["person=alex", "castle"])
    #expect(read("from:march 2019 to:x") == ["from=march 2019", "to=x"])
    #expect(read("from:\"last\" month") == ["from=last", "month"])
    #expect(read("from:last \"month\"") == ["from=last", "\"month\""])
    #expect(read("from: last month") == ["…from:", "last", "month"])
  }

  @Test("gives its words back for the search of words")
  func givesItsWordsBack() {
    let line = QueryLine("tag:work \"exact phrase\" person:alex -not wo*")
    #expect(line.words == "\"exact phrase\" -not wo*")
    #expect(
      WordQuery(line.words).terms == [
        .init(text: "exact phrase", form: .phrase), .init(text: "not", isExcluded: true),
        .init(text: "wo", form: .prefix),
      ])
    #expect(line.filters.map(\.text) == ["tag:work", "person:alex"])
  }

  @Test("of any length and content is read in the same way twice, and never asks too much")
  func anyTextIsALine() {
    let pieces = [
      "\"", "«", "tag:", "#", "@", "-", ",", " ", "\u{0}", "\u{301}", "a", "👨‍👩‍👧", "from:last ", "“",
      "\r\n", "kind:\"", ":",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let line = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let read = QueryLine(line)
      #expect(QueryLine(read.words).filters.isEmpty, "\(line.debugDescription)")
    }
    for piece in pieces {
      var asked = 0
      let long = QueryLine(String(repeating: piece + "x ", count: 20_000)) { _, words in
        asked += 1
        return words.isEmpty
      }
      #expect(long.filters.count <= QueryLine.filterLimit)
      #expect(asked <= 3 * QueryLine.filterLimit)
    }
  }

  @Test(
    "quotes a value where it needs quotes",
    arguments: [
      ("work", "work"), ("Alex Kim", "\"Alex Kim\""), ("eat, drink", "\"eat, drink\""),
      ("the \"end\"", "“the \"end\"”"), ("", "\"\""),
    ])
  func quotesAValue(value: String, quoted: String) {
    #expect(QueryLine.quoted(value) == quoted)
    if !value.isEmpty {
      #expect(QueryLine("tag:" + quoted).filters.first?.values == [value])
    }
  }

  /// The line with its cursor as `|`, what is completed, what is typed of it, and what is replaced.
  private static let cursors: [(String, QueryCursor.Subject?, String, String)] = [
    ("ta|", .word, "ta", "ta"),
    ("run ta|", .word, "ta", "ta"),
    ("t|ag", nil, "", ""),
    ("-pers|", .word, "pers", "pers"),
    ("|tag:", nil, "", ""),
    ("ta|g:work", nil, "", ""),
    ("tag:|", .value(.tag), "", ""),
    ("tag:wo|", .value(.tag), "wo", "wo"),
    ("tag:wo|rk castle", .value(.tag), "wo", "work"),
    ("tag:food,wo|", .value(.tag), "wo", "wo"),
    ("tag:food,|", .value(.tag), "", ""),
    ("tag:fo|od,wo", .value(.tag), "fo", "food"),
    ("-tag:wo|", .value(.tag), "wo", "wo"),
    ("#|", .value(.tag), "", "#"),
    ("#wo|", .value(.tag), "wo", "#wo"),
    ("#wo| castle", .value(.tag), "wo", "#wo"),
    ("-#wo|", .value(.tag), "wo", "#wo"),
    ("@|", .value(.person), "", "@"),
    ("x @al|", .value(.person), "al", "@al"),
    ("@\"Alex K|", .value(.person), "Alex K", "@\"Alex K"),
    ("person:\"Alex K|", .value(.person), "Alex K", "\"Alex K"),
    ("person:\"Al|ex Kim\" x", .value(.person), "Al", "\"Alex Kim\""),
    ("é tag:é|", .value(.tag), "é", "é"),
    ("\"phrase|\"", nil, "", ""),
    ("word |", nil, "", ""),
    ("|", nil, "", ""),
    ("from:ma|", .value(.from), "ma", "ma"),
  ]

  @Test("knows what is being typed at the cursor", arguments: cursors)
  func knowsWhatIsBeingTyped(
    marked: String, subject: QueryCursor.Subject?, prefix: String, replaced: String
  ) throws {
    let halves = marked.split(separator: "|", omittingEmptySubsequences: false)
    let line = halves.joined()
    let cursor = QueryCursor(line, at: halves[0].unicodeScalars.count)
    #expect(cursor?.subject == subject)
    guard let cursor else { return }
    #expect(cursor.prefix == prefix)
    let scalars = Array(line.unicodeScalars)[cursor.range]
    #expect(String(String.UnicodeScalarView(scalars)) == replaced)
  }
}
