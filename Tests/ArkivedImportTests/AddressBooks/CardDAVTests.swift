import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// A CardDAV server that says what a test wants; what a real one does is in `RadicaleCardTests`.
@Suite struct CardDAVTests {
  private let server: CalendarServer
  private let book = CollectedCalendar()
  private let shelf = AddressBookShelf()

  init() throws {
    let shelf = shelf
    for number in 1...3 { shelf.put("\(number).vcf", "UID:\(number)\nFN:Person \(number)") }
    shelf.set { ($0.changed, $0.token) = ([], "t1") }
    server = try CalendarServer { shelf.reply($0) }
  }

  private func source(
    _ credentials: CalendarCredentials = .none, host: String = "127.0.0.1", path: String = "/book/"
  ) throws -> CardDAVSource {
    let url = try #require(URL(string: "http://\(host):\(server.port)\(path)"))
    var source = CardDAVSource(collection: url, credentials: credentials)
    source.network = TestNetwork.patient
    return source
  }

  private var asked: [String] {
    server.requests.map { request in
      let kind = ["sync-collection", "addressbook-multiget"].first { request.body.contains($0) }
      return kind ?? request.method + (request.headers["depth"] ?? "")
    }
  }

  /// Fetches and expects an error, after which everything is as it was.
  @discardableResult
  private func failure(
    _ source: CardDAVSource? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> AddressBookError {
    let before = book.versions
    let error = await #expect(throws: AddressBookError.self, sourceLocation: sourceLocation) {
      try await book.fetch(try source ?? self.source())
    }
    #expect(book.versions == before && book.removed.isEmpty, sourceLocation: sourceLocation)
    let found = try #require(error, sourceLocation: sourceLocation)
    // Every error names the address.
    #expect(found.description.contains("\(server.port)"), sourceLocation: sourceLocation)
    return found
  }

  // MARK: Incremental

  @Test func onlyWhatChangedIsFetchedByToken() async throws {
    try await book.fetch(source())
    #expect(book.taken == ["/book/1.vcf", "/book/2.vcf", "/book/3.vcf"])
    #expect(book.contents["/book/1.vcf"]?.contains("FN:Person 1") == true)
    #expect(asked == ["PROPFIND0", "sync-collection", "addressbook-multiget"])
    server.forget()
    try await book.fetch(source())
    #expect(asked == ["sync-collection"] && book.taken.isEmpty)

    shelf.put("1.vcf", "UID:1\nFN:Somebody Else")
    try await book.fetch(source())
    #expect(book.taken == ["/book/1.vcf"] && book.removed.isEmpty)
    shelf.remove("2.vcf")
    try await book.fetch(source())
    #expect(book.taken.isEmpty && book.removed == ["/book/2.vcf"])
  }

  @Test func aServerWithoutTokensIsComparedByTags() async throws {
    shelf.set { ($0.knowsSync, $0.tag) = (false, "c1") }
    try await book.fetch(source())
    #expect(book.taken.count == 3)
    server.forget()
    try await book.fetch(source())
    #expect(asked == ["PROPFIND0"])
    shelf.put("3.vcf", "UID:3\nFN:New")
    shelf.set { $0.tag = "c2" }
    server.forget()
    try await book.fetch(source())
    #expect(book.taken == ["/book/3.vcf"])
    #expect(asked == ["PROPFIND0", "sync-collection", "PROPFIND1", "addressbook-multiget"])
  }

  @Test func aServerWithoutMultigetIsAskedForEach() async throws {
    shelf.set { $0.knowsMultiget = false }
    try await book.fetch(source())
    #expect(book.taken.count == 3 && asked.suffix(3) == ["GET", "GET", "GET"])
    #expect(server.requests.last?.headers["accept"]?.hasPrefix("text/vcard") == true)
  }

  @Test func anAddressBookOfAHundredThousandIsComparedWithoutFetchingIt() async throws {
    shelf.set { state in
      state.cards = Dictionary(
        uniqueKeysWithValues: (0..<100_000).map { ("\($0).vcf", "\($0)") })
      state.knowsSync = false
    }
    let tag = "\"\("7".utf8.reduce(0) { $0 &* 31 &+ Int($1) })\""
    var known: [String: String] = [:]
    for number in 0..<100_000 where number != 7 {
      let text = "\(number)"
      known["/book/\(number).vcf"] = "\"\(text.utf8.reduce(0) { $0 &* 31 &+ Int($1) })\""
    }
    shelf.set { $0.cards["7.vcf"] = AddressBookShelf.card("FN:Seven") }
    _ = try await source().fetch(known: known, state: nil, into: book)
    #expect(book.taken == ["/book/7.vcf"] && book.removed.isEmpty)
    #expect(book.versions["/book/7.vcf"] != tag)
    #expect(asked.count == 4)
  }

  // MARK: Bad input

  @Test func whatIsNoAddressBookIsNamed() async throws {
    let folder = "<d:resourcetype><d:collection/></d:resourcetype>"
    let calendar = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
    for type in [folder, calendar] {
      server.reply { _ in .multistatus(AddressBookShelf.response("/book/", type)) }
      let error = try await failure()
      guard case .notACalendar = error.cause else { return unexpected(error) }
      #expect(error.description.contains("Choose an address book in it"))
    }
    server.reply { _ in .answer(200, "<html><title>Welcome</title></html>") }
    #expect(try await failure().description.contains("not an address book, but a web page"))
    server.reply { _ in
      .answer(200, "<html><title>Log in</title><input type=\"password\"></html>")
    }
    let login = try await failure().description
    #expect(login.contains("a login page") && !login.contains("calendar"), "\(login)")
    server.reply { _ in .answer(404) }
    #expect(try await failure().description.contains("no address book found"))
    server.reply { _ in .answer(403) }
    #expect(try await failure().description.contains("read the address book (403)"))
  }

  @Test func aWrongPasswordIsSaidAndNeverShown() async throws {
    shelf.set { $0.password = "secret word" }
    let none = try await failure().description
    #expect(none.contains("this address book needs a name and password"))
    let wrong = try await failure(source(.basic(user: "me", password: "not this one")))
    #expect(wrong.description.contains("rejected the name or password (401)"))
    #expect(!wrong.description.contains("not this one"))
    #expect(
      try await book.fetch(source(.basic(user: "me", password: "secret word"))).taken.count == 3)
  }

  @Test func aPasswordIsNotSentUnencrypted() async throws {
    let source = try source(.basic(user: "me", password: "secret"), host: "nas.example")
    let error = try await failure(source)
    #expect(error.description.contains("Use https://."))
    #expect(server.requests.isEmpty)
  }

  @Test func anotherHostIsNamedAndNotAsked() async throws {
    let other = try CalendarServer()
    let origin = other.origin
    server.reply { _ in .answer(301, headers: ["Location": origin + "/book/"]) }
    let error = try await failure(source(.basic(user: "me", password: "secret")))
    guard case .redirectedElsewhere(_, _, let address, _) = error.cause else {
      return unexpected(error)
    }
    #expect(address == origin + "/book/" && error.description.contains(address))
    #expect(other.requests.isEmpty)
  }

  @Test func redirectsOnTheSameHostAreFollowed() async throws {
    let shelf = shelf
    server.reply { request in
      request.path.hasPrefix("/old/")
        ? .answer(308, headers: ["Location": "/book/"]) : shelf.reply(request)
    }
    #expect(try await book.fetch(source(path: "/old")).taken.first == "/book/1.vcf")
  }

  @Test func bombsAndTruncatedAnswersRemoveNothing() async throws {
    try await book.fetch(source())
    let head = "<d:multistatus xmlns:d=\"DAV:\">"
    let bomb =
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
    for body in [
      "", head, head + "<d:response>", head + String(repeating: "<d:a>", count: 5_000),
      bomb + head + "<d:response><d:href>&b;</d:href></d:response></d:multistatus>",
      "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>" + head
        + "<d:response><d:href>&a;</d:href></d:response></d:multistatus>",
      head + "</d:multistatus>", "{}",
    ] {
      server.reply { _ in .answer(207, body) }
      try await failure()
    }
    // An answer that ends in the middle of the connection.
    server.reply { _ in .bytes(Array("HTTP/1.1 207 M\r\nContent-Length: 9000\r\n\r\n\(head)".utf8))
    }
    guard case .unreachable = try await failure().cause else { return unexpected("reached") }
    let shelf = shelf
    server.reply { shelf.reply($0) }
    #expect(try await book.fetch(source()).taken.isEmpty)
  }

  @Test func aCardThatIsNoneStaysAsItWas() async throws {
    try await book.fetch(source())
    let before = book.contents
    shelf.set { state in
      state.cards["1.vcf"] = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Cut o"
      state.cards["2.vcf"] = AddressBookShelf.card("FN:Big\nNOTE:")
        .replacing("NOTE:", with: "NOTE:" + String(repeating: "x", count: 21 << 20))
      (state.changed, state.token) = (["1.vcf", "2.vcf"], "t2")
    }
    try await book.fetch(source())
    #expect(book.taken.isEmpty && book.contents == before)
    #expect(book.warnings.contains { $0.contains("isn’t a complete contact") })
    #expect(book.warnings.contains { $0.contains("20 MB, the limit for one contact") })
  }
}
