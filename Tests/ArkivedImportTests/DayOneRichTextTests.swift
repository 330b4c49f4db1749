import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Rich text as Day One for macOS 1552 exports it (a string of JSON with `contents`), as the maker's
/// sample has it (an object), and as its specification has it (`nodes`).
@Suite("Day One: rich text")
struct DayOneRichTextTests {
  private func read(_ contents: JSON, text: JSON = .null) throws -> Activity {
    let document: JSON = [
      "contents": contents,
      "meta": [
        "created": ["platform": "com.bloombuilt.dayone-mac", "version": 1552],
        "small-lines-removed": true, "version": 1,
      ],
    ]
    return try DayOneReading.one(["text": text, "richText": .string(document.text())])
  }

  private func line(_ text: String, _ style: JSON, _ identifier: String? = nil) -> JSON {
    var line = style.object ?? [:]
    if let identifier { line["identifier"] = .string(identifier) }
    return ["attributes": ["line": .object(line)], "text": .string(text)]
  }

  @Test func everyKindOfLineAndObjectBecomesMarkdown() throws {
    let entry = try read([
      line("Header 1\n", ["header": 1], "A"), line("Header 2\n", ["header": 2], "B"),
      line("Quote block\n", ["indentLevel": 1, "quote": true], "C"), ["text": "\n"],
      ["attributes": ["highlightedColor": "ffc107cc"], "text": "Highlighted"], ["text": "\n"],
      ["embeddedObjects": [["type": "horizontalRuleLine"]]], ["text": "\n"],
      ["attributes": ["bold": true], "text": "Bold"], ["text": " and "],
      ["attributes": ["italic": true], "text": "italic "],
      ["attributes": ["strikethrough": true], "text": "struck"], ["text": "\n\n"],
      line("List item 1\n", ["indentLevel": 1, "listStyle": "bulleted"], "D"),
      line("Nested\n", ["indentLevel": 2, "listStyle": "bulleted"], "E"),
      line("\n", ["header": 0], "F"),
      line("Open\n", ["checked": false, "indentLevel": 1, "listStyle": "checkbox"], "G"),
      line("Done\n", ["checked": true, "indentLevel": 1, "listStyle": "checkbox"], "H"),
      line("\n", ["header": 0], "I"),
      line("One\n", ["indentLevel": 1, "listIndex": 5, "listStyle": "numbered"], "J"),
      line("Two\n", ["indentLevel": 1, "listStyle": "numbered"], "K"),
      line("\n", ["header": 0], "L"),
      ["attributes": ["inlineCode": true, "line": ["header": 0]], "text": "a`b"],
      ["text": " 5 * 3. Really! [x] 1. no list\n"],
      line("let x = 1\n", ["codeBlock": true], "M"), line("\n", ["codeBlock": true], "N"),
      line("// # \\. end\n", ["codeBlock": true], "O"),
      ["attributes": ["linkURL": "https://e.org/a(b)"], "text": "a page"], ["text": " "],
      ["attributes": ["autolink": true], "text": "https://e.org/x_y"],
    ])
    #expect(entry.text == "Header 1")
    #expect(
      entry.notes == """
        ## Header 2

        > Quote block

        Highlighted

        ---

        **Bold** and *italic* ~~struck~~

        - List item 1
            - Nested

        - [ ] Open
        - [x] Done

        5. One
        6. Two

        ``a`b`` 5 * 3. Really! [x] 1. no list

        ```
        let x = 1

        // # \\. end
        ```

        [a page](<https://e.org/a(b)>) <https://e.org/x_y>
        """)
  }

  @Test func whatWasWrittenPlainStaysPlainInMarkdown() throws {
    let entry = try read([["text": "Title\n# no heading\n*no emphasis*\n1. no list\n<b>"]])
    #expect(
      entry.notes == ##"\# no heading"## + "\n" + #"\*no emphasis\*"# + "\n" + #"1\. no list"#
        + "\n"
        + #"\<b>"#)
  }

  @Test func textWithoutWordsGivesWayToRichText() throws {
    let contents: JSON = [["text": "From the rich text\nmore"]]
    #expect(try read(contents).text == "From the rich text")
    #expect(try read(contents, text: "").text == "From the rich text")
    #expect(try read(contents, text: " \n\u{200B}").notes == "more")
    #expect(try read(contents, text: "From the text").text == "From the text")
  }

  @Test func richTextMayBeAnObjectAndItsListNodes() throws {
    let object = try DayOneReading.one([
      "text": "",
      "richText": [
        "meta": ["version": 1],
        "contents": [
          ["attributes": ["italic": true], "text": "Imaginary trip"],
          ["attributes": [:], "text": "\nfictional content only."],
        ],
      ],
    ])
    #expect(object.text == "Imaginary trip" && object.notes == "fictional content only.")
    let nodes: JSON = [
      "meta": [:],
      "nodes": [
        ["attributes": ["italic": true], "text": "Hello, "],
        ["attributes": ["bold": true], "text": "world!"],
        ["attributes": ["line": ["header": 3]], "text": "\nA list:"],
        ["attributes": ["line": ["listStyle": "bulleted"]], "text": "Item one"],
        ["attributes": ["line": ["listStyle": "bulleted", "indentLevel": 2]], "text": "Item two"],
        ["attributes": ["line": ["listStyle": "bulleted"]], "text": "Item three"],
        ["attributes": ["line": ["listStyle": "bulleted"]], "text": "Item four"],
      ],
    ]
    let entry = try DayOneReading.one(["text": nil, "richText": .string(nodes.text())])
    #expect(entry.text == "*Hello,* **world!**")
    #expect(
      entry.notes == """
        ### A list:

        - Item one
            - Item two
        - Item three
        - Item four
        """)
  }

  @Test func mediaStandWhereTheyStood() throws {
    let document: JSON = [
      "contents": [
        ["text": "Before\n"],
        ["embeddedObjects": [["type": "photo", "identifier": "P1"]]],
        ["embeddedObjects": [["type": "video", "identifier": "V1"]]], ["text": "After"],
      ]
    ]
    let entry = try DayOneReading.one([
      "text": nil, "richText": .string(document.text()),
      "photos": [DayOneReading.photo("P1", md5: "0123456789abcdef0123456789abcdef")],
      "videos": [["identifier": "V1", "md5": "fedcba9876543210fedcba9876543210", "type": "mov"]],
    ])
    #expect(entry.text == "Before")
    #expect(
      entry.notes == """
        ![photo](attachment:0123456789abcdef0123456789abcdef.jpeg)

        ![video](attachment:fedcba9876543210fedcba9876543210.mov)

        After
        """)
  }

  /// Objects of Apple's journalling suggestions (Day One for iOS, 2023 and 2024), which the text
  /// beside the rich text leaves out.
  @Test func whatSuggestionsSayIsAddedToTheText() throws {
    let objects: JSON = [
      [
        "embeddedObjects": [
          ["type": "song", "song": "Favorite Song", "artist": "Random Artist", "album": "First"]
        ]
      ],
      ["embeddedObjects": [["type": "contact", "name": "Matt"]]],
      [
        "embeddedObjects": [
          [
            "type": "stateOfMind", "kindDisplayName": "Momentary Emotion", "valence": 0.5,
            "valenceClassificationDisplayName": "Very Pleasant",
            "labelsDisplayNames": ["Calm", "Confident"],
          ]
        ]
      ],
      ["embeddedObjects": [["type": "workout", "displayName": "Bowling", "distance": 14145.0]]],
      ["embeddedObjects": [["type": "photo", "identifier": "P1"]]],
    ]
    let entry = try read(objects, text: "A day\n\nwith Matt")
    #expect(
      entry.notes == """
        with Matt

        - Song: Favorite Song, Random Artist, First
        - Momentary Emotion: Very Pleasant, Calm, Confident
        - Workout: Bowling, 14145 m
        """)
    #expect(try read(objects).text == "Song: Favorite Song, Random Artist, First")
  }

  @Test func tablesKeepTheirCells() throws {
    let cell: (String) -> JSON = { ["content": [["text": .string($0)]]] }
    let entry = try read([
      ["text": "Table\n"],
      [
        "embeddedObjects": [
          [
            "type": "table",
            "rows": [[cell("Name"), cell("Value")], [cell("foo"), cell("bar")]],
          ]
        ]
      ],
    ])
    #expect(entry.notes == "| Name | Value |\n| --- | --- |\n| foo | bar |")
  }

  @Test func brokenRichTextIsToldAndCostsNothingElse() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([
        DayOneReading.entry(["uuid": "A", "richText": "{\"contents\":[{"]),
        DayOneReading.entry([
          "uuid": "B", "text": nil, "richText": "{\"contents\":[{", "location": ["country": "Peru"],
        ]),
        DayOneReading.entry(["uuid": "C", "text": nil, "richText": "{}"]),
        DayOneReading.entry([
          "uuid": "D", "text": nil, "richText": ["contents": [1, "x", ["text": 3], [:]]],
        ]),
      ]))
    #expect(sink.activities.map(\.text) == ["Words", "Peru"])
    #expect(
      sink.diagnostics.map(\.place) == [
        "Journal.json entry 2 (uuid B) field “richText”",
        "Journal.json entry 3 (uuid C) field “text”", "Journal.json entry 4 (uuid D) field “text”",
      ])
  }
}
