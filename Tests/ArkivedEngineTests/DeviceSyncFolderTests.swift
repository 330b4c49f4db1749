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
    .timeLimit(.minutes(20)), arguments: Damage.allCases)
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

  // MARK: What is left in the folder

  private func left(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0 != DeviceSyncJob.files }
  }

  @Test("The folder of a revoked device is emptied once the others have read all of it")
  func revokedFolder() throws {
    let pair = try TwoDevices()
    let third = try Computer()
    try pair.join(third, as: "tablet")
    let entry = try photo("the lake", pair.two)
    for computer in [pair.two, pair.one] { #expect(try troubles(pair, computer) == []) }
    let folder = try home(pair, pair.two)
    var first = try pair.job(pair.one)
    try first.revoke(try pair.job(pair.two).thisDevice)
    for _ in 0..<3 { #expect(try troubles(pair, pair.one) == []) }
    // The third device still needs it.
    #expect(try left(folder).contains { $0.hasPrefix("log-") })
    #expect(try left(folder).contains { $0.hasPrefix("\(DeviceSyncJob.files)/") })
    for _ in 0..<3 {
      for computer in [third, pair.one] { #expect(try troubles(pair, computer) == []) }
    }
    #expect(try left(folder) == [])
    let fourth = try Computer()
    try pair.join(fourth, as: "phone")
    for computer in [pair.one, third, fourth] {
      #expect(try content(entry.id, computer) == Data("the lake".utf8))
    }
  }

  @Test("The folder of a revoked device is emptied if only one device is left")
  func lastDevice() throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.two)
    try pair.exchange()
    try pair.exchange()
    let folder = try home(pair, pair.two)
    var first = try pair.job(pair.one)
    try first.revoke(try pair.job(pair.two).thisDevice)
    for _ in 0..<2 { #expect(try troubles(pair, pair.one) == []) }
    #expect(try left(folder) == [])
    let third = try Computer()
    try pair.join(third, as: "tablet")
    #expect(try content(entry.id, third) == Data("the lake".utf8))
  }

  @Test("What a killed program left half-written is removed after a day")
  func abandonedFiles() throws {
    let pair = try TwoDevices()
    _ = try photo("the lake", pair.one)
    try pair.exchange()
    let own = try home(pair, pair.one)
    var files: [URL] = []
    for shelf in [own, own.appendingPathComponent(DeviceSyncJob.files)] {
      for age in [3_600.0, 200_000] {
        let file = shelf.appendingPathComponent("\(IncomingFile.prefix)\(UUID().uuidString)")
        try Data("half".utf8).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
        files.append(file)
      }
    }
    pair.one.clock.advance(seconds: 90_000)
    _ = try troubles(pair, pair.one)
    #expect(files.map { isThere($0) } == [true, false, true, false])
  }

  @Test("A shared folder that went away isn’t made anew")
  func ghostFolder() throws {
    let pair = try TwoDevices()
    let job = try pair.job(pair.one)
    try FileManager.default.removeItem(at: job.folder.root)
    #expect(throws: POSIXFailure.self) {
      try job.folder.write(Data(), as: SharedFolder.head, of: job.thisDevice)
    }
    #expect(!isThere(job.folder.root))
  }

  @Test(
    "Files are written to a folder that can’t be flushed",
    .enabled(if: geteuid() != 0, "the superuser may open everything"))
  func unflushableFolder() throws {
    let place = try TemporaryFolder()
    // Opening it fails, which is how it can be tested everywhere.
    #expect(chmod(place.url.path, 0o300) == 0)
    defer { chmod(place.url.path, 0o700) }
    let (one, two) = (
      place.url.appendingPathComponent("one"), place.url.appendingPathComponent("two")
    )
    try DurableFile.write(Data("whole".utf8), to: one)
    let incoming = try IncomingFile(for: two)
    try incoming.append(Data("whole".utf8))
    try incoming.commit()
    for file in [one, two] { #expect(try Data(contentsOf: file) == Data("whole".utf8)) }
  }

  @Test("An open folder is never left through a name or a link")
  func openFolder() throws {
    let (place, other) = (try TemporaryFolder(), try TemporaryFolder())
    let mine = other.url.appendingPathComponent("mine")
    try Data("mine".utf8).write(to: mine)
    let folder = try OpenFolder(place.url)
    for (name, target) in [("file", mine), ("folder", other.url)] {
      try FileManager.default.createSymbolicLink(
        at: place.url.appendingPathComponent(name), withDestinationURL: target)
    }
    #expect(folder.names == ["file", "folder"])
    #expect(!folder.has("file") && folder.file("file") == nil)
    #expect(throws: POSIXFailure.self) { _ = try folder.folder("folder", isCreated: true) }
    for name in ["..", ".", "", "a/b"] {
      #expect(throws: POSIXFailure.self) { _ = try folder.folder(name, isCreated: true) }
      #expect(throws: POSIXFailure.self) { try folder.write(name) { _ in } }
    }
    try folder.write("file") { append in try append(Data("new".utf8)) }
    #expect(try Data(contentsOf: mine) == Data("mine".utf8))
    #expect(try folder.file("file")?.handle.readToEnd() == Data("new".utf8))
    folder.remove("folder")
    folder.remove("file")
    #expect(folder.names.isEmpty && isThere(mine))
    try folder.folder("new", isCreated: true).write("file") { _ in }
    // A folder with content isn't removed.
    folder.remove("new")
    #expect(folder.names == ["new"])
  }
}
