import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Choosing a model on a page")
struct ModelPageTests {
  private static let path = "/settings/assistant"

  private func kept(_ web: WebTest, _ purpose: ModelSettings.Purpose = .chat) throws
    -> ModelSettings?
  {
    let home = try #require(web.test.archive.home)
    return try ModelSettings.read(in: home, for: purpose, environment: [:])
  }

  @Test func aModelIsTestedKeptShownAndLeftAgain() async throws {
    let web = try WebTest()
    let server = try EmbeddingServer { _ in ChatScript.says("ready") }
    let key = try web.test.folder.file("key", "secret-1\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    let typed = [
      "model-address": "http://127.0.0.1:\(server.port)/v1", "model-model": "small",
      "model-context": "4096", "model-keyFile": key.path,
    ]
    try await web.run { client in
      let cookie = try await client.signIn()
      let before = try await client.get(Self.path, cookie: cookie).text
      #expect(before.contains("No model is set up"))
      #expect(before.contains("never downloads them by itself"))
      #expect(before.contains("<b>Search by meaning, in English"))
      let tested = try await client.post(
        "\(Self.path)/model", typed.merging(["do": "test"]) { $1 }, cookie: cookie)
      #expect(tested.status == 200 && tested.text.contains("answered “ready”"), "\(tested.text)")
      #expect(server.requests.first?.headers["authorization"] == "Bearer secret-1")
      #expect(try kept(web) == nil)
      let saved = try await client.post("\(Self.path)/model", typed, cookie: cookie)
      #expect(saved.status == 303)
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("small on this computer, with a saved key."))
      #expect(!page.contains("secret-1"))
      let chosen = try #require(try kept(web))
      #expect(chosen.model == "small" && chosen.context == 4_096 && chosen.key == "secret-1")
      // The key stays with its address, and goes to no other.
      var moved = typed
      moved["model-keyFile"] = ""
      _ = try await client.post("\(Self.path)/model", moved, cookie: cookie)
      #expect(try kept(web)?.key == "secret-1")
      moved["model-address"] = "http://127.0.0.1:1/v1"
      _ = try await client.post("\(Self.path)/model", moved, cookie: cookie)
      #expect(try kept(web)?.key == nil)
      _ = try await client.post("\(Self.path)/model", ["do": "none"], cookie: cookie)
      #expect(try kept(web) == nil)
    }
  }

  @Test func nothingLeavesThisComputerBeforeItIsAllowedInSoManyWords() async throws {
    let web = try WebTest()
    let typed = ["voice-address": "http://192.0.2.1/v1", "voice-model": "whisper-1"]
    try await web.run { client in
      let cookie = try await client.signIn()
      for action in ["save", "test"] {
        let refused = try await client.post(
          "\(Self.path)/voice", typed.merging(["do": action]) { $1 }, cookie: cookie)
        #expect(refused.status == 422 && refused.text.contains("is another computer"))
        #expect(refused.text.contains("value=\"http://192.0.2.1/v1\""))
      }
      #expect(try kept(web, .voice) == nil)
      // Without encryption, that has to be allowed as well.
      var remote = typed.merging(["voice-remote": "true"]) { $1 }
      let open = try await client.post("\(Self.path)/voice", remote, cookie: cookie)
      #expect(open.status == 422 && open.text.contains("is unencrypted"), "\(open.text)")
      #expect(open.text.contains("name=\"voice-unencrypted\""))
      #expect(try kept(web, .voice) == nil)
      let key = try web.test.folder.file("key", "secret-1\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
      remote["voice-unencrypted"] = "true"
      let keyed = try await client.post(
        "\(Self.path)/voice", remote.merging(["voice-keyFile": key.path]) { $1 }, cookie: cookie)
      #expect(keyed.status == 422 && keyed.text.contains("can read the key"), "\(keyed.text)")
      let allowed = try await client.post("\(Self.path)/voice", remote, cookie: cookie)
      #expect(allowed.status == 303)
      let encrypted = try await client.post(
        "\(Self.path)/voice",
        [
          "voice-address": "https://192.0.2.1/v1", "voice-model": "m", "voice-remote": "true",
          "voice-keyFile": key.path,
        ], cookie: cookie)
      #expect(encrypted.status == 303)
    }
    #expect(try kept(web, .voice)?.allowsRemote == true)
  }

  @Test(arguments: [
    (["model-address": "ftp://127.0.0.1/v1", "model-model": "m"], "must begin with http"),
    (["model-address": "http://127.0.0.1:9/v1", "model-model": " "], "is empty or too long"),
    (
      ["model-address": "http://127.0.0.1:9/v1", "model-model": "m", "model-context": "12"],
      "must be at least 1024"
    ),
    (
      ["model-address": "http://127.0.0.1:9/v1", "model-model": "m", "model-keyFile": "/nowhere"],
      "can’t be used"
    ),
  ])
  func whatIsTypedWrongIsNamed(_ typed: [String: String], _ words: String) async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.post("\(Self.path)/model", typed, cookie: cookie)
      #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
    }
    #expect(try kept(web) == nil)
  }

  @Test func aServerThatFailsIsToldAndNothingIsKept() async throws {
    let web = try WebTest()
    let server = try EmbeddingServer { _ in .answer(status: 500, body: "no memory") }
    try await web.run { client in
      let cookie = try await client.signIn()
      let typed = [
        "voice-address": "http://127.0.0.1:\(server.port)/v1", "voice-model": "small", "do": "test",
      ]
      let answer = try await client.post("\(Self.path)/voice", typed, cookie: cookie)
      #expect(answer.status == 200 && answer.text.contains("returned 500"), "\(answer.text)")
    }
    #expect(try kept(web, .voice) == nil)
  }

  private func page(
    _ client: WebClient, _ cookie: String, until isThere: (String) -> Bool
  ) async throws -> String {
    while true {
      let page = try await client.get(Self.path, cookie: cookie).text
      if isThere(page) { return page }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test func aPartIsDownloadedOnlyWhenAskedFor() async throws {
    var web = try WebTest()
    let asked = web.test.folder.url.appendingPathComponent("asked")
    web.app.partDesk = PartDesk { part, language in
      let script = "echo \(part.rawValue) \(language.code) >> '\(asked.path)'"
      return (["/bin/sh", "-c", script], [:])
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await client.get(Self.path, cookie: cookie)
      #expect(!FileManager.default.fileExists(atPath: asked.path))
      let answer = try await client.post(
        "\(Self.path)/download", ["part": "places"], cookie: cookie)
      #expect(answer.status == 303)
      _ = try await page(client, cookie) { !$0.contains("data-polls") }
      #expect(try String(contentsOf: asked, encoding: .utf8) == "places en\n")
      let wrong = try await client.post("\(Self.path)/download", ["part": "all"], cookie: cookie)
      #expect(wrong.status == 422, "\(wrong.status)")
    }
  }

  @Test func aFailedDownloadSaysWhyAndARunningOneCanBeCancelled() async throws {
    var web = try WebTest()
    web.app.partDesk = PartDesk { part, _ in
      let script = part == .places ? "sleep 600" : "echo 'arkived: no <network>' >&2; exit 69"
      return (["/bin/sh", "-c", script], ["PATH": "/usr/bin:/bin"])
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "\(Self.path)/download"
      _ = try await client.post(path, ["part": "places"], cookie: cookie)
      let running = try await client.get(Self.path, cookie: cookie).text
      #expect(running.contains("data-polls") && running.contains(">downloading<"))
      // The page with a wrong form has the form's address, which answers nothing but the form.
      let typed = try await client.post(
        "\(Self.path)/model", ["model-address": "nonsense", "do": "test"], cookie: cookie)
      #expect(typed.status == 422 && typed.text.contains("data-polls"))
      #expect(typed.text.contains("data-refresh=\"\(Self.path)\""))
      // What was typed stays while the download is shown.
      #expect(typed.text.contains("id=\"model-card\" data-keep"))
      #expect(typed.text.contains("value=\"nonsense\""))
      _ = try await client.post(path, ["part": "places", "do": "cancel"], cookie: cookie)
      _ = try await page(client, cookie) { $0.contains("Download cancelled.") }
      _ = try await client.post(path, ["part": "transcription"], cookie: cookie)
      _ = try await page(client, cookie) {
        $0.contains("Download failed. Nothing else was changed. no &lt;network&gt;")
      }
    }
  }

  @Test func aPartThatCannotBeDownloadedHereSaysWhatIsMissing() async throws {
    var web = try WebTest()
    web.app.partDesk = PartDesk { part, language in
      try part.download(["PATH": "/nowhere"], language: language)
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.post(
        "\(Self.path)/download", ["part": "meaning"], cookie: cookie)
      #expect(answer.status == 503 && answer.text.contains("Install python3"), "\(answer.text)")
    }
  }

  @Test func todayTellsThatActsWait() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk")
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await !client.get("/", cookie: cookie).text.contains("acts-waiting"))
      let call = ToolCall(
        id: "1", name: "deleteActivity", arguments: ["id": .string(walk.id.uuidString)])
      _ = web.app.tools.call(call, by: .agent("editor"))
      let page = try await client.get("/", cookie: cookie).text
      #expect(page.contains("One change is waiting for your approval."))
      #expect(
        try await !client.get("/day/2026-03-13", cookie: cookie).text.contains("acts-waiting"))
    }
  }
}
