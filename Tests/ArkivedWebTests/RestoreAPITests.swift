import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import ArkivedWeb

@Suite("Backups, restoring, moving and the zone in the API", .timeLimit(.minutes(20)))
struct RestoreAPITests {
  /// Makes a backup of the archive with one entry.
  private func backup(_ web: WebTest, _ target: AgeTarget? = nil) throws -> URL {
    try web.test.add("tea", on: "2026-02-01")
    let file = web.test.folder.url.appendingPathComponent("a life.zip")
    _ = try BackupJob(archive: web.test.archive, target: target).replace(file)
    return file
  }

  private func query(_ path: String) throws -> String {
    try #require(path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }

  /// Asks until the job has a stage, or ends.
  private func job(_ client: WebClient, until stage: String) async throws -> JSON {
    while true {
      let job = try await client.ask(.get, "/api/v1/restore").json["job"] ?? .null
      let now = job["stage"]?.string
      if now == stage || now == "ended" { return job }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func aListedBackupIsDownloadedAndNoOtherFile() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try await web.run { client in
      let path = "/api/v1/backups/file?path=\(try query(file.path))"
      let content = try Data(contentsOf: file)
      let sent = try await client.ask(.get, path)
      #expect(sent.status == 200)
      #expect(sent.headers[.contentLength] == "\(content.count)")
      #expect(sent.headers[.contentDisposition] == "attachment; filename=\"a_life.zip\"")
      let head = try await client.ask(.head, path)
      #expect(head.status == 200 && head.headers[.contentDisposition] != nil)
      #expect(head.headers[.contentLength] == "\(content.count)")
      let other = try web.test.folder.file("secret.txt", "x")
      for name in [other.path, "/etc/passwd", "\(file.path)/../secret.txt"] {
        let answer = try await client.ask(.get, "/api/v1/backups/file?path=\(try query(name))")
        #expect(answer.status == 404, "\(name)")
      }
      #expect(try await client.ask(.get, "/api/v1/backups/file").status == 400)
      try FileManager.default.removeItem(at: file)
      #expect(try await client.ask(.get, path).status == 404)
    }
  }

  @Test func theScheduleIsSetChangedAndEnded() async throws {
    let web = try WebTest()
    let folder = web.test.folder.url.appendingPathComponent("backups").path
    let key = AgeIdentity().recipient.description
    try await web.run { client in
      let path = "/api/v1/backups/plan"
      for wrong in [
        ["folder": .string(folder)], ["recipients": [.string(key)]],
        ["folder": "relative", "recipients": [.string(key)]],
        ["folder": .string(folder), "recipients": ["AGE-SECRET-KEY-1"]],
        ["folder": .string(folder), "recipients": [.string(key)], "days": 0],
        ["folder": .string(folder), "recipients": [.string(key)], "day": 1],
      ] as [JSON] {
        #expect(try await client.ask(.put, path, wrong).status == 422, "\(wrong.text())")
      }
      #expect(BackupBook(of: web.test.archive).plan == nil)
      let set = try await client.ask(
        .put, path, ["folder": .string(folder), "recipients": [.string(key)]])
      #expect(set.status == 200, "\(set.text)")
      var plan = try #require(BackupBook(of: web.test.archive).plan)
      #expect(plan.folder == folder && plan.days == 1)
      #expect(plan.recipients.map(\.description) == [key])
      #expect(try await client.ask(.put, path, ["days": 7]).status == 200)
      plan = try #require(BackupBook(of: web.test.archive).plan)
      #expect(plan.days == 7 && plan.folder == folder && plan.recipients.count == 1)
      #expect(try await client.ask(.delete, path).json["plan"] == .null)
      #expect(BackupBook(of: web.test.archive).plan == nil)
    }
  }

  @Test func aBackupWithAPassphraseIsMadeTestedAndLookedInto() async throws {
    let web = try WebTest()
    try web.test.add("tea", on: "2026-02-01")
    let folder = web.test.folder.url.appendingPathComponent("once").path
    try await web.run { client in
      let wrong = try await client.ask(
        .post, "/api/v1/backups/once", ["folder": .string(folder), "passphrase": ""])
      #expect(wrong.status == 422)
      let made = try await client.ask(
        .post, "/api/v1/backups/once", ["folder": .string(folder), "passphrase": "five words"])
      #expect(made.status == 202, "\(made.text)")
      var told = try await client.ask(.get, "/api/v1/backups").json
      while told["work"] != .null {
        try await Task.sleep(for: .milliseconds(10))
        told = try await client.ask(.get, "/api/v1/backups").json
      }
      #expect(told["outcome"]?["isGood"] == true, "\(told.text())")
      let path = try #require(told["files"]?.array?.first?["path"]?.string)

      let started = try await client.ask(
        .post, "/api/v1/restore", ["path": .string(path), "purpose": "test"])
      #expect(started.status == 202, "\(started.text)")
      var job = try await job(client, until: "locked")
      #expect(job["stage"] == "locked" && job["needsKey"] == false)
      let id = try #require(job["id"])
      _ = try await client.ask(
        .post, "/api/v1/restore/unlock", ["job": id, "passphrase": "wrong"])
      repeat {
        job = try await client.ask(.get, "/api/v1/restore").json["job"] ?? .null
      } while job["stage"] == "reading"
      #expect(job["stage"] == "locked" && job["problem"]?.string != nil)
      let both = try await client.ask(
        .post, "/api/v1/restore/unlock", ["job": id, "passphrase": "a", "key": "b"])
      #expect(both.status == 422)
      _ = try await client.ask(
        .post, "/api/v1/restore/unlock", ["job": id, "passphrase": "five words"])
      repeat {
        try await Task.sleep(for: .milliseconds(10))
        job = try await client.ask(.get, "/api/v1/restore").json["job"] ?? .null
      } while job["stage"] != "ended"
      #expect(job["outcome"]?["kind"] == "tested")
      #expect(job["outcome"]?["test"]?["isGood"] == true, "\(job.text())")
      _ = try await client.ask(.post, "/api/v1/restore/dismiss", ["job": id])
      #expect(try await client.ask(.get, "/api/v1/restore").json["job"] == .null)
    }
  }

  @Test func oneDayComesBackAndNothingIsReplaced() async throws {
    let web = try WebTest()
    let file = try backup(web)
    let entry = try #require(try web.test.day("2026-02-01").activities.first)
    _ = try web.test.archive.deleteActivities([entry.id])
    try web.test.add("later")
    try await web.run { client in
      _ = try await client.ask(.post, "/api/v1/restore", ["path": .string(file.path)])
      let ready = try await job(client, until: "ready")
      #expect(ready["stage"] == "ready" && ready["replacesSomething"] == true)
      #expect(ready["contents"]?["entries"]?.int ?? 0 > 0, "\(ready.text())")
      let id = try #require(ready["id"])
      let none = try await client.ask(.post, "/api/v1/restore/day", ["job": id])
      #expect(none.status == 422)
      let asked = try await client.ask(
        .post, "/api/v1/restore/day", ["job": id, "day": "2026-02-01"])
      #expect(asked.status == 202, "\(asked.text)")
      let ended = try await job(client, until: "ended")
      #expect(ended["outcome"]?["kind"] == "day", "\(ended.text())")
      #expect(try web.test.day("2026-02-01").activities.map(\.text) == ["tea"])
      #expect(try web.test.day("2026-03-14").activities.map(\.text) == ["later"])
      // Exchanging the whole archive needs a browser or the command line.
      for path in ["replace", "beside"] {
        let answer = try await client.ask(.post, "/api/v1/restore/\(path)", ["job": id])
        #expect(answer.status == 404)
      }
      #expect(
        try await client.ask(.post, "/api/v1/restore", ["path": "/etc/passwd"]).status == 404)
      #expect(
        try await client.ask(
          .post, "/api/v1/restore", ["path": .string(file.path), "purpose": "replace"]
        ).status == 422)
    }
  }

  @Test func anUploadedBackupIsLookedInto() async throws {
    let web = try WebTest()
    let content = try Data(contentsOf: backup(web))
    var body = Data(
      """
      --B\r
      Content-Disposition: form-data; name="purpose"\r
      \r
      restore\r
      --B\r
      Content-Disposition: form-data; name="file"; filename="up.zip"\r
      Content-Type: application/zip\r
      \r

      """.utf8)
    body.append(content)
    body.append(Data("\r\n--B--\r\n".utf8))
    let sent = body
    try await web.run { client in
      for type in ["multipart/form-data", "Multipart/Form-Data"] {
        let answer = try await client.send(
          .post, "/api/v1/restore",
          [
            "Authorization": "Bearer \(client.door.ownerToken)",
            "Content-Type": "\(type); boundary=B",
          ], content: ByteBuffer(bytes: sent))
        #expect(answer.status == 202, "\(answer.text)")
        let ready = try await job(client, until: "ready")
        #expect(ready["name"] == "up.zip" && ready["stage"] == "ready", "\(ready.text())")
        let id = try #require(ready["id"])
        let late = try await client.ask(.post, "/api/v1/restore/cancel", ["job": id])
        #expect(late.status == 200 && late.json["job"]?["isCancelled"] == false, "\(late.text)")
        #expect(try await client.ask(.post, "/api/v1/restore/dismiss", ["job": id]).status == 200)
      }
    }
  }

  @Test func theArchiveIsPackedLeftAndTakenUpAgain() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("packed").path
    try await web.run { client in
      let before = try await client.ask(.get, "/api/v1/move")
      #expect(before.json["moved"] == .null && before.json["changesSincePacking"] == .null)
      let asked = try await client.ask(
        .post, "/api/v1/move/pack",
        ["folder": .string(folder), "passphrase": "five words", "withSecrets": false])
      #expect(asked.status == 202, "\(asked.text)")
      var told = try await client.ask(.get, "/api/v1/move").json
      while told["work"] != .null {
        try await Task.sleep(for: .milliseconds(10))
        told = try await client.ask(.get, "/api/v1/move").json
      }
      #expect(told["packed"]?["fingerprint"]?.string != nil, "\(told.text())")
      #expect(told["changesSincePacking"] == 0)
      #expect(
        try await client.ask(.post, "/api/v1/move/leave", ["destination": " "]).status == 422)
      let left = try await client.ask(.post, "/api/v1/move/leave", ["destination": "laptop"])
      #expect(left.json["moved"]?["destination"] == "laptop", "\(left.text)")
      let refused = try await client.ask(.post, "/api/v1/activities", ["text": "more"])
      #expect(refused.status == 403)
      #expect(try await client.ask(.post, "/api/v1/move/stay").json["moved"] == .null)
      let added = try await client.ask(.post, "/api/v1/activities", ["text": "more"])
      #expect(added.status == 201)
    }
  }

  @Test func theZoneIsReadAndChosen() async throws {
    var web = try WebTest()
    web.app.zoneSource = .computer
    let home = try #require(web.test.archive.databaseFile?.deletingLastPathComponent())
    try await web.run { client in
      let path = "/api/v1/time-zone"
      let now = try await client.ask(.get, path).json
      #expect(now["zone"] == "Europe/Berlin" && now["source"] == "computer")
      for wrong in [[:], ["zone": "Atlantis"], ["zone": 1], ["zone": "Rome", "x": 1]] as [JSON] {
        #expect(try await client.ask(.put, path, wrong).status == 422, "\(wrong.text())")
      }
      #expect(try HomeZone.chosen(in: home) == nil)
      let chosen = try await client.ask(.put, path, ["zone": "Rome"])
      #expect(chosen.status == 200 && chosen.json["zone"] == "Europe/Rome", "\(chosen.text)")
      #expect(chosen.json["source"] == "choice" && chosen.json["restarts"] == false)
      #expect(try HomeZone.chosen(in: home)?.identifier == "Europe/Rome")
      let followed = try await client.ask(.put, path, ["zone": .null])
      #expect(followed.json["source"] == "computer")
      #expect(try HomeZone.chosen(in: home) == nil)
    }
    var fixed = try WebTest()
    fixed.app.zoneSource = .environment
    try await fixed.run { client in
      let refused = try await client.ask(.put, "/api/v1/time-zone", ["zone": "Rome"])
      #expect(refused.status == 403 && refused.text.contains("ARKIVED_TIME_ZONE"))
    }
  }

  @Test func theServiceIsOnlyTold() async throws {
    let folder = try TemporaryFolder()
    var web = try WebTest()
    web.app.service = UserService(environment: ["HOME": folder.url.path, "PATH": "/nowhere"])
    try await web.run { client in
      let told = try await client.ask(.get, "/api/v1/service")
      #expect(told.status == 200 && told.json["isInstalled"] == false, "\(told.text)")
      #expect(told.json["state"] == "absent" && told.json["file"] == .null)
      #expect(try await client.ask(.post, "/api/v1/service", ["port": 8017]).status == 405)
    }
  }

  @Test func noAgentAndNoPhoneComesHere() async throws {
    try await WebTest().run { client in
      let made = try await client.ask(.post, "/api/v1/agents", ["name": "helper"])
      let token = try #require(made.json["token"]?.string, "\(made.text)")
      for path in ["backups/file?path=x", "restore", "move", "service"] {
        let answer = try await client.send(
          .get, "/api/v1/\(path)", ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 403, "\(path)")
        let bare = path.prefix { $0 != "?" }
        #expect(!DeviceRoutes.admit("/api/v1/\(bare)", isReading: true), "\(path)")
      }
      for path in ["restore", "move/leave", "move/pack", "backups/once", "restore/day"] {
        let answer = try await client.send(
          .post, "/api/v1/\(path)",
          ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: "{}")
        #expect(answer.status == 403, "\(path)")
        #expect(!DeviceRoutes.admit("/api/v1/\(path)", isReading: false), "\(path)")
      }
      #expect(!DeviceRoutes.admit("/api/v1/time-zone", isReading: true))
    }
  }
}
