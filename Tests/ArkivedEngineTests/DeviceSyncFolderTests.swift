import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A shared folder in which somebody else puts links, pipes and damaged files.
@Suite("A shared folder that leads elsewhere or loses files")
struct DeviceSyncFolderTests {
  private func photo(_ text: String, _ computer: Computer) throws -> Activity {
    var activity = computer.activity("took a photo of \(text)")
    activity.attachments = [
      try computer.archive.store(
        Data(text.utf8),
        as: Attachment(
          id: UUID(), type: .file, originalName: "\(text).txt", createdAt: TestArchive.now,
          updatedAt: TestArchive.now))
    ]
    return try computer.archive.add(activity).value
  }

  private func content(_ id: UUID, _ computer: Computer) throws -> Data? {
    let file = try computer.archive.activity(id)?.attachments.first
    return file.flatMap { try? computer.archive.content(of: $0) }
  }

  private func troubles(_ pair: TwoDevices, _ computer: Computer) throws -> [String] {
    computer.clock.advance(seconds: 1)
    var job = try pair.job(computer)
    try job.exchange()
    return job.troubles.map(\.name).sorted()
  }

  /// The folder of a device in the shared folder.
  private func home(_ pair: TwoDevices, _ computer: Computer) throws -> URL {
    let job = try pair.job(computer)
    return job.folder.folder(of: job.thisDevice)
  }

  private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  // MARK: Links

  @Test("A link in place of the attachments deletes nothing behind it")
  func linkedFiles() throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.one)
    try pair.exchange()
    let other = try TemporaryFolder()
    let mine = other.url.appendingPathComponent("mine.txt")
    try Data("mine".utf8).write(to: mine)
    // Even one that has a name like ours.
    let alike = other.url.appendingPathComponent(String(repeating: "a", count: 40))
    try Data("mine".utf8).write(to: alike)
    let files = try home(pair, pair.one).appendingPathComponent(DeviceSyncJob.files)
    try FileManager.default.removeItem(at: files)
    try FileManager.default.createSymbolicLink(at: files, withDestinationURL: other.url)
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([entry.id]))
    _ = try troubles(pair, pair.one)
    #expect(isThere(mine) && isThere(alike))
    // Nothing is written through it, either, and the owner is told.
    _ = try photo("the house", pair.one)
    #expect(try troubles(pair, pair.one) == ["folderTrouble"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path).count == 2)
    try FileManager.default.removeItem(at: files)
    #expect(try troubles(pair, pair.one) == [])
  }

  @Test("A link in place of a device’s folder, and folders named like files, delete nothing")
  func linkedDevice() throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.one)
    try pair.exchange()
    let own = try home(pair, pair.one)
    let other = try TemporaryFolder()
    let names = ["snapshot-0000000001-000000", "log-0000000000"]
    for folder in [own, other.url] {
      for name in names {
        let inner = folder.appendingPathComponent("\(name)/inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      }
    }
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([entry.id]))
    _ = try troubles(pair, pair.one)
    for name in names { #expect(isThere(own.appendingPathComponent("\(name)/inner"))) }
    let aside = own.deletingLastPathComponent().appendingPathComponent("aside")
    try FileManager.default.moveItem(at: own, to: aside)
    try FileManager.default.createSymbolicLink(at: own, withDestinationURL: other.url)
    let second = try photo("the house", pair.one)
    #expect(try troubles(pair, pair.one) == ["folderTrouble"])
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([second.id]))
    #expect(try troubles(pair, pair.one) == ["folderTrouble"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: other.url.path).sorted() == names.sorted()
    )
    for name in names { #expect(isThere(other.url.appendingPathComponent("\(name)/inner"))) }
    // What others read isn't behind a link, either.
    _ = try troubles(pair, pair.two)
    #expect(try pair.job(pair.two).readableHeads()[try pair.job(pair.one).thisDevice] == nil)
  }

  // MARK: Lost and damaged attachments

  enum Damage: CaseIterable { case cut, removed, pipe, huge }

  @Test(
    "An attachment that is lost or damaged in the folder is written again for a new device",
    .timeLimit(.minutes(5)), arguments: Damage.allCases)
  func lostCopy(damage: Damage) throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.one)
    try pair.exchange()
    let files = try home(pair, pair.one).appendingPathComponent(DeviceSyncJob.files)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files.path).first)
    let copy = files.appendingPathComponent(name)
    switch damage {
    case .cut: try Data(contentsOf: copy).prefix(500).write(to: copy)
    case .removed: try FileManager.default.removeItem(at: copy)
    case .pipe:
      try FileManager.default.removeItem(at: copy)
      try #require(mkfifo(copy.path, 0o600) == 0)
    case .huge:
      let handle = try FileHandle(forWritingTo: copy)
      try handle.truncate(atOffset: 10_000_000_000)
      try handle.close()
    }
    let third = try Computer()
    try pair.join(third, as: "tablet")
    #expect(try content(entry.id, third) == nil)
    for _ in 0..<4 {
      for computer in [third, pair.one, pair.two] {
        computer.clock.advance(seconds: 3_700)
        #expect(try troubles(pair, computer) == [])
      }
    }
    #expect(try content(entry.id, third) == Data("the lake".utf8))
    // Nothing is requested any more.
    let heads = try pair.job(pair.one).readableHeads()
    #expect(heads.count == 3 && heads.values.allSatisfy(\.lacks.isEmpty))
  }

  @Test("An attachment is written again before the folder of a revoked device is deleted")
  func revokedOwner() throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.two)
    try pair.exchange()
    try pair.exchange()
    #expect(try content(entry.id, pair.one) == Data("the lake".utf8))
    let gone = try home(pair, pair.two)
    let third = try Computer()
    try pair.join(third, as: "tablet")
    var first = try pair.job(pair.one)
    try first.revoke(try pair.job(pair.two).thisDevice)
    for _ in 0..<3 {
      for computer in [pair.one, third] { #expect(try troubles(pair, computer) == []) }
    }
    try FileManager.default.removeItem(at: gone)
    let fourth = try Computer()
    try pair.join(fourth, as: "phone")
    #expect(try content(entry.id, fourth) == Data("the lake".utf8))
  }

  @Test("A head names only some of the missing files, and lets the others have a turn")
  func manyMissing() throws {
    let pair = try TwoDevices()
    var job = try pair.job(pair.one)
    let names = Set((0..<300).map { String(repeating: "0", count: 37) + String(100 + $0) })
    job.noteLacking(names)
    #expect(job.lacks().isEmpty)
    pair.one.clock.advance(seconds: 4_000)
    job.noteLacking(names)
    let some = Set(job.lacks())
    #expect(some.count == DeviceSyncJob.mostLacking)
    pair.one.clock.advance(seconds: 8 * 86_400)
    job.noteLacking(names)
    pair.one.clock.advance(seconds: 4_000)
    let next = Set(job.lacks())
    #expect(next.count == DeviceSyncJob.mostLacking)
    #expect(next.union(some) == names)
    job.noteLacking([])
    #expect(job.lacks().isEmpty)
  }
}
