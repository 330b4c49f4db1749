import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The assistant's page does what is said and shows what a model made of it")
struct AssistantPageTests {
  private func web() throws -> WebTest {
    let web = try WebTest()
    for day in ["03", "05", "12"] {
      try web.test.add("ran along the canal", on: "2026-03-\(day)", tags: ["sport"])
    }
    return web
  }

  /// Sets the model behind a server.
  private func use(_ server: EmbeddingServer, _ web: WebTest) throws {
    let home = try #require(web.test.archive.home)
    let settings: JSON = ["address": .string(server.chatURL), "model": "scripted"]
    try Data(settings.text().utf8).write(to: home.appendingPathComponent("assistant.json"))
  }

  private func path(_ location: String?) throws -> String {
    String(try #require(location).prefix { $0 != "#" })
  }

  @Test func sentencesAreDoneKeptAndTakenBack() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let added = try await client.post(
        "/threads", ["question": "add lunch with Sam yesterday at noon", "idempotencyKey": "k"],
        cookie: cookie)
      #expect(added.status == 303)
      let again = try await client.post(
        "/threads", ["question": "add lunch with Sam yesterday at noon", "idempotencyKey": "k"],
        cookie: cookie)
      #expect(again.headers[.location] == added.headers[.location])
      #expect(try web.test.day("2026-03-13").activities.map(\.text) == ["lunch with Sam"])
      let thread = try path(added.headers[.location])
      _ = try await client.post(
        thread, ["question": "tag that as friends", "idempotencyKey": "l"], cookie: cookie)
      #expect(try web.test.day("2026-03-13").activities.first?.tags == ["friends"])
      _ = try await client.post(
        thread, ["question": "delete it", "idempotencyKey": "m"], cookie: cookie)
      #expect(try web.test.day("2026-03-13").activities.count == 1)
      let page = try await client.get(thread, cookie: cookie)
      #expect(page.text.contains("Added “lunch with Sam”"))
      #expect(page.text.contains("waiting for your approval") && page.text.contains("/pending/"))
      #expect(page.text.contains("createActivity") && page.text.contains("1 step"))
      // The latest thing done is the tag.
      let change = try #require(page.text.components(separatedBy: "/changes/").last?.prefix(36))
      let undone = try await client.post(
        "/changes/\(change)/undo", ["back": thread], cookie: cookie)
      #expect(undone.status == 303)
      #expect(try web.test.day("2026-03-13").activities.first?.tags == [])
    }
  }

  @Test func aQuestionIsChangedAndAskedAnewInAConversationOfItsOwn() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let first = try await client.post(
        "/threads", ["question": "How many times did I run in March?", "idempotencyKey": "k"],
        cookie: cookie)
      let thread = try path(first.headers[.location])
      let second = try await client.post(
        thread, ["question": "and in Februari?", "idempotencyKey": "l"], cookie: cookie)
      let message = try #require(
        second.headers[.location]?.components(separatedBy: "#message-").last)
      let branched = try await client.post(
        "\(thread)/branch", ["message": message], cookie: cookie)
      #expect(branched.status == 303)
      let place = try #require(branched.headers[.location])
      #expect(try path(place) != thread)
      let page = try await client.get(place, cookie: cookie)
      #expect(page.text.contains("value=\"and in Februari?\""))
      #expect(page.text.contains("How many times did I run in March?"))
      #expect(page.text.components(separatedBy: "message-asked").count == 2)
      let old = try await client.get(thread, cookie: cookie)
      #expect(old.text.components(separatedBy: "message-asked").count == 3)
      let gone = try await client.post(
        "\(thread)/branch", ["message": UUID().uuidString], cookie: cookie)
      #expect(gone.status == 404)
      let made = try await client.ask(
        .post, "/api/v1\(thread)/branch", ["message": .string(message)])
      #expect(made.status == 201)
      #expect(made.json["created"]?["messages"]?.array?.count == 2)
    }
  }

  @Test func whatAModelSaysIsPlainTextAndMarkedWhereNothingProvesIt() async throws {
    let web = try web()
    let server = try EmbeddingServer { _ in
      ChatScript.says(
        "You ran 77 times ![x](http://127.0.0.1:9/y) <img src=\"http://127.0.0.1:9\">")
    }
    try use(server, web)
    try await web.run { client in
      let cookie = try await client.signIn()
      let asked = try await client.post(
        "/threads", ["question": "How many times did I run in March?", "idempotencyKey": "k"],
        cookie: cookie)
      let page = try await client.get(try path(asked.headers[.location]), cookie: cookie)
      #expect(page.text.contains("You ran 77 times ![x]"))
      #expect(page.text.contains("&lt;img") && !page.text.contains("<img"))
      #expect(!page.text.contains("href=\"http://127.0.0.1:9"))
      #expect(page.text.contains("Not found in your entries: 77"))
      #expect(page.text.contains("Wording by scripted at"))
    }
  }

  @Test func wordsComeAsTheyAreSaidAndThenWhereTheAnswerStands() async throws {
    let web = try web()
    let server = try EmbeddingServer { _ in ChatScript.says("You ran 3 times [1].") }
    try use(server, web)
    try await web.run { client in
      let cookie = try await client.signIn()
      let first = try await client.get("/ask", cookie: cookie)
      #expect(first.text.contains("data-streams"))
      func say(_ question: String) async throws -> WebClient.Answer {
        try await client.send(
          .post, "/threads",
          [
            "Cookie": cookie, "Origin": client.origin, "Accept": "text/event-stream",
            "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
          ], body: "idempotencyKey=k&question=\(URLText.escaped(question))")
      }
      let answer = try await say("How many times did I run in March?")
      let events = answer.text.components(separatedBy: "\n\n").compactMap {
        $0.hasPrefix("data: ") ? try? JSON(parsing: String($0.dropFirst(6))) : nil
      }
      #expect(events.compactMap { $0["piece"]?.string }.joined() == "You ran 3 times [1].")
      let place = try #require(events.last?["location"]?.string)
      let page = try await client.get(try path(place), cookie: cookie)
      #expect(page.text.contains("You ran 3 times [1].") && !page.text.contains("Not found in"))
      #expect(try await say(" ").status == 303)
    }
  }

  @Test func withoutItsServerTheComputedAnswerIsGivenAndWhyIsSaid() async throws {
    let web = try web()
    let port = try EmbeddingServer().port
    let home = try #require(web.test.archive.home)
    let file = home.appendingPathComponent("assistant.json")
    try Data(#"{"address":"http://127.0.0.1:\#(port)/v1/chat/completions","model":"m"}"#.utf8)
      .write(to: file)
    try await web.run { client in
      let made = try await client.ask(
        .post, "/api/v1/threads", ["question": "How many times did I run in March?"])
      let answer = try #require(made.json["created"]?["messages"]?.array?.last)
      #expect(answer["text"]?.string?.contains("3") == true)
      #expect(answer["details"]?["problem"]?.string?.contains("no server is running there") == true)
      try Data("{".utf8).write(to: file)
      let broken = try await client.ask(
        .post, "/api/v1/threads", ["question": "How many times did I run in March?"])
      let told = broken.json["created"]?["messages"]?.array?.last?["details"]?["problem"]?.string
      #expect(broken.status == 201 && told?.contains("assistant.json") == true)
    }
  }
}
