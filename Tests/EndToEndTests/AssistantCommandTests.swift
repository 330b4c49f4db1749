import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Asking for something to be done, and choosing a model")
struct AssistantCommandTests {
  @Test("Sentences are done, asked about and taken back")
  func acts() throws {
    let program = try Program()
    let added = try program("ask", "add dentist yesterday at 9:00")
    #expect(added.status == 0 && added.output.contains("Added “dentist”"), "\(added.talk)")
    let tagged = try program("ask", "tag that as health")
    #expect(tagged.status == 0, "\(tagged.talk)")
    let refused = try program("ask", "delete the dentist entry")
    #expect(refused.status == 77 && refused.talk.contains("There is no terminal"))
    #expect(try program("search", "dentist", "--json").json["results"]?.array?.count == 1)
    let moved = try program("ask", "--yes", "move the dentist entry to 10:30")
    #expect(moved.status == 0 && moved.output.contains("startAt"), "\(moved.talk)")
    let deleted = try program("ask", "--yes", "delete the dentist entry")
    #expect(deleted.status == 0, "\(deleted.talk)")
    #expect(try program("search", "dentist", "--json").json["results"]?.array?.isEmpty == true)
    _ = try program("undo")
    #expect(try program("search", "dentist", "--json").json["results"]?.array?.count == 1)
    // What programs ask changes nothing.
    let asked = try program("ask", "delete the dentist entry", "--json")
    #expect(asked.json["kind"] == "none")
    #expect(try program("search", "dentist", "--json").json["results"]?.array?.count == 1)
    #expect(try program("ask", "delete the plumber entry").status == 64)
  }

  @Test("An empty question is bad input", arguments: ["", " \t"])
  func emptyQuestion(question: String) throws {
    let program = try Program()
    for flags in [[String](), ["--json"], ["--plain"], ["--keep"]] {
      let asked = try program.run(["ask"] + flags + [question])
      #expect(asked.status == 65, "\(flags): \(asked.talk)")
    }
    let asked = try program("ask", "", "--json")
    #expect(asked.json["error"]?["code"]?.int == 65)
    #expect(try program("ask", "--keep", "").talk.contains("The question is empty."))
  }

  @Test("A conversation is kept where that is asked for, and goes on")
  func keptTalk() throws {
    let program = try Program()
    _ = try program("add", "yesterday: ran 5 km")
    _ = try program("ask", "when did I run?")
    let kept = try program("ask", "--keep", "how often did I run?")
    #expect(kept.status == 0 && !kept.output.isEmpty, "\(kept.talk)")
    let tagged = try program("ask", "--continue", "tag that as sport")
    #expect(tagged.status == 0, "\(tagged.talk)")
    let list = try program("playground", input: Data("3\n1\n0\n".utf8))
    #expect(list.output.contains("> how often did I run?"), "\(list.output)")
    #expect(list.output.contains("> tag that as sport"))
    #expect(!list.output.contains("when did I run?"))
    #expect(try program("ask", "--keep", "how often did I run?", "--json").status == 64)
  }

  @Test("Recordings are written down as notes of their entries, which searches find")
  func voice() throws {
    let program = try Program()
    let sound = try program.folder.file("memo.wav", "RIFF0000WAVEfmt ")
    _ = try program("add", "a memo", "--attach", sound.path)
    // What is installed on this computer is not used here.
    let none = try program(
      "assistant", "transcribe", environment: ["ARKIVED_VOICE": program.archive])
    #expect(none.status == 69)
    let server = try EmbeddingServer { _ in .answer(body: #"{"text":" Buy more marmalade. "}"#) }
    let set = try program(
      "assistant", "voice", "http://127.0.0.1:\(server.port)/v1", "--model", "small")
    #expect(set.status == 0, "\(set.talk)")
    #expect(try program("assistant", "voice", "http://192.0.2.1/v1").status == 64)
    // Without a name, the saved settings could never be read again.
    #expect(
      try program("assistant", "voice", "http://127.0.0.1:\(server.port)/v1", "--model", "").status
        == 64)
    let id = try #require(
      try program("search", "memo", "--json").json["results"]?.array?.first?["id"]?.string)
    let done = try program("assistant", "transcribe", id)
    #expect(done.output.contains("Buy more marmalade."), "\(done.talk)")
    #expect(server.requests.first?.line == "POST /v1/audio/transcriptions HTTP/1.1")
    #expect(try program("search", "marmalade", "--json").json["results"]?.array?.count == 1)
  }

  @Test("What ./setup --voice installs writes recordings down, and is asked for before notes grow")
  func voiceHelper() throws {
    let program = try Program()
    let sound = try program.folder.file("memo.wav", "RIFF0000WAVEfmt ")
    _ = try program("add", "a memo", "--attach", sound.path)
    _ = try program.folder.script(
      "voice/venv/bin/python", "echo '{\"text\": \"Buy marmalade.\"}'")
    let script = try program.folder.file("voice/transcribe.py", "")
    let surroundings = ["ARKIVED_VOICE": script.deletingLastPathComponent().path]
    let done = try program("assistant", "transcribe", "--json", environment: surroundings)
    #expect(done.json["written"]?.array?.first?["text"] == "Buy marmalade.", "\(done.talk)")
    let id = try #require(done.json["written"]?.array?.first?["id"]?.string)
    let again = try program("assistant", "transcribe", id, environment: surroundings)
    #expect(again.status == 77)
    let none = try program("assistant", "transcribe", environment: surroundings)
    #expect(none.output.contains("No recordings to transcribe."))
    // One that cannot be written down is named, and keeps no other from it.
    _ = try program.folder.script(
      "voice/venv/bin/python", "echo '{\"error\": \"it is no sound\"}'\nexit 1")
    _ = try program("add", "another", "--attach", sound.path)
    let failed = try program("assistant", "transcribe", "--json", environment: surroundings)
    #expect(failed.status == 65 && failed.json["written"]?.array?.isEmpty == true)
    #expect(failed.json["failed"]?.array?.count == 1, "\(failed.talk)")
  }

  @Test("A recording without its file keeps no other from being written down")
  func missingRecording() throws {
    let program = try Program()
    for number in 1...2 {
      let sound = try program.folder.file("memo \(number).wav", "RIFF000\(number)WAVEfmt ")
      _ = try program("add", "memo \(number)", "--attach", sound.path)
    }
    let server = try EmbeddingServer { _ in .answer(body: #"{"text":"Buy marmalade."}"#) }
    let set = try program("assistant", "voice", "http://127.0.0.1:\(server.port)/v1")
    #expect(set.status == 0, "\(set.talk)")
    let folder = URL(fileURLWithPath: program.archive).appendingPathComponent("attachments")
    let path = try #require(
      try program("search", "--contains", "memo 1", "--format", "jsonl").json["attachments"]?.array?
        .first?["relativePath"]?.string)
    try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
    let done = try program("assistant", "transcribe", "--json")
    #expect(done.status == 65 && done.json["failed"]?.array?.count == 1, "\(done.talk)")
    #expect(done.json["written"]?.array?.first?["text"] == "Buy marmalade.", "\(done.talk)")
  }

  @Test("The playground asks, tries tools, keeps what was said and measures")
  func playground() throws {
    let program = try Program()
    _ = try program("add", "yesterday: ran 5 km")
    let lines = "1\n15\nhow often did I run?\n2\nlistTags\n{}\n3\n1\n4\n0\n"
    let played = try program("playground", input: Data(lines.utf8))
    #expect(played.status == 0, "\(played.talk)")
    #expect(played.output.contains("Reflective") && played.output.contains("toolCallId"))
    #expect(played.output.contains("> how often did I run?") && played.talk.contains("eleted"))
    let chosen = try program("playground", input: Data("6\nnone\n6\n2\n0\n".utf8))
    #expect(chosen.status == 0 && chosen.talk.contains("6 benchmark"), "\(chosen.talk)")
    #expect(chosen.talk.contains("Not a valid number of prompts."))
    #expect(chosen.talk.contains("2 of 2") && !chosen.talk.contains("3 of"), "\(chosen.talk)")
    let measured = try program("playground", "--benchmark", "--prompts", "3", "--json")
    let model = try #require(measured.json["models"]?.array?.first)
    #expect(model["prompts"]?.array?.count == 3 && model["summary"]?["problems"] == 0)
  }

  @Test("The playground shows all that a change does, and asks only somebody who sees it")
  func playgroundActs() throws {
    let program = try Program()
    _ = try program("add", "yesterday: dentist")
    func count(_ word: String) throws -> Int? {
      try program("search", "--contains", word, "--json").json["results"]?.array?.count
    }
    let order = "rename the dentist entry to checkup\n"
    let piped = try program("playground", input: Data("\(order)y\n0\n".utf8))
    #expect(piped.status == 0 && piped.talk.contains("arkived confirm"), "\(piped.talk)")
    #expect(try count("dentist") == 1)
    let no = try program.atTerminal(["playground"], typing: "\(order)n\n0\n")
    #expect(no.status == 0 && no.screen.contains("text: dentist → checkup"), "\(no.screen)")
    #expect(try count("dentist") == 1)
    let yes = try program.atTerminal(["playground"], typing: "\(order)y\n0\n")
    #expect(yes.status == 0, "\(yes.screen)")
    #expect(try count("checkup") == 1)
  }

  @Test("A model is asked before it is kept, phrases answers, and goes again")
  func model() throws {
    let program = try Program()
    _ = try program("add", "yesterday: ran 5 km")
    let server = try EmbeddingServer { _ in ChatScript.says("You ran once [1].") }
    let secret = try program.folder.file("secret", "secret-1\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
    let address = "http://127.0.0.1:\(server.port)/v1"
    let used = try program(
      "assistant", "use", address, "--model", "small", "--key-file", secret.path)
    #expect(used.status == 0, "\(used.talk)")
    #expect(server.requests.first?.headers["authorization"] == "Bearer secret-1")
    let shown = try program("assistant", "--json")
    #expect(shown.json["model"]?["name"] == "small" && !shown.output.contains("secret-1"))
    let answer = try program("ask", "how often did I run?")
    #expect(answer.output.contains("You ran once [1].") && answer.output.contains("ran 5 km"))
    let plain = try program("ask", "--plain", "how often did I run?")
    #expect(!plain.output.contains("[1]"))
    let elsewhere = try program(
      "assistant", "use", "http://192.0.2.1/v1", "--model", "small")
    #expect(elsewhere.status == 64 && elsewhere.talk.contains("--allow-remote"))
    server.reply { _ in .answer(status: 500, body: "no memory") }
    let broken = try program("ask", "how often did I run?")
    #expect(broken.status == 0 && broken.talk.contains("returned 500"))
    let failed = try program("assistant", "use", address, "--model", "other")
    #expect(failed.status == 69 && failed.talk.contains("Nothing was changed"))
    #expect(try program("assistant", "none").status == 0)
    #expect(try program("assistant").output.contains("No language model"))
    #expect(try program("assistant", "prompts").output.contains("never tell you what to do"))
  }

  @Test("A yes in advance is not for what a model asks for")
  func yesToAModel() throws {
    let program = try Program()
    _ = try program("add", "yesterday: ran 5 km")
    let server = try EmbeddingServer { request in
      guard !request.toolNames.isEmpty else { return ChatScript.says("ready") }
      guard let first = request.toolResults.first else {
        return ChatScript.says("", calls: [.init("searchActivities", ["query": "ran"])])
      }
      guard request.toolResults.count < 2 else { return ChatScript.says("It waits for you.") }
      let id = (try? JSON(parsing: first))?["results"]?.array?.first?["id"] ?? .null
      return ChatScript.says("", calls: [.init("deleteActivity", ["id": id])])
    }
    let used = try program(
      "assistant", "use", "http://127.0.0.1:\(server.port)/v1", "--model", "small")
    #expect(used.status == 0, "\(used.talk)")
    let kept = try program("ask", "--keep", "--yes", "Please edit my run so that it reads better")
    #expect(kept.status == 0 && kept.talk.contains("arkived confirm"), "\(kept.talk)")
    #expect(try program("search", "ran", "--json").json["results"]?.array?.count == 1)
    #expect(try program("confirm", "list", "--json").json["total"] == 1)
    // At a terminal, each field of what the model chose is shown.
    let asked = try program.atTerminal(
      ["ask", "--keep", "Please edit my run so that it reads better"], typing: "n\n")
    #expect(asked.status == 0 && asked.screen.contains("text: ran 5 km"), "\(asked.screen)")
    #expect(try program("confirm", "list", "--json").json["total"] == 1)
  }

  @Test("What programs ask changes nothing, with a model as without")
  func jsonWithAModel() throws {
    let program = try Program()
    _ = try program("add", "yesterday: ran 5 km")
    let server = try EmbeddingServer { request in
      guard request.messages.count > 1, request.toolResults.isEmpty else {
        return ChatScript.says("Done.")
      }
      return ChatScript.says("", calls: [.init("createActivity", ["text": "gate-crasher"])])
    }
    let used = try program(
      "assistant", "use", "http://127.0.0.1:\(server.port)/v1", "--model", "small")
    #expect(used.status == 0, "\(used.talk)")
    for text in ["add lunch with Sam", "please write something nice into the archive"] {
      let asked = try program("ask", text, "--json")
      #expect(asked.status == 0 && asked.json["phrased"]?["text"] == "Done.", "\(asked.talk)")
    }
    for word in ["lunch", "gate-crasher"] {
      #expect(
        try program("search", word, "--json").json["results"]?.array?.isEmpty == true, "\(word)")
    }
  }
}
