import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The map")
struct MapPageTests {
  private func web() throws -> WebTest {
    let web = try WebTest()
    let archive = web.test.archive
    for (day, place, lat, lon) in [
      ("2026-03-12", "Canal", 52.5, 13.4), ("2026-03-13", "Canal", 52.5, 13.4),
      ("2026-03-14", "<b>Park</b>", 48.85, 2.35),
    ] {
      var entry = try web.test.activity("was there", on: day)
      (entry.locationLabel, entry.lat, entry.lon) = (place, lat, lon)
      try archive.add(entry)
      guard day == "2026-03-14" else { continue }
      let photo = try archive.store(
        TestPicture.png(width: 8, height: 8),
        as: ArkivedCore.Attachment(
          id: archive.identities.next(), type: .photo, mediaType: "image/png",
          originalName: "a.png", createdAt: archive.clock.now, updatedAt: archive.clock.now))
      _ = try archive.attach([photo], to: .activity(entry.id))
    }
    // A journey has a line and no coordinates of its own.
    let ride = try web.test.activity("rode", on: "2026-03-13", kind: .travel)
    try archive.add(ride)
    let line = #"{"type":"LineString","coordinates":[[13.4,52.5],[13.45,52.52],[13.5,52.5]]}"#
    let track = try archive.store(
      Data(line.utf8),
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, mediaType: "application/geo+json",
        originalName: "track.geojson", createdAt: archive.clock.now, updatedAt: archive.clock.now))
    _ = try archive.attach([track], to: .activity(ride.id))
    return web
  }

  @Test("The API gives groups, routes and photos of the days in the area")
  func document() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      func map(_ query: String) async throws -> JSON {
        let answer = try await client.get("/api/v1/map?\(query)", cookie: cookie)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(parsing: answer.text)
      }
      let all = try await map("zoom=4")
      #expect(all["entries"]?.int == 3 && all["days"]?.int == 3 && all["photos"]?.int == 1)
      #expect(all["wayCount"]?.int == 1 && all["waysUnread"]?.int == 0)
      #expect(all["bounds"]?["west"]?.double == 2.35 && all["bounds"]?["north"]?.double == 52.5)
      let clusters = try #require(all["clusters"]?.array)
      #expect(clusters.map { $0["entries"]?.int } == [2, 1])
      #expect(clusters[0]["place"]?.string == "Canal" && clusters[0]["photo"] == .null)
      #expect(clusters[1]["photos"]?.int == 1 && clusters[1]["photo"]?.string != nil)
      let near = try await map("west=13&south=52&east=14&north=53&zoom=12")
      #expect(near["clusters"]?.array?.count == 1 && near["entries"]?.int == 3)
      let way = try #require(near["ways"]?.array?.first)
      #expect(way["day"]?.string == "2026-03-13")
      #expect(way["lines"]?.array?.first?.array?.count == 3)
      // Far away, it would be less than a dot.
      #expect(try await map("zoom=0")["ways"]?.array?.isEmpty == true)
      let day = try await map("from=2026-03-14&to=2026-03-14")
      #expect(day["entries"]?.int == 1 && day["wayCount"]?.int == 0)
      let none = try await map("span=2020")
      #expect(none["entries"]?.int == 0 && none["bounds"] == .null)
      for (query, field) in [
        ("zoom=19", "zoom"), ("west=1", "south"), ("span=5", "span"), ("x=1", "x"),
        ("from=2026-02-30", "from"), ("zoom=1.5", "zoom"),
      ] {
        let answer = try await client.get("/api/v1/map?\(query)", cookie: cookie)
        #expect(answer.status == 400 && answer.text.contains("\"field\":\"\(field)\""), "\(query)")
      }
      #expect(try await client.send(.get, "/api/v1/map").status == 401)
    }
  }

  @Test("Without scripts, the map is a picture of the same places")
  func picture() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/map", cookie: cookie).text
      #expect(page.contains("<noscript><img class=\"map-picture\" src=\"/map.svg?span=all\""))
      // More detail is downloaded on a page, not only in a terminal.
      #expect(page.contains("/settings/assistant#downloads") == (MapTiles.detail() == nil))
      let picture = try await client.get("/map.svg?span=all", cookie: cookie)
      #expect(picture.status == 200 && picture.headers[.contentType] == "image/svg+xml")
      let svg = picture.text
      #expect(svg.hasPrefix("<svg xmlns") && svg.hasSuffix("</svg>\n"))
      // Land, the journey, and a mark for each place.
      #expect(svg.contains("fill=\"#f6f3ec\" fill-rule=\"evenodd\" d=\"M"))
      #expect(svg.contains("stroke-linejoin=\"round\""))
      #expect(svg.components(separatedBy: "<circle").count == 3)
      #expect(svg.contains(">Canal</text>") && svg.contains("&lt;b&gt;Park&lt;/b&gt;"))
      #expect(!svg.contains("<b>") && svg.utf8.count < 400_000)
      let none = try await client.get("/map.svg?span=2020", cookie: cookie)
      #expect(none.status == 200 && !none.text.contains("<circle"))
      #expect(try await client.get("/map.svg?span=5", cookie: cookie).status == 400)
    }
  }

  @Test("The page has its places as a table, and each leads to its day or its days")
  func page() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/map", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("data-query=\"span=all\""))
      #expect(page.text.contains("3 entries on 3 days · 1 route · 1 photo"))
      #expect(page.text.contains("<a href=\"/day/2026-03-14\">&lt;b&gt;Park&lt;/b&gt;</a>"))
      #expect(!page.text.contains("style=") && !page.text.contains("<b>Park"))
      let start = try #require(page.text.range(of: "href=\"/map/days?"))
      let address = page.text[start.lowerBound...].dropFirst(6).prefix { $0 != "\"" }
      let days = try await client.get(
        String(address).replacing("&amp;", with: "&"), cookie: cookie)
      #expect(days.text.contains("2 entries on 2 days"))
      let (later, earlier) = (
        try #require(days.text.range(of: "/day/2026-03-13")),
        try #require(days.text.range(of: "/day/2026-03-12"))
      )
      #expect(later.lowerBound < earlier.lowerBound)
      // The days behind a place are those of the chosen period.
      let area = "west=13&south=52&east=14&north=53"
      for (span, count) in [("2026", 2), ("2020", 0), ("days&from=2026-03-13&to=2026-03-13", 1)] {
        let list = try await client.get("/map/days?span=\(span)&\(area)", cookie: cookie)
        #expect(list.status == 200)
        let days = list.text.components(separatedBy: "<li><a href=\"/day/").count - 1
        #expect(days == count, "\(span)")
      }
      let empty = try await client.get("/map?span=2020", cookie: cookie)
      #expect(empty.text.contains("No places on these days") && !empty.text.contains("data-map"))
      // A form sends the days in its fields along with another choice; the choice wins.
      let other = try await client.get(
        "/map?span=2026&from=2026-03-14&to=2026-03-14", cookie: cookie)
      #expect(other.text.contains("data-query=\"span=2026\""))
    }
  }

  @Test("A day with places or a route has its map, and one without has none")
  func days() async throws {
    let web = try web()
    try web.test.archive.add(try web.test.activity("read", on: "2026-03-10"))
    try await web.run { client in
      let cookie = try await client.signIn()
      let there = try await client.get("/day/2026-03-13", cookie: cookie)
      #expect(there.text.contains("data-query=\"from=2026-03-13&amp;to=2026-03-13\""))
      #expect(there.text.contains("<a href=\"/map?from=2026-03-13&amp;to=2026-03-13\">"))
      let nowhere = try await client.get("/day/2026-03-10", cookie: cookie)
      #expect(!nowhere.text.contains("data-map"))
    }
  }

  /// Adds a journey whose line begins at a longitude.
  private func ride(_ archive: Archive, _ web: WebTest, from lon: Int) throws -> URL {
    let ride = try web.test.activity("rode", on: "2026-03-14", kind: .travel)
    try archive.add(ride)
    let line =
      #"{"type":"LineString","coordinates":[[\#(lon),10],[\#(lon + 1),11],[\#(lon + 2),10]]}"#
    let track = try archive.store(
      Data(line.utf8),
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, mediaType: "application/geo+json",
        originalName: "track.geojson", createdAt: archive.clock.now, updatedAt: archive.clock.now))
    _ = try archive.attach([track], to: .activity(ride.id))
    return try #require(archive.file(of: track))
  }

  @Test("A route whose file arrives later is drawn then")
  func laterFile() throws {
    let web = try WebTest()
    let archive = web.test.archive
    let file = try ride(archive, web, from: 20)
    let away = web.test.folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: file, to: away)
    let (ways, files) = (MapWays(archive), try archive.mapFiles(nil))
    let none = try ways.shown(files, in: .world, zoom: 10)
    #expect(none.lines.isEmpty && none.unread == 0)
    try FileManager.default.moveItem(at: away, to: file)
    #expect(try ways.shown(files, in: .world, zoom: 10).lines.count == 1)
  }

  @Test("Many routes without files don't keep the others from being drawn")
  func manyAbsentFiles() throws {
    let web = try WebTest()
    let archive = web.test.archive
    _ = try ride(archive, web, from: -100)
    let late = try (0..<70).map { try ride(archive, web, from: $0) }
    let away = web.test.folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: late[0], to: away)
    for file in late.dropFirst() { try FileManager.default.removeItem(at: file) }
    // Each request reads one batch.
    let (ways, files) = (MapWays(archive, patience: .zero), try archive.mapFiles(nil))
    #expect(try ways.shown(files, in: .world, zoom: 10).unread > 0)
    let found = try ways.shown(files, in: .world, zoom: 10)
    #expect(found.lines.count == 1 && found.unread == 0)
    try FileManager.default.moveItem(at: away, to: late[0])
    let counts = try (0..<2).map { _ in
      try ways.shown(files, in: .world, zoom: 10).lines.count
    }
    #expect(counts.last == 2)
  }

  @Test("Routes with more points than are kept lose detail, and aren't read again")
  func manyPoints() throws {
    let web = try WebTest()
    let archive = web.test.archive
    let first = try ride(archive, web, from: 20)
    let ways = MapWays(archive, keptLimit: 1)
    let whole = try ways.shown(try archive.mapFiles(nil), in: .world, zoom: 10)
    #expect(whole.lines.map { $0.parts.map(\.count) } == [[3]])
    try FileManager.default.removeItem(at: first)
    _ = try ride(archive, web, from: 40)
    let both = try ways.shown(try archive.mapFiles(nil), in: .world, zoom: 10)
    #expect(both.lines.map { $0.parts.map(\.count) } == [[2], [2]])
  }

  @Test("The base map is in the program, and countries have names in both languages")
  func base() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let world = try await client.get("/map/squares/0/0/0", cookie: cookie)
      #expect(world.status == 200 && world.text.utf8.count > 5_000)
      #expect(try await client.get("/map/squares/2/1/1", cookie: cookie).status == 200)
      #expect(try await client.get("/map/squares/1/0/0", cookie: cookie).status == 404)
      #expect(try await client.get("/map/squares/2/x/1", cookie: cookie).status == 404)
      let far = try await client.get("/map/squares/2/9999999/-1", cookie: cookie)
      #expect(far.status == 200 && far.text.isEmpty)
      #expect(try await client.get("/map/names", cookie: cookie).text.contains("\"Germany\""))
    }
    let map = try #require(MapTiles.world)
    #expect(map.countries(in: .german).contains { $0.text == "Deutschland" })
    #expect(map.countries(in: .german).count > 150)
  }

  @Test("A map that is damaged or of another kind is none")
  func damaged() throws {
    let whole = Data(WebFiles.content("world.map"))
    #expect(MapTiles(whole) != nil)
    #expect(MapTiles(whole.prefix(whole.count - 1)) == nil)
    #expect(MapTiles(whole.prefix(40)) == nil)
    #expect(MapTiles(Data()) == nil)
    #expect(MapTiles(Data("ARKMAP9\n".utf8) + whole.dropFirst(8)) == nil)
    var huge = whole
    huge.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(MapTiles(huge) == nil)
  }

  @Test("Lines lose the points that are nearer than the tolerance, and never their ends")
  func lines() {
    let line: [SIMD2<Float>] = [[0, 0], [0.25, 0.001], [0.5, 0.2], [0.75, 0.101], [1, 0]]
    #expect(
      MapLine.simplified(line, tolerance: 0.01) == [[0, 0], [0.25, 0.001], [0.5, 0.2], [1, 0]])
    #expect(MapLine.simplified(line, tolerance: 1) == [[0, 0], [1, 0]])
    #expect(MapLine.simplified([[0, 0]], tolerance: 1) == [[0, 0]])
    // A ring that ends where it began.
    #expect(MapLine.simplified([[0, 0], [1, 1], [0, 0]], tolerance: 0.1).count == 3)
  }
}
