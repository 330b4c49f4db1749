import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CalendarSecretsTests {
  private let folder: TemporaryFolder
  private let secrets: CalendarSecrets
  private let link = UUID()

  init() throws {
    folder = try TemporaryFolder()
    secrets = CalendarSecrets(file: folder.url.appending(path: CalendarSecrets.fileName))
  }

  @Test func whatIsWrittenIsReadByItsLink() throws {
    #expect(try secrets.read(link) == .none)
    let other = UUID()
    try secrets.write(.basic(user: "me", password: "pass “word”"), for: link)
    try secrets.write(.bearer(token: "abc"), for: other)
    #expect(try secrets.read(link) == .basic(user: "me", password: "pass “word”"))
    #expect(try secrets.read(other) == .bearer(token: "abc"))
    try secrets.remove(link)
    try secrets.remove(link)
    #expect(try secrets.read(link) == .none)
    #expect(try secrets.read(other) == .bearer(token: "abc"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["secrets.json"])
  }

  @Test func onlyTheOwnerMayReadTheFile() throws {
    try secrets.write(.bearer(token: "top-secret"), for: link)
    let path = secrets.file.path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let error = #expect(throws: FieldError.self) { try secrets.read(link) }
    #expect(error?.description.contains("can be read by others") == true)
    #expect(throws: FieldError.self) { try secrets.write(.bearer(token: "x"), for: link) }
  }

  @Test(arguments: ["", "[]", "{\"token\": \"top-secret", "top-secret"])
  func aBrokenFileIsAnErrorThatTellsNothingOfIt(text: String) throws {
    _ = try folder.file("secrets.json", text)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: secrets.file.path)
    let error = #expect(throws: FieldError.self) { try secrets.read(link) }
    #expect(error.map { "\($0)".contains("top-secret") } == false)
    // It is not written over.
    #expect(throws: FieldError.self) { try secrets.write(.bearer(token: "x"), for: link) }
    #expect(try String(contentsOf: secrets.file, encoding: .utf8) == text)
  }

  @Test func manyAtOnceLoseNothing() async throws {
    let links = (0..<20).map { _ in UUID() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for link in links {
        group.addTask { try secrets.write(.bearer(token: link.uuidString), for: link) }
      }
      try await group.waitForAll()
    }
    for link in links { #expect(try secrets.read(link) == .bearer(token: link.uuidString)) }
  }

  @Test func aSecretNeverShows() {
    for credentials in [
      CalendarCredentials.basic(user: "me", password: "hunter2"), .bearer(token: "hunter2"),
    ] {
      var text =
        "\(credentials) \(String(reflecting: credentials)) \(String(describing: credentials))"
      dump(credentials, to: &text)
      dump(
        CalendarSubscription(
          url: URL(filePath: "/"), credentials: credentials, cacheFolder: URL(filePath: "/")),
        to: &text)
      #expect(!text.contains("hunter2"))
    }
  }
}
