import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// An archive with a linked address book on a server of its own.
struct LinkedAddressBook {
  let test: TestArchive
  let shelf = AddressBookShelf()
  let server: CalendarServer

  init(linked isLinked: Bool = true) throws {
    test = try TestArchive()
    let shelf = shelf
    server = try CalendarServer { shelf.reply($0) }
    if isLinked { try link() }
  }

  var job: SyncJob { SyncJob(archive: test.archive, homeZone: test.zone) }
  var address: String { server.origin + "/book/" }

  @discardableResult
  func link(_ credentials: CalendarCredentials = .none) throws -> SyncLink {
    try job.linkAddressBook(
      try AddressBookPlace(address), name: "Contacts", credentials: credentials)
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    let link = try #require(try test.archive.syncLinks().first)
    test.clock.advance(seconds: 60)
    return try await job.bringInLine(link)
  }

  func people() throws -> [Person] {
    let today = try #require(DayKey("2026-03-14"))
    return try test.archive.people(today: today).map(\.person)
      .sorted { $0.displayName < $1.displayName }
  }

  func notes() throws -> [Note] {
    try test.archive.notes(NoteFilter()).sorted { $0.headline < $1.headline }
  }

  /// Everything in the archive, without the history.
  func export() throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { lines.append($0) }
    return lines.dropFirst().filter { !$0.hasPrefix(#"{"type":"history""#) }.sorted()
  }
}

@Suite("Keeping people in line with an address book")
struct AddressBookSyncTests {
  private static let picture = TestPicture.png(width: 4, height: 4).base64EncodedString()

  private static let priya = """
    UID:priya
    FN:Priya Nair
    N:Nair;Priya;;;
    EMAIL:priya@example.org
    TEL;TYPE=CELL:+44 20 7946 0958
    TITLE:Designer
    BDAY:1985-03-14
    ADR;TYPE=HOME:;;12 Sea Rd;Bay;;94000;UK
    PHOTO;ENCODING=b;TYPE=PNG:\(picture)
    """

  // MARK: What comes in

  @Test func contactsBecomePeopleAndASecondSyncChangesNothing() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("priya.vcf", Self.priya)
    book.shelf.put("mei.vcf", "UID:mei\nFN:Mei Lin\nEMAIL:mei@example.org")
    book.shelf.put("friends.vcf", "UID:g\nFN:Friends\nX-ADDRESSBOOKSERVER-KIND:group")
    book.shelf.put("family.vcf", "UID:h\nFN:Family\nKIND:group\nX-UNHEARD-OF:1")
    let report = try await book.sync()
    #expect(report.pulled == ["new": 2])
    #expect(report.warnings.count { $0.message.contains("contact group") } == 1)
    #expect(try book.people().map(\.displayName) == ["Mei Lin", "Priya Nair"])
    let priya = try #require(try book.people().last)
    #expect(priya.email == "priya@example.org" && priya.aliases == ["+442079460958"])
    #expect(priya.relationshipSummary == "Designer")
    let note = try #require(try book.notes().first)
    #expect(note.people.map(\.personID) == [priya.id])
    #expect(note.text.contains("- Birthday: 14 March 1985"))
    #expect(note.attachments.first?.mediaType == "image/png")
    let link = try #require(try book.test.archive.syncLinks().first)
    // Once imported, a card isn't kept a second time.
    #expect(
      try book.test.archive.calendarContent("/book/priya.vcf", ofLink: link.id) == nil)

    let before = try book.export()
    #expect(try await book.sync().isQuiet)
    // Also where everything is compared.
    try book.test.archive.setSyncState(nil, of: link.id)
    #expect(try await book.sync().isQuiet)
    #expect(try book.export() == before)
    #expect(try book.test.archive.importRuns().count == 1)
    #expect(try book.test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func aPhotoElsewhereIsNamedAndNotFetched() async throws {
    let book = try LinkedAddressBook()
    let other = try CalendarServer()
    book.shelf.put("a.vcf", "UID:a\nFN:Ann\nPHOTO;VALUE=uri:\(other.origin)/a.jpg")
    try await book.sync()
    let note = try #require(try book.notes().first)
    #expect(note.attachments.isEmpty && note.text.contains("\(other.port)"))
    #expect(other.requests.isEmpty)
    #expect(book.server.requests.allSatisfy { ["PROPFIND", "REPORT"].contains($0.method) })
  }

  @Test func whoCameFromAFileOrIsKnownByAddressIsNotDoubled() async throws {
    let book = try LinkedAddressBook()
    let now = book.test.clock.now
    let jonas = try book.test.archive.create(
      Person(
        id: UUID(), name: "J. Weber", email: "jonas@example.org", createdAt: now, updatedAt: now)
    ).value
    let file = try book.test.folder.file(
      "contacts.vcf",
      AddressBookShelf.card(Self.priya) + AddressBookShelf.card("FN:No ID\nNOTE:Met at sea"))
    _ = try ImportJob(archive: book.test.archive, homeZone: book.test.zone).run(file)
    let notes = try book.notes().map(\.id)
    book.shelf.put("1.vcf", Self.priya)
    book.shelf.put("2.vcf", "FN:No ID\nNOTE:Met at sea")
    book.shelf.put("3.vcf", "UID:3\nFN:Jonas Weber\nEMAIL:JONAS@example.org")
    #expect(try await book.sync().pulled["new"] == nil)
    #expect(try book.people().map(\.displayName) == ["J. Weber", "No ID", "Priya Nair"])
    #expect(try book.people().first?.id == jonas.id)
    #expect(try book.people().first?.aliases == ["Jonas Weber"])
    #expect(try book.notes().map(\.id) == notes)
  }

  // MARK: What changes

  @Test func aChangedCardUpdatesWhatTheOwnerHasNotEdited() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("priya.vcf", Self.priya)
    book.shelf.put("mei.vcf", "UID:mei\nFN:Mei Lin\nTITLE:Baker\nNICKNAME:Mimi")
    try await book.sync()
    let (mei, priya) = (try book.people()[0].id, try book.people()[1].id)
    // The owner has a name of their own for Mei, and doesn't want the nickname.
    _ = try book.test.archive.updatePerson(mei) { ($0.name, $0.aliases) = ("Mei from choir", []) }
    book.shelf.put(
      "priya.vcf",
      Self.priya.replacing("FN:Priya Nair", with: "FN:Priya Rao")
        .replacing("priya@example.org", with: "rao@example.org")
        .replacing("TITLE:Designer", with: "TITLE:Director")
        .replacing("1985-03-14", with: "1985-03-15"))
    #expect(try await book.sync().pulled["changed"] != nil)
    book.shelf.put(
      "mei.vcf", "UID:mei\nFN:Mei Lin-Ito\nTITLE:Chef\nNICKNAME:Mimi\nEMAIL:mei@example.org")
    try await book.sync()
    let changed = try #require(try book.people().first { $0.id == priya })
    #expect(changed.name == "Priya Rao" && changed.aliases.contains("Priya Nair"))
    #expect(changed.email == "rao@example.org")
    #expect(changed.furtherAddresses == ["priya@example.org"])
    #expect(changed.relationshipSummary == "Director")
    let note = try #require(try book.notes().first { $0.headline == "Priya Rao" })
    #expect(note.text.contains("15 March 1985"))
    let kept = try #require(try book.people().first { $0.id == mei })
    #expect(kept.name == "Mei from choir" && kept.email == "mei@example.org")
    #expect(!kept.aliases.contains("Mimi") && kept.relationshipSummary == "Chef")
    // A description of the owner's stays, and one that they removed doesn't come back.
    _ = try book.test.archive.updatePerson(mei) { $0.relationshipSummary = "sings alto" }
    _ = try book.test.archive.updatePerson(priya) { $0.relationshipSummary = nil }
    book.shelf.put("mei.vcf", "UID:mei\nFN:Mei Lin-Ito\nTITLE:Owner")
    try await book.sync()
    book.shelf.put("priya.vcf", "UID:priya\nFN:Priya Rao\nTITLE:Boss")
    try await book.sync()
    #expect(try book.people().first { $0.id == mei }?.relationshipSummary == "sings alto")
    let cleared = try #require(try book.people().first { $0.id == priya })
    #expect(cleared.relationshipSummary == nil)
  }

  @Test func aNoteFollowsTheCardLineByLine() async throws {
    let book = try LinkedAddressBook()
    let card = """
      UID:a
      FN:Ann Lee
      BDAY:1985-03-14
      URL:https://ann.example
      item1.X-ABDATE:2015-06-20
      item1.X-ABLabel:_$!<Anniversary>!$_
      NOTE:Likes tea
      """
    book.shelf.put("a.vcf", card)
    try await book.sync()
    let note = try #require(try book.notes().first)
    _ = try book.test.archive.updateNote(note.id) { note in
      note.text =
        note.text.replacing("20 June 2015", with: "21 June 2015")
        .replacing("- Website: https://ann.example\n", with: "") + "\n\nMet her at the fair."
    }
    book.shelf.put(
      "a.vcf",
      card.replacing("1985-03-14", with: "1986-03-14").replacing("2015-06-20", with: "2016-06-20")
        .replacing("ann.example", with: "lee.example")
        .replacing("Likes tea", with: "Likes coffee") + "\nGENDER:F")
    #expect(try await book.sync().pulled == ["changed": 1])
    let text = try #require(try book.notes().first).text
    #expect(text.contains("- Birthday: 14 March 1986") && !text.contains("1985"))
    #expect(text.contains("- Anniversary: 21 June 2015") && !text.contains("2016"))
    #expect(!text.contains("Website") && text.contains("- Gender: F"))
    #expect(text.contains("Likes tea") && text.contains("Met her at the fair."))
    // The line still follows, and the owner's stays.
    book.shelf.put("a.vcf", card.replacing("1985-03-14", with: "1987-03-14"))
    try await book.sync()
    let again = try #require(try book.notes().first).text
    #expect(again.contains("- Birthday: 14 March 1987"))
    #expect(again.contains("21 June 2015") && again.contains("Met her at the fair."))
  }

  @Test func aCardWithoutAnIDIsKnownByItsPlace() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("a.vcf", "FN:Ann Lee\nBDAY:1985-03-14")
    try await book.sync()
    let id = try #require(try book.people().first).id
    book.shelf.put("a.vcf", "FN:Ann Roe\nBDAY:1985-03-15")
    try await book.sync()
    #expect(try book.people().map(\.id) == [id] && book.people().first?.name == "Ann Roe")
    #expect(try book.notes().count == 1)
  }

  @Test func aRemovedCardRemovesNobody() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("priya.vcf", Self.priya)
    try await book.sync()
    let before = try book.export()
    book.shelf.remove("priya.vcf")
    #expect(try await book.sync().isQuiet)
    #expect(try book.export() == before)
    book.shelf.put("again.vcf", Self.priya)
    #expect(try await book.sync().isQuiet)
    #expect(try book.export() == before)
  }

  @Test func whomTheOwnerDeletedDoesNotComeBack() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("a.vcf", "UID:a\nFN:Ann Lee")
    try await book.sync()
    _ = try book.test.archive.deletePerson(try #require(try book.people().first).id)
    book.shelf.put("a.vcf", "UID:a\nFN:Ann Lee\nBDAY:1985-03-14")
    #expect(try await book.sync().isQuiet)
    #expect(try book.people().isEmpty && book.notes().isEmpty)
  }

  @Test func aPurgeSaysWhichAddressBookStillHasAPerson() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("a.vcf", "UID:a\nFN:Ann Lee")
    try await book.sync()
    let now = book.test.clock.now
    let own = try book.test.archive.create(
      Person(id: UUID(), name: "Ben Roe", createdAt: now, updatedAt: now)
    ).value.id
    let ann = try #require(try book.people().first).id
    #expect(try book.test.archive.purgePlan(.entities([ann])).sources == [book.address])
    #expect(try book.test.archive.purgePlan(.entities([own])).sources.isEmpty)
  }

  // MARK: What goes wrong

  @Test func aSyncThatFailsImportsNothingAndTheNextContinues() async throws {
    let book = try LinkedAddressBook()
    for number in 0..<150 { book.shelf.put("\(number).vcf", "UID:\(number)\nFN:P \(number)") }
    let shelf = book.shelf
    book.server.reply { request in
      // The second batch of cards.
      request.body.contains("/book/99.vcf") && request.body.contains("multiget")
        ? .answer(503) : shelf.reply(request)
    }
    let error = await #expect(throws: AddressBookError.self) { try await book.sync() }
    #expect(error?.description.contains(book.address) == true)
    #expect(try book.people().isEmpty)
    let link = try #require(try book.test.archive.syncLinks().first)
    #expect(link.outcome?["error"]?.string?.contains("(503)") == true && link.syncedAt == nil)
    book.server.reply { shelf.reply($0) }
    #expect(try await book.sync().pulled == ["new": 150])
    #expect(try book.people().count == 150)
  }

  @Test func badCardsAreNamedAndTheOthersCome() async throws {
    let book = try LinkedAddressBook()
    book.shelf.put("a.vcf", "UID:a\nFN:Ann\nBDAY:1985-13-45\nPHOTO;ENCODING=b:bm8=")
    book.shelf.put("b.vcf", "UID:b\nNOTE:nobody")
    book.shelf.put("c.vcf", "UID:c\nFN:Cleo")
    book.shelf.set { $0.cards["d.vcf"] = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" }
    let report = try await book.sync()
    #expect(try book.people().map(\.displayName) == ["Ann", "Cleo"])
    for (place, text) in [
      ("/book/a.vcf:5 field “BDAY”", "1985-13-45"), ("/book/a.vcf:6 field “PHOTO”", "an image"),
      ("/book/b.vcf:1", "no name, address or number"), ("/book/d.vcf", "complete contact"),
    ] {
      #expect(
        report.warnings.contains { $0.place == place && $0.message.contains(text) },
        "\(place) in \(report.warnings)")
    }
  }

  @Test func aWrongPasswordChangesNothing() async throws {
    let book = try LinkedAddressBook(linked: false)
    book.shelf.set { $0.password = "right one" }
    book.shelf.put("priya.vcf", Self.priya)
    let link = try book.link(.basic(user: "me", password: "wrong one"))
    await #expect(throws: AddressBookError.self) { try await book.sync() }
    #expect(try book.people().isEmpty)
    let outcome = try #require(try book.test.archive.syncLinks().first?.outcome).text()
    #expect(outcome.contains("(401)") && !outcome.contains("wrong one"))
    try book.job.unlink(link)
    try book.link(.basic(user: "me", password: "right one"))
    #expect(try await book.sync().pulled == ["new": 1])
  }

  @Test(arguments: [
    "", "contacts.vcf", "ftp://example.org/", "https://", "https://me:secret@example.org/",
    "https://example.org:99999/",
  ])
  func whatIsNoAddressIsRefused(text: String) {
    let error = #expect(throws: FieldError.self) { try AddressBookPlace(text) }
    #expect(error?.field == "address" && error?.description.contains("secret") == false)
  }

  // MARK: Undoing and unlinking

  @Test func undoTakesEverythingBackAndTheNextSyncBringsIt() async throws {
    let book = try LinkedAddressBook()
    let before = try book.export()
    book.shelf.put("priya.vcf", Self.priya)
    try await book.sync()
    let run = try #require(try book.test.archive.importRuns().first)
    #expect(run.format == "carddav" && run.source == "Contacts")
    let change = try book.test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try book.test.archive.undo(change)
    #expect(try book.export() == before)
    #expect(try await book.sync().pulled == ["new": 1])
    #expect(try book.people().count == 1 && book.notes().count == 1)
  }

  @Test func unlinkingKeepsThePeopleAndRemovesThePassword() async throws {
    let book = try LinkedAddressBook(linked: false)
    book.shelf.set { $0.password = "right one" }
    book.shelf.put("priya.vcf", Self.priya)
    let link = try book.link(.basic(user: "me", password: "right one"))
    try await book.sync()
    #expect(throws: ArchiveError.self) { try book.link() }
    let secrets = CalendarSecrets(
      file: try #require(book.test.archive.databaseFile).deletingLastPathComponent()
        .appendingPathComponent(CalendarSecrets.fileName))
    #expect(try secrets.read(link.id) != .none)
    let before = try book.export()
    try book.job.unlink(link)
    #expect(try secrets.read(link.id) == .none && book.export() == before)
    try book.link(.basic(user: "me", password: "right one"))
    #expect(try await book.sync().isQuiet)
    #expect(try book.export() == before)
  }
}
