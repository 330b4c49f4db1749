import ArkivedCore
import Foundation
import Testing

@Suite("Links in texts")
struct TextLinkTests {
  private func day(_ text: String) -> DayKey? { DayKey(text) }

  @Test func aLinkHasANameAndMayHaveOtherWords() throws {
    let text =
      "See [[Alex Kim]] and [[ 2024-03-05 | that Tuesday ]] or [[plans.md#Costs|the costs]]."
    let links = TextLink.links(in: text)
    #expect(links.map(\.name) == ["Alex Kim", "2024-03-05", "plans"])
    #expect(links.map(\.shown) == ["Alex Kim", "that Tuesday", "the costs"])
    #expect(links[2].fragment == "Costs")
    #expect(links[0].keys == [.name("alex kim")])
    #expect(try links[1].keys == [.day(#require(day("2024-03-05")))])
    let bytes = Array(text.utf8)
    #expect(String(decoding: bytes[links[0].range], as: UTF8.self) == "[[Alex Kim]]")
  }

  @Test func identitiesAreReadWholeOrAsShown() {
    let id = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
    #expect(TextLink.links(in: "[[entry:\(id.lowercased())|run]]").map(\.keys) == [[.entry(id)]])
    #expect(TextLink.links(in: "[[entry:7d444840]]").map(\.keys) == [[.entry("7D444840")]])
    #expect(TextLink.links(in: "[[entry:none]]").map(\.keys) == [[]])
    let link = TextLink.links(in: "[[2024-03-05#^\(id)|run]]")[0]
    #expect(link.keys.first == .entry(id) && link.keys.last == .day(DayKey("2024-03-05")!))
  }

  @Test(arguments: [
    "2024-03-05", "2024_03_05", "2024/03/05", "5 March 2024", "5. März 2024", "Mar 5th, 2024",
    "March 5, 2024", "Tuesday, 5 March 2024", "Dienstag, 5. März 2024", "05.03.2024",
  ])
  func daysAreNamedInManyWays(_ name: String) {
    let expected = day("2024-03-05")
    #expect(LinkedDay.read(name) == expected, "\(name)")
  }

  @Test(arguments: ["2024-02-30", "Room 2024", "5 Mars 2024", "1.2.3", "March 2024", "99.99.2024"])
  func otherNamesAreNoDays(_ name: String) { #expect(LinkedDay.read(name) == nil, "\(name)") }

  @Test func codeEscapesAndFilesAreNoLinks() {
    let text = """
      `[[a]]` and ``x ` [[b]]`` and \\[[c]] and ![[photo.jpg]] and [[d]]
      ```
      [[e]]
      ```
      ~~~ swift
      [[f]] ```
      ~~~
      - ``` x
        [[g]]
        ```
      [[h
      i]] [[]] [[#only]] [[j [[k]] [[[l]]] `open [[m]]
      """
    #expect(TextLink.links(in: text).map(\.name) == ["d", "k", "l", "m"])
  }

  @Test(arguments: ["\n", "\r\n"])
  func aBackslashAtTheEndOfALineLeavesTheNextOneALine(_ end: String) {
    let lines = ["C:\\notes\\", "```", "[[a]]", "", "[[b]]", "```", "[[c]]\\", "[[d]]"]
    let links = TextLink.links(in: lines.joined(separator: end))
    #expect(links.map(\.name) == ["c", "d"])
  }

  @Test func replacingKeepsEverythingElse() {
    let text = "é [[Alex]] 👍🏽 [[Bo|b]] `[[Alex]]`\r\n[[Alex|Al]]"
    let new = TextLink.replacing(in: text) { $0.name == "Alex" ? $0.renamed("Alex Kim") : nil }
    #expect(new == "é [[Alex Kim]] 👍🏽 [[Bo|b]] `[[Alex]]`\r\n[[Alex Kim|Al]]")
    #expect(
      MarkdownText.plain("# On [[2024-03-05|Tuesday]] with [[Alex]]") == "On Tuesday with Alex")
  }

  @Test func aRowOfATableKeepsItsColumnsWhenALinkIsRenamed() {
    let text = "| [[Bo\\|b]] | [[Bo]] |\n[[Bo|b]] [[Bo]]"
    let links = TextLink.links(in: text)
    #expect(links.map(\.shown) == ["b", "Bo", "b", "Bo"])
    #expect(
      links.map { $0.renamed("Bob", showing: "bo") }
        == ["[[Bob\\|bo]]", "[[Bob\\|bo]]", "[[Bob|bo]]", "[[Bob|bo]]"])
    #expect(links.map { $0.renamed("Bob") }.first == "[[Bob\\|b]]")
  }

  @Test func aHugeTextWithOddMarksIsReadInTime() {
    let odd = String(repeating: "[[`", count: 200_000) + String(repeating: "` [[a", count: 100_000)
    #expect(TextLink.links(in: odd).isEmpty)
    let many = String(repeating: "[[a]] ", count: 100_000)
    #expect(TextLink.links(in: many).count == 100_000)
  }

  @Test func pathsOfObsidianLeadToTheirLastPart() {
    #expect(
      TextLink.links(in: "[[people/Alex Kim]]")[0].keys == [
        .name("people/alex kim"), .name("alex kim"),
      ])
    #expect(
      TextLink.links(in: "[[journal/2024-03-05]]")[0].keys.last == .day(DayKey("2024-03-05")!))
  }

  @Test func wordsOfAnEntryCannotBreakItsLink() {
    let id = UUID()
    let text = TextLink.text(entry: id, shown: "a [b] | c\nd")
    #expect(TextLink.links(in: text).map(\.shown) == ["a b  cd"])
    #expect(TextLink.links(in: text).map(\.keys) == [[.entry(id.uuidString)]])
  }
}
