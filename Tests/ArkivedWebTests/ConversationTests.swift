import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Conversations are kept, searched, renamed and deleted")
struct ConversationTests {
  private func web() throws -> WebTest {
    let web = try WebTest()
    for day in ["03", "05", "12"] {
      try web.test.add("ran along the canal", on: "2026-03-\(day)", tags: ["sport"])
    }
    return web
  }

  private func identity(_ location: String?) throws -> String {
    let path = try #require(location).split(separator: "#").first.map(String.init) ?? ""
    return try #require(path.split(separator: "/").last.map(String.init))
  }

  @Test func whatIsAskedOnThePageIsKeptWithItsAnswerAndWhatProvesIt() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let question = "How many times did I run in March? <b>"
      let asked = try await client.post(
        "/threads", ["question": question, "idempotencyKey": "k"], cookie: cookie)
      #expect(asked.status == 303)
      let again = try await client.post(
        "/threads", ["question": question, "idempotencyKey": "k"], cookie: cookie)
      #expect(again.headers[.location] == asked.headers[.location])
      let id = try identity(asked.headers[.location])
      let page = try await client.get("/threads/\(id)", cookie: cookie)
      #expect(page.text.contains("3 entries") && page.text.contains("Based on 3 entries"))
      #expect(page.text.contains("in March? &lt;b&gt;") && !page.text.contains("? <b>"))
      #expect(page.text.contains("/day/2026-03-12?at="))
      let on = try await client.post(
        "/threads/\(id)", ["question": "and in February?", "idempotencyKey": "l"], cookie: cookie)
      #expect(on.status == 303)
      let list = try await client.get("/threads?query=february", cookie: cookie)
      #expect(list.text.contains("2 questions") && list.text.contains("/threads/\(id)"))
      let none = try await client.get("/threads?query=%25", cookie: cookie)
      #expect(none.text.contains("No questions or answers with these words"))
      let empty = try await client.post("/threads/\(id)", ["question": " "], cookie: cookie)
      #expect(empty.status == 422 && empty.text.contains("The question is empty."))
      // What was said is no edit: taking the last change back reaches the entry before.
      #expect(try web.test.archive.undo().undid.action == "add")
    }
  }

  @Test func aNewConversationRepeatsNothingOnTheNextPage() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    @Sendable func say(_ question: String) throws {
      web.test.clock.advance(seconds: 1)
      _ = try archive.say(question, answered: "Yes.", details: ["kind": "list"]) { _, _, _ in
        KeptAnswer(status: 200)
      }
    }
    for number in 101...152 { try say("question \(number)") }
    try await web.run { client in
      let cookie = try await client.signIn()
      let first = try await client.get("/threads", cookie: cookie).text
      #expect(first.contains("question 103") && !first.contains("question 102"))
      let more = try #require(first.firstMatch(of: #/href="(/threads\?after=[^"]+)"/#)).1
      try say("question 153")
      let rest = try await client.get(String(more), cookie: cookie).text
      #expect(rest.contains("question 102") && rest.contains("question 101"))
      #expect(!rest.contains("question 103"))
    }
  }

  @Test func whatProvesAnAnswerLeadsToItsOwnPage() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let day = try #require(DayKey("2026-03-12"))
    let types: [HitType] = [.activity, .day, .note, .goal, .value, .term, .attachment]
    let ids = types.map { _ in archive.identities.next() }
    let note = archive.identities.next()
    let citations = zip(types, ids).map { type, id in
      SearchHit(
        type: type, id: id, dayKey: day, title: "found", snippet: Snippet(text: "found"),
        score: 0, why: SearchHit.Reason(), noteID: type == .attachment ? note : nil
      ).json
    }
    let details: JSON = ["kind": "list", "citations": .array(citations)]
    var thread: UUID?
    _ = try archive.say("what is there?", answered: "All of this.", details: details) {
      open, _, _ in
      thread = open.id
      return KeptAnswer(status: 200)
    }
    let open = try #require(thread)
    let path = "/threads/\(open.uuidString)"
    try await web.run { client in
      let page = try await client.get(path, cookie: try await client.signIn()).text
      let own = ids.map(\.uuidString)
      for href in [
        "/day/2026-03-12?at=\(own[0])#activity-\(own[0])", "/day/2026-03-12#note",
        "/notes/\(own[2])", "/goals/\(own[3])", "/values#value-\(own[4])", "/terms/\(own[5])",
        "/notes/\(note.uuidString)#files",
      ] { #expect(page.contains("href=\"\(href)\""), "\(href)") }
    }
  }

  @Test func anAnswerThatIsASeriesShowsItsBars() async throws {
    let web = try web()
    try web.test.add("ran to the lake", on: "2026-02-10", tags: ["sport"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let asked = try await client.post(
        "/threads",
        ["question": "How many times did I run by month in 2026?", "idempotencyKey": "k"],
        cookie: cookie)
      let id = try identity(asked.headers[.location])
      let page = try await client.get("/threads/\(id)", cookie: cookie).text
      #expect(page.contains("class=\"answer-rows\"") && page.contains("February 2026"))
      let one = try await client.post(
        "/threads", ["question": "How many times did I run in March?", "idempotencyKey": "l"],
        cookie: cookie)
      let other = try identity(one.headers[.location])
      let single = try await client.get("/threads/\(other)", cookie: cookie).text
      #expect(!single.contains("answer-rows"))
    }
  }

  @Test func aConversationIsRenamedDeletedAndTakenBack() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let made = try await client.ask(.post, "/api/v1/threads", ["question": "when did I run?"])
      #expect(made.status == 201)
      let id = try identity(made.headers[.location])
      let path = "/api/v1/threads/\(id)"
      #expect(made.json["created"]?["messages"]?.array?.count == 2)
      let renamed = try await client.post(
        "/threads/\(id)/title", ["title": "Running"], cookie: cookie)
      #expect(renamed.status == 303)
      let told = try await client.ask(.get, path)
      #expect(told.json["title"] == "Running" && told.headers[.eTag] != nil)
      let refused = try await client.ask(.patch, path, ["title": " "])
      #expect(refused.status == 422 && refused.json["field"] == "title")
      let gone = try await client.post("/threads/\(id)/delete", [:], cookie: cookie)
      #expect(gone.status == 303)
      #expect(try await client.ask(.get, path).status == 404)
      let list = try await client.get(try #require(gone.headers[.location]), cookie: cookie)
      #expect(list.text.contains("Undo"))
      let changes = try await client.ask(.get, "/api/v1/changes").json["changes"]?.array
      let change = try #require(changes?.first?["id"]?.string)
      #expect(try await client.ask(.post, "/api/v1/changes/\(change)/undo").status == 200)
      #expect(try await client.ask(.get, path).json["messages"]?.array?.count == 2)
    }
  }

  @Test func aRepeatedRequestIsAskedOnceAndWrongOnesAreNamed() async throws {
    try await web().run { client in
      let key = ["Idempotency-Key": "k"]
      let first = try await client.ask(
        .post, "/api/v1/threads", ["question": "when did I run?"], key)
      let second = try await client.ask(
        .post, "/api/v1/threads", ["question": "when did I run?"], key)
      #expect(first.text == second.text)
      #expect(try await client.ask(.get, "/api/v1/threads").json["total"] == 1)
      let nobody = "/api/v1/threads/6DD0C8A4-61F7-4D12-9FC7-3E11B1E9A001"
      #expect(try await client.ask(.get, nobody).status == 404)
      #expect(
        try await client.ask(.post, "\(nobody)/messages", ["question": "when?"]).status == 404)
      for (body, field) in [
        (["question": ""] as JSON, "question"), (["query": "x"], "question"),
        (["question": .string(String(repeating: "x", count: 20_001))], "question"),
        (["question": "when\0did I run?"], "question"),
      ] {
        let refused = try await client.ask(.post, "/api/v1/threads", body)
        #expect(refused.status == 422 && refused.json["field"]?.string == field)
      }
    }
  }
}
