import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CardDAVDiscoveryTests {
  private let server: CalendarServer
  private let shelf = AddressBookShelf()

  init() throws {
    let shelf = shelf
    server = try CalendarServer { shelf.reply($0) }
  }

  private func addressBooks(
    _ path: String, _ credentials: CalendarCredentials = .none
  ) async throws -> [AddressBookChoice] {
    let url = try #require(URL(string: server.origin + path))
    var discovery = CardDAVDiscovery(url: url, credentials: credentials)
    discovery.network = TestNetwork.patient
    return try await discovery.addressBooks()
  }

  @Test(arguments: ["", "/", "/people/me/", "/home/", "/unheard/of"])
  func addressBooksAreFoundFromWhereverOneStarts(path: String) async throws {
    let found = try await addressBooks(path)
    #expect(found.map(\.displayName) == ["Contacts"])
    #expect(found.map(\.url.absoluteString) == ["\(server.origin)/book/"])
    #expect(found.first?.supportsSync == true)
  }

  @Test func anAddressBookIsItsOwnChoice() async throws {
    #expect(try await addressBooks("/book/").map(\.displayName) == ["book"])
    #expect(server.requests.count == 1)
  }

  @Test func calendarsAreNotOffered() async throws {
    let calendar = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
    server.reply { request in
      request.headers["depth"] == "1"
        ? .multistatus(
          AddressBookShelf.response("/cal/", calendar)
            + AddressBookShelf.response("/book/", AddressBookShelf.type))
        : .multistatus(
          AddressBookShelf.response("/x/", "<d:resourcetype><d:collection/></d:resourcetype>"))
    }
    #expect(try await addressBooks("/x/").map(\.displayName) == ["book"])
  }

  /// As iCloud does, whose address books are on another host than the account.
  @Test func aHomeOnAnotherHostIsNamedAndNotAsked() async throws {
    let other = try CalendarServer()
    let home = "\(other.origin)/1/carddavhome/".replacing("127.0.0.1", with: "p42.example")
    server.reply { _ in
      .multistatus(
        AddressBookShelf.response(
          "/", "<k:addressbook-home-set><d:href>\(home)</d:href></k:addressbook-home-set>"))
    }
    let error = await #expect(throws: AddressBookError.self) {
      try await addressBooks("/", .basic(user: "me", password: "secret"))
    }
    guard case .redirectedElsewhere(_, "p42.example", home, _) = error?.cause else {
      return unexpected(error as Any)
    }
    #expect(other.requests.isEmpty)
  }

  @Test func aServerWithoutAddressBooksSaysSo() async throws {
    server.reply { _ in .answer(404) }
    let none = await #expect(throws: AddressBookError.self) { try await addressBooks("/") }
    #expect(none?.description.contains("lists no address books") == true)
    #expect(none?.description.contains(server.origin) == true)
    server.reply { _ in .answer(401) }
    let shut = await #expect(throws: AddressBookError.self) { try await addressBooks("/x/y") }
    guard case .unauthorised = shut?.cause else { return unexpected(shut as Any) }
    #expect(server.requests.count { $0.path == "/x/y" } == 1)
  }
}
