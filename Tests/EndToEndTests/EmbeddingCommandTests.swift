import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Choosing the model that reads for meaning")
struct EmbeddingCommandTests {
  private func program() throws -> Program {
    let program = try Program()
    for line in ["yesterday: the dentist pulled a tooth", "watched a football match"] {
      _ = try program("add", line)
    }
    return program
  }

  private func settings(_ program: Program) -> URL {
    URL(fileURLWithPath: program.archive).appendingPathComponent("embeddings.json")
  }

  @Test("An address is kept, used and shown, until the built-in model is chosen again")
  func choosing() throws {
    let program = try program()
    let server = try EmbeddingServer()
    let secret = try program.folder.file("secret", "secret-1\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: secret.path)
    let chosen = try program(
      "index", "--use", server.url, "--model", "small", "--dimensions", "256", "--token-file",
      secret.path,
      // Nobody stands between: not even where other programs are told to.
      environment: [
        "http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
      ])
    #expect(chosen.status == 0, "\(chosen.talk)")
    #expect(chosen.output.contains("New texts: 2"))
    #expect(chosen.output.contains("Model: small at \(server.url)."))
    #expect(!chosen.talk.contains("will be sent"))
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer secret-1" })
    #expect(server.requests.allSatisfy { $0.body["dimensions"]?.int == 256 })
    let attributes = try FileManager.default.attributesOfItem(atPath: settings(program).path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

    let found = try program("search", "molar surgery")
    #expect(found.output.contains("the dentist pulled a tooth"))
    #expect(!(chosen.output + chosen.talk + found.output + found.talk).contains("secret-1"))
    let shown = try program("index", "--json")
    #expect(shown.json["index"]?["model"]?.string == "small at \(server.url)")

    // A server that answers wrongly is told of, and words still find.
    server.reply { _ in .answer(status: 500, body: "no memory") }
    _ = try program("add", "planted roses")
    let failed = try program("index")
    #expect(failed.status == 69 && failed.output.contains("Meaning: not up to date."))
    #expect(failed.talk.contains("returned 500: “no memory”"))
    let words = try program("search", "football")
    #expect(words.status == 0 && words.output.contains("watched a football match"))
    #expect(
      words.talk.contains("Searched by words only. The embedding address \(server.url)"))
    let json = try program("search", "football", "--json")
    #expect(json.json["notes"]?.array?.count == 1)

    let back = try program("index", "--use", "built-in")
    #expect(back.status == 0 && !FileManager.default.fileExists(atPath: settings(program).path))
    #expect(back.output.contains("Search by meaning is off"))
  }

  @Test("A server of pages that runs already goes by the new choice")
  func serving() throws {
    let program = try program()
    let model = try EmbeddingServer()
    let server = try RunningServer(program)
    // It may be at its own indexes just now.
    var chosen = try program("index", "--use", model.url, "--model", "small")
    for _ in 0..<200 where chosen.status == 69 {
      chosen = try program("index", "--use", model.url, "--model", "small")
    }
    #expect(chosen.status == 0, "\(chosen.talk)")
    _ = try program("add", "planted roses")
    for _ in 0..<1200 where !model.texts.contains("planted roses") { usleep(50_000) }
    #expect(model.texts.contains("planted roses"))
    let answer = try server.ask("GET", "/api/v1/search?query=molar&mode=meaning")
    let titles = answer.json["results"]?.array?.compactMap { $0["title"]?.string }
    #expect(titles == ["the dentist pulled a tooth"], "\(answer.body)")

    model.reply { _ in .answer(status: 500, body: "no memory") }
    let words = try server.ask("GET", "/api/v1/search?query=football")
    #expect(words.json["results"]?.array?.count == 1)
    #expect(words.json["notes"]?.array?.first?.string?.contains("no memory") == true)
    let page = try server.ask("GET", "/search?query=football")
    #expect(page.body.contains("Searched by words only."), "\(page.body)")
  }

  @Test("A server that does not answer is not kept")
  func down() throws {
    let program = try program()
    let url: String
    do { url = try EmbeddingServer().url }
    let result = try program("index", "--use", url, "--model", "small")
    #expect(result.status == 69)
    #expect(
      result.talk.contains("\(url) can’t be reached") && result.talk.contains("Nothing was"))
    #expect(!FileManager.default.fileExists(atPath: settings(program).path))
  }

  @Test(
    "What cannot be meant is wrong usage",
    arguments: [
      (["--use", "http://192.0.2.1/v1/embeddings", "--model", "m"], "--allow-remote"),
      (["--use", "http://example.invalid/v1/embeddings", "--model", "m"], "--allow-remote"),
      (["--use", "http://127.1/v1/embeddings", "--model", "m"], "--allow-remote"),
      (["--use", "ftp://127.0.0.1/e", "--model", "m"], "http:// or https://"),
      (["--use", "http://me:pw@127.0.0.1/e", "--model", "m"], "name or password"),
      (["--use", "http://127.0.0.1/e#a", "--model", "m"], "“#”"),
      (["--use", "http://127.0.0.1:11434", "--model", "m"], "/v1/embeddings"),
      (["--use", "nonsense", "--model", "m"], "isn’t an address"),
      (["--use", "http://127.0.0.1/e"], "--model"),
      (["--use", "http://127.0.0.1/e", "--model", " "], "--model"),
      (["--use", "http://127.0.0.1/e", "--model", "m", "--dimensions", "0"], "1 to 4096"),
      (["--use", "http://127.0.0.1/e", "--model", "m", "--dimensions", "4097"], "1 to 4096"),
      (["--use", "built-in", "--model", "m"], "built-in can’t be combined"),
      (["--model", "m"], "Add it with --use"), (["--allow-remote"], "Add it with --use"),
    ] as [([String], String)])
  func refusals(options: [String], sentence: String) throws {
    let program = try Program()
    let result = try program.run(["index"] + options)
    #expect(result.status == 64 && result.talk.contains(sentence), "\(result.talk)")
    #expect(!FileManager.default.fileExists(atPath: program.archive))
  }

  @Test("An archive in memory keeps no choice")
  func memory() throws {
    let result = try Program()("index", "--archive", ":memory:", "--use", "built-in")
    #expect(result.status == 64)
  }

  @Test("A secret that others may read, or that is none, is refused")
  func secrets() throws {
    let program = try Program()
    let server = try EmbeddingServer()
    func status(_ file: String, _ content: String, _ mode: Int) throws -> Int32 {
      let file = try program.folder.file(file, content)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      return try program(
        "index", "--use", server.url, "--model", "m", "--token-file", file.path
      ).status
    }
    #expect(try status("open", "secret-1", 0o644) == 77)
    #expect(try status("empty", "\n", 0o600) == 65)
    #expect(try status("lines", "a\nX-Header: b", 0o600) == 65)
    #expect(
      try program("index", "--use", server.url, "--model", "m", "--token-file", "missing").status
        == 66)
    #expect(server.requests.isEmpty)
  }

  @Test("Another computer is asked only with leave, and it is said what it will get")
  func remote() throws {
    let program = try program()
    let result = try program(
      "index", "--use", "http://host.invalid/v1/embeddings", "--model", "m", "--allow-remote")
    #expect(result.status == 69)
    #expect(
      result.talk.contains(
        "The texts of this archive and your searches will be sent to host.invalid"))
    #expect(result.talk.contains("unencrypted and readable by anyone along the way"))
    #expect(!FileManager.default.fileExists(atPath: settings(program).path))
  }
}
