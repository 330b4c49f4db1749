import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

/// The pages in another language.
@Suite("The pages' language")
struct LanguageTests: GoalPageTesting {
  /// The paths of an archive with little in it.
  private static let paths = [
    "/", "/day/2026-03-12", "/calendar?of=month", "/calendar?of=week", "/calendar?of=year",
    "/calendar?of=years", "/search", "/search?query=lunch", "/ask", "/threads", "/goals",
    "/goals/new", "/actions", "/actions/new", "/values", "/values/new", "/terms", "/terms/new",
    "/life", "/meetings", "/meetings/new", "/people", "/people/new", "/notes", "/notes/new",
    "/promises", "/calendars", "/insights", "/map", "/photos",
    "/settings", "/settings/tags", "/settings/imports",
    "/settings/imports/services", "/settings/history", "/settings/storage", "/settings/backup",
    "/settings/backup/restore", "/settings/backup/move", "/settings/service", "/settings/news",
    "/settings/assistant", "/settings/programs", "/settings/address-books", "/more", "/pending",
  ]

  private func templates() -> [(name: String, source: String)] {
    let offline = Asset.all.first { $0.name == SpokenAssets.offline }
    let page = String(decoding: offline?.content ?? [], as: UTF8.self)
    return PageTemplates.sources.map { (name: $0.key, source: $0.value) }
      + [(name: SpokenAssets.offline, source: page)]
  }

  private func squeezed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func aTemplateThatIsSaidInItsOwnWordsStaysAsItIs() {
    for (name, source) in templates() {
      let same = TemplateWords { $0 }.translated(source)
      #expect(squeezed(same) == squeezed(source), "\(name)")
      #expect(TemplateWords { _ in nil }.translated(source) == source, "\(name)")
    }
  }

  @Test func everyTemplateAndWhatItIncludesCanBeRead() throws {
    let catalogue = try #require(Catalogue.of(.german))
    let german = PageTemplates { catalogue.pattern($0, count: nil) }
    let english = PageTemplates()
    for (name, source) in PageTemplates.sources {
      #expect(try english.html(name, [:]) != nil, "\(name)")
      #expect(try german.html(name, [:]) != nil, "\(name)")
      let missing = PageTemplates.parts(of: source).filter { PageTemplates.sources[$0] == nil }
      #expect(missing.isEmpty, "\(name)")
    }
    #expect(try english.html("nothing", [:]) == nil)
    #expect(PageTemplates.parts(of: "{{> head}}<p>{{>foot}}") == ["head", "foot"])
  }

  @Test func everyTextOfTheTemplatesAndScriptsIsInTheCatalogue() throws {
    let catalogue = try #require(Catalogue.of(.german))
    var missing: Set<String> = []
    for (_, source) in templates() {
      _ = TemplateWords { key in
        let words = catalogue.pattern(key, count: nil)
        if words == nil { missing.insert(key) }
        return words
      }.translated(source)
    }
    for key in SpokenPages.scriptTexts where catalogue.pattern(key, count: nil) == nil {
      missing.insert(key)
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test func thePageOfAServerThatIsAwaySpeaksTheLanguageToo() async throws {
    let web = try WebTest()
    try await web.run { client in
      for (language, sentence) in [
        ("en", "Can’t reach Arkived"), ("de", "Arkived ist nicht erreichbar"),
      ] {
        let page = try await client.send(
          .get, "/assets/offline.html", ["Accept-Language": language])
        #expect(page.text.contains("<html lang=\"\(language)\""), "\(language)")
        #expect(page.text.contains("<h1>\(sentence)</h1>"), "\(language)")
        #expect(page.text.contains("page-words") == (language == "de"))
      }
    }
  }

  @Test func messagesKeepTheirLinksAndTheirVariables() {
    let said = TemplateWords { key in
      [
        "Nothing counts yet. <1>Log an action</1>, or see <2>the list</2>.":
          "<2>Die Liste</2> oder <1>eintragen</1>: noch nichts.",
        "Move {goalTitle} up": "{goalTitle} nach \"oben\"", "Edit": "<i>Ändern</i> {x}",
        "All {count}": "Alle {count}", "Add": "Hinzufügen",
        "{name}, up to {most}": "{name}, bis {most}",
      ][key]
    }
    #expect(
      said.translated(
        """
        <p class="quiet">Nothing counts yet. <a href="/actions/new">Log an action</a>,
          or see <a href="/actions">the list</a>.</p>
        """)
        == "<p class=\"quiet\"><a href=\"/actions\">Die Liste</a> oder "
        + "<a href=\"/actions/new\">eintragen</a>: noch nichts.</p>")
    #expect(
      said.translated("<button value=\"Edit\" aria-label=\"Move {{goalTitle}} up\">Edit</button>")
        == "<button value=\"Edit\" aria-label=\"{{goalTitle}} nach &quot;oben&quot;\">"
        + "&lt;i>Ändern&lt;/i> &#123;x}</button>")
    #expect(
      said.translated(
        "<svg role=\"img\" aria-label=\"{{name}}, up to {{most}}\"><rect x=\"{{x}}\"/></svg>")
        == "<svg role=\"img\" aria-label=\"{{name}}, bis {{most}}\"><rect x=\"{{x}}\"/></svg>")
    #expect(
      said.translated("{{#a}} All {{{count}}} {{/a}}<svg><title>Add</title></svg><b>Add</b>")
        == "{{#a}} Alle {{{count}}} {{/a}}<svg><title>Add</title></svg><b>Hinzufügen</b>")
  }

  @Test func theBrowserOrTheOwnerChoosesTheLanguage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      func page(_ accept: String) async throws -> String {
        try await client.send(
          .get, "/day/2026-03-12", ["Cookie": cookie, "Accept-Language": accept]
        ).text
      }
      let german = try await page("de-DE,de;q=0.9,en;q=0.8")
      for words in [
        "<html lang=\"de\"", "Donnerstag, 12. März", "Was hast du", "Hinzufügen",
        "id=\"page-words\"",
      ] {
        #expect(german.contains(words), "\(words)")
      }
      let english = try await page("fr")
      #expect(english.contains("<html lang=\"en\"") && english.contains("Thursday 12 March"))
      #expect(!english.contains("page-words"))
      let form = [
        "theme": "auto", "contrast": "auto", "zoom": "100", "density": "comfortable",
        "firstWeekday": "monday", "clock": "hours24", "dateOrder": "dayMonth", "language": "de",
      ]
      #expect(try await client.post("/settings/appearance", form, cookie: cookie).status == 303)
      #expect(try await page("en").contains("<html lang=\"de\""))
      #expect(try await client.get("/settings", cookie: cookie).text.contains("Darstellung"))
      // Programs are answered as before.
      let refused = try await client.ask(
        .get, "/api/v1/days/nonsense", nil, ["Accept-Language": "de"])
      #expect(refused.status == 400 && !refused.text.contains("Tag"))
      #expect(try await client.ask(.get, "/api/v1/preferences").json["language"] == "de")
      let wrong = try await client.ask(.patch, "/api/v1/preferences", ["language": "xx"])
      #expect(wrong.status == 422 && wrong.json["field"] == "language")
    }
  }

  @Test func aStrangerIsAskedInInTheirLanguage() async throws {
    try await WebTest().run { client in
      let answer = try await client.send(.get, "/", ["Accept-Language": "de"])
      #expect(answer.status == 401 && answer.text.contains("Öffne dein Archiv"))
    }
  }

  @Test func whatIsComputedIsToldInGermanAndToProgramsInEnglish() async throws {
    let web = try WebTest()
    try web.test.add(
      "ran along the canal", on: "2026-03-12", from: "07:00", to: "07:30", tags: ["sport"],
      kind: .health, measurements: ["km": 5.5])
    try await web.run { client in
      let cookie = try await client.signIn()
      func page(_ path: String) async throws -> String {
        try await client.send(.get, path, ["Cookie": cookie, "Accept-Language": "de"]).text
      }
      for (path, parts) in [
        ("/recap?of=month&day=2026-03-12", ["März 2026", "Das Archiv beginnt am 12. März 2026."]),
        ("/recap?of=day&day=2026-03-12", ["Donnerstag, 12. März 2026", "Am Vormittag: „ran"]),
        ("/insights/time", ["Wo deine Zeit bleibt", "Gesundheit", "Stunden"]),
        ("/insights/habits", ["Gewohnheiten und Serien"]),
        ("/ask?question=How+many+times+did+I+run+in+March", ["1 Eintrag", "an 1 Tag."]),
      ] {
        let text = try await page(path)
        for part in parts { #expect(text.contains(part), "\(path): \(part)") }
        #expect(!text.contains("<p dir=\"auto\" lang=\"en\">"), "\(path)")
      }
      let nowhere = try await page("/nothing-here")
      #expect(nowhere.contains("Nicht gefunden") && !nowhere.contains("Not Found"))
      // Files for programs, and the API.
      #expect(try await page("/insights/time.csv").contains("Entries with a duration"))
      let recap = try await client.ask(
        .get, "/api/v1/recap?of=day&day=2026-03-12", nil, ["Accept-Language": "de"])
      #expect(recap.json["title"] == "Thursday, 12 March 2026")
      let answer = try await client.ask(
        .post, "/api/v1/ask", ["question": "How many times did I run in March?"],
        ["Accept-Language": "de"])
      #expect(answer.json["answer"]?.string?.contains("1 entry") == true)
    }
  }

  @Test func theTimeOnAnEntrysOwnPageIsInTheLanguageOfThePage() async throws {
    let web = try WebTest()
    var fasting = try web.test.activity("fasting", on: "2026-03-12", to: "07:00")
    fasting.notes = "hungry"
    try web.test.archive.add(fasting)
    let path = "/activities/\(fasting.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let german = try await client.send(
        .get, path, ["Cookie": cookie, "Accept-Language": "de"]
      ).text
      #expect(german.contains("bis 07:00") && !german.contains("until 07:00"))
      #expect(try await client.get(path, cookie: cookie).text.contains("until 07:00"))
    }
  }

  @Test func noEnglishSentenceIsLeftOnGermanPages() async throws {
    let web = try WebTest()
    let entries = try PortableObject(parsing: Catalogue.source(of: .german)).entries
    let sentences = Set(
      entries.filter {
        $0.plural == nil && $0.forms.first != $0.key && $0.key.contains(" ")
          && !$0.key.contains("{") && !$0.key.contains("<")
      }.map { HTMLText.escaped($0.key) })
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in Self.paths {
        let page = try await client.send(
          .get, path, ["Cookie": cookie, "Accept-Language": "de"])
        #expect(page.status == 200, "\(path)")
        // The scripts' words stand with their English ones.
        let text = page.text.split(separator: "</head>").last.map(String.init) ?? ""
        let between = text.split(separator: "<").compactMap {
          $0.split(separator: ">").dropFirst().last
        }
        let quoted = text.split(separator: "\"")
        let left = sentences.intersection((between + quoted).map(String.init))
        #expect(left.isEmpty, "\(path): \(left)")
      }
    }
  }

  @Test func theAppSaysItsOwnTextsInTheBrowsersLanguage() async throws {
    let web = try WebTest()
    try await web.run { client in
      for (path, english, german) in [
        ("/service-worker.js", "couldn’t read this line", "konnte diese Zeile nicht lesen"),
        ("/assets/manifest.webmanifest", "Add to today", "Zu heute hinzufügen"),
      ] {
        let plain = try await client.send(.get, path, [:])
        #expect(plain.text.contains(english) && !plain.text.contains(german))
        let spoken = try await client.send(.get, path, ["Accept-Language": "de"])
        #expect(spoken.text.contains(german) && !spoken.text.contains(english))
      }
    }
  }

  @Test func everyTextThatIsReplacedInAFileStandsInIt() {
    let manifest = String(decoding: WebFiles.content("manifest.webmanifest"), as: UTF8.self)
    let worker = String(decoding: WebFiles.content("service-worker.js"), as: UTF8.self)
    for (texts, source) in [
      (SpokenAssets.manifestTexts, manifest), (SpokenAssets.workerTexts, worker),
    ] {
      for text in texts { #expect(source.contains(text.key), "\(text.key)") }
    }
    let german = String(decoding: SpokenAssets.worker(in: .german), as: UTF8.self)
    #expect(german.contains("<h1>Nicht gespeichert</h1>") && german.contains("lang=\\\"de\\\""))
    for text in SpokenAssets.workerTexts { #expect(!german.contains(text.key), "\(text.key)") }
  }

  @Test func noScriptFallsBackToATextThatIsNeverTranslated() {
    for asset in Asset.all where asset.name.hasSuffix(".js") && asset.name != "codemirror.js" {
      let source = String(decoding: asset.content, as: UTF8.self)
      let bare = source.matches(of: /\?\? "[A-Z][^"]*"/).map { String($0.output) }
      #expect(bare.isEmpty, "\(asset.name): \(bare)")
    }
  }

  @Test func whatAPersonWroteStaysAsItIsAndHarmless() async throws {
    let web = try WebTest()
    let canary = "<script>alert(1)</script>\" onmouseover='x' {1} {{text}}"
    let goal = try self.goal(web.test, canary)
    // A name that is also a word of the program is somebody's own.
    let own = try self.goal(web.test, "Settings")
    try await web.run { client in
      let cookie = try await client.signIn()
      let added = try await client.post(
        "/day/2026-03-12/activities", ["line": canary, "idempotencyKey": "k"], cookie: cookie)
      #expect(added.status == 303)
      for path in ["/day/2026-03-12", "/goals", "/goals/\(goal.id.uuidString)", "/actions"] {
        let page = try await client.send(
          .get, path, ["Cookie": cookie, "Accept-Language": "de"])
        #expect(!page.text.contains("<script>alert"), "\(path)")
        #expect(!page.text.contains("\" onmouseover='x'"), "\(path)")
      }
      let page = try await client.send(
        .get, "/goals/\(own.id.uuidString)", ["Cookie": cookie, "Accept-Language": "de"])
      #expect(page.text.contains("<h1 dir=\"auto\">Settings"))
    }
  }

  @Test func linesAreReadInThePagesLanguage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let body = "line=\(URLText.escaped("gestern um halb acht: 5 km gelaufen"))&idempotencyKey=k"
      let added = try await client.send(
        .post, "/day/2026-03-14/activities",
        [
          "Cookie": cookie, "Origin": client.origin, "Accept-Language": "de",
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: body)
      let location = try #require(added.headers[.location])
      #expect(location.hasPrefix("/day/2026-03-13?added="))
      let page = try await client.send(
        .get, String(location.prefix { $0 != "#" }), ["Cookie": cookie, "Accept-Language": "de"])
      #expect(page.text.contains("Gespeichert: 5 km gelaufen"))
      #expect(page.text.contains("Freitag, 13. März 2026"))
      let line = URLText.escaped("gestern um 7 Uhr: gelaufen")
      let read = try await client.ask(.get, "/api/v1/quick-add?line=\(line)&language=de")
      #expect(read.json["dayKey"] == "2026-03-13")
      #expect(read.json["dayLabel"] == "Freitag, 13. März 2026")
      let other = try await client.ask(.get, "/api/v1/quick-add?line=\(line)")
      #expect(other.json["dayKey"] == "2026-03-14")
    }
  }

  @Test func theCatalogueToolFindsNothingMissing() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let python = URL(filePath: "/usr/bin/python3")
    try #require(FileManager.default.isExecutableFile(atPath: python.path))
    let process = Process()
    process.executableURL = python
    process.arguments = [root.appending(path: "Scripts/words.py").path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(told)")
    #expect(told.contains("web:") && told.contains("not said yet"))
  }
}
