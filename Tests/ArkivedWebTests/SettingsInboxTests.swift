import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Setting the inbox and testing calendars on the web app")
struct SettingsInboxTests {
  @Test func aFolderBecomesTheInboxAndFilesInItAreAskedFor() async throws {
    let web = try WebTest()
    let empty = web.test.folder.url.appendingPathComponent("<b>inbox")
    let full = try web.test.folder.file("full/note.txt", "tea").deletingLastPathComponent()
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = try await client.get("/settings/capture", cookie: cookie).text
      #expect(form.contains("id=\"inbox-form\"") && form.contains("arkived inbox set FOLDER"))
      for (typed, words) in [
        ("", "The folder is missing"), ("inbox", "must begin with / or ~/"),
        ("/", "contains more than an inbox should"), ("/proc/inbox", "can’t be created or read"),
      ] {
        let refused = try await client.post(
          "/settings/capture/inbox", ["folder": typed], cookie: cookie)
        #expect(refused.status == 422 && refused.text.contains(words), "\(typed)")
      }
      #expect(InboxBook(of: web.test.archive).folder == nil)
      let saved = try await client.post(
        "/settings/capture/inbox", ["folder": empty.path], cookie: cookie)
      #expect(saved.status == 303)
      #expect(InboxBook(of: web.test.archive).folder?.hasSuffix("<b>inbox") == true)
      let page = try await client.get("/settings/capture?saved=inbox", cookie: cookie).text
      #expect(page.contains("&lt;b&gt;inbox") && page.contains("within a minute"))
      let asked = try await client.post(
        "/settings/capture/inbox", ["folder": full.path], cookie: cookie)
      #expect(asked.status == 409 && asked.text.contains("There’s 1 file in this folder"))
      #expect(InboxBook(of: web.test.archive).folder?.hasSuffix("<b>inbox") == true)
      _ = try await client.post(
        "/settings/capture/inbox", ["folder": full.path, "sure": "yes"], cookie: cookie)
      #expect(InboxBook(of: web.test.archive).folder?.hasSuffix("full") == true)
      _ = try await client.post("/settings/capture/inbox/off", [:], cookie: cookie)
      #expect(InboxBook(of: web.test.archive).folder == nil)
      #expect(FileManager.default.fileExists(atPath: full.appendingPathComponent("note.txt").path))
    }
  }

  @Test func programsOfTheOwnerSetTheInboxByTheAPI() async throws {
    let web = try WebTest()
    let full = try web.test.folder.file("full/note.txt", "tea").deletingLastPathComponent()
    try await web.run { client in
      #expect(try await client.ask(.get, "/api/v1/inbox").json["folder"] == .null)
      let asked = try await client.ask(.put, "/api/v1/inbox", ["folder": .string(full.path)])
      #expect(asked.status == 409 && asked.text.contains("importsExisting"))
      let set = try await client.ask(
        .put, "/api/v1/inbox", ["folder": .string(full.path), "importsExisting": true])
      #expect(set.status == 200 && set.json["folder"]?.string?.hasSuffix("full") == true)
      let relative = try await client.ask(.put, "/api/v1/inbox", ["folder": "inbox"])
      #expect(relative.status == 422)
      let off = try await client.ask(.delete, "/api/v1/inbox")
      #expect(off.status == 200 && off.json["folder"] == .null)
    }
  }

  @Test func aCalendarIsReadBeforeItIsLinked() async throws {
    let web = try WebTest()
    let calendar = try web.test.folder.file(
      "work.ics",
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//test//EN\r
      BEGIN:VEVENT\r
      UID:one@test\r
      DTSTART:20260310T090000Z\r
      DTEND:20260310T100000Z\r
      SUMMARY:Standup\r
      END:VEVENT\r
      END:VCALENDAR\r

      """)
    let letter = try web.test.folder.file("letter.ics", "Dear Ann")
    try await web.run { client in
      let cookie = try await client.signIn()
      let tested = try await client.post(
        "/calendars/test", ["address": calendar.path, "name": "Work <x>"], cookie: cookie)
      #expect(tested.status == 200 && tested.text.contains("It has 1 meeting"), "\(tested.text)")
      #expect(tested.text.contains("Nothing is linked yet."))
      #expect(tested.text.contains("Work &lt;x&gt;"))
      #expect(try web.test.archive.syncLinks().isEmpty)
      #expect(try web.test.archive.counts().activities == 0)
      let wrong = try await client.post(
        "/calendars/test", ["address": letter.path], cookie: cookie)
      #expect(wrong.status >= 400 && wrong.text.contains("notice-error"), "\(wrong.text)")
      let nowhere = try await client.post(
        "/calendars/test", ["address": "/nowhere.ics"], cookie: cookie)
      #expect(nowhere.status == 422 && nowhere.text.contains("no such file or folder"))
    }
  }
}
