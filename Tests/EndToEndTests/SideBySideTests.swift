import ArkivedCore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Programs side by side on one archive", .serialized, .timeLimit(.minutes(30)))
struct SideBySideTests {
  /// What programs and the server answered, and what they acknowledged.
  private final class Log: Sendable {
    private struct State {
      var ids: Set<String> = []
      var lines: [String] = []
      var troubles: [String] = []
    }

    private let state = Mutex(State())
    private let isOver = Atomic(false)

    /// Ends what is done repeatedly.
    func end() { isOver.store(true, ordering: .releasing) }

    /// Acts again and again until the end, and a few times in any case.
    func repeatedly(_ act: (Int) throws -> Void) throws {
      var number = 0
      while number < 5 || !isOver.load(ordering: .acquiring) {
        try act(number)
        number += 1
      }
    }

    var ids: Set<String> { state.withLock { $0.ids } }
    /// What was added to the day's note.
    var lines: [String] { state.withLock { $0.lines } }
    var troubles: [String] { state.withLock { $0.troubles } }

    func acknowledge(_ id: String?) {
      guard let id else { return note("an answer names no entry") }
      let isNew = state.withLock { $0.ids.insert(id).inserted }
      if !isNew { note("\(id) was made twice") }
    }

    func acknowledge(line: String) { state.withLock { $0.lines.append(line) } }

    func note(_ trouble: String) { state.withLock { $0.troubles.append(trouble) } }

    /// Looks at what a program said.
    @discardableResult
    func hear(_ result: Program.Result) -> Program.Result {
      let said = (result.output + result.talk).lowercased()
      let isUnwell = ["locked", "busy", "in use"].contains { said.contains($0) }
      if result.status != 0 || isUnwell { note("\(result.status): \(said.prefix(300))") }
      return result
    }

    @discardableResult
    func hear(_ answer: PlainAnswer) -> PlainAnswer {
      if !(200..<300).contains(answer.status) { note("\(answer.status): \(answer.body)") }
      return answer
    }
  }

  @Test("No write is lost and none waits in vain while a server and three programs write at once")
  func noWriteIsLost() async throws {
    let arkived = try Program()
    let log = Log()
    let edited = try #require(try arkived("add", "draft", "--json").json["created"]?["id"]?.string)
    let server = try RunningServer(arkived)
    let listener = try await server.listen()
    _ = await listener.next(1, "today")

    let entries = 4_000
    let file = try arkived.folder.file(
      "life.jsonl",
      (0..<entries).map { number in
        "{\"type\":\"activity\",\"text\":\"imported \(number)\",\"dayKey\":\"2026-01-0\(number % 9 + 1)\"}"
      }.joined(separator: "\n"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await onThread {
          defer { log.end() }
          let result = log.hear(try arkived("import", file.path, "--json"))
          let run = result.json["runs"]?.array?.first
          if run?["created"] != ["activity": JSON(entries)] { log.note("\(result.output)") }
        }
      }
      group.addTask {
        try await onThread {
          try log.repeatedly { number in
            let result = log.hear(try arkived("add", "typed \(number)", "#both", "--json"))
            log.acknowledge(result.json["created"]?["id"]?.string)
          }
        }
      }
      group.addTask {
        try await onThread {
          try log.repeatedly { number in
            log.hear(try arkived("note", "line \(number)."))
            log.acknowledge(line: "line \(number).")
            log.hear(try arkived("edit", edited, "--text", "version \(number)"))
          }
        }
      }
      for writer in 0..<2 {
        group.addTask {
          try await onThread {
            try log.repeatedly { number in
              let answer = log.hear(
                try server.ask(
                  "POST", "/api/v1/activities", ["line": .string("sent \(writer) \(number) #both")])
              )
              log.acknowledge(answer.json["created"]?["id"]?.string)
            }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(log.troubles == [])
    let lines = try arkived("search", "--format", "jsonl", "--limit", "100000").output
    let found = Set(
      try lines.split(separator: "\n").compactMap { try JSON(parsing: String($0))["id"]?.string })
    #expect(log.ids.subtracting(found).isEmpty)
    // The entries, the one that was edited, and the day's note.
    #expect(found.count == log.ids.count + entries + 2)
    let note = try arkived("day", "--json").json["note"]?.string ?? ""
    #expect(log.lines.count >= 5 && log.lines.allSatisfy { note.contains($0) })
    // The listener heard of every change, whoever made it, in their order.
    let changes = try arkived("history", "--limit", "100000", "--json").json["changes"]?.array ?? []
    let made = changes.dropLast().reversed().map { $0["id"]?.string }
    #expect(await listener.next(made.count).map(\.id) == made)
    let actions = Set(changes.compactMap { $0["action"]?.string })
    #expect(actions.isSuperset(of: ["add", "edit", "note", "import"]), "\(actions)")
    #expect(try arkived("doctor", "--json").json["isWell"] == true)
    let end = try #require(try server.stop(within: 60))
    #expect(end.status == 0 && end.talk.isEmpty, "\(end.talk)")
  }

  @Test("A version from before another program's edit is refused with 412, and the edit stays")
  func aVersionFromBeforeAnEditIsRefused() throws {
    let arkived = try Program()
    let server = try RunningServer(arkived)
    let added = try server.ask("POST", "/api/v1/activities", ["line": "walk"])
    let id = try #require(added.json["created"]?["id"]?.string)
    let path = "/api/v1/activities/\(id)"
    let before = try #require(added.headers["etag"])
    #expect(try arkived("edit", id, "--text", "long walk").status == 0)
    let stale = try server.ask("PATCH", path, ["text": "short walk"], headers: ["If-Match": before])
    #expect(stale.status == 412)
    #expect(try server.ask("DELETE", path, headers: ["If-Match": before]).status == 412)
    let now = try server.ask("GET", path)
    #expect(now.json["text"] == "long walk")
    let fresh = try server.ask(
      "PATCH", path, ["text": "short walk"], headers: ["If-Match": now.headers["etag"] ?? ""])
    #expect(fresh.status == 200)

    let day = "/api/v1/days/2026-03-14"
    let version = try #require(try server.ask("GET", day).headers["etag"])
    #expect(try arkived("note", "from the terminal").status == 0)
    let note = try server.ask("PUT", day, ["note": "from afar"], headers: ["If-Match": version])
    #expect(note.status == 412)
    #expect(try arkived("note").output.contains("from the terminal"))
  }

  @Test("A request repeated under one key at the same time makes one entry, at two servers too")
  func aRepeatedRequestMakesOneEntry() async throws {
    let arkived = try Program()
    let servers = [
      try RunningServer(arkived), try RunningServer(arkived, options: ["--beside"]),
    ]
    for round in 0..<5 {
      let answers = try await withThrowingTaskGroup(of: PlainAnswer.self) { group in
        for number in 0..<6 {
          group.addTask {
            try await onThread {
              try servers[number % 2].ask(
                "POST", "/api/v1/activities", ["line": .string("run \(round)")],
                headers: ["Idempotency-Key": "key-\(round)"])
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 201 }, "\(answers)")
      #expect(Set(answers.map(\.body)).count == 1)
    }
    #expect(try arkived("today", "--json").json["activities"]?.array?.count == 5)
  }
}

@Suite("Stopping the server", .timeLimit(.minutes(30)))
struct StoppingTests {
  @Test("It ends with 0 on SIGTERM whoever still listens, reads nothing or sends half a request")
  func itEndsWhoeverIsConnected() async throws {
    let arkived = try Program()
    let text = String(repeating: "A long line of a letter.\n", count: 200_000)
    #expect(try arkived("note", "-", input: Data(text.utf8)).status == 0)
    let server = try RunningServer(arkived)
    let listener = try await server.listen()
    _ = await listener.next(1, "today")
    func connect(_ method: String, _ path: String, _ rest: String = "") throws -> PlainConnection {
      let connection = try PlainConnection(port: server.port, receiveBuffer: 2_048)
      var headers = server.door
      if !rest.isEmpty {
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = "1000"
      }
      try connection.send(PlainAnswer.head(port: server.port, method, path, headers) + rest)
      return connection
    }
    let stalled = try [
      connect("GET", "/api/v1/events"), connect("GET", "/api/v1/days/2026-03-14"),
      connect("POST", "/api/v1/activities", "{\"line\":\"half"),
      PlainConnection(port: server.port),
    ]
    // The server has begun with each of them: what comes after is answered, and an answer has begun
    // to come where there is one.
    for connection in stalled.prefix(2) { #expect(!connection.receive().isEmpty) }
    #expect(try server.ask("GET", "/api/v1/activities/nonsense").status == 400)
    let end = try #require(try server.stop(within: 60))
    #expect(end.status == 0 && end.talk.isEmpty, "\(end)")
    // Who listened is told that it is over.
    #expect(await listener.next(1).isEmpty)
    #expect(try arkived("today", "--json").json["activities"] == [])
    withExtendedLifetime(stalled) {}
  }
}
