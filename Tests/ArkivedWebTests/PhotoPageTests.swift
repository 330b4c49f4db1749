import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages of photos")
struct PhotoPageTests {
  /// Seventy photos in February, one on a day note of 14 March, and one of an entry of that day.
  private func web() throws -> (web: WebTest, note: UUID, entry: UUID, owner: UUID) {
    let web = try WebTest()
    let archive = web.test.archive
    func photo(_ name: String, _ seed: UInt8) throws -> ArkivedCore.Attachment {
      try archive.store(
        TestPicture.png(width: 8, height: 8, seed: seed),
        as: ArkivedCore.Attachment(
          id: archive.identities.next(), type: .photo, caption: name, mediaType: "image/png",
          originalName: "\(name).png", createdAt: archive.clock.now,
          updatedAt: archive.clock.now))
    }
    let walk = try web.test.activity("walked", on: "2026-02-03")
    try archive.add(walk)
    _ = try archive.attach(
      (0..<70).map { try photo("walk \($0)", UInt8($0)) }, to: .activity(walk.id))
    let note = try photo("<i>note</i>", 200)
    _ = try archive.attach([note], to: .day(try #require(DayKey("2026-03-14"))))
    let lunch = try web.test.activity("had lunch", on: "2026-03-14", from: "12:00", to: "13:00")
    try archive.add(lunch)
    let entry = try photo("lunch", 201)
    _ = try archive.attach([entry], to: .activity(lunch.id))
    return (web, note.id, entry.id, lunch.id)
  }

  @Test("Months have their photos in parts, newest first, also without scripts")
  func months() async throws {
    let (web, note, entry, _) = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let all = try await client.get("/photos", cookie: cookie)
      #expect(all.status == 200 && all.text.contains("72 photos"))
      #expect(all.text.contains("data-month=\"2026-03\" data-count=\"2\""))
      #expect(all.text.contains("data-month=\"2026-02\" data-count=\"70\""))
      #expect(all.text.contains("<a href=\"/photos?month=2026-02\">Show the 70 photos</a>"))
      #expect(all.text.contains("&lt;i&gt;note&lt;/i&gt;") && !all.text.contains("<i>note"))
      let places = [note, entry].map { all.text.range(of: "data-photo=\"\($0.uuidString)\"") }
      #expect(try #require(places[0]).lowerBound < #require(places[1]).lowerBound)
      let first = try await client.get("/photos?month=2026-02", cookie: cookie)
      #expect(first.text.components(separatedBy: "class=\"photo\"").count == 61)
      #expect(first.text.contains("href=\"/photos?month=2026-02&amp;part=1\""))
      #expect(first.text.contains("href=\"/photos?month=2026-03&amp;part=0\""))
      let rest = try await client.get("/photos/part?month=2026-02&part=1", cookie: cookie)
      #expect(rest.text.components(separatedBy: "<li>").count == 11)
      for path in ["/photos/part", "/photos?month=2026-02&part=2", "/photos?month=2026-02&part=x"] {
        #expect(try await client.get(path, cookie: cookie).status == 400, "\(path)")
      }
      #expect(try await client.get("/photos?month=2025-01", cookie: cookie).status == 404)
    }
  }

  @Test("A photo's page has its entry and day and leads to the ones beside it")
  func one() async throws {
    let (web, note, entry, owner) = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/photos/view/\(entry.uuidString)", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("href=\"/activities/\(owner.uuidString)/edit\""))
      #expect(page.text.contains("Saturday 14 March 2026") && page.text.contains("2 of 2"))
      #expect(page.text.contains("rel=\"prev\" href=\"/photos/view/\(note.uuidString)\""))
      #expect(page.text.contains("rel=\"next\""))
      let first = try await client.get("/photos/view/\(note.uuidString)", cookie: cookie)
      #expect(
        !first.text.contains("rel=\"prev\"") && first.text.contains("href=\"/day/2026-03-14\""))
      let unknown = "/photos/view/00000000-0000-4000-8000-00000000FFFF"
      #expect(try await client.get(unknown, cookie: cookie).status == 404)
    }
    // One that was deleted leads no further, and the others stay.
    _ = try web.test.archive.deleteActivities([owner])
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/photos", cookie: cookie).text.contains("71 photos"))
    }
  }

  @Test("The API counts photos by month and gives those of some days")
  func document() async throws {
    let (web, note, entry, owner) = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      func photos(_ query: String) async throws -> JSON {
        let answer = try await client.get("/api/v1/photos?\(query)", cookie: cookie)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(parsing: answer.text)
      }
      let all = try await photos("limit=3")
      #expect(all["count"]?.int == 72 && all["photos"]?.array?.count == 3)
      #expect(all["months"]?.array?.map { $0["count"]?.int } == [2, 70])
      let ids = all["photos"]?.array?.map { $0["id"]?.string }
      #expect(ids?.prefix(2) == [note.uuidString, entry.uuidString])
      #expect(all["photos"]?.array?[1]["activityId"]?.string == owner.uuidString)
      let few = try await photos("from=2026-02-01&to=2026-02-28&offset=65")
      #expect(few["count"]?.int == 70 && few["photos"]?.array?.count == 5)
      #expect(try await photos("to=2020-01-01")["photos"]?.array?.isEmpty == true)
      for query in ["limit=0", "limit=501", "offset=-1", "from=x", "x=1"] {
        #expect(try await client.get("/api/v1/photos?\(query)", cookie: cookie).status == 400)
      }
    }
  }

  @Test("Without photos the page says how they come")
  func empty() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/photos", cookie: cookie).text.contains("No photos yet"))
    }
  }
}
