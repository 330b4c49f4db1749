import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import ArkivedWeb

@Suite("The inbox while the server runs")
struct InboxServiceTests {
  @Test func whatIsInTheWayOfALookIsToldUntilItIsGone() async throws {
    let test = try TestArchive()
    let box = test.folder.url.appendingPathComponent("box")
    _ = try InboxBook.choose(box, for: test.archive)
    // Where the lock of a look should be, something else is.
    let lock = test.folder.url.appendingPathComponent("archive/inbox-round.lock")
    try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
    var logger = Logger(label: "inbox")
    logger.logLevel = .critical
    let service = InboxService(archive: test.archive, zone: test.zone, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [service], logger: logger))
    let running = Task { try await group.run() }
    try await Self.book(of: test) { $0.problem?.hasSuffix(". Arkived will try again") == true }
    try FileManager.default.removeItem(at: lock)
    try Data("tea".utf8).write(to: box.appendingPathComponent("a.txt"))
    try await Self.book(of: test) { $0.problem == nil && $0.taken == 1 }
    await group.triggerGracefulShutdown()
    try await running.value
  }

  /// Waits until the book says so.
  private static func book(
    of test: TestArchive, _ says: (InboxBook) -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while !says(InboxBook(of: test.archive)) {
      guard ContinuousClock.now < end else { throw FieldError("book", "never said so") }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
