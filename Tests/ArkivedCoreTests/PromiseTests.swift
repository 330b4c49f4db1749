import ArkivedCore
import Testing

@Suite("Promises and decisions in notes")
struct PromiseTests {
  private let friday = DayKey("2026-03-13")

  @Test(arguments: [
    ("- [ ] @Priya send the draft by Friday", "Priya|send the draft by Friday||2026-03-13|open"),
    ("- [ ] @me book the room", "me|book the room|||open"),
    ("* [x] call the bank", "me|call the bank|||done"),
    (
      "1. [ ] @Jonas.Weber: ask @Mei about pricing before 1 April",
      "Jonas Weber|ask @Mei about pricing before 1 April|Mei|2026-03-31|open"
    ),
    (
      "  - [X] send the book to @Priya on 2026-04-02",
      "me|send the book to @Priya on 2026-04-02|Priya|2026-04-02|done"
    ),
    ("- [ ] mail someone@example.org", "me|mail someone@example.org|||open"),
    ("- [ ] @Priya", "Priya|@Priya|||open"),
    ("- [ ] @Dr._Arne_Möller. send a bill", "Dr. Arne Möller|. send a bill|||open"),
    ("- [ ] @Jo__Li sing", "Jo Li|sing|||open"),
    ("- [ ] @Priya and @Jonas.Weber both come", "Priya and Jonas Weber|both come|||open"),
    ("- [ ] @me, @Priya: tell @Mei", "me and Priya|tell @Mei|Mei||open"),
    ("- [ ] @Priya ask @Jonas and @Mei", "Priya|ask @Jonas and @Mei|Jonas,Mei||open"),
    ("- [ ] read @Priya's draft", "me|read @Priya's draft|Priya||open"),
    ("- [ ] @Priya’s draft: read it", "me|@Priya’s draft: read it|Priya||open"),
    ("- [ ] @Mei and @Jonas's team meet", "Mei|and @Jonas's team meet|Jonas||open"),
    ("- [ ] @O'Neil calls", "O'Neil|calls|||open"),
    ("- [ ] I may need a second helping", "me|I may need a second helping|||open"),
    ("- [ ] send it by 10 March", "me|send it by 10 March||2027-03-10|open"),
    ("- [ ] pay the bill by the 20th", "me|pay the bill by the 20th||2026-03-20|open"),
    ("- [ ] pay the bill by the 5th", "me|pay the bill by the 5th||2026-04-05|open"),
    ("- [ ] call again by Thursday", "me|call again by Thursday||2026-03-19|open"),
    ("- [ ] call again after 2026-04-01", "me|call again after 2026-04-01|||open"),
    ("- [ ] file the taxes of 2019", "me|file the taxes of 2019|||open"),
    (
      "- [ ] @Priya schickt den Entwurf bis Freitag",
      "Priya|schickt den Entwurf bis Freitag||2026-03-13|open"
    ),
    ("- [ ] bis Donnerstag nochmal anrufen", "me|bis Donnerstag nochmal anrufen||2026-03-19|open"),
    ("- [ ] @ich: allen Bescheid sagen", "me|allen Bescheid sagen|||open"),
    ("- [ ] @Priya und @Jonas kommen beide", "Priya and Jonas|kommen beide|||open"),
    ("- [ ] am Montag anrufen", "me|am Montag anrufen||2026-03-16|open"),
    ("- [ ] bis zum 3. Mai überweisen", "me|bis zum 3. Mai überweisen||2026-05-03|open"),
    ("- [ ] bis 10. März überweisen", "me|bis 10. März überweisen||2027-03-10|open"),
    (
      "- [ ] vor dem 1. April nach dem Preis fragen",
      "me|vor dem 1. April nach dem Preis fragen||2026-03-31|open"
    ),
    ("- [ ] bis morgen antworten", "me|bis morgen antworten||2026-03-14|open"),
    (
      "- [ ] die Mail von vor 3 Tagen beantworten", "me|die Mail von vor 3 Tagen beantworten|||open"
    ),
    (
      "- [ ] beantworten, was am letzten Montag kam",
      "me|beantworten, was am letzten Montag kam|||open"
    ),
    ("- [ ] ab dem 1. April anrufen", "me|ab dem 1. April anrufen|||open"),
    ("- [ ] pay the rent 2026-04-01", "me|pay the rent 2026-04-01||2026-04-01|open"),
  ])
  func aCheckboxIsAPromise(line: String, expected: String) throws {
    let found = PromiseReader().promises(in: line, writtenOn: friday)
    let promise = try #require(found.first)
    let told = [
      promise.owner ?? "me", promise.text, promise.named.joined(separator: ","),
      promise.due?.description ?? "", promise.isDone ? "done" : "open",
    ].joined(separator: "|")
    #expect(found.count == 1 && told == expected)
  }

  @Test(arguments: [
    "no box", "- [] empty", "-[ ] no space", "[ ] no item", "- [ ]no space", "- [y] other mark",
    "- [ ] ", "- [ ]", "* [x]  ",
  ])
  func whatIsNoCheckboxIsNone(line: String) {
    #expect(PromiseReader().promises(in: line, writtenOn: friday).isEmpty)
  }

  @Test func boxesInCodeAreCode() {
    let text =
      "```\n- [ ] not this\n```\n- [ ] this\n~~~~\n- [ ] nor this\n~~~\n~~~~\n- [ ] and this"
    let found = PromiseReader().promises(in: text, writtenOn: friday)
    #expect(found.map(\.line) == [4, 9] && found.map(\.text) == ["this", "and this"])
  }

  @Test func tickingChangesOneCharacter() {
    let text = "# Plan\r\n- [ ] one\r\n\t1) [ ] two [ ]\r\nend"
    #expect(
      PromiseMark.set(true, line: 3, in: text)
        == "# Plan\r\n- [ ] one\r\n\t1) [x] two [ ]\r\nend")
    #expect(PromiseMark.set(true, line: 1, in: text) == nil)
    #expect(PromiseMark.set(true, line: 9, in: text) == nil)
    let ticked = PromiseMark.set(true, line: 2, in: text)
    #expect(ticked.flatMap { PromiseMark.set(false, line: 2, in: $0) } == text)
  }

  @Test func lettingGoChangesOneCharacterOfAnOpenPromise() {
    let text = "# Plan\r\n- [ ] one\r\n\t1) [x] two [ ]\r\nend"
    let gone = PromiseMark.letGo(line: 2, in: text, expecting: "one")
    #expect(gone == "# Plan\r\n- [-] one\r\n\t1) [x] two [ ]\r\nend")
    #expect(PromiseMark.letGo(line: 2, in: text, expecting: "two") == nil)
    #expect(PromiseMark.letGo(line: 3, in: text, expecting: "two [ ]") == nil)
    #expect(PromiseMark.letGo(line: 9, in: text, expecting: "one") == nil)
    // What was let go is no promise any more.
    #expect(PromiseReader().promises(in: gone ?? "", writtenOn: nil).map(\.line) == [3])
  }

  @Test func decisionsStandUnderTheirHeadingOrSayThemselves() {
    let text = """
      # Review
      We talked a lot.
      ## Decisions
      - Use the blue prototype
      - [ ] @me tell everybody
      Jonas told of the new supplier.
      ## Next
      - nothing decided here
      Decided: ship in May
      We agreed to meet weekly.
      """
    #expect(
      DecisionReader.decisions(in: text).map { "\($0.line) \($0.text)" } == [
        "4 Use the blue prototype", "9 ship in May", "10 We agreed to meet weekly.",
      ])
  }

  @Test func decisionsAreReadInGermanToo() {
    let text = """
      ## Notizen
      - nichts entschieden
      ## Entscheidungen
      - Wir nehmen den blauen Entwurf
      - [ ] @ich allen sagen
      ## Nächste Schritte
      - weiter
      Beschlossen: im Mai ausliefern
      Vereinbarung: jede Woche ein Treffen
      """
    #expect(
      DecisionReader.decisions(in: text).map { "\($0.line) \($0.text)" } == [
        "4 Wir nehmen den blauen Entwurf", "8 im Mai ausliefern", "9 jede Woche ein Treffen",
      ])
  }

  @Test(arguments: [
    ("# Head\n**bold** and _soft_ snake_case", "Head\nbold and soft snake_case"),
    ("- [ ] [a link](https://example.org) `code`", "a link code"),
    ("> quoted\n***\n2 * 3 * 4", "quoted\n\n2 * 3 * 4"),
    ("```\n**kept**\n```", "**kept**"), ("\\*plain\\*", "*plain*"),
  ])
  func plainTextLosesItsMarks(text: String, plain: String) {
    #expect(MarkdownText.plain(text) == plain)
  }

  @Test func aLongNoteIsReadQuickly() {
    let text = String(repeating: "- [ ] [a](b) **x** `y` [[[![ ***** ((\n", count: 20_000)
    #expect(MarkdownText.plain(text).count < text.count)
    #expect(MarkdownText.plain(String(repeating: "[a](", count: 20_000)).count == 80_000)
  }
}
