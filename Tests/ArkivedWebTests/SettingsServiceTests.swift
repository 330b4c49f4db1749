import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The service and the news on the web app")
struct SettingsServiceTests {
  /// Programs that stand for the system's, in a home folder of their own.
  private func environment(_ folder: TemporaryFolder, isManaged: Bool = true) throws -> [String:
    String]
  {
    _ = try folder.script(
      "bin/systemctl",
      """
      echo "$@" >> "\(folder.url.path)/asked"
      case "$2" in is-active) echo active ;; esac
      exit \(isManaged ? 0 : 1)
      """)
    _ = try folder.script(
      "bin/loginctl",
      """
      echo "$@" >> "\(folder.url.path)/asked"
      if [ \(isManaged ? 0 : 1) != 0 ]; then echo "Access <denied>"; exit 1; fi
      """)
    _ = try folder.script("bin/journalctl", "echo '-- Journal begins'; echo 'served <b>x'")
    return [
      "HOME": folder.url.path, "PATH": "\(folder.url.path)/bin:/usr/bin:/bin",
      "XDG_CONFIG_HOME": "\(folder.url.path)/config",
    ]
  }

  @Test func theServiceIsInstalledShownAndRemoved() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    var web = try WebTest()
    let service = UserService(environment: try environment(folder))
    web.app.service = service
    let unit = folder.url.appendingPathComponent("config/systemd/user/arkived.service")
    try await web.run { client in
      let cookie = try await client.signIn()
      let none = try await client.get("/settings/service", cookie: cookie).text
      #expect(none.contains("Start when I sign in") && !none.contains("Remove the service"))
      let wrong = try await client.post("/settings/service", ["port": "99999"], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("The port must be"))
      #expect(!FileManager.default.fileExists(atPath: unit.path))
      let installed = try await client.post("/settings/service", ["port": "8123"], cookie: cookie)
      #expect(installed.status == 303)
      let text = try String(contentsOf: unit, encoding: .utf8)
      #expect(text.contains("\"--port\" \"8123\""))
      let page = try await client.get("/settings/service?done=installed", cookie: cookie).text
      #expect(page.contains("Running") && page.contains("served &lt;b&gt;x"), "\(page)")
      #expect(!page.contains("Journal begins"))
      // A computer may keep services of its own accord.
      if service.lingers == false {
        #expect(page.contains("action=\"/settings/service/linger\""))
      }
      let kept = try await client.post("/settings/service/linger", [:], cookie: cookie)
      let told = try await client.get(try #require(kept.headers[.location]), cookie: cookie)
      #expect(told.text.contains("Arkived now keeps running after you sign out."))
      _ = try await client.post("/settings/service/restart", [:], cookie: cookie)
      _ = try await client.post("/settings/service/remove", [:], cookie: cookie)
      #expect(!FileManager.default.fileExists(atPath: unit.path))
      let asked = try String(
        contentsOf: folder.url.appendingPathComponent("asked"), encoding: .utf8)
      #expect(asked.contains("--no-block restart arkived.service"))
      #expect(asked.contains("--no-ask-password enable-linger"))
      // The page may be served by the service itself, which has to finish its answer.
      #expect(!asked.contains("disable --now"))
    }
  }

  @Test func aSystemThatStopsServicesSaysHowToKeepThem() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    var web = try WebTest()
    web.app.service = UserService(environment: try environment(folder, isManaged: false))
    try await web.run { client in
      let cookie = try await client.signIn()
      let refused = try await client.post("/settings/service/linger", [:], cookie: cookie)
      #expect(refused.status == 409 && refused.text.contains("Access &lt;denied&gt;"))
      #expect(refused.text.contains("loginctl enable-linger"))
    }
  }

  @Test func aSystemWithoutServicesSaysSo() async throws {
    let folder = try TemporaryFolder()
    var web = try WebTest()
    web.app.service = UserService(environment: ["HOME": folder.url.path, "PATH": "/nowhere"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/service", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("This system has no systemctl"))
      let refused = try await client.post("/settings/service", ["port": "8017"], cookie: cookie)
      #expect(refused.status == 409 && refused.text.contains("This system has no systemctl"))
    }
  }

  private static let changelog = """
    # Changelog

    ## May 2027 (version 0.10.1)

    - A <b>newer</b> thing.

    ## April 2027 (version 0.9.0)

    - Middle thing.

    ## November 2026 (version 0.1.0)

    - First thing.
    """

  @Test func whatChangedSinceTheLastVersionIsToldOnce() async throws {
    var web = try WebTest()
    try web.test.add("tea")
    web.app.changelog = ChangelogPage(notes: ReleaseNotes(Self.changelog), version: "0.10.1")
    let archive = web.test.archive
    try await web.run { client in
      let cookie = try await client.signIn()
      // Nobody knows what this archive was used with before.
      #expect(try await !client.get("/", cookie: cookie).text.contains("was updated from"))
      try UpdateNews.see("0.1.0", of: archive)
      let today = try await client.get("/", cookie: cookie).text
      #expect(today.contains("Arkived was updated from 0.1.0 to 0.10.1."))
      #expect(today.contains("href=\"/settings/news\""))
      let news = try await client.get("/settings/news", cookie: cookie).text
      #expect(news.contains("Middle thing.") && news.contains("newer"))
      #expect(!news.contains("First thing.") && !news.contains("<b>newer"))
      _ = try await client.post("/settings/news/seen", [:], cookie: cookie)
      #expect(try await !client.get("/", cookie: cookie).text.contains("was updated from"))
      let later = try await client.get("/settings/news", cookie: cookie).text
      #expect(later.contains("This is Arkived 0.10.1.") && later.contains("newer"))
    }
  }

  @Test func theShippedChangelogHasThisVersion() {
    let shipped = ChangelogPage.shipped
    #expect(shipped.notes.sections.contains { $0.version == shipped.version })
    #expect(ReleaseNotes.isOlder("0.9", "0.10") && !ReleaseNotes.isOlder("1.0", "1.0.0"))
  }

  @Test func theFirstServerRecordsItsVersionAndKeepsAnOlderOne() throws {
    let test = try TestArchive()
    UpdateNews.begin("0.1.0", of: test.archive)
    #expect(UpdateNews(of: test.archive).seen == "0.1.0")
    UpdateNews.begin("0.2.0", of: test.archive)
    #expect(UpdateNews.lastSeen(before: "0.2.0", of: test.archive) == "0.1.0")
  }
}
