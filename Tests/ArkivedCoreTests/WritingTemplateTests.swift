import ArkivedCore
import Foundation
import Testing

@Suite("Templates and prompts")
struct WritingTemplateTests {
  private func values() throws -> TemplateValues {
    TemplateValues(day: try #require(DayKey("2026-03-14")))
  }

  private func template(
    _ name: String, _ use: WritingTemplate.Use = .day, _ weekdays: Set<Weekday> = [],
    _ kind: ActivityKind? = nil
  ) -> WritingTemplate {
    WritingTemplate(id: UUID(), name: name, text: "x", use: use, weekdays: weekdays, kind: kind)
  }

  @Test func placeholdersAreFilledInOnce() throws {
    var values = try values()
    values.openItems = ["call {{date}}", "buy wood"]
    values.weather = Weather(conditions: "light rain")
    let text = """
      # {{weekday}}, {{ date }}
      {{open}}
      Weather: {{weather}} after {{yesterday}}
      {{prompt}}
      {{unknown}} {{date <script>alert(1)</script> {{
      """
    #expect(
      values.filled(text) == """
        # Saturday, 14 March 2026
        - [ ] call {{date}}
        - [ ] buy wood
        Weather: light rain after [[2026-03-13]]
        {{unknown}} {{date <script>alert(1)</script> {{
        """)
  }

  @Test func aLineWithoutAValueIsLeftOutOfATextFromWindowsToo() throws {
    #expect(try values().filled("# Open\r\n{{open}}\r\n{{weather}}\r\nEnd") == "# Open\nEnd")
  }

  @Test func openItemsAreUntickedBoxes() {
    let text = "- [ ] a *b* [[c]]\n- [x] done\n* [ ] two\n```\n- [ ] code\n```\n- [ ] \nno"
    #expect(TemplateValues.openItems(in: text) == ["a *b* [[c]]", "two"])
  }

  @Test func aWeekdayAndAKindHaveOneFirstTemplate() throws {
    var settings = WritingSettings()
    settings.templates = []
    try settings.keep(template("A", .day, [.saturday, .sunday]))
    try settings.keep(template("B", .day, [.saturday]))
    try settings.keep(template("Run", .entry, [], .health))
    try settings.keep(template("Gym", .entry, [], .health))
    try settings.keep(template("Call", .note))
    let saturday = try #require(DayKey("2026-03-14"))
    #expect(settings.templates(of: saturday).map(\.name) == ["B", "A"])
    #expect(settings.templates(of: saturday.advanced(by: 1)).map(\.name) == ["A", "B"])
    #expect(settings.templates(of: .health).map(\.name) == ["Gym", "Run"])
    #expect(throws: FieldError.self) { try settings.keep(template("b")) }
    #expect(throws: FieldError.self) { try settings.keep(template(" ")) }
    #expect(throws: FieldError.self) { try settings.template(named: "none") }
    #expect(WritingSettings(settings.json) == settings)
  }

  @Test func eachDayHasThePromptAfterTheDayBefore() throws {
    var settings = WritingSettings()
    try settings.setPrompts(["  one ", "", "two", "three"])
    let day = try #require(DayKey("2026-03-14"))
    let shown = (0..<4).compactMap { settings.prompt(of: day.advanced(by: $0)) }
    #expect(Set(shown.prefix(3)) == ["one", "two", "three"] && shown[3] == shown[0])
    #expect(settings.prompt(of: .earliest) != nil)
    try settings.setPrompts([])
    #expect(settings.prompts == nil && settings.prompt(of: day) != nil)
    #expect(throws: FieldError.self) {
      try settings.setPrompts([String(repeating: "x", count: 501)])
    }
    #expect(!settings.showsPrompts && !settings.usesPast)
  }

  @Test func aTemplateOfANewerVersionOutlivesAWrite() throws {
    let newer: JSON = [
      "id": .string(UUID().uuidString), "name": "Trip", "text": "x", "use": "trip",
    ]
    var settings = WritingSettings(["templates": [newer, template("Morning").json, ["name": "x"]]])
    #expect(settings.templates.map(\.name) == ["Morning"])
    try settings.keep(template("Evening"))
    let written = settings.json["templates"]?.array ?? []
    #expect(written.compactMap { $0["name"]?.string } == ["Morning", "Evening", "Trip"])
    #expect(written.last == newer && WritingSettings(settings.json) == settings)
  }
}
