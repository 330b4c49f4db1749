import ArkivedCore
import Testing

@testable import ArkivedWeb

@Suite("Pages of an archive without anything in it")
struct EmptyPageTests {
  /// The pages, and an example of what may come there.
  private static let examples = [
    ("/photos", "choose <b>Photo</b> and take one"), ("/map", "puts Lisbon on the map"),
    ("/threads", "What did I do last week?"), ("/calendars", "~/work.ics"),
    ("/goals/review", "“swim miles”"), ("/goals", "120 km by the end of June"),
    ("/values", "<b>Health</b>"), ("/terms", "call home ten times"),
    ("/actions", "reading 30 pages"), ("/meetings", "<b>Pricing</b>"),
    ("/people", "<b>@name</b>"),
    ("/notes", "- [ ] @Priya send the draft by Friday"),
    ("/promises", "- [ ] @Priya send the draft by Friday"), ("/settings/tags", "<b>#name</b>"),
  ]

  @Test(arguments: examples)
  func anEmptyPageTeachesByAnExample(path: String, example: String) async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      let page = try await web.get(path, cookie: cookie)
      #expect(page.status == 200 && page.text.contains(example), "\(path)")
    }
  }
}
