import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("News of the archive", .timeLimit(.minutes(20)))
struct ArchiveNewsTests {
  private static let hour = Duration.seconds(3_600)

  #if os(Linux)
    @Test func whoWaitsIsWokenByAWriteOfAnyProgramAndByABookBesideTheArchive() async throws {
      let test = try TestArchive()
      let news = ArchiveNews(test.archive, unrest: .zero)
      var heard = await news.wait(after: 0, pausing: .zero, atMost: .milliseconds(1))
      _ = try test.another().updateDay(DayKey(clamping: 20_000)) { $0.note = "by another" }
      let first = heard
      while heard == first {
        heard = await news.wait(after: heard, pausing: .milliseconds(5), atMost: Self.hour)
      }
      // What rings again for the same write is over when it is quiet.
      var second = heard
      repeat {
        (heard, second) = (
          second,
          await news.wait(after: second, pausing: .zero, atMost: .milliseconds(200))
        )
      } while heard != second
      let home = try #require(test.archive.databaseFile).deletingLastPathComponent()
      try Data("{}".utf8).write(to: home.appendingPathComponent("inbox.json"))
      while heard == second {
        heard = await news.wait(after: second, pausing: .milliseconds(5), atMost: Self.hour)
      }
      #expect(heard > second)
    }
  #endif

  @Test func waitingEndsWithItsTask() async throws {
    let test = try TestArchive()
    let news = ArchiveNews(test.archive, unrest: .zero)
    let waiting = Task { await news.wait(after: 0, pausing: Self.hour, atMost: Self.hour) }
    waiting.cancel()
    _ = await waiting.value
  }

  @Test func shortlyAfterAWriteAndWithoutTheSystemsHelpWaitingIsShort() async throws {
    let test = try TestArchive()
    let busy = ArchiveNews(test.archive, unrest: Self.hour)
    _ = await busy.wait(after: 0, pausing: .milliseconds(1), atMost: Self.hour)
    let deaf = ArchiveNews(try Archive(at: .memory), unrest: .zero)
    #expect(await deaf.wait(after: 0, pausing: .milliseconds(1), atMost: Self.hour) == 0)
  }

  @Test func allThatWaitAreWoken() async throws {
    let test = try TestArchive()
    let news = ArchiveNews(test.archive, unrest: .zero)
    _ = await news.wait(after: 0, pausing: .zero, atMost: .milliseconds(1))
    let waiting = (0..<3).map { _ in
      Task {
        var heard = 0
        while heard == 0 {
          heard = await news.wait(after: 0, pausing: .milliseconds(5), atMost: Self.hour)
        }
        return heard
      }
    }
    await news.ring()
    for one in waiting { #expect(await one.value >= 1) }
  }
}
