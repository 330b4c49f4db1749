import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20)))
struct FileWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func watch(_ name: String, bySystem: Bool) -> FileWatch {
    var watch = FileWatch(url: folder.url.appending(path: name))
    watch.rest = .milliseconds(30)
    watch.interval = .milliseconds(20)
    watch.usesSystem = bySystem
    return watch
  }

  /// Does something until it is noticed; a watch needs a moment until it sees.
  private func isNoticed(
    _ changes: inout AsyncStream<Void>.Iterator, _ action: @escaping @Sendable (Int) throws -> Void
  ) async throws {
    let doing = Task {
      for number in 0... {
        try Task.checkCancellation()
        try action(number)
        try await Task.sleep(for: .milliseconds(120))
      }
    }
    let next: Void? = await changes.next(isolation: nil)
    doing.cancel()
    await #expect(throws: CancellationError.self) { try await doing.value }
    #expect(next != nil)
  }

  @Test(arguments: [true, false])
  func aFileIsWatchedAlsoWhenItIsReplacedOrRemoved(bySystem: Bool) async throws {
    let folder = folder
    _ = try folder.file("a.ics", "0")
    var changes = watch("a.ics", bySystem: bySystem).changes().makeAsyncIterator()
    try await isNoticed(&changes) {
      _ = try folder.file("a.ics", String(repeating: "x", count: $0))
    }
    try await isNoticed(&changes) { number in
      try Data(repeating: 0x79, count: number)
        .write(to: folder.url.appending(path: "a.ics"), options: .atomic)
    }
    try await isNoticed(&changes) { _ in
      try? FileManager.default.removeItem(at: folder.url.appending(path: "a.ics"))
    }
    try await isNoticed(&changes) {
      _ = try folder.file("a.ics", String(repeating: "z", count: $0))
    }
  }

  @Test(arguments: [true, false])
  func aFolderIsWatchedWithThoseThatComeLater(bySystem: Bool) async throws {
    let folder = folder
    var changes = watch("cal", bySystem: bySystem).changes().makeAsyncIterator()
    try await isNoticed(&changes) { _ = try folder.file("cal/in/\($0).ics", "x") }
    try await isNoticed(&changes) { _ = try folder.file("cal/in/deep/\($0).ics", "x") }
    try await isNoticed(&changes) { _ = try folder.file("cal/in/deep/0.ics", "\($0) and more") }
    try await isNoticed(&changes) { _ in
      try? FileManager.default.removeItem(at: folder.url.appending(path: "cal"))
    }
    try await isNoticed(&changes) { _ = try folder.file("cal/\($0).ics", "x") }
  }

  @Test(arguments: [true, false])
  func watchingEndsWithWhoeverListens(bySystem: Bool) async throws {
    _ = try folder.file("a.ics", "0")
    let watch = watch("a.ics", bySystem: bySystem)
    let listening = Task { for await _ in watch.changes() {} }
    await Task.yield()
    listening.cancel()
    await listening.value
  }

  @Test func whatLiesBesideIsOfNoConcern() async throws {
    let folder = folder
    _ = try folder.file("a.ics", "0")
    let stream = watch("a.ics", bySystem: true).changes()
    let beside = Task {
      for number in 0..<20 {
        _ = try folder.file("b.txt", "\(number)")
        try await Task.sleep(for: .milliseconds(10))
      }
      // Only this counts.
      _ = try folder.file("a.ics", "changed")
    }
    var changes = stream.makeAsyncIterator()
    _ = await changes.next(isolation: nil)
    try await beside.value
    #expect(
      try String(contentsOf: folder.url.appending(path: "a.ics"), encoding: .utf8) == "changed")
  }

  @Test(arguments: [true, false])
  func everyFileOfAFolderIsOfConcernWhereThatIsWanted(bySystem: Bool) async throws {
    let folder = folder
    _ = try folder.file("box/done/old.txt", "0")
    var watch = self.watch("box", bySystem: bySystem)
    watch.looksAt = .allInFolder
    var changes = watch.changes().makeAsyncIterator()
    try await isNoticed(&changes) { number in
      _ = try folder.file("box/note \(number).txt", "tea")
    }
    try await isNoticed(&changes) { number in
      try? FileManager.default.moveItem(
        at: folder.url.appending(path: "box/note 0.txt"),
        to: folder.url.appending(path: "box/done/note \(number).txt"))
      _ = try folder.file("box/further \(number).jpg", "picture")
    }
  }
}
