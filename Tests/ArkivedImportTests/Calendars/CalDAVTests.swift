import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// A server that says what a test wants; what a real one does is in `RadicaleTests`.
@Suite struct CalDAVTests: CalDAVTesting {
  let server: CalendarServer
  private let calendar = CollectedCalendar()
  let shelf = CalendarShelf()

  init() throws { server = try shelf.server() }

  private var asked: [String] {
    server.requests.map { request in
      let kind = ["sync-collection", "calendar-multiget"].first { request.body.contains($0) }
      return kind ?? request.method + (request.headers["depth"] ?? "")
    }
  }

  // MARK: With a tag of the whole

  @Test(arguments: [true, false])
  func aTagThatIsTheSameSavesAllOtherQuestions(knowsSync: Bool) async throws {
    shelf.set { ($0.tag, $0.knowsSync) = ("c1", knowsSync) }
    try await calendar.fetch(source())
    #expect(calendar.taken.count == 3)
    server.forget()
    #expect(try await calendar.fetch(source()).taken.isEmpty)
    #expect(asked == ["PROPFIND0"])

    put("1.ics", "Moved")
    shelf.set {
      $0.items["2.ics"] = nil
      ($0.tag, $0.token, $0.changed, $0.gone) = ("c2", "t2", ["1.ics"], ["2.ics"])
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics"])
    #expect(calendar.removed == ["/cal/2.ics"])
    server.forget()
    #expect(try await calendar.fetch(source()).taken.isEmpty)
    #expect(asked == ["PROPFIND0"])
  }

  @Test func whatChangesWhileItIsAskedForIsFoundTheNextTime() async throws {
    shelf.set { $0.tag = "c1" }
    let shelf = shelf
    server.reply { request in
      defer {
        if request.body.contains("multiget") {
          shelf.set {
            $0.items["2.ics"] = CollectedCalendar.event("2.ics", "Late")
            ($0.tag, $0.token, $0.changed) = ("c2", "t2", ["2.ics"])
          }
        }
      }
      return shelf.reply(request)
    }
    try await calendar.fetch(source())
    #expect(calendar.kept?["tag"] == "c1")
    #expect(try await calendar.fetch(source()).taken == ["/cal/2.ics"])
  }

  @Test func aTagIsNotTrustedForeverNorWhereSomethingIsMissing() async throws {
    shelf.set { ($0.tag, $0.knowsSync, $0.items["2.ics"]) = ("c1", false, "no calendar") }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics", "/cal/3.ics"])
    put("2.ics")
    #expect(try await calendar.fetch(source()).taken == ["/cal/2.ics"])
    #expect(calendar.kept?["tag"] == "c1")
    put("3.ics", "Untold")
    #expect(try await calendar.fetch(source()).taken.isEmpty)
    var source = try source()
    source.trust = .zero
    #expect(try await calendar.fetch(source).taken == ["/cal/3.ics"])
  }

  // MARK: With a token

  @Test func aTokenSavesAskingForWhatIsThere() async throws {
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics", "/cal/2.ics", "/cal/3.ics"])
    #expect(calendar.contents["/cal/1.ics"]?.contains("SUMMARY:Talk") == true)
    #expect(asked == ["PROPFIND0", "sync-collection", "calendar-multiget"])
    server.forget()
    try await calendar.fetch(source())
    #expect(asked == ["sync-collection"])
    #expect(server.requests[0].body.contains("<D:sync-token>t1</D:sync-token>"))

    put("1.ics", "Moved")
    put("4.ics")
    shelf.set {
      $0.items["2.ics"] = nil
      ($0.token, $0.changed, $0.gone) = ("t2", ["1.ics", "4.ics"], ["2.ics", "unheard.ics"])
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics", "/cal/4.ics"])
    #expect(calendar.removed == ["/cal/2.ics"])
    #expect(calendar.contents["/cal/1.ics"]?.contains("SUMMARY:Moved") == true)
  }

  @Test(arguments: [403, 409, 412, 400, 507])
  func aTokenThatIsNotTakenLeadsToAFullComparison(status: Int) async throws {
    try await calendar.fetch(source())
    put("1.ics", "Moved")
    shelf.set { $0.items["2.ics"] = nil }
    let shelf = shelf
    server.reply { request in
      request.body.contains(">t1<")
        ? .answer(
          status, "<?xml version=\"1.0\"?><d:error xmlns:d=\"DAV:\"><d:valid-sync-token/></d:error>"
        )
        : shelf.reply(request)
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics"])
    #expect(calendar.removed == ["/cal/2.ics"])
  }

  @Test func answersInPartsAreJoined() async throws {
    let shelf = shelf
    server.reply { request in
      guard request.body.contains("sync-collection") else { return shelf.reply(request) }
      let page = ["": 1, "p1": 2, "p2": 3].first { request.body.contains("sync-token>\($0.key)</") }
      let number = page?.value ?? 0
      let rest =
        number < 3
        ? "<d:response><d:href>/cal/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status>"
          + "<d:error><d:number-of-matches-within-limits/></d:error></d:response>" : ""
      return .multistatus(
        "<d:response><d:href>/cal/\(number).ics</d:href><d:propstat><d:prop><d:getetag>\"x\"</d:getetag>"
          + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>\(rest)"
          + "<d:sync-token>p\(number)</d:sync-token>")
    }
    try await calendar.fetch(source())
    #expect(calendar.taken.count == 3)
    #expect(calendar.kept?["token"] == "p3")
    #expect(asked.count { $0 == "sync-collection" } == 3)
  }

  @Test func aServerThatNeverComesToTheEndIsAskedOtherwise() async throws {
    let shelf = shelf
    server.reply { request in
      guard request.body.contains("sync-collection") else { return shelf.reply(request) }
      return .multistatus(
        "<d:response><d:href>/cal/</d:href><d:status>HTTP/1.1 507 No</d:status></d:response>"
          + "<d:sync-token>same</d:sync-token>")
    }
    try await calendar.fetch(source())
    #expect(calendar.taken.count == 3)
    #expect(asked.contains("PROPFIND1"))
    #expect(calendar.kept == nil)
  }

  @Test func aTokenThatStaysTheSameWhileThingsChangeIsNotTrusted() async throws {
    try await calendar.fetch(source())
    shelf.set {
      $0.items["3.ics"] = nil
      $0.changed = ["1.ics"]
    }
    put("2.ics", "Untold")
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/2.ics"])
    #expect(calendar.removed == ["/cal/3.ics"])
  }

  @Test func whatATokenHidesIsFoundWhenEverythingIsCompared() async throws {
    try await calendar.fetch(source())
    put("2.ics", "Untold")
    #expect(try await calendar.fetch(source()).taken.isEmpty)
    var source = try source()
    source.trust = .zero
    #expect(try await calendar.fetch(source).taken == ["/cal/2.ics"])
  }

  @Test(arguments: [
    "/other/9.ics", "http://elsewhere.example/cal/9.ics", "/cal/../9.ics", "//x/cal/9.ics",
  ])
  func whatLiesElsewhereIsNeverAskedFor(href: String) async throws {
    let shelf = shelf
    server.reply { request in
      guard request.body.contains("sync-collection") else { return shelf.reply(request) }
      return .multistatus(
        "<d:response><d:href>\(href)</d:href><d:propstat><d:prop><d:getetag>\"x\"</d:getetag></d:prop>"
          + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
          + "<d:sync-token>t</d:sync-token>")
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics", "/cal/2.ics", "/cal/3.ics"])
    #expect(!server.requests.contains { $0.path.contains("9.ics") || $0.body.contains("9.ics") })
  }

  // MARK: Without

  @Test func aServerWithoutTokensIsComparedByTags() async throws {
    shelf.set { $0.knowsSync = false }
    try await calendar.fetch(source())
    #expect(asked == ["PROPFIND0", "sync-collection", "PROPFIND1", "calendar-multiget"])
    server.forget()
    put("2.ics", "Moved")
    shelf.set { $0.items["1.ics"] = nil }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/2.ics"])
    #expect(calendar.removed == ["/cal/1.ics"])
    server.forget()
    try await calendar.fetch(source())
    #expect(asked == ["PROPFIND0", "sync-collection", "PROPFIND1"])
  }

  @Test func aServerThatGivesNoneAtOnceIsAskedForEach() async throws {
    shelf.set { $0.knowsMultiget = false }
    try await calendar.fetch(source())
    #expect(calendar.taken.count == 3)
    #expect(
      asked == ["PROPFIND0", "sync-collection", "calendar-multiget", "GET", "GET", "GET"])
  }

  @Test func oneSpellingOfAPathIsOneName() async throws {
    let spellings = [
      "a%20b%c3%bc@x.ics", "a b%C3%BC%40x.ics", "a%20bü@x.ics", "%61%20b%c3%BC@x.ics",
    ]
    for spelling in spellings {
      let shelf = shelf
      server.reply { request in
        guard request.method == "REPORT" else { return shelf.reply(request) }
        let data =
          request.body.contains("multiget")
          ? "<c:calendar-data>\(CollectedCalendar.event("x"))</c:calendar-data>" : ""
        return .multistatus(
          "<d:response><d:href>/cal/\(spelling)</d:href><d:propstat><d:prop><d:getetag>\"1\"</d:getetag>"
            + "\(data)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
            + "<d:sync-token>\(spelling)</d:sync-token>")
      }
      var source = try source()
      source.trust = .zero
      try await calendar.fetch(source)
      #expect(calendar.versions.keys.sorted() == ["/cal/a%20b%C3%BC@x.ics"])
    }
    #expect(server.requests.count { $0.body.contains("multiget") } == 1)
  }
}
