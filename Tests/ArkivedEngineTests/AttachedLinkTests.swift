import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("What is no file among the files of JSON Lines")
struct AttachedLinkTests {
  private static let id = "AAAAAAAA-0000-4000-8000-000000000001"

  /// An import of an entry with a file, told by its own line or by one of the file's.
  private func run(_ test: TestArchive, byItsOwnLine: Bool) throws -> ImportRun {
    let file = #""relativePath":"aa/leaf.bin""#
    let entry = #"{"type":"activity","id":"\#(Self.id)","text":"leaf","dayKey":"2026-01-01""#
    let lines =
      byItsOwnLine
      ? [
        entry + "}",
        #"{"type":"attachment","attachmentType":"file","activityId":"\#(Self.id)",\#(file)}"#,
      ]
      : [entry + #","attachments":[{\#(file)}]}"#]
    let source = try test.folder.file("in/x.jsonl", lines.joined(separator: "\n"))
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(source).first)
  }

  private func stored(_ test: TestArchive) throws -> [String] {
    let folder = try #require(test.archive.attachmentsFolder)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains("/") }
  }

  @Test(arguments: [true, false], [true, false])
  func noLinkIsFollowed(byItsOwnLine: Bool, isFolder: Bool) throws {
    let test = try TestArchive()
    _ = try test.folder.file("secret/leaf.bin", "somebody else's")
    _ = try test.folder.file("in/attachments/readme", "files")
    let attachments = test.folder.url.appendingPathComponent("in/attachments")
    let secret = test.folder.url.appendingPathComponent("secret")
    let place = attachments.appendingPathComponent("aa")
    if isFolder {
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: secret)
    } else {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: place.appendingPathComponent("leaf.bin"),
        withDestinationURL: secret.appendingPathComponent("leaf.bin"))
    }
    let run = try run(test, byItsOwnLine: byItsOwnLine)
    #expect(run.warnings.contains { $0.message.contains("a link, which Arkived doesn’t follow") })
    #expect(try stored(test) == [] && test.day("2026-01-01").activities.count == 1)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func aPipeIsNotWaitedFor(byItsOwnLine: Bool) throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/attachments/aa/other", "x")
    let pipe = test.folder.url.appendingPathComponent("in/attachments/aa/leaf.bin").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let run = try run(test, byItsOwnLine: byItsOwnLine)
    #expect(run.created["activity"] == 1 && run.skipped == 0)
    #expect(try stored(test) == [] && test.day("2026-01-01").activities.count == 1)
  }

  @Test(arguments: [true, false])
  func aFolderOfItsNameCostsTheFileAlone(byItsOwnLine: Bool) throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/attachments/aa/leaf.bin/deeper", "x")
    let run = try run(test, byItsOwnLine: byItsOwnLine)
    #expect(run.created["activity"] == 1 && run.skipped == 0)
    #expect(try stored(test) == [] && test.day("2026-01-01").activities.count == 1)
  }
}
