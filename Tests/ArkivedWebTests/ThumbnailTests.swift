import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

/// What is shown where nothing can make thumbnails; EndToEndTests has those that are made.
@Suite("Thumbnails that cannot be made")
struct ThumbnailTests {
  private func attach(_ name: String, _ content: Data, in web: WebTest) throws -> String {
    let archive = web.test.archive
    let media = MediaType(sniffing: content, fileName: name)
    let stored = try archive.store(
      content,
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: media.attachmentType, mediaType: media.name,
        originalName: name, createdAt: archive.clock.now, updatedAt: archive.clock.now))
    _ = try archive.attach([stored], to: .day(try #require(DayKey("2026-03-14"))))
    return "/attachments/\(stored.id.uuidString)/thumbnail"
  }

  @Test func areTheFileItselfWhereItIsSmallElseAPlaceholder() async throws {
    let web = try WebTest()
    let small = try attach("a.png", TestPicture.png(width: 8, height: 8), in: web)
    let camera = try attach("a.heic", Data("....ftypheic".utf8), in: web)
    let large = try attach(
      "b.gif", Data("GIF89a".utf8) + Data(count: EntryFiles.wholePictureLimit), in: web)
    let text = try attach("a.txt", Data("words".utf8), in: web)
    try await web.run { client in
      let cookie = try await client.signIn()
      let whole = try await client.get(small, cookie: cookie)
      #expect(whole.status == 200 && whole.headers[.contentType] == "image/png")
      for path in [camera, large, text] {
        let answer = try await client.get(path, cookie: cookie)
        #expect(answer.status == 200 && answer.headers[.contentType] == "image/svg+xml")
        #expect(answer.text.hasPrefix("<svg"))
      }
      #expect(try await client.get(small + "?size=huge", cookie: cookie).status == 400)
      let unknown = "/attachments/00000000-0000-4000-8000-00000000FFFF/thumbnail"
      #expect(try await client.get(unknown, cookie: cookie).status == 404)
      #expect(try await client.send(.get, small).status != 200)
    }
  }

  @Test func ofAWayAreItsLineDrawnHereAndOfABrokenOneAPlaceholder() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    func way(_ content: String) throws -> ArkivedCore.Attachment {
      try archive.store(
        Data(content.utf8),
        as: ArkivedCore.Attachment(
          id: archive.identities.next(), type: .file, mediaType: "application/geo+json",
          originalName: "track.geojson", createdAt: archive.clock.now,
          updatedAt: archive.clock.now))
    }
    // Across the line where the date changes, north of it.
    let sound = try way(
      #"{"type":"MultiLineString","coordinates":[[[179.9,10],[-179.9,10.1]],[[-179.8,10.1],[-179.8,10]]]}"#
    )
    let broken = try ["{\"type\":\"LineString\"}", "no line", "[[[["].map(way)
    _ = try archive.attach([sound] + broken, to: .day(try #require(DayKey("2026-03-14"))))
    try await web.run { client in
      let cookie = try await client.signIn()
      let place = "/attachments/\(sound.id.uuidString)/thumbnail"
      let drawn = try await client.get(place, cookie: cookie)
      #expect(drawn.status == 200 && drawn.headers[.contentType] == "image/svg+xml")
      #expect(drawn.text.contains("<path d=\"M12.0 "))
      #expect(drawn.text.components(separatedBy: "M").count == 3)
      #expect(try await client.get(place + "?size=large", cookie: cookie).text.contains("960"))
      let day = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(day.contains(place) && day.contains("north at the top"))
      for way in broken {
        let answer = try await client.get(
          "/attachments/\(way.id.uuidString)/thumbnail", cookie: cookie)
        #expect(answer.status == 200 && answer.text.contains("<rect"))
      }
    }
  }

  @Test func aPhotoThatStayedInItsFolderIsShownFromThereAndMissedCalmly() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let content = TestPicture.png(width: 8, height: 8)
    let original = try web.test.folder.file("pictures/a.png", content)
    let copy = try archive.store(
      content,
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .photo, createdAt: archive.clock.now,
        updatedAt: archive.clock.now))
    var photo = copy
    (photo.relativePath, photo.externalURL) = (nil, original.absoluteString)
    (photo.mediaType, photo.originalName) = ("image/png", "a.png")
    _ = try archive.attach([photo], to: .day(try #require(DayKey("2026-03-14"))))
    let place = "/attachments/\(photo.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let whole = try await client.get(place, cookie: cookie)
      #expect(whole.status == 200 && whole.headers[.contentType] == "image/png")
      #expect(try await client.get(place + "/thumbnail", cookie: cookie).status == 200)
      #expect(try await client.get("/day/2026-03-14", cookie: cookie).text.contains(place))
      try FileManager.default.removeItem(at: original)
      let gone = try await client.get(place, cookie: cookie)
      #expect(gone.status == 404 && gone.text.contains("--reference"))
      let drawn = try await client.get(place + "/thumbnail", cookie: cookie)
      #expect(drawn.status == 200 && drawn.headers[.contentType] == "image/svg+xml")
    }
  }
}
