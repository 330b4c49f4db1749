import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct JrnlVersionTests {
  /// As jrnl 1.9.8 keeps it.
  private static let version1 = """
    2016-05-07 09:30 A fine day with @Sam and #none. More.
    We walked.
     - a list

    2016-05-08 19:30 *Star day *
    [2016-05-01 10:00] is no entry here
    2016-05-08 neither
    12:30 nor this

    2016-05-09 07:00

    """

  @Test func entriesOfVersion1HaveNoBrackets() throws {
    let read = try JrnlReading.read(Self.version1)
    #expect(read.titles == ["A fine day with @Sam and #none. More.", "Star day"])
    #expect(
      read.bodies == [
        "We walked.\n - a list",
        "[2016-05-01 10:00] is no entry here\n2016-05-08 neither\n12:30 nor this",
      ])
    #expect(read.walls == ["2016-05-07T09:30:00", "2016-05-08T19:30:00"])
    #expect(read.activities.map(\.isPinned) == [false, true])
    // Version 1 came with `@` as its only symbol.
    #expect(read.activities.map(\.tags) == [["Sam"], []])
    #expect(read.problems.map(\.place) == ["journal.txt:10"])
  }

  @Test(arguments: [
    ("07.05.2016 09:30", "25.05.2016 21:30"), ("07/05/2016 09:30", "25/05/2016 21:30"),
    ("2016-05-07 09:30 AM", "2016-05-25 09:30 PM"),
    ("Saturday, 07 May 2016 09:30", "Wednesday, 25 May 2016 21:30"),
    ("Sat May  7 09:30:00 2016", "Wed May 25 21:30:00 2016"),
    ("2016-05-07T09:30:00", "2016-05-25T21:30:00"),
  ])
  func otherTimeFormatsOfVersion1AreRead(first: String, other: String) throws {
    let read = try JrnlReading.read("\(first) One 2 3\nbody\n\n\(other) PM or so\n", name: "a.txt")
    #expect(read.titles == ["One 2 3", "PM or so"])
    #expect(read.walls == ["2016-05-07T09:30:00", "2016-05-25T21:30:00"])
    #expect(JrnlReading.recognises("\(first) One\nbody\n\n\(other) B\n", "a.txt"))
  }

  @Test func aTitleThatBeginsWithPMIsNoTime() throws {
    let read = try JrnlReading.read("2016-05-07 09:30 PM meeting\n\n2016-05-08 09:30 Lunch\n")
    #expect(read.titles == ["PM meeting", "Lunch"])
    #expect(read.walls.first == "2016-05-07T09:30:00")
  }

  @Test func daysAloneAreTakenWhereTheNameSaysJournal() throws {
    let text = "2016-05-07 One\nbody\n\n2016-05-08 Two\n"
    #expect(JrnlReading.recognises(text, "Journal.txt"))
    #expect(!JrnlReading.recognises(text, "notes.txt"))
    #expect(try JrnlReading.read(text).days == ["2016-05-07", "2016-05-08"])
  }

  /// As jrnl 1.9.8 writes with `--export text`, with colours even into a file; version 4.6 prints
  /// the same without them.
  @Test func whatJrnlPrintsComesInWithoutBarsAndColours() throws {
    let printed = """
      2016-05-07 09:30\u{1B}[36m @Sam\u{1B}[39m and foo@bar.com.
      | We walked.

      2016-05-08 19:30 Star day is very long and it goes on and on and on so that
      the line has to be wrapped somewhere after eighty.
      | Body of this one is also quite long because I want to see how wrapping is\u{20}
      | done in it by the program.
      |  - a list
      |\u{20}\u{20}
      |\u{1B}[36m @end\u{1B}[39m

      2016-05-09 07:00 Words alone

      """
    let read = try JrnlReading.read(printed, name: "export.txt")
    #expect(JrnlReading.recognises(printed, "export.txt"))
    #expect(
      read.titles == [
        "@Sam and foo@bar.com.",
        "Star day is very long and it goes on and on and on so that the line has to be wrapped "
          + "somewhere after eighty.", "Words alone",
      ])
    #expect(
      read.bodies == [
        "We walked.",
        "Body of this one is also quite long because I want to see how wrapping is done in it by "
          + "the program.\n - a list\n\n@end", "",
      ])
    #expect(read.activities.map(\.tags) == [["Sam"], ["end"], []])
    #expect(read.problems.count == 2)
    let kept = try JrnlReading.read(
      "[2016-05-07 09:30] @Sam and foo@bar.com.\nWe walked.\n\n[2016-05-08 19:30] "
        + "\(read.titles[1])\n\(read.bodies[1])\n\n[2016-05-09 07:00] Words alone\n")
    #expect(read.identifiers == kept.identifiers && read.hashes == kept.hashes)
  }

  @Test func aBodyWithATableIsNotTakenForPrint() throws {
    let text = "2016-05-07 09:30 A\n| a | b |\n| 1 | 2 |\nafter\n"
    #expect(try JrnlReading.read(text).bodies == ["| a | b |\n| 1 | 2 |\nafter"])
  }

  // MARK: Folders

  @Test func aFolderJournalComesInFileByFile() throws {
    let folder = try TemporaryFolder()
    let context = try JrnlReading.context()
    func read(_ name: String, _ text: String) throws -> RecordedImport {
      #expect(JrnlReading.recognises(text, name))
      return try JrnlReading.read(
        try folder.file(name, text), name: name, context: context)
    }
    let seventh = try read("2016/05/07.txt", "[2016-05-07 09:30] A\n\n[2016-05-07 10:00] B\n")
    #expect(seventh.walls == ["2016-05-07T09:30:00", "2016-05-07T10:00:00"])
    #expect(seventh.places == ["2016/05/07.txt:1", "2016/05/07.txt:3"])
    let whole = try JrnlReading.read("[2016-05-07 09:30] A\n\n[2016-05-07 10:00] B\n")
    #expect(seventh.identifiers == whole.identifiers && seventh.hashes == whole.hashes)
    // A timeformat without a date: the path tells it.
    let eighth = try read("2016/05/08.txt", "[09:30] A\nbody\n\n[09:31 PM] B\n")
    #expect(eighth.walls == ["2016-05-08T09:30:00", "2016-05-08T21:31:00"])
    #expect(eighth.bodies == ["body", ""])
    // The path tells the order of the numbers too.
    let ninth = try read("2016/09/05.txt", "[05/09/2016 09:30] A\n")
    #expect(ninth.days == ["2016-09-05"])
    #expect(ninth.problems.isEmpty)
    // So does the name of a file for each entry, `--export text --file FOLDER/`.
    let single = try read("2016-09-05_a.txt", "[05/09/2016 09:30] A\n")
    #expect(single.days == ["2016-09-05"])
    #expect(single.problems.isEmpty)
  }

  @Test func anEntryOfAnotherDayKeepsItsDayAndIsTold() throws {
    let folder = try TemporaryFolder()
    let context = try JrnlReading.context()
    let text = "[2016-05-07 09:30] Same\n\n[2016-05-09 09:30] Same\n"
    let both = try ["2016/05/07.txt", "2016/05/08.txt"].map { name in
      try JrnlReading.read(try folder.file(name, text), name: name, context: context)
    }
    #expect(both[0].days == ["2016-05-07", "2016-05-09"])
    #expect(both[0].problems.map(\.place) == ["2016/05/07.txt:3"])
    #expect(both[1].problems.count == 2)
    #expect(Set(both.flatMap(\.identifiers)).count == 4)
  }

  @Test func aTimeAloneOutsideAFolderJournalIsNoEntry() throws {
    #expect(!JrnlReading.recognises("[09:30] A\n", "a.txt"))
    #expect(!JrnlReading.recognises("[09:30] A\n", "2016/13/08.txt"))
    #expect(throws: ImportRefusal.self) { try JrnlReading.read("[09:30] A\n", name: "a.jrnl") }
  }
}
