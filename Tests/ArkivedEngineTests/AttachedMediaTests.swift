import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Pictures of a journal that have names and dates like any other photos.
@Suite("Pictures that belong to an entry")
struct AttachedMediaTests {
  struct Journal: CustomTestStringConvertible {
    var format: String
    /// The entry's file, and the folder of its pictures.
    var name: String
    var folder: String
    var text: String

    var testDescription: String { format }
  }

  private static let picture = "IMG_20240105_101112.png"

  static let journals = [
    Journal(
      format: "keep", name: "Takeout/Keep/n.json", folder: "Takeout/Keep",
      text: #"""
        {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"title":"Sea",
        "textContent":"with photo","userEditedTimestampUsec":1704445200000000,
        "createdTimestampUsec":1704445200000000,
        "attachments":[{"filePath":"\#(picture)","mimetype":"image/png"}]}
        """#),
    Journal(
      format: "journey", name: "journey/1704445200000-abc.json", folder: "journey",
      text: #"""
        {"text":"<p>Sea</p>","date_modified":1704445300000,"date_journal":1704445200000,
        "id":"1704445200000-abc","timezone":"Europe/Berlin","type":"html",
        "photos":["\#(picture)"],"tags":[]}
        """#),
    Journal(
      format: "notion", name: "Pages/Sea 1123456789abcdef0123456789abcdef.md",
      folder: "Pages/Sea",
      text: "# Sea\n\nDate: January 5, 2024\n\nBody ![x](Sea/\(picture))\n"),
  ]

  @Test(arguments: journals, [true, false])
  func theyComeInOnceWithTheirEntry(journal: Journal, isArchive: Bool) throws {
    let test = try TestArchive()
    let files = [
      (name: journal.name, content: Data(journal.text.utf8)),
      (name: "\(journal.folder)/\(Self.picture)", content: TestPicture.png(width: 4, height: 4)),
      (
        name: "\(journal.folder)/IMG_20240106_101112.png",
        content: TestPicture.png(width: 4, height: 4, seed: 2)
      ),
    ]
    var source = test.folder.url.appendingPathComponent("in")
    if isArchive {
      source = try test.folder.file("in.zip", try TestZip(files).data())
    } else {
      for file in files { _ = try test.folder.file("in/\(file.name)", file.content) }
    }
    let job = ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
    let foreseen = try job.forecast(source).runs
    let runs = try job.run(source)
    // The second picture belongs to no entry.
    #expect(runs.map(\.format) == [journal.format, "photos"])
    #expect(runs.map(\.created) == [["activity": 1], ["activity": 1]], "\(runs)")
    #expect(runs.allSatisfy { $0.skipped == 0 })
    #expect(foreseen.map(\.format) == runs.map(\.format))
    #expect(foreseen.map(\.created) == runs.map(\.created))
    let entries = try test.day("2024-01-05").activities
    #expect(entries.count == 1 && entries.first?.attachments.map(\.originalName) == [Self.picture])
    #expect(try test.day("2024-01-06").activities.count == 1)
    let again = try job.run(source)
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }
}
