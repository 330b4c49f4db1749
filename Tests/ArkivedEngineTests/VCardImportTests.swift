import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Address books as vCards")
struct VCardImportTests {
  private struct Book {
    let test: TestArchive

    init() throws { test = try TestArchive() }

    @discardableResult
    func take(_ text: String, named name: String = "contacts.vcf") throws -> ImportRun {
      try take(Data(text.replacing("\n", with: "\r\n").utf8), named: name)
    }

    @discardableResult
    func take(_ content: Data, named name: String = "contacts.vcf") throws -> ImportRun {
      let file = try test.folder.file(name, content)
      test.clock.advance(seconds: 60)
      let runs = try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(
        file)
      return try #require(runs.first)
    }

    func people() throws -> [Person] {
      let today = try #require(DayKey("2026-03-14"))
      return try test.archive.people(today: today).map(\.person)
        .sorted { $0.displayName < $1.displayName }
    }

    func notes() throws -> [Note] {
      try test.archive.notes(NoteFilter()).sorted { $0.headline < $1.headline }
    }

    /// All that is there, without what was there before.
    func export() throws -> [String] {
      var lines: [String] = []
      _ = try ExportJob(archive: test.archive).writeJSONLines { lines.append($0) }
      return lines.dropFirst().filter { !$0.hasPrefix(#"{"type":"history""#) }.sorted()
    }
  }

  /// Version 2.1, as old phones write it: types without a name, quoted-printable over two lines, and a
  /// picture in Base64 up to an empty line.
  private static let old = """
    BEGIN:VCARD
    VERSION:2.1
    N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;Dr.;
    FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dr. J=C3=BCrgen M=
    =C3=BCller
    TEL;CELL;PREF:+49 170 1234567
    TEL;HOME:030/765-4321
    EMAIL;INTERNET:juergen@example.org
    ADR;HOME:;;Lange Str. 5;Berlin;;10115;Germany
    BDAY:19850314
    X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Jürgi;1;;;;;;;;;;;;;
    PHOTO;ENCODING=BASE64;PNG:\(TestPicture.png(width: 4, height: 4).base64EncodedString())

    END:VCARD

    """

  @Test func anOldPhonesCardBecomesAPersonAndANote() throws {
    let book = try Book()
    let run = try book.take(Self.old)
    #expect(run.format == "vcard" && run.skipped == 0)
    let person = try #require(try book.people().first)
    #expect(person.name == "Dr. Jürgen Müller" && person.email == "juergen@example.org")
    #expect(person.aliases == ["Jürgen Müller", "Jürgi", "+491701234567", "0307654321"])
    let note = try #require(try book.notes().first)
    #expect(note.title == "Dr. Jürgen Müller" && note.people.map(\.personID) == [person.id])
    for line in [
      "- Birthday: 14 March 1985", "- Phone (mobile): +49 170 1234567",
      "- Address (home): Lange Str. 5, 10115 Berlin, Germany",
    ] { #expect(note.text.contains(line), "\(line) in \(note.text)") }
    let photo = try #require(note.attachments.first)
    #expect(photo.mediaType == "image/png" && photo.originalName == "Dr. Jürgen Müller.png")
    #expect(photo.contentHash != nil)
  }

  private static let apple = """
    BEGIN:VCARD
    VERSION:3.0
    PRODID:-//Apple Inc.//macOS 14.5//EN
    N:Nair;Priya;;;
    FN:Priya Nair
    NICKNAME:Pri
    ORG:Acme Ltd.;Research
    TITLE:Designer
    item1.EMAIL;type=INTERNET:priya.private@example.org
    item1.X-ABLabel:_$!<HomePage>!$_
    EMAIL;type=INTERNET;type=WORK;type=pref:priya@example.com
    TEL;type=WORK;type=VOICE:(0044) 20 7946 0958
    BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-09
    item2.X-ABDATE;type=pref:2015-06-20
    item2.X-ABLabel:_$!<Anniversary>!$_
    item3.X-ABRELATEDNAMES:Arun Nair
    item3.X-ABLabel:_$!<Brother>!$_
    item4.URL:https\\://priya.example/a_b
    NOTE:Met at the fair\\, likes tea.\\nAllergic
      to # nuts.
    CATEGORIES:Friends,myContacts
    X-UNHEARD-OF:1
    UID:8F1-2
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    N:Friends;;;;
    FN:Friends
    X-ADDRESSBOOKSERVER-KIND:group
    X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:8F1-2
    UID:G-1
    END:VCARD

    """

  @Test func applesCardsKeepTheirLabelsAndDatesWithoutAYear() throws {
    let book = try Book()
    let run = try book.take(Self.apple)
    #expect(try book.people().map(\.name) == ["Priya Nair"])
    let person = try #require(try book.people().first)
    #expect(person.email == "priya@example.com")
    #expect(person.furtherAddresses == ["priya.private@example.org"])
    #expect(person.aliases == ["Pri", "+442079460958"])
    #expect(person.relationshipSummary == "Designer, Acme Ltd., Research")
    let note = try #require(try book.notes().first)
    #expect(note.tags == ["Friends"])
    for line in [
      "- Birthday: 9 May", "- Anniversary: 20 June 2015", "- Brother: Arun Nair",
      "- Website: https://priya.example/a_b", "likes tea.  \nAllergic to # nuts.",
    ] { #expect(note.text.contains(line), "\(line) in \(note.text)") }
    let told = run.warnings.map(\.message)
    #expect(told.contains { $0.contains("X-UNHEARD-OF") })
    #expect(told.contains { $0.contains("contact group") })
  }

  @Test func versionFourAndItsParametersAreRead() throws {
    let book = try Book()
    try book.take(
      """
      BEGIN:VCARD
      VERSION:4.0
      FN:Mei Lin
      TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-555-0100;ext=5102
      EMAIL;TYPE=work:mei@example.org
      BDAY:--0314
      DEATHDATE;VALUE=text:around 1900
      ADR;LABEL="a^nb":;;12 Sea Rd;Bay;CA;94000;USA
      RELATED;TYPE=friend:mailto:sam@example.org
      LANG:zh
      UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1
      END:VCARD

      """)
    let person = try #require(try book.people().first)
    #expect(person.aliases == ["+15555550100"])
    #expect(person.externalRefs.map(\.externalID) == ["4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"])
    let text = try #require(try book.notes().first).text
    for line in [
      "- Birthday: 14 March", "- Died: around 1900", "- Phone: +1-555-555-0100;ext=5102",
      "- Address: 12 Sea Rd, 94000 Bay, CA, USA", "- Friend: sam@example.org", "- Language: zh",
    ] { #expect(text.contains(line), "\(line) in \(text)") }
  }

  // MARK: Merging

  private func card(_ lines: String) -> String {
    "BEGIN:VCARD\nVERSION:3.0\n\(lines)\nEND:VCARD\n"
  }

  @Test func whoIsKnownByAddressNumberOrNameIsNotDoubled() throws {
    let book = try Book()
    let now = book.test.clock.now
    func add(_ name: String?, _ email: String?, _ aliases: [String] = []) throws -> UUID {
      try book.test.archive.create(
        Person(
          id: UUID(), name: name, email: email, aliases: aliases, createdAt: now, updatedAt: now)
      ).value.id
    }
    let byAddress = try add("P. Nair", "priya@example.com")
    let byNumber = try add("+491701234567", nil)
    let byName = try add("Mei Lin", nil)
    try book.take(
      card("FN:Priya Nair\nEMAIL:PRIYA@example.com\nTEL:+44 20 7946 0958")
        + card("FN:Jonas Weber\nTEL;TYPE=CELL:0049 170 1234567")
        + card("FN:mei lin\nEMAIL:mei@example.org"))
    let people = try book.people()
    #expect(Set(people.map(\.id)) == [byAddress, byNumber, byName])
    let priya = try #require(people.first { $0.id == byAddress })
    // The owner's own name for somebody stays.
    #expect(priya.name == "P. Nair" && priya.aliases == ["Priya Nair", "+442079460958"])
    #expect(people.first { $0.id == byName }?.email == "mei@example.org")
    #expect(people.first { $0.id == byNumber }?.aliases.contains("Jonas Weber") ?? false)
  }

  @Test func aFamilysNumberAndNamesakesDoNotMakeTwoPeopleOne() throws {
    let book = try Book()
    let family =
      card("FN:Anna Weber\nTEL:+49 30 1234567\nEMAIL:weber@example.org")
      + card("FN:Ben Weber\nTEL:+49 30 1234567\nEMAIL:weber@example.org")
      + card("FN:Hans Meier\nEMAIL:hans@example.org\nUID:1")
      + card("FN:Hans Meier\nEMAIL:meier@example.com\nUID:2")
    let run = try book.take(family)
    #expect(
      try book.people().map(\.name) == ["Anna Weber", "Ben Weber", "Hans Meier", "Hans Meier"])
    #expect(run.warnings.contains { $0.message.contains("weber@example.org") })
    let before = try book.export()
    let again = try book.take(family)
    #expect(again.created.isEmpty && again.updated == 0)
    #expect(try book.export() == before)
  }

  @Test func twoCardsOfOnePersonBecomeOne() throws {
    let book = try Book()
    try book.take(
      card("FN:Sam Roe\nEMAIL:sam@example.org\nUID:1")
        + card("FN:Sam Roe\nEMAIL:sam@example.org\nTEL:+1 555 555 0100\nUID:2"))
    let people = try book.people()
    #expect(people.count == 1 && people.first?.aliases == ["+15555550100"])
    #expect(people.first?.externalRefs.count == 2)
  }

  @Test func theFirstOfTwoCardsDecidesOnTheName() throws {
    let book = try Book()
    let (first, second) = (
      "FN:Alex Kim\nEMAIL:alex@example.org\nUID:1", "FN:Alex J. Kim\nEMAIL:alex@example.org\nUID:2"
    )
    try book.take(card(first) + card(second))
    #expect(try book.people().map(\.name) == ["Alex Kim"])
    #expect(try book.people().first?.aliases == ["Alex J. Kim"])
    try book.take(card(first) + card(second + "\nTEL:+1 555 555 0100"))
    #expect(try book.people().map(\.name) == ["Alex Kim"])
    try book.take(card(first.replacing("Kim", with: "Rao")) + card(second))
    #expect(try book.people().map(\.name) == ["Alex Rao"])
  }

  @Test func importingAgainChangesNothingAndAChangedCardAdds() throws {
    let book = try Book()
    try book.take(Self.apple + Self.old)
    let before = try book.export()
    let again = try book.take(Self.apple + Self.old, named: "again.vcf")
    #expect(again.created.isEmpty && again.updated == 0)
    #expect(try book.export() == before)
    let changed = try book.take(
      Self.apple.replacing("Priya Nair\n", with: "Priya Rao\n")
        .replacing("1604-05-09", with: "1990-05-09"))
    #expect(changed.updated == 2)
    let priya = try #require(try book.people().first { $0.name == "Priya Rao" })
    #expect(priya.aliases.contains("Priya Nair"))
    #expect(try book.notes().contains { $0.text.contains("- Birthday: 9 May 1990") })
  }

  @Test func aNewerCardUpdatesOnlyWhatTheOwnerHasNotEdited() throws {
    let book = try Book()
    try book.take(Self.apple)
    let id = try #require(try book.people().first).id
    _ = try book.test.archive.updatePerson(id) { $0.aliases.removeAll { $0 == "Pri" } }
    _ = try book.test.archive.updateNote(try #require(try book.notes().first).id) {
      $0.text = $0.text.replacing("Brother: Arun Nair", with: "Brother: Arun") + "\n\nOwes me tea."
    }
    let run = try book.take(
      Self.apple.replacing("FN:Priya Nair", with: "FN:Priya Rao")
        .replacing("TITLE:Designer", with: "TITLE:Director")
        .replacing("1604-05-09", with: "1604-05-10")
        .replacing("Arun Nair", with: "Arun Rao"))
    #expect(run.updated == 2)
    let priya = try #require(try book.people().first)
    #expect(priya.name == "Priya Rao" && !priya.aliases.contains("Pri"))
    #expect(priya.relationshipSummary == "Director, Acme Ltd., Research")
    let text = try #require(try book.notes().first).text
    #expect(text.contains("- Birthday: 10 May") && text.contains("- Job title: Director"))
    #expect(text.contains("- Brother: Arun\n") && !text.contains("Arun Rao"))
    #expect(text.contains("likes tea") && text.hasSuffix("Owes me tea."))
    // What the owner edited stays theirs, whichever card comes next.
    let before = try book.export()
    let again = try book.take(
      Self.apple.replacing("FN:Priya Nair", with: "FN:Priya Rao")
        .replacing("TITLE:Designer", with: "TITLE:Director")
        .replacing("1604-05-09", with: "1604-05-10")
        .replacing("Arun Nair", with: "Arun Lee"))
    #expect(again.updated == 0)
    #expect(try book.export() == before)
  }

  @Test func whatTheOwnerTookOutDoesNotComeBackWithTheSameCard() throws {
    let book = try Book()
    try book.take(Self.apple)
    let id = try #require(try book.people().first).id
    _ = try book.test.archive.updatePerson(id) { $0.aliases = [] }
    _ = try book.test.archive.updateNote(try #require(try book.notes().first).id) {
      $0.text = "mine"
    }
    try book.take(Self.apple)
    #expect(try book.people().first?.aliases == [])
    #expect(try book.notes().first?.text == "mine")
    _ = try book.test.archive.deletePerson(id)
    try book.take(Self.apple)
    #expect(try book.people().isEmpty)
  }

  @Test func undoRestoresWhatWasThere() throws {
    let book = try Book()
    let now = book.test.clock.now
    _ = try book.test.archive.create(
      Person(id: UUID(), name: "Priya Nair", createdAt: now, updatedAt: now))
    let before = try book.export()
    let run = try book.take(Self.apple + Self.old)
    #expect(try book.export() != before)
    let change = try book.test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try book.test.archive.undo(change)
    #expect(try book.export() == before)
    // And it comes again.
    try book.take(Self.apple + Self.old)
    #expect(try book.people().count == 2 && book.notes().count == 2)
    #expect(try book.test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  // MARK: Bad input

  @Test func whatIsWrongIsNamedWithItsLineAndField() throws {
    let book = try Book()
    let run = try book.take(
      """
      BEGIN:VCARD
      VERSION:3.0
      FN:Ann
      EMAIL:no address
      BDAY:1985-13-45
      this is nothing
      PHOTO;ENCODING=b:bm8gcGljdHVyZQ==
      END:VCARD
      BEGIN:VCARD
      VERSION:3.0
      NOTE:nobody
      END:VCARD
      BEGIN:VCARD
      VERSION:3.0
      FN:Cut off
      """)
    func told(_ place: String, _ text: String) -> Bool {
      run.warnings.contains { $0.place == "contacts.vcf\(place)" && $0.message.contains(text) }
    }
    #expect(told(":4 field “EMAIL”", "no address"))
    #expect(told(":5 field “BDAY”", "1985-13-45"))
    #expect(told(":6", "isn’t a valid vCard line"))
    #expect(told(":7 field “PHOTO”", "isn’t an image"))
    #expect(told(":9", "no name, address or number"))
    #expect(told(":13", "incomplete"))
    #expect(try book.people().map(\.name) == ["Ann", "Cut off"])
    let text = try #require(try book.notes().first { $0.title == "Ann" }).text
    #expect(text.contains("no address") && text.contains("1985-13-45"))
  }

  @Test func anotherEncodingIsReadAndSaid() throws {
    let book = try Book()
    let text = card("FN:Jürgen")
    let run = try book.take(try #require(text.data(using: .isoLatin1)))
    #expect(try book.people().map(\.name) == ["Jürgen"])
    #expect(run.warnings.contains { $0.message.contains("Windows-1252") })
    let other = try Book()
    try other.take(try #require(text.data(using: .utf16)))
    #expect(try other.people().map(\.name) == ["Jürgen"])
  }

  @Test func markdownInACardIsNoMarkdown() throws {
    let book = try Book()
    try book.take(card("FN:Ann *Bold*\nNOTE:<b>x</b> [a](http://b) *c* d"))
    let note = try #require(try book.notes().first)
    #expect(MarkdownText.plain(note.text).contains("<b>x</b> [a](http://b) *c* d"))
  }
}
