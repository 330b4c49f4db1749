import ArkivedTestSupport
import Foundation
import Testing

@Suite("The web app in a real browser")
struct BrowserTests {
  static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Browser")

  /// Debian's Chromium with its driver and Selenium, which `./setup --test` installs.
  static var hasBrowser: Bool {
    [
      "/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/bin/chromedriver",
      "/usr/lib/python3/dist-packages/selenium",
    ].allSatisfy { FileManager.default.fileExists(atPath: $0) }
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func thePagesWorkWithMouseKeyboardPhoneAndWithoutScripts() throws {
    try run("test_pages.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func openPagesShowWhatOthersWriteAndKeepWhatIsBeingTyped() throws {
    try run("test_live.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func pagesStayWhereTheyAreWhileLatePartsArrive() throws {
    try run("test_calm.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func todayIsAHomeAnEmptyArchiveGreetsAndThePaletteLeadsEverywhere() throws {
    try run("test_home.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func aSearchFollowsWhatIsTypedAndTheKeys() throws {
    try run("test_search.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func theMapAndThePhotosWorkWithMouseKeysAndWithoutScripts() throws {
    try run("test_map.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func thePagesSpeakTheLanguageThatIsAskedFor() throws {
    try run("test_language.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func goalsAreSetFollowedAndReviewedByKeyboardPhoneAndWithoutScripts() throws {
    try run("test_goals.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func meetingsArePreparedWrittenUpAndKeptByKeyboardPhoneAndWithoutScripts() throws {
    try run("test_meetings.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func theAssistantSpeaksAsItsModelDoesStopsAndWaitsForAYes() throws {
    try run("test_assistant.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func everyPageIsAccessibleInBothThemesAndByKeyboard() throws {
    try run("test_accessibility.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func recentDaysAreReadAndAddedToWhileTheServerIsAway() throws {
    try run("test_offline.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func settingsAreKeptByMousePhoneAndWithoutScripts() throws {
    try run("test_settings.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func anArchiveIsBackedUpRestoredMovedAndRepairedWithoutATerminal() throws {
    try run("test_keeping.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func programsAreLetInAndAnsweredOnTheirPages() throws {
    try run("test_programs.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func aSecondDeviceJoinsOnTheSettingsPage() throws {
    try run("test_sync.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func aPageOfAnotherSiteIsSavedByTheBookmark() throws {
    try run("test_capture.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func aDayIsTappedMovedWrittenAndAttachedToAndLosesNothing() throws {
    try run("test_day.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func notesAreWrittenWithBlocksPeopleLinksAndPicturesAndKeepTheirBytes() throws {
    try run("test_editor.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func whereTheDeviceIsIsAddedWhenAskedAlsoWhileTheServerIsAway() throws {
    try run("test_place.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func closedTabsEndedSessionsMidnightAndPaperLoseNothing() throws {
    try run("test_hardships.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func noCanaryInAnyFieldRunsOnAnyPage() throws {
    try run("test_canaries.py")
  }

  @Test(.enabled(if: hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func aPhoneIsPairedGoesOnWhileTheComputerIsAwayAndIsRevoked() throws {
    try run("test_phone.py")
  }

  private func run(_ script: String) throws {
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      Self.scripts.appendingPathComponent(script).path, Program.executable.path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder.url.path, "PYTHONDONTWRITEBYTECODE": "1",
      // What is found is the same on every machine: by words.
      "ARKIVED_MODEL": folder.url.appendingPathComponent("no-model").path,
    ]) { $1 }
    // One handle for both, so neither writes over what the other has said.
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOf: log, encoding: .utf8)
    let failures = said.split(separator: "\n").filter {
      !$0.hasPrefix("ok") && !$0.hasPrefix("took")
    }
    #expect(process.terminationStatus == 0, "\(failures.joined(separator: "\n"))")
  }
}
