import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Files of notes in exports, imports and backups")
struct NoteFileTransferTests {
  /// An archive with a note that has a picture and a link, and one without files.
  private func source() throws -> (TestArchive, Note) {
    let test = try TestArchive()
    let now = test.clock.now
    let ids = test.archive.identities
    let picture = try test.archive.store(
      Data([0xFF, 0xD8, 0xFF, 9, 8, 7]),
      as: ArkivedCore.Attachment(
        id: ids.next(), type: .photo, caption: "The garden", mediaType: "image/jpeg",
        originalName: "garden.jpg", createdAt: now, updatedAt: now))
    let link = ArkivedCore.Attachment(
      id: ids.next(), type: .link, caption: "Seeds", externalURL: "https://example.org/seeds",
      createdAt: now, updatedAt: now)
    let note = try test.archive.create(
      Note(
        id: ids.next(), title: "Garden", text: "Bulbs and spades", dayKey: DayKey("2026-03-10"),
        attachments: [picture, link], createdAt: now, updatedAt: now)
    ).value
    try test.archive.create(Note(id: ids.next(), text: "plain", createdAt: now, updatedAt: now))
    return (test, note)
  }

  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: archive).writeJSONLines { lines.append($0) }
    return Array(lines.dropFirst())
  }

  private func hasPicture(_ archive: Archive, _ note: Note) throws -> Bool {
    guard let kept = try archive.note(note.id)?.attachments.first,
      let file = archive.file(of: kept)
    else { return false }
    return try Data(contentsOf: file) == Data([0xFF, 0xD8, 0xFF, 9, 8, 7])
  }

  @Test func jsonLinesCarryThemThereAndASecondImportChangesNothing() throws {
    let (test, note) = try source()
    let file = test.folder.url.appendingPathComponent("out/life.jsonl")
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    #expect(
      try lines(test.archive).contains {
        $0.hasPrefix(#"{"type":"attachment""#) && $0.contains(#""noteId":"\#(note.id.uuidString)""#)
      })
    let copy = try TestArchive()
    let job = ImportJob(archive: copy.archive, homeZone: copy.zone)
    let run = try #require(try job.run(file).first)
    #expect(run.warnings.isEmpty && run.skipped == 0)
    #expect(try lines(copy.archive) == lines(test.archive))
    #expect(try hasPicture(copy.archive, note))
    let again = try #require(try job.run(file).first)
    #expect(again.created.isEmpty && again.updated == 0)
    let first = try #require(try copy.archive.importRuns(limit: 10).runs.last)
    _ = try copy.archive.undo(first.changeID)
    #expect(try copy.archive.attachments().isEmpty)
  }

  @Test func aLineOfItsOwnAttachesToANote() throws {
    let (test, note) = try source()
    let line =
      #"{"type":"attachment","noteId":"\#(note.id.uuidString)","attachmentType":"link","#
      + #""externalURL":"https://example.org/more"}"#
    let file = try test.folder.file("more.jsonl", line)
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
    #expect(run.created == ["attachment": 1])
    #expect(try test.archive.note(note.id)?.attachments.count == 3)
    let stranger = line.replacing(note.id.uuidString, with: UUID().uuidString)
    let other = try test.folder.file("none.jsonl", stranger)
    let refused = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(other).first)
    #expect(refused.skipped == 1)
    #expect(refused.warnings.contains { $0.place.contains("noteId") })
  }

  @Test func aSpanOfDaysHoldsTheFilesOfItsNotesOnly() throws {
    let (test, note) = try source()
    func files(_ from: String, _ to: String) throws -> Int {
      let file = test.folder.url.appendingPathComponent("span-\(from)/life.jsonl")
      var span = DayFilter()
      (span.from, span.to) = (DayKey(from), DayKey(to))
      _ = try ExportJob(archive: test.archive).writeJSONLines(of: span, to: file)
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains(#""noteId":"\#(note.id.uuidString)""#) }.count
    }
    #expect(try files("2026-03-10", "2026-03-10") == 2)
    #expect(try files("2026-03-11", "2026-03-12") == 0)
  }

  @Test func aBackupBringsThemBack() throws {
    let (test, note) = try source()
    let identity = AgeIdentity()
    let file = test.folder.url.appendingPathComponent("life.zip.age")
    _ = try BackupJob(archive: test.archive, target: AgeTarget.recipients([identity.recipient]))
      .write(to: file)
    let target = try TestArchive()
    let prepared = try RestoreJob(archive: target.archive, homeZone: target.zone)
      .prepare(file, unlocks: [.identity(identity)])
    #expect(prepared.shortfalls.isEmpty)
    _ = try prepared.apply()
    #expect(try lines(target.archive) == lines(test.archive))
    #expect(try hasPicture(target.archive, note))
  }

  @Test func aVaultShowsThemAndIsReadBackWithTheSameText() throws {
    let (test, note) = try source()
    let folder = test.folder.url.appendingPathComponent("pages")
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasSuffix("Garden.md") })
    let page = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    #expect(page.contains("![The garden](<../attachments/"))
    #expect(page.contains("[Seeds](<https://example.org/seeds>)"))
    let other = try TestArchive()
    let job = ImportJob(
      archive: other.archive, homeZone: other.zone,
      importers: [MarkdownFolderImporter(takesPages: true)])
    _ = try job.run(folder)
    let back = try #require(try other.archive.note(note.id))
    #expect(back.text == note.text && back.title == note.title)
    #expect(back.attachments.map(\.caption) == ["The garden", "Seeds"])
    #expect(back.attachments.map(\.type) == [.photo, .link])
    #expect(try hasPicture(other.archive, note))
    let again = try #require(try job.run(folder).first)
    #expect(again.created.isEmpty && again.updated == 0)
  }
  @Test func aNoteThatIsCalledLikeADayComesBackAsANote() throws {
    let test = try TestArchive()
    let now = test.clock.now
    let notes = try ["2026-03-09", "2026-03-14"].map { (title: String) in
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: title, text: "Minutes of \(title)",
          createdAt: now, updatedAt: now)
      ).value
    }
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "Good." }
    let folder = test.folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: folder)
    let other = try TestArchive()
    let job = ImportJob(
      archive: other.archive, homeZone: other.zone,
      importers: [MarkdownFolderImporter(takesPages: true)])
    let run = try #require(try job.run(folder).first)
    #expect(run.created == ["day": 1, "note": 2] && run.skipped == 0)
    #expect(try other.day("2026-03-14").entry?.note == "Good.")
    for note in notes { #expect(try other.archive.note(note.id)?.text == note.text) }
  }
}
