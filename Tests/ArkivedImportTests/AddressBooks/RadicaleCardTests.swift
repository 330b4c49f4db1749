import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Address books of a server that people run.
@Suite(
  .serialized,
  .enabled(if: RadicaleServer.isInstalled, "Radicale or its client is missing; run ./setup --test"))
struct RadicaleCardTests {
  private let book = CollectedCalendar()

  private func source(_ server: RadicaleServer) throws -> CardDAVSource {
    CardDAVSource(
      collection: try #require(URL(string: "\(server.origin)/me/contacts/")),
      credentials: .basic(user: "me", password: server.password))
  }

  /// A server with an address book of two contacts, and a calendar.
  private func filledServer() async throws -> RadicaleServer {
    let server = try await RadicaleServer()
    try server.client(
      """
      home.make_calendar(name="Work", cal_id="office")
      def card(uid, name):
        return f"BEGIN:VCARD\\r\\nVERSION:3.0\\r\\nUID:{uid}\\r\\nFN:{name}\\r\\nEND:VCARD\\r\\n"
      client.put("\(server.origin)/me/contacts/", (card("a", "Ann") + card("b", "Ben")).encode(),
        {"Content-Type": "text/vcard; charset=utf-8"})
      """)
    return server
  }

  @Test func contactsComeChangeAndGo() async throws {
    let server = try await filledServer()
    try await book.fetch(source(server))
    #expect(book.taken.count == 2 && book.warnings.isEmpty)
    #expect(book.kept?["token"]?.string?.isEmpty == false)
    try await book.fetch(source(server))
    #expect(book.taken.isEmpty && book.removed.isEmpty)
    try server.client(
      """
      client.put("\(server.origin)/me/contacts/c.vcf",
        "BEGIN:VCARD\\r\\nVERSION:4.0\\r\\nUID:c\\r\\nFN:Cleo\\r\\nEND:VCARD\\r\\n".encode(),
        {"Content-Type": "text/vcard; charset=utf-8"})
      client.delete("\(server.origin)/me/contacts/a.vcf")
      """)
    try await book.fetch(source(server))
    #expect(book.taken == ["/me/contacts/c.vcf"] && book.removed == ["/me/contacts/a.vcf"])
    server.stop()
    try server.forgetHistory()
    try await server.start()
    #expect(try await book.fetch(source(server)).taken.isEmpty)
    #expect(book.versions.count == 2)
  }

  @Test func onlyAddressBooksAreOffered() async throws {
    let server = try await filledServer()
    for path in ["", "/", "/me/", "/.well-known/carddav", "/me/contacts/"] {
      let found = try await CardDAVDiscovery(
        url: try #require(URL(string: server.origin + path)),
        credentials: .basic(user: "me", password: server.password)
      ).addressBooks()
      #expect(found.map(\.url.path) == ["/me/contacts"], "\(path)")
    }
    var calendar = CardDAVSource(
      collection: try #require(URL(string: "\(server.origin)/me/office/")),
      credentials: .basic(user: "me", password: server.password))
    calendar.trust = .zero
    let error = await #expect(throws: AddressBookError.self) { try await book.fetch(calendar) }
    guard case .notACalendar = error?.cause else { return unexpected(error as Any) }
  }
}
