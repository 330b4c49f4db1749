import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct JrnlMediaTests {
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 1])

  /// A folder with a journal, pictures beside it, and what lies outside or is hidden.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "life/pics/a.jpg", "life/pics/my pic.png", "life/pics/b(1).png", "life/.hidden/c.png",
      "outside.png", "life/2016/05/day.png", "life/2016/pics/year.png",
    ] { _ = try folder.file(name, Self.png) }
    _ = try folder.file("life/notes.txt", "notes")
    let files = FileManager.default
    try files.createSymbolicLink(
      at: folder.url.appending(path: "life/link.png"),
      withDestinationURL: folder.url.appending(path: "outside.png"))
    try files.createSymbolicLink(
      at: folder.url.appending(path: "life/up"), withDestinationURL: folder.url)
  }

  private func read(_ text: String, name: String = "journal.txt") throws -> RecordedImport {
    try JrnlReading.read(
      try folder.file("life/" + name, "[2016-05-07 09:30] T\n\(text)\n"), name: name,
      context: try JrnlReading.context())
  }

  private func paths(_ text: String, name: String = "journal.txt") throws -> [String] {
    try read(text, name: name).activities.flatMap(\.attachments).compactMap(\.relativePath)
  }

  @Test func picturesAndFilesInTheFolderBecomeAttachmentsAndTheTextStays() throws {
    let text = "![A hill](pics/a.jpg) and [notes](notes.txt \"Title\")"
    let read = try read(text)
    let attachments = try #require(read.activities.first).attachments
    #expect(read.bodies == [text])
    #expect(attachments.map(\.relativePath) == ["pics/a.jpg", "notes.txt"])
    #expect(attachments.map(\.caption) == ["A hill", "notes"])
    #expect(attachments.map(\.type) == [.photo, .file])
    #expect(attachments.map(\.mediaType) == ["image/png", "text/plain"])
    #expect(attachments.map(\.originalName) == ["a.jpg", "notes.txt"])
    for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
    #expect(read.problems.isEmpty)
  }

  @Test(arguments: [
    ("![](pics/my%20pic.png)", "pics/my pic.png"), ("![](<pics/my pic.png>)", "pics/my pic.png"),
    ("![](pics/my pic.png)", "pics/my pic.png"), ("![](./pics/a.jpg)", "pics/a.jpg"),
    ("![](pics/../pics/a.jpg 'x')", "pics/a.jpg"), ("![](pics/b(1).png)", "pics/b(1).png"),
    ("![](pics/b\\(1\\).png)", "pics/b(1).png"), ("![](pics\\a.jpg)", "pics/a.jpg"),
    ("![](pics/a.jpg) ![again](pics/a.jpg)", "pics/a.jpg"),
  ])
  func pathsAreFoundAsPeopleWriteThem(text: String, path: String) throws {
    #expect(try paths(text) == [path])
  }

  @Test func anAbsolutePathIntoTheFolderIsFound() throws {
    let path = folder.url.appending(path: "life/pics/a.jpg").path
    #expect(try paths("![](\(path))") == ["pics/a.jpg"])
    #expect(try paths("![](file://\(path))") == ["pics/a.jpg"])
  }

  @Test(arguments: [
    "![](../outside.png)", "![](pics/../../outside.png)", "![](link.png)", "![](up/outside.png)",
    "![](%2e%2e/outside.png)", "![](..\\outside.png)", "![](C:\\a.png)", "![](/etc/hostname)",
    "![](file:///etc/hostname)", "![](up/life/pics/a.jpg)",
  ])
  func nothingOutsideTheFolderIsTouched(text: String) throws {
    let read = try read(text)
    #expect(read.activities.flatMap(\.attachments).isEmpty)
    #expect(read.bodies == [text])
    #expect(read.problems.map(\.place) == ["journal.txt:1"])
  }

  @Test func anAbsolutePathOutsideIsNotTouched() throws {
    let path = folder.url.appending(path: "outside.png").path
    #expect(try paths("![](\(path))").isEmpty)
  }

  @Test func aMissingPictureIsToldOnceAndOtherLinksAreNot() throws {
    let read = try read(
      "![](gone.png) ![](gone.png) [wiki](Some Page) [a](#b) [x](https://x.y/a.png) "
        + "[m](mailto:a@b.c) ![](https://x.y/a.png) ![](.hidden/c.png) [](journal.txt) [j]() ![](")
    #expect(read.activities.flatMap(\.attachments).isEmpty)
    #expect(read.problems.count == 2)
    #expect(read.problems.first?.message.contains("gone.png") == true)
  }

  @Test func aFolderJournalsPicturesLieBesideTheDayOrInTheWholeFolder() throws {
    let text = "![](day.png) ![](pics/a.jpg) ![](../pics/year.png) ![](../../../outside.png)"
    #expect(
      try paths(text, name: "2016/05/07.txt") == [
        "2016/05/day.png", "pics/a.jpg", "2016/pics/year.png",
      ])
  }

  @Test func aDaysFileNamedAloneReachesNoHigherThanItsFolder() throws {
    let url = try folder.file(
      "life/2016/05/08.txt", "[2016-05-08 09:30] T\n![](day.png) ![](../pics/year.png)\n")
    let read = try JrnlReading.read(url, name: "08.txt", context: try JrnlReading.context())
    #expect(read.activities.flatMap(\.attachments).map(\.relativePath) == ["day.png"])
  }

  /// Time that grows with the square of the length would not end here.
  @Test(arguments: ["](", "![[](", "![a](", "![](x ", "![](<x", "[![](a)](b)"])
  func anEntryFullOfLinksIsRead(pattern: String) throws {
    let text = String(repeating: pattern, count: 300_000)
    #expect(
      try read(text).bodies.first?.utf8.count
        == text.trimmingCharacters(in: .whitespaces).utf8.count)
  }
}
