import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// What a merge makes of another archive's files, whoever wrote them.
@Suite("Files of an archive that is merged")
struct MergeSourceTests {
  private let test: TestArchive
  private let other: Archive

  init() throws {
    test = try TestArchive()
    other = try Archive(
      at: .folder(test.folder.url.appendingPathComponent("other")), clock: test.clock)
  }

  private func lines() throws -> [String] {
    var lines: [String] = []
    try test.archive.forEachEntity { type, json in lines.append("\(type) \(json.text())") }
    return lines.sorted()
  }

  private func prepare(_ source: URL?) throws -> PreparedMerge {
    try MergeJob(archive: test.archive, homeZone: test.zone).prepare(try #require(source))
  }

  /// An entry with a file in the other archive.
  private func attachThere() throws {
    var activity = try test.activity("rowing", on: "2026-02-01")
    activity.attachments = [
      try other.store(
        Data("a picture".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, originalName: "boat.txt",
          createdAt: test.clock.now, updatedAt: test.clock.now))
    ]
    _ = try other.add(activity)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func linesInUTF16MeetTheSameEntries(encoding: String.Encoding) throws {
    let walk = try test.add("a walk", people: ["Zoë"])
    let file = test.folder.url.appendingPathComponent("copy.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    _ = try RestoreJob(archive: other, homeZone: test.zone).prepare(file, unlocks: []).apply()
    test.clock.advance(seconds: 60)
    _ = try other.updateActivity(walk.id) { $0.text = "a long walk" }
    let export = test.folder.url.appendingPathComponent("export/life.jsonl")
    _ = try ExportJob(archive: other).writeJSONLines(to: export)
    let text = try String(contentsOf: export, encoding: .utf8)
    let mark = Data(encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
    try (mark + (try #require(text.data(using: encoding)))).write(to: export)
    let prepared = try prepare(export)
    #expect(prepared.report.counts["activity"] == 1)
    _ = try prepared.apply()
    #expect(try test.archive.counts().activities == 1)
    #expect(try test.archive.activity(walk.id)?.text == "a long walk")
    test.clock.advance(seconds: 60)
    let once = try lines()
    _ = try prepare(export).apply()
    #expect(try lines() == once)
  }

  @Test func noLinkInAnotherArchiveIsFollowed() throws {
    try attachThere()
    try test.add("tea")
    let before = try lines()
    let secret = try test.folder.file("secret.txt", "a picture")
    let attachments = try #require(other.attachmentsFolder)
    let manager = FileManager.default
    let name = try #require(
      try manager.subpathsOfDirectory(atPath: attachments.path).first { $0.hasSuffix(".txt") })
    let file = attachments.appendingPathComponent(name)
    // Its content fits: what is refused is the way there.
    try manager.removeItem(at: file)
    try manager.createSymbolicLink(at: file, withDestinationURL: secret)
    do {
      _ = try prepare(other.home)
      Issue.record("a link was followed")
    } catch let refusal as ImportRefusal {
      #expect(refusal.place.hasSuffix(name) && refusal.message.contains("links in another archive"))
    }
    // Nor one that takes its place between the look and the yes, nor the folder as a whole.
    try manager.removeItem(at: file)
    try Data("a picture".utf8).write(to: file)
    let prepared = try prepare(other.home)
    try manager.removeItem(at: file)
    try manager.createSymbolicLink(at: file, withDestinationURL: secret)
    #expect(throws: ImportRefusal.self) { try prepared.apply() }
    let away = test.folder.url.appendingPathComponent("away")
    try manager.removeItem(at: file)
    try manager.moveItem(at: attachments, to: away)
    try manager.createSymbolicLink(at: attachments, withDestinationURL: away)
    #expect(throws: ImportRefusal.self) { try prepare(other.home) }
    #expect(try lines() == before)
  }
}
