import ArkivedTestSupport
import Foundation
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ArkivedWeb

@Suite("Thumbnails that requests wait for")
struct ThumbnailQueueTests {
  /// Work that waits until it is let go.
  private final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let begun = DispatchSemaphore(value: 0)

    func pass() {
      begun.signal()
      opened.wait()
    }

    func open() { opened.signal() }

    func hasBegun() async throws { try await ArkivedTestSupport.onThread { self.begun.wait() } }
  }

  @Test func theNewestComeFirstAndThoseWithoutAClientNotAtAll() async throws {
    let queue = ThumbnailQueue()
    let (first, second) = (Gate(), Gate())
    let made = Mutex<[Int]>([])
    // Both workers are busy, so the others wait.
    let one = Task { try await queue.run(for: ClientPresence()) { first.pass() } }
    try await first.hasBegun()
    let two = Task { try await queue.run(for: ClientPresence()) { second.pass() } }
    try await second.hasBegun()
    let clients = (0..<4).map { _ in ClientPresence() }
    var waiting: [Task<Int?, any Error>] = []
    for (number, client) in clients.enumerated() {
      waiting.append(
        Task {
          try await queue.run(for: client) {
            made.withLock { $0.append(number) }
            return number
          }
        })
      while queue.waiting <= number { await Task.yield() }
    }
    clients[1].leave()
    #expect(queue.isBusy)
    first.open()
    var results: [Int?] = []
    for task in waiting { results.append(try await task.value) }
    #expect(results == [0, nil, 2, 3])
    #expect(made.withLock { $0 } == [3, 2, 0])
    second.open()
    _ = try await (one.value, two.value)
    while queue.isBusy { await Task.yield() }
  }

  @Test func whatGoesWrongIsToldToTheOneWhoAsked() async throws {
    struct Broken: Error {}
    let queue = ThumbnailQueue()
    await #expect(throws: Broken.self) {
      try await queue.run(for: ClientPresence()) { throw Broken() }
    }
    #expect(try await queue.run(for: ClientPresence()) { 7 } == 7)
  }

  @Test func aClientHasLeftWhenItsHalfOfTheConnectionEnds() throws {
    let channel = EmbeddedChannel(
      handler: ConnectionRegistryHandler(ConnectionRegistry(ServerLimits())))
    let presence = ClientPresence()
    channel.pipeline.fireUserInboundEventTriggered(presence)
    #expect(!presence.hasLeft)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(presence.hasLeft)
    // One that is asked about afterwards.
    let late = ClientPresence()
    channel.pipeline.fireUserInboundEventTriggered(late)
    #expect(late.hasLeft)
    let (other, end) = (ClientPresence(), EmbeddedChannel())
    try end.pipeline.syncOperations.addHandler(
      ConnectionRegistryHandler(ConnectionRegistry(ServerLimits())))
    end.pipeline.fireUserInboundEventTriggered(other)
    end.pipeline.fireChannelInactive()
    #expect(other.hasLeft)
  }
}
