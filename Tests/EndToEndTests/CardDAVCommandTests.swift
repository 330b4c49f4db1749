import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// The program itself beside a CardDAV server.
@Suite("Address books at the command line", .timeLimit(.minutes(20)))
struct CardDAVCommandTests {
  private let arkived: Program
  private let shelf = AddressBookShelf()
  private let server: CalendarServer

  init() throws {
    arkived = try Program()
    let shelf = shelf
    server = try CalendarServer { shelf.reply($0) }
    shelf.set { $0.password = "pass word" }
    shelf.put(
      "ann.vcf",
      """
      UID:ann
      FN:Ann Lee
      EMAIL:ann@example.org
      BDAY:1985-03-14
      PHOTO;ENCODING=b;TYPE=PNG:\(TestPicture.png(width: 4, height: 4).base64EncodedString())
      """)
    shelf.put("ben.vcf", "UID:ben\nFN:Ben Roe")
  }

  private func account(password: String = "pass word") throws -> [String] {
    let file = try arkived.folder.file("password", password + "\n")
    return ["--carddav", "--user", "me", "--password-file", file.path]
  }

  private var book: String { server.origin + "/book/" }

  @Test func peopleComeAndStay() throws {
    let found = try arkived.run(["sync", "discover", server.origin, "--json"] + account())
    #expect(
      found.json["addressBooks"]?.array?.compactMap { $0["address"]?.string } == [book],
      "\(found.talk)")
    let linked = try arkived.run(["sync", "link", book, "--name", "Friends"] + account())
    #expect(linked.status == 0 && linked.output.contains("import its contacts"), "\(linked.talk)")
    let synced = try arkived("sync", "--json")
    #expect(synced.json["syncs"]?.array?.first?["pulled"] == ["new": 2], "\(synced.talk)")
    let people = try arkived("person", "--by-name", "--json").json["people"]?.array
    #expect(people?.compactMap { $0["displayName"]?.string } == ["Ann Lee", "Ben Roe"])
    #expect(try arkived("sync").output.contains("Friends: received nothing\n"))
    let status = try arkived("sync", "status").output
    #expect(status.contains("Friends (CardDAV), synced"), "\(status)")
    // The photo and the birthday came through the process that reads files.
    let notes = try arkived("notes", "--json").json["notes"]?.array
    #expect(notes?.first?["text"]?.string?.contains("14 March 1985") == true)
    #expect(notes?.first?["attachments"]?.array?.count == 1)

    shelf.remove("ben.vcf")
    #expect(try arkived("sync").status == 0)
    #expect(try arkived("person", "--json").json["people"]?.array?.count == 2)
    #expect(try arkived("sync", "unlink", "Friends").status == 0)
    #expect(try arkived("person", "--json").json["people"]?.array?.count == 2)
    #expect(try arkived("doctor").status == 0)
  }

  @Test func whatGoesWrongIsSaidWithTheAddress() throws {
    let twice = try arkived.run(["sync", "link", book, "--caldav"] + account())
    #expect(twice.status == 64)
    let local = try arkived.run(["sync", "link", "contacts.vcf"] + account())
    #expect(local.status == 65 && local.talk.contains("https://"), "\(local.talk)")
    _ = try arkived.run(["sync", "link", book] + account(password: "wrong"))
    let refused = try arkived("sync")
    #expect(refused.status == 77 && refused.talk.contains("(401)"), "\(refused.talk)")
    #expect(refused.talk.contains(book) && !refused.talk.contains("wrong"))
    #expect(try arkived("sync", "unlink").status == 0)

    _ = try arkived.run(["sync", "link", server.origin + "/home/"] + account())
    let folder = try arkived("sync")
    #expect(folder.status == 65 && folder.talk.contains("Choose an address book in it"))
    #expect(try arkived("person", "--json").json["people"] == [])
  }
}
