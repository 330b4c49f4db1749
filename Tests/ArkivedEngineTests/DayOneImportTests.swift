import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Day One's exports through the whole import, into a real archive.
@Suite("Day One exports into the archive")
struct DayOneImportTests {
  private static let md5 = "ef43abe9582131d432f20dcc68e326aa"
  private let photo = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + (0..<200).map { UInt8($0) })

  private func journal(_ text: String, modified: String = "2021-03-03T12:00:00Z") -> Data {
    let document: JSON = [
      "metadata": ["version": "1.0"],
      "entries": [
        [
          "uuid": "2F8DDCA258634D9994DF3A4FEE328035", "creationDate": "2021-03-03T11:48:50Z",
          "modifiedDate": .string(modified), "timeZone": "Australia/Sydney", "starred": true,
          "text": .string(text), "tags": ["coast"],
          "photos": [
            [
              "identifier": "P1", "md5": .string(Self.md5), "type": "jpeg", "orderInEntry": 0,
              "filename": "IMG_8615.HEIC",
            ]
          ],
        ],
        [
          "uuid": "ABF26CD8D3EA42E298F1C3D5EFB0CF83", "creationDate": "2021-03-04T11:48:50Z",
          "modifiedDate": "2021-03-04T12:00:00Z", "timeZone": "Europe/Berlin",
          "text": "Tea starts the day",
        ],
      ],
    ]
    return Data(document.bytes())
  }

  private let text = "# All packed\n\n![](dayone-moment://P1)\n\nOff we go\\."

  private func zip(_ journal: Data, withPhoto: Bool = true) throws -> Data {
    var zip = TestZip([("Travel.json", journal)])
    if withPhoto { zip.add("photos/\(Self.md5).jpeg", photo) }
    return try zip.data()
  }

  private func run(_ test: TestArchive, _ file: URL) throws -> ImportRun {
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    #expect(runs.count == 1 && runs.first?.format == "dayone")
    return try #require(runs.first)
  }

  @Test func anExportComesInWithItsMediaByteForByte() throws {
    let test = try TestArchive()
    let run = try run(test, try test.folder.file("02-06-2026.zip", try zip(journal(text))))
    #expect(run.created == ["activity": 2] && run.warnings.isEmpty)
    let entry = try #require(try test.day("2021-03-03").activities.first)
    #expect(entry.text == "All packed" && entry.tags == ["coast", "Travel"] && entry.isPinned)
    #expect(entry.notes == "![photo](attachment:IMG_8615.jpeg)\n\nOff we go.")
    let attachment = try #require(entry.attachments.first)
    let file = try #require(test.archive.file(of: attachment))
    #expect(try Data(contentsOf: file) == photo)
    #expect(attachment.originalName == "IMG_8615.jpeg" && attachment.mediaType == "image/jpeg")
  }

  @Test func aPhotoOfSeveralEntriesIsKeptOnceAndNothingStaysUnpacked() throws {
    let test = try TestArchive()
    let journals: [(name: String, content: Data)] = (1...3).map { number in
      (
        name: "Journal \(number).json",
        content: Data(
          String(decoding: journal("Walk \(number)\n\n![](dayone-moment://P1)"), as: UTF8.self)
            .replacing("2F8DDCA258634D9994DF3A4FEE328035", with: "\(number)F8DDCA258634D99")
            .replacing("ABF26CD8D3EA42E298F1C3D5EFB0CF83", with: "\(number)BF26CD8D3EA42E2")
            .utf8)
      )
    }
    var zip = TestZip(journals)
    zip.add("photos/\(Self.md5).jpeg", photo)
    let run = try run(test, try test.folder.file("export.zip", try zip.data()))
    #expect(run.created == ["activity": 6] && run.warnings.isEmpty)
    let attachments = try test.day("2021-03-03").activities.flatMap(\.attachments)
    #expect(attachments.count == 3 && Set(attachments.map(\.relativePath)).count == 1)
    for attachment in attachments { #expect(try test.archive.content(of: attachment) == photo) }
    let folder = try #require(test.archive.attachmentsFolder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasSuffix(".jpeg") }.count == 1 && names.count == 2)
    if let home = test.archive.scratchHome,
      let left = try? FileManager.default.contentsOfDirectory(atPath: home.path)
    {
      #expect(left.isEmpty)
    }
  }

  @Test func aForecastUnpacksAndKeepsNothing() throws {
    let test = try TestArchive()
    let file = try test.folder.file("export.zip", try zip(journal(text)))
    let forecast = try ImportJob(archive: test.archive, homeZone: test.zone).forecast(file)
    #expect(forecast.runs.first?.created == ["activity": 2])
    let folder = try #require(test.archive.attachmentsFolder)
    #expect(((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).isEmpty)
    let run = try run(test, file)
    #expect(run.created == ["activity": 2] && run.warnings.isEmpty)
  }

  @Test func aSecondImportChangesNothing() throws {
    let test = try TestArchive()
    let file = try test.folder.file("export.zip", try zip(journal(text)))
    _ = try run(test, file)
    let before = try test.day("2021-03-03").activities + test.day("2021-03-04").activities
    test.clock.advance(seconds: 3600)
    let second = try run(test, file)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 2)
    #expect(second.skipped == 0)
    #expect(
      try test.day("2021-03-03").activities + test.day("2021-03-04").activities == before)
    #expect(before.count == 2)
  }

  @Test func anEntryEditedInDayOneIsUpdatedByTheNextExport() throws {
    let test = try TestArchive()
    _ = try run(test, try test.folder.file("a.zip", try zip(journal(text))))
    let edited = journal(text + "\n\nAnd back.", modified: "2021-04-01T08:00:00Z")
    let run = try run(test, try test.folder.file("b.zip", try zip(edited)))
    #expect(run.updated == 1 && run.unchanged == 1 && run.created.isEmpty)
    let entry = try #require(try test.day("2021-03-03").activities.first)
    #expect(entry.notes?.hasSuffix("Off we go.\n\nAnd back.") == true)
    #expect(entry.attachments.count == 1)
    #expect(try test.archive.history(of: entry.id).count == 1)
  }

  @Test func mediaThatAnExportLackedComeWithTheNext() throws {
    let test = try TestArchive()
    let first = try run(
      test, try test.folder.file("a.zip", try zip(journal(text), withPhoto: false)))
    #expect(first.created == ["activity": 2] && first.warnings.count == 1)
    #expect(try test.day("2021-03-03").activities.first?.attachments == [])
    _ = try run(test, try test.folder.file("b.zip", try zip(journal(text))))
    let entry = try #require(try test.day("2021-03-03").activities.first)
    #expect(entry.attachments.count == 1)
  }

  @Test func theUnpackedFolderIsTheSameAndItsPhotosAreNoNoise() throws {
    let test = try TestArchive()
    _ = try test.folder.file("export/Travel.json", journal(text))
    _ = try test.folder.file("export/photos/\(Self.md5).jpeg", photo)
    _ = try test.folder.file("export/photos/0000.jpeg", photo)
    _ = try test.folder.file("export/readme.txt", "read me")
    let folder = test.folder.url.appendingPathComponent("export")
    let first = try run(test, folder)
    #expect(first.created == ["activity": 2])
    #expect(first.warnings.map(\.place) == ["readme.txt"])
    let second = try run(test, try test.folder.file("export.zip", try zip(journal(text))))
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 2)
  }

  @Test func aFolderMayHoldExportsOfSeveralFormats() throws {
    let test = try TestArchive()
    _ = try test.folder.file("all/dayone/Travel.json", journal(text))
    _ = try test.folder.file("all/dayone/photos/\(Self.md5).jpeg", photo)
    _ = try test.folder.file(
      "all/life.jsonl", #"{"type":"activity","text":"a","dayKey":"2026-01-01"}"#)
    _ = try test.folder.file("all/export.zip", try TestZip([("a.txt", Data("a".utf8))]).data())
    _ = try test.folder.file("all/broken.zip", Data([0x50, 0x4B, 3, 4, 9, 9]))
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(
      test.folder.url.appendingPathComponent("all"))
    #expect(Set(runs.map(\.format)) == ["dayone", "jsonl"])
    #expect(Set(runs.flatMap(\.warnings).map(\.place)) == ["export.zip", "broken.zip"])
    #expect(try test.archive.counts().activities == 3)
  }

  @Test func aZipArchiveOfNothingKnownSaysWhatArkivedReads() throws {
    let test = try TestArchive()
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let zip = try test.folder.file("a.zip", try TestZip([("a.txt", Data("a".utf8))]).data())
    let refusal = #expect(throws: ImportRefusal.self) { try job.run(zip) }
    #expect(refusal?.message.contains("Day One") == true)
    let broken = try test.folder.file("b.zip", Data([0x50, 0x4B, 3, 4, 9, 9]))
    let damage = #expect(throws: ImportRefusal.self) { try job.run(broken) }
    #expect(damage?.message.contains("damaged") == true)
  }
}
