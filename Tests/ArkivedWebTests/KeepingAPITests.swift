import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Storage, backups, exports and retention in the API")
struct KeepingAPITests {
  @Test func storageIsToldAndChecked() async throws {
    let web = try WebTest()
    try web.test.add("a walk", tags: ["outside"])
    try await web.run { client in
      let report = try await client.ask(.get, "/api/v1/storage")
      #expect(report.status == 200 && report.json["check"] == .null, "\(report.text)")
      #expect(report.json["archiveBytes"]?.int ?? 0 > 0)
      #expect(report.json["counts"]?.object?.members.contains { $0.value == 1 } == true)
      #expect(try await client.ask(.post, "/api/v1/storage/check").status == 202)
      var told = try await client.ask(.get, "/api/v1/storage").json
      while told["isChecking"] == true || told["check"] == .null {
        try await Task.sleep(for: .milliseconds(20))
        told = try await client.ask(.get, "/api/v1/storage").json
      }
      #expect(told["check"]?["findings"]?.array?.isEmpty == false)
      #expect(try await client.ask(.get, "/api/v1/storage?x=1").status == 400)
    }
  }

  @Test func backupsNeedAPlanAndAreListed() async throws {
    let web = try WebTest()
    try await web.run { client in
      let none = try await client.ask(.get, "/api/v1/backups")
      #expect(none.status == 200 && none.json["plan"] == .null && none.json["backups"] == [])
      let refused = try await client.ask(.post, "/api/v1/backups")
      #expect(refused.status == 409 && refused.text.contains("arkived backup schedule"))
      #expect(try await client.ask(.post, "/api/v1/backups/compare").status == 202)
      var told = none.json
      while told["outcome"] == .null {
        try await Task.sleep(for: .milliseconds(20))
        told = try await client.ask(.get, "/api/v1/backups").json
      }
      #expect(told["outcome"]?["isGood"] == false, "\(told.text())")
      let folder = web.test.folder.url.appendingPathComponent("backups")
      try BackupBook.change(of: web.test.archive) {
        $0.plan = BackupBook.Plan(folder: folder.path, recipients: [AgeIdentity().recipient])
      }
      #expect(try await client.ask(.post, "/api/v1/backups").status == 202)
      repeat {
        try await Task.sleep(for: .milliseconds(20))
        told = try await client.ask(.get, "/api/v1/backups").json
      } while told["work"] != .null
      #expect(told["outcome"]?["isGood"] == true, "\(told.text())")
      #expect(told["backups"]?.array?.first?["isThere"] == true)
    }
  }

  @Test func anExportIsAFileOfTheDaysThatAreNamed() async throws {
    let web = try WebTest()
    try web.test.add("in march", on: "2026-03-10")
    try web.test.add("in april", on: "2026-04-10")
    try await web.run { client in
      let lines = try await client.ask(
        .get, "/api/v1/export?format=jsonl&from=2026-03-01&to=2026-03-31")
      #expect(lines.status == 200 && lines.headers[.contentType]?.contains("jsonl") == true)
      #expect(lines.text.contains("in march") && !lines.text.contains("in april"))
      let calendar = try await client.ask(.get, "/api/v1/export?format=ics")
      #expect(calendar.text.hasPrefix("BEGIN:VCALENDAR"))
      let wrong = try await client.ask(.get, "/api/v1/export?format=pdf")
      #expect(wrong.status == 400 && wrong.text.contains("must be one of"))
    }
  }

  @Test func howLongTheHistoryKeepsThingsIsReadAndSet() async throws {
    let web = try WebTest()
    try await web.run { client in
      let path = "/api/v1/retention"
      let ever = try await client.ask(.get, path)
      #expect(ever.json == ["versions": .null, "deleted": .null])
      let set = try await client.ask(.put, path, ["versions": 365, "deleted": 90])
      #expect(set.status == 200 && set.json == ["versions": 365, "deleted": 90], "\(set.text)")
      #expect(try await client.ask(.get, path).json == set.json)
      for wrong in [["versions": 0], ["deleted": "soon"], ["version": 5]] as [JSON] {
        #expect(try await client.ask(.put, path, wrong).status == 422, "\(wrong.text())")
      }
      #expect(try await client.ask(.get, path).json == set.json)
    }
  }

  @Test func noAgentReadsWhereCalendarsLie() async throws {
    let web = try WebTest()
    try await web.run { client in
      let made = try await client.ask(.post, "/api/v1/agents", ["name": "helper"])
      let token = try #require(made.json["token"]?.string, "\(made.text)")
      for path in ["links", "syncs"] {
        let answer = try await client.send(
          .get, "/api/v1/\(path)", ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 403, "\(path)")
        #expect(try await client.ask(.get, "/api/v1/\(path)").status == 200, "\(path)")
      }
    }
  }

  @Test func noAgentAndNoPhoneComesHere() async throws {
    let web = try WebTest()
    try await web.run { client in
      let made = try await client.ask(.post, "/api/v1/agents", ["name": "helper"])
      let token = try #require(made.json["token"]?.string, "\(made.text)")
      for path in ["storage", "backups", "export?format=jsonl", "retention"] {
        let answer = try await client.send(
          .get, "/api/v1/\(path)", ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 403, "\(path)")
        let bare = path.prefix { $0 != "?" }
        #expect(!DeviceRoutes.admit("/api/v1/\(bare)", isReading: true), "\(path)")
      }
    }
  }
}
