import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Imports and storage in the settings")
struct SettingsImportTests {
  /// A form with files as a browser sends it.
  private func send(
    _ files: [(name: String, content: String)], _ client: WebClient, cookie: String
  ) async throws -> WebClient.Answer {
    var body = ""
    for file in files {
      body +=
        "--B\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(file.name)\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n\(file.content)\r\n"
    }
    return try await client.send(
      .post, "/settings/imports",
      [
        "Cookie": cookie, "Origin": client.origin,
        "Content-Type": "multipart/form-data; boundary=B",
      ], body: body + "--B--\r\n")
  }

  private static func line(_ text: String) -> String {
    #"{"type":"activity","text":"\#(text)","dayKey":"2026-01-01"}"#
  }

  /// Waits until the import in the server is over.
  private func finished(_ web: WebTest) async throws -> ImportDesk.Job {
    for _ in 0..<600 {
      if let job = web.app.importDesk.current, !job.isRunning { return job }
      try await Task.sleep(for: .milliseconds(50))
    }
    return try #require(web.app.importDesk.current.flatMap { $0.isRunning ? nil : $0 })
  }

  @Test func filesComeInAreToldOfAndTakenBack() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get("/settings/imports", cookie: cookie)
      #expect(empty.text.contains("Nothing imported yet.") && empty.text.contains("(.ics)"))
      let sent = try await send(
        [("../life.jsonl", Self.line("one") + "\n{bad\n"), ("more.jsonl", Self.line("two"))],
        client, cookie: cookie)
      #expect(sent.status == 303 && sent.headers[.location] == "/settings/imports")
      let job = try await finished(web)
      #expect(job.runs.count == 2 && job.problems.isEmpty && job.name == "life.jsonl and 1 more")
      let page = try await client.get("/settings/imports", cookie: cookie)
      #expect(page.text.contains("id=\"ended\"") && page.text.contains("1 entry"))
      let run = try #require(
        try web.test.archive.importRuns().first { $0.source == "life.jsonl" })
      #expect(run.skipped == 1)
      let path = "/settings/imports/\(run.id.uuidString)"
      let one = try await client.get(path, cookie: cookie)
      #expect(one.text.contains("<dt>Skipped</dt><dd>1</dd>") && one.text.contains("1 warning"))
      let remarks = try await client.get("\(path)/warnings.txt", cookie: cookie)
      #expect(remarks.headers[.contentType]?.hasPrefix("text/plain") == true)
      let undone = try await client.post("\(path)/undo", [:], cookie: cookie)
      #expect(undone.status == 303)
      #expect(try web.test.archive.counts().activities == 1)
      let list = try await client.get(try #require(undone.headers[.location]), cookie: cookie)
      #expect(list.text.contains("Redo the import of life.jsonl"))
      _ = try await client.post("\(path)/undo", [:], cookie: cookie)
      #expect(try web.test.archive.counts().activities == 2)
      let closed = try await client.post(
        "/settings/imports/dismiss", ["job": job.id.uuidString], cookie: cookie)
      #expect(closed.status == 303 && web.app.importDesk.current == nil)
    }
  }

  @Test func reportsAreKeptInEnglishAndToldInThePagesLanguage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await send([("life.jsonl", Self.line("one") + "\n{bad\n")], client, cookie: cookie)
      _ = try await finished(web)
      let run = try #require(try web.test.archive.importRuns().first)
      #expect(run.warnings.contains { $0.message.hasPrefix("the line isn’t valid JSON: ") })
      let path = "/settings/imports/\(run.id.uuidString)"
      for place in [path, "\(path)/warnings.txt"] {
        let german = try await client.send(
          .get, place, ["Cookie": cookie, "Accept-Language": "de"])
        #expect(german.text.contains("die Zeile ist kein gültiges JSON"), "\(place)")
        let english = try await client.get(place, cookie: cookie)
        #expect(english.text.contains("the line isn’t valid JSON"), "\(place)")
      }
      let list = try await client.send(
        .get, "/settings/imports", ["Cookie": cookie, "Accept-Language": "de"])
      #expect(
        list.text.contains("1 Eintrag")
          && list.text.contains("Kalender (.ics)"))
      let told = try await client.ask(.get, "/api/v1/imports")
      #expect(told.text.contains("the line isn’t valid JSON"))
    }
  }

  @Test func whatCannotBeReadIsSaidInASentence() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let none = try await send([("", "")], client, cookie: cookie)
      #expect(none.status == 422 && none.text.contains("Choose at least one file"))
      let plain = try await client.post("/settings/imports", ["files": "x"], cookie: cookie)
      #expect(plain.status == 415)
      _ = try await send([("<b>x.bin", "\u{1}\u{2}no format")], client, cookie: cookie)
      let job = try await finished(web)
      #expect(job.runs.isEmpty && job.problems.count == 1)
      let page = try await client.get("/settings/imports", cookie: cookie)
      #expect(page.text.contains("Nothing imported") && !page.text.contains("<b>x"))
      #expect(page.text.contains("this isn’t a format Arkived can read. It reads"))
      let stranger = try await client.send(
        .post, "/settings/imports",
        ["Cookie": cookie, "Content-Type": "multipart/form-data; boundary=B"], body: "--B--")
      #expect(stranger.status == 403)
    }
  }

  @Test func uploadsOfAnySizeAndFormArriveByteForByte() async throws {
    let web = try WebTest()
    // What looks like a boundary is none, and lines of all kinds stay as they are.
    let note = String(repeating: #"a\r\n--"#, count: 60_000) + #"\r\n--B-"#
    try await web.run { client in
      let cookie = try await client.signIn()
      let line = #"{"type":"activity","text":"long","notes":"\#(note)","dayKey":"2026-01-01"}"#
      let raw = line + "\r\n--C\r\n\r\n-"
      let sent = try await send([("long.jsonl", raw)], client, cookie: cookie)
      #expect(sent.status == 303)
      let job = try await finished(web)
      #expect(job.problems.isEmpty && job.runs.count == 1)
      let kept = try web.test.day("2026-01-01").activities.first?.notes
      #expect(kept?.utf8.count == 60_000 * 5 + 6)
      let broken = try await client.send(
        .post, "/settings/imports",
        [
          "Cookie": cookie, "Origin": client.origin,
          "Content-Type": "multipart/form-data; boundary=B",
        ], body: "--B\r\nContent-Disposition: form-data; filename=\"x.jsonl\"\r\n\r\n{}")
      #expect(broken.status == 400 && broken.text.contains("The form arrived incomplete"))
    }
  }

  @Test func whatWouldComeInIsShownAndBroughtInWhenAsked() async throws {
    let web = try WebTest()
    let file = try web.test.folder.file(
      "runs.csv", "Date,Title,Distance (km)\n2026-03-10,<Run>,5\n2026-02-30,Never,1\n")
    try await web.run { client in
      let cookie = try await client.signIn()
      let looked = try await client.post(
        "/settings/imports/path?look=1", ["path": file.path], cookie: cookie)
      #expect(looked.status == 303)
      let job = try await finished(web)
      #expect(job.forecasts.count == 1 && job.runs.isEmpty)
      let page = try await client.get("/settings/imports", cookie: cookie)
      #expect(page.text.contains("Preview of") && page.text.contains("measure in km"))
      #expect(page.text.contains("&lt;Run&gt;"))
      #expect(page.text.contains("<span class=\"hint\">10 March 2026</span>"))
      #expect(try web.test.archive.counts().activities == 0)
      let begun = try await client.post(
        "/settings/imports/go", ["job": job.id.uuidString], cookie: cookie)
      #expect(begun.status == 303)
      #expect(try await finished(web).runs.count == 1)
      #expect(try web.test.archive.counts().activities == 1)
      let again = try await client.post(
        "/settings/imports/go", ["job": job.id.uuidString], cookie: cookie)
      #expect(again.status == 404)
    }
  }

  /// The answer on the page, or in the API's form, and what is kept of a walk: latitude and place.
  static let choices: [(answer: String?, lat: Double?, place: String?)] = [
    ("keep", 50.0965, "Letna"), ("names", nil, "Letna"), ("none", nil, nil), (nil, nil, "Letna"),
  ]

  private static let walks = "Date,Title,Place,Lat,Lon\n2026-03-10,Walk,Letna,50.0965,14.4160\n"

  @Test(arguments: choices)
  func thePageAsksWhatIsKeptOfPlaces(answer: String?, lat: Double?, place: String?) async throws {
    let web = try WebTest()
    let file = try web.test.folder.file("walks.csv", Self.walks)
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await client.post(
        "/settings/imports/path?look=1", ["path": file.path], cookie: cookie)
      let job = try await finished(web)
      let page = try await client.get("/settings/imports", cookie: cookie).text
      #expect(page.contains("Keep the coordinates?"))
      // What comes from elsewhere leaves them out unless its owner says so.
      #expect(page.contains(#"value="names" checked"#) && !page.contains(#"value="keep" checked"#))
      let wrong = try await client.post(
        "/settings/imports/go", ["job": job.id.uuidString, "places": "all"], cookie: cookie)
      #expect(wrong.status == 422)
      #expect(try web.test.archive.counts().activities == 0)
      var form = ["job": job.id.uuidString]
      form["places"] = answer
      let begun = try await client.post("/settings/imports/go", form, cookie: cookie)
      #expect(begun.status == 303)
      _ = try await finished(web)
      let walk = try #require(try web.test.day("2026-03-10").activities.first)
      #expect(walk.lat == lat && walk.locationLabel == place)
    }
  }

  @Test(arguments: choices)
  func aProgramSaysWhatIsKeptOfPlaces(answer: String?, lat: Double?, place: String?) async throws {
    let web = try WebTest()
    try await web.run { client in
      func send(_ answer: String?) async throws -> WebClient.Answer {
        let part = "--B\r\nContent-Disposition: form-data; name="
        let choice = answer.map { "\(part)\"places\"\r\n\r\n\($0)\r\n" } ?? ""
        return try await client.send(
          .post, "/api/v1/imports",
          [
            "Authorization": "Bearer \(client.door.ownerToken)",
            "Content-Type": "multipart/form-data; boundary=B",
          ],
          body: choice + "\(part)\"f\"; filename=\"walks.csv\"\r\n\r\n\(Self.walks)\r\n--B--\r\n")
      }
      let wrong = try await send("all")
      #expect(wrong.status == 422 && wrong.json["field"] == "places", "\(wrong.text)")
      #expect(try web.test.archive.counts().activities == 0)
      let sent = try await send(answer)
      #expect(sent.status == 201, "\(sent.text)")
      let walk = try #require(try web.test.day("2026-03-10").activities.first)
      #expect(walk.lat == lat && walk.locationLabel == place)
    }
  }

  @Test(arguments: choices)
  func theChoiceBesideTheFileIsTaken(answer: String?, lat: Double?, place: String?) async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      func send(_ answer: String) async throws -> WebClient.Answer {
        let part = "--B\r\nContent-Disposition: form-data; name="
        return try await client.send(
          .post, "/settings/imports",
          [
            "Cookie": cookie, "Origin": client.origin,
            "Content-Type": "multipart/form-data; boundary=B",
          ],
          body: "\(part)\"places\"\r\n\r\n\(answer)\r\n"
            + "\(part)\"files\"; filename=\"walks.csv\"\r\n\r\n\(Self.walks)\r\n--B--\r\n")
      }
      #expect(try await send("all").status == 422)
      // “As the format has it” is an empty choice.
      #expect(try await send(answer ?? "").status == 303)
      _ = try await finished(web)
      let walk = try #require(try web.test.day("2026-03-10").activities.first)
      #expect(walk.lat == lat && walk.locationLabel == place)
    }
  }

  @Test func everyEntrySaysWhereItCameFromAndWhen() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let note = "AAAAAAAA-0000-4000-8000-000000000007"
    try await web.run { client in
      let cookie = try await client.signIn()
      for (name, content) in [
        (
          "daylio.csv",
          "full_date,date,weekday,time,mood,activities,note_title,note\n"
            + "2026-03-03,March 3,Tuesday,18:50,good,walk,A day,fine\n"
        ),
        ("a vault/2026-03-04.md", "By the sea\n"),
        (
          "life.jsonl",
          #"{"type":"note","id":"\#(note)","title":"Ideas","text":"One"}"# + "\n"
        ),
      ] {
        let file = try web.test.folder.file(name, content)
        _ = try ImportJob(archive: archive, homeZone: web.test.zone).run(file)
      }
      let entry = try #require(try web.test.day("2026-03-03").activities.first)
      let page = try await client.get("/activities/\(entry.id.uuidString)/edit", cookie: cookie)
        .text
      #expect(page.contains("Daylio, imported "))
      let day = try await client.get("/day/2026-03-04/note/edit", cookie: cookie).text
      #expect(day.contains("From Markdown, imported "))
      let ideas = try await client.get("/notes/\(note)", cookie: cookie).text
      #expect(ideas.contains("From life.jsonl, imported "))
      let typed = try await client.post("/notes", ["note": "typed here"], cookie: cookie)
      let own = try await client.get(try #require(typed.headers[.location]), cookie: cookie).text
      #expect(own.contains("typed here") && !own.contains(", imported "))
    }
  }

  @Test func anEmptyArchiveLeadsToWhereExportsHideAndEveryFormatIsToldThere() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let today = try await client.get("/", cookie: cookie)
      #expect(today.text.contains("href=\"/settings/imports/services\""))
      let told = ImportService.offered.reduce(into: Set<String>()) { $0.formUnion($1.formats) }
      #expect(Set(ImportJob.formats.map(\.format)) == told)
    }
  }

  @Test func aPageSaysWhereExportsHideAndAnotherWhatTwoSourcesTell() async throws {
    let web = try WebTest()
    try web.test.add("Run <fast>", on: "2026-03-10", from: "07:30", to: "08:15")
    try await web.run { client in
      let cookie = try await client.signIn()
      let services = try await client.get("/settings/imports/services", cookie: cookie)
      #expect(services.status == 200)
      for name in ["Day One", "jrnl", "Daylio", "Loop", "Toggl", "Obsidian", "Logseq", "CSV"] {
        #expect(services.text.contains(name), "\(name)")
      }
      // Who begins is led there; who has written something is not.
      let link = "href=\"/settings/imports/services\""
      #expect(try await !client.get("/", cookie: cookie).text.contains(link))
      _ = try await send(
        [("w.csv", "Start,End,Title\n2026-03-10 07:30,2026-03-10 08:14,Running\n")], client,
        cookie: cookie)
      _ = try await finished(web)
      let path = "/settings/imports/duplicates"
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("Merge Running into Run &lt;fast&gt;"))
      let pair = try #require(try web.test.archive.nearDuplicates().first)
      let (kept, other) = (pair.first.id.uuidString, pair.second.id.uuidString)
      let merged = try await client.post(
        path + "/merge", ["kept": kept, "other": other], cookie: cookie)
      #expect(merged.status == 303)
      let told = try await client.get(try #require(merged.headers[.location]), cookie: cookie)
      #expect(told.text.contains("No possible duplicates found.") && told.text.contains("Undo"))
      #expect(try web.test.archive.counts().activities == 1)
      let wrong = try await client.post(path + "/keep", ["one": "x"], cookie: cookie)
      #expect(wrong.status == 400)
    }
  }

  @Test func aPathIsForTheSignedInBrowserAlone() async throws {
    let web = try WebTest()
    let file = try web.test.folder.file("own.jsonl", Self.line("from a path") + "\n")
    try await web.run { client in
      let cookie = try await client.signIn()
      for (path, sentence) in [
        ("", "The path is missing"), ("own.jsonl", "must begin with / or ~"),
        ("/no/such/file", "No file or folder found at"),
      ] {
        let answer = try await client.post(
          "/settings/imports/path", ["path": path], cookie: cookie)
        #expect(answer.status == 422 && answer.text.contains(sentence), "\(path)")
      }
      let script = try await client.send(
        .post, "/settings/imports/path",
        [
          "Authorization": "Bearer \(client.door.ownerToken)",
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: "path=\(URLText.escaped(file.path))")
      #expect(script.status == 403)
      let begun = try await client.post(
        "/settings/imports/path", ["path": file.path], cookie: cookie)
      #expect(begun.status == 303)
      #expect(try await finished(web).runs.count == 1)
    }
    #expect(try web.test.archive.counts().activities == 1)
  }

  @Test func aSecondImportIsToldPolitelyAndTheFirstCanBeBrokenOff() async throws {
    let web = try WebTest()
    let lines = (0..<60_000).map { Self.line("entry \($0)") }.joined(separator: "\n")
    let file = try web.test.folder.file("long.jsonl", lines)
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await client.post("/settings/imports/path", ["path": file.path], cookie: cookie)
      let job = try #require(web.app.importDesk.current)
      let second = try await send([("b.jsonl", Self.line("b"))], client, cookie: cookie)
      let page = try await client.get("/settings/imports", cookie: cookie)
      if job.isRunning, web.app.importDesk.current?.isRunning == true {
        #expect(second.status == 409)
        #expect(second.text.contains("“long.jsonl” is still being imported."))
        #expect(page.text.contains("data-polls") && page.text.contains("<progress"))
      }
      _ = try await client.post(
        "/settings/imports/cancel", ["job": job.id.uuidString], cookie: cookie)
      let ended = try await finished(web)
      let count = try web.test.archive.counts().activities
      #expect(ended.runs.isEmpty ? count == 0 : count > 0)
    }
  }

  @Test func anImportThatHasEndedIsNotMarkedAsCancelled() async throws {
    let web = try WebTest()
    let file = try web.test.folder.file("a.jsonl", Self.line("a"))
    try web.app.importDesk.start("a.jsonl", [ImportDesk.Source(url: file)])
    let job = try await finished(web)
    web.app.importDesk.cancel(job.id)
    #expect(web.app.importDesk.current?.isCancelled == false)
  }

  @Test func storageTellsSizesAndChecks() async throws {
    let web = try WebTest()
    try web.test.add("lunch", tags: ["food"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/storage", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("Not checked yet."))
      #expect(page.text.contains("<dt>Entries</dt><dd>1</dd>"))
      #expect(page.text.contains("Arkived \(ArkivedVersion.current)"))
      let begun = try await client.post("/settings/storage/check", [:], cookie: cookie)
      #expect(begun.status == 303)
      for _ in 0..<600 where web.app.checkDesk.isRunning {
        try await Task.sleep(for: .milliseconds(50))
      }
      let checked = try await client.get("/settings/storage", cookie: cookie)
      #expect(checked.text.contains("No problems found.") && checked.text.contains("Integrity"))
      let export = try await client.get("/settings/storage/export.jsonl", cookie: cookie)
      let lines = export.text.split(separator: "\n")
      #expect(lines.first?.hasPrefix("{\"type\":\"arkived\"") == true)
      #expect(lines.contains { $0.contains("\"lunch\"") })
      #expect(
        export.headers[.contentDisposition] == "attachment; filename=\"arkived-2026-03-14.jsonl\"")
    }
  }

  @Test func someDaysAreSavedForOtherPrograms() async throws {
    let web = try WebTest()
    try web.test.add("lunch", from: "12:00")
    try web.test.add("elsewhere", on: "2025-01-01", from: "12:00")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/storage", cookie: cookie)
      #expect(page.text.contains("<option value=\"book\">"))
      let address = "/settings/storage/export"
      let ics = try await client.get("\(address)?format=ics&from=2026-01-01&to=", cookie: cookie)
      #expect(ics.status == 200 && ics.text.contains("SUMMARY:lunch"))
      #expect(!ics.text.contains("elsewhere"))
      #expect(
        ics.headers[.contentDisposition]
          == "attachment; filename=\"arkived-ics-2026-01-01.ics\"")
      for format in ["book", "markdown", "csv", "jsonl-files"] {
        let zip = try await client.get("\(address)?format=\(format)", cookie: cookie)
        #expect(zip.status == 200 && zip.text.hasPrefix("PK"), "\(format)")
      }
      for query in ["", "?format=pdf", "?format=ics&from=soon", "?format=ics&to=2026-01-01&x=1"] {
        let odd = try await client.get(address + query, cookie: cookie)
        #expect(odd.status == 400, "\(query)")
      }
      #expect(try await client.send(.get, "\(address)?format=ics").status == 401)
    }
  }
}
