import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite struct JrnlJSONTests {
  /// As jrnl 4.6 exports it.
  private static let export = """
    {
      "tags": {
        "@sam": 1,
        "+bar": 1
      },
      "entries": [
        {
          "title": "A fine day with @Sam and foo@bar.com.",
          "body": "We walked.\\r\\n\\r\\n  on\\n",
          "date": "2016-05-07",
          "time": "09:30",
          "tags": [
            "@sam"
          ],
          "starred": false
        },
        {
          "title": "Star day +bar #none, \\u00e9\\ud83c\\udf89",
          "body": "",
          "date": "2016-05-08",
          "time": "19:30",
          "tags": [
            "+bar",
            "@gone"
          ],
          "starred": true
        }
      ]
    }
    """

  @Test func entriesOfVersion4ComeIn() throws {
    #expect(JrnlReading.recognises(Self.export, "x.json"))
    let read = try JrnlReading.read(Self.export, name: "j.json")
    #expect(
      read.titles == ["A fine day with @Sam and foo@bar.com.", "Star day +bar #none, é🎉"])
    #expect(read.bodies == ["We walked.\n\n  on", ""])
    #expect(read.walls == ["2016-05-07T09:30:00", "2016-05-08T19:30:00"])
    #expect(read.activities.map(\.tags) == [["Sam"], ["bar", "gone"]])
    #expect(read.activities.map(\.isPinned) == [false, true])
    #expect(read.places == ["j.json:7", "j.json:17"])
    #expect(read.problems.isEmpty)
  }

  /// jrnl 2.0 and older list tags for the whole journal alone.
  @Test func theJournalsSymbolsTellTheTagsWhereEntriesListNone() throws {
    let read = try JrnlReading.read(
      """
      {"tags": {"+bar": 1}, "entries": [
      {"title": "+bar @sam", "body": "x\\n\\n", "date": "2016-05-07", "time": "09:30",
       "starred": false}]}
      """, name: "j.json")
    #expect(read.activities.map(\.tags) == [["bar"]])
    let none = try JrnlReading.read(
      """
      {"tags": {}, "entries": [{"title": "+bar @sam", "date": "2016-05-07", "time": "09:30"}]}
      """, name: "j.json")
    #expect(none.activities.map(\.tags) == [[]])
    let after = try JrnlReading.read(
      """
      {"entries": [{"title": "+bar @sam", "date": "2016-05-07", "time": "09:30"}], "tags": {}}
      """, name: "j.json")
    #expect(after.activities.map(\.tags) == [["sam"]])
  }

  /// What text and JSON of the same journal say, across versions.
  @Test func textAndJSONGiveTheSameReferencesAndHashes() throws {
    let text = try JrnlReading.read(
      "[2016-05-07 09:30:11 AM] Same\n\n[2016-05-07 09:30:40 AM] Same\nbody  \n\n  more \n\n"
        + "[2016-05-07 09:31:00 AM] *Great*  day\t*\n\n[2016-05-08] Day\n\n"
        + "[2016-05-08 09:00] This is *important*\n    code\n")
    let json = try JrnlReading.read(
      """
      {"tags": {}, "entries": [
      {"title": "Same", "body": "", "date": "2016-05-07", "time": "09:30", "starred": false},
      {"title": "Same", "body": "body\\n\\n  more", "date": "2016-05-07", "time": "09:30"},
      {"title": "Great*  day", "body": "", "date": "2016-05-07", "time": "09:31", "starred": true},
      {"title": "Day", "body": "", "date": "2016-05-08", "time": "00:00", "starred": false},
      {"title": "This is *important", "body": "code\\n\\n", "date": "2016-05-08", "time": "09:00",
       "starred": true}]}
      """, name: "j.json")
    #expect(text.identifiers == json.identifiers)
    #expect(text.hashes == json.hashes)
    #expect(Set(text.identifiers).count == 5)
    #expect(text.identifiers[1] == text.identifiers[0] + "/2")
  }

  @Test func whatAnEntrySaysDecidesItsHash() throws {
    func hash(_ line: String) throws -> String {
      try #require(try JrnlReading.read(line, name: "j.jrnl").hashes.first)
    }
    let plain = try hash("[2016-05-07 09:30] Title\nbody one\nbody two\n")
    for other in [
      "[2016-05-07 09:30] Title *\nbody one\nbody two\n",
      "[2016-05-07 09:30] title\nbody one\nbody two\n",
      "[2016-05-07 09:30] Title\nbody one body two\n",
      "[2016-05-07 09:30] Title\nbody one\n\nbody two\n",
      "[2016-05-07 09:30] Title\nbody one\nbody two!\n",
    ] { #expect(try hash(other) != plain) }
    #expect(try hash("[2016-05-07 09:30:59]  Title \nbody one \nbody two\n\n\n") == plain)
  }

  /// `jrnl --export json --file FOLDER/` writes a file for each entry.
  @Test func theFileOfASingleEntryComesIn() throws {
    let single = """
      {
        "title": "A fine day",
        "body": "We walked.",
        "date": "2016-05-07",
        "time": "09:30",
        "tags": ["#x"],
        "starred": true
      }
      """
    #expect(JrnlReading.recognises(single, "2016-05-07_a-fine-day.json"))
    let read = try JrnlReading.read(single, name: "2016-05-07_a-fine-day.json")
    #expect(read.titles == ["A fine day"])
    #expect(read.activities.map(\.isPinned) == [true])
    #expect(read.activities.map(\.tags) == [["x"]])
    let text = try JrnlReading.read("[2016-05-07 09:30] A fine day *\nWe walked.\n")
    #expect(read.identifiers == text.identifiers && read.hashes == text.hashes)
  }

  @Test func damagedEntriesAreNamedAndTheOthersComeIn() throws {
    let read = try JrnlReading.read(
      """
      {"tags": {"@a": 1}, "version": 7, "entries": [
      {"title": "A", "body": "", "date": "2016-05-07", "time": "09:30", "mood": 1, "uuid": "X"},
      {"title": "B", "body": "", "date": "2016-02-30", "time": "09:30"},
      {"title": "C", "body": "", "time": "09:30"},
      {"title": "D", "body": "", "date": "2016-05-07", "time": "25:00"},
      {"title": 5, "body": "", "date": "2016-05-07", "time": "09:30"},
      {"title": "F", "date": "2016-05-07", "time": "09:30", "starred": "yes"},
      {"title": "G", "date": "2016-05-07", "time": "09:30", "tags": [1]},
      {"title": "\\ud800", "date": "2016-05-07", "time": "09:30"},
      7,
      {"title": "", "body": "First\\nsecond", "date": "16-5-7", "time": ""},
      {"title": "", "body": " \\n", "date": "2016-05-07", "time": "09:30"},
      {"title": "N\\u0000UL", "date": "2016-05-07", "time": "09:30:15", "mood": 2}
      ]}
      """, name: "j.json")
    #expect(read.titles == ["A", "First", "NUL"])
    #expect(read.walls == ["2016-05-07T09:30:00", "0016-05-07", "2016-05-07T09:30:15"])
    #expect(
      read.problems.map(\.place) == [
        "j.json:1 field “version”", "j.json:2 field “mood”", "j.json:2 field “uuid”",
        "j.json:3 field “date”",
        "j.json:4 field “date”", "j.json:5 field “time”", "j.json:6 field “title”",
        "j.json:7 field “starred”", "j.json:8 field “tags”", "j.json:9", "j.json:10",
        "j.json:12", "j.json:13",
      ])
    #expect(read.problems.filter { $0.severity == .skipped }.count == 9)
  }

  @Test func everyCutOfAnExportComesInOrIsRefusedWithItsPlace() throws {
    let bytes = Array(Self.export.utf8)
    for count in stride(from: 0, through: bytes.count, by: 3) {
      do {
        let read = try JrnlReading.read(Data(bytes[..<count]), name: "j.json")
        #expect(count == bytes.count || read.problems.last?.severity == .skipped)
      } catch let refusal as ImportRefusal {
        #expect(refusal.place.hasPrefix("j.json:"))
      }
    }
  }

  @Test(arguments: [
    "{\"tags\": {}, \"entries\": 5}", "{\"tags\": {}}", "{\"tags\" {}}", "{\"entries\": [}",
    "{\"tags\": {}, \"entries\": [] x", "{\"tags\": {}, \"entries\": [{}{}]}",
    "{\"entries\": [[[[[[",
  ])
  func whatIsNoExportIsRefused(text: String) throws {
    #expect(throws: ImportRefusal.self) {
      try JrnlReading.read(text, name: "j.json")
    }
  }

  @Test func anEmptyExportSaysSo() throws {
    let read = try JrnlReading.read("{\"tags\": {}, \"entries\": []}", name: "j.json")
    #expect(read.activities.isEmpty)
    #expect(read.problems.map(\.severity) == [.note])
  }

  @Test func powerShellsUTF16IsRead() throws {
    var data = Data([0xFF, 0xFE])
    for unit in Self.export.utf16 {
      data.append(contentsOf: [UInt8(unit & 255), UInt8(unit >> 8)])
    }
    #expect(JrnlReading.recognises(Array(data), "out.json"))
    #expect(try JrnlReading.read(data, name: "out.json").activities.count == 2)
  }
}
