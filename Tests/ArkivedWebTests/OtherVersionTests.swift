import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

/// Two tabs that save the same form: the second one sees what the first one saved.
@Suite("What was changed elsewhere while a form was open")
struct OtherVersionTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var place: String
    var fields: [String: String]
    /// The field that both tabs change.
    var field: String
    var edit = "/edit"
    var save = ""

    var testDescription: String { place + save }
  }

  static let forms = [
    Form(place: "/notes", fields: ["title": "Minutes", "note": "as it was"], field: "note"),
    Form(place: "/people", fields: ["name": "Priya"], field: "relationshipSummary"),
    Form(place: "/goals", fields: ["title": "Run", "goalType": "goal"], field: "notes"),
    Form(place: "/values", fields: ["title": "Health"], field: "description"),
    Form(
      place: "/terms", fields: ["termNumber": "1", "startDate": "2026-02-01"],
      field: "description"),
    Form(
      place: "/terms", fields: ["termNumber": "1", "startDate": "2026-02-01"],
      field: "reflection", edit: "", save: "/reflection"),
    Form(
      place: "/meetings", fields: ["title": "Pricing", "day": "2026-03-16", "start": "09:00"],
      field: "purpose"),
    Form(
      place: "/meetings", fields: ["title": "Pricing", "day": "2026-03-16", "start": "09:00"],
      field: "outcomes", edit: "", save: "/text"),
  ]

  /// Saves a form of two tabs, and returns the answer to the second one.
  private func late(
    _ client: WebClient, _ cookie: String, at path: String, edit: String,
    fields: [String: String], field: String
  ) async throws -> WebClient.Answer {
    let page = try await client.get(edit, cookie: cookie).text
    let shown = try #require(page.firstMatch(of: #/name="version" value="([^"]+)"/#)?.1)
    let version = String(shown).replacingOccurrences(of: "&quot;", with: "\"")
    let form = fields.merging(["version": version]) { $1 }
    let first = try await client.post(
      path, form.merging([field: "of the first tab\nwith <b>"]) { $1 }, cookie: cookie)
    #expect(first.status == 303, "\(first.text)")
    return try await client.post(
      path, form.merging([field: "of the second tab"]) { $1 }, cookie: cookie)
  }

  private func expectBoth(_ answer: WebClient.Answer) {
    #expect(answer.status == 412)
    #expect(answer.text.contains("of the second tab"), "\(answer.text)")
    let parts = answer.text.split(separator: "<pre class=\"old-text\" dir=\"auto\">")
    let other = parts.dropFirst().first?.split(separator: "</pre>").first ?? ""
    #expect(other.contains("of the first tab\nwith &lt;b"), "\(other)")
    #expect(!other.contains("of the second tab"), "\(other)")
  }

  @Test(arguments: forms)
  func theSecondTabSeesBothTexts(form: Form) async throws {
    try await WebTest().run { client in
      let cookie = try await client.signIn()
      let made = try await client.post(
        form.place, form.fields.merging(["idempotencyKey": "k"]) { $1 }, cookie: cookie)
      let location = try #require(made.headers[.location], "\(made.text)")
      var path = String(location.prefix { $0 != "?" && $0 != "#" })
      if path == form.place {
        // The page that follows is the list.
        let list = try await client.get(path, cookie: cookie).text
        let link = try #require(list.firstMatch(of: #/"(\/values\/[0-9A-F-]{36})/#))
        path = String(link.1)
      }
      expectBoth(
        try await late(
          client, cookie, at: path + form.save, edit: path + form.edit, fields: form.fields,
          field: form.field))
    }
  }

  @Test func soItDoesForAnEntry() async throws {
    let web = try WebTest()
    let entry = try web.test.add("swam")
    let path = "/activities/\(entry.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await late(
        client, cookie, at: path, edit: "\(path)/edit",
        fields: ["text": "swam", "day": "2026-03-14", "kind": "other"], field: "notes")
      expectBoth(answer)
      // What is the same in both isn't repeated.
      #expect(!answer.text.contains("What: swam"))
    }
  }

  @Test func aTagSaysWhatItIsCalledNow() async throws {
    let web = try WebTest()
    try web.test.add("lunch", tags: ["fod"])
    let tag = try #require(try web.test.archive.tagSummaries().first)
    let path = "/settings/tags/\(tag.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = ["name": "food", "colour": "teal", "version": EntityTag.text(tag.tag.updatedAt)]
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      let late = try await client.post(
        path, form.merging(["name": "meals", "colour": ""]) { $1 }, cookie: cookie)
      #expect(late.status == 412 && late.text.contains("value=\"meals\""))
      #expect(late.text.contains("Name: food\n\nColour: Teal"), "\(late.text)")
    }
  }
}
