import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ServiceLifecycle

/// Keeps the indexes of search in line with the archive while the server runs: what any program
/// writes is found by its meaning within a second or so.
struct IndexService: Service {
  let archive: Archive
  let indexes: SearchIndexes

  private static let pause = Duration.milliseconds(500)
  /// How long to leave alone what went wrong.
  private static let longPause = Duration.seconds(60)

  func run() async throws {
    await cancelWhenGracefulShutdown { await keep() }
  }

  private func keep() async {
    guard let watch = try? ArchiveWatch(archive) else { return }
    let job = IndexJob(archive, indexes, isCancelled: { Task.isCancelled })
    var isDue = false
    while !Task.isCancelled {
      var pause = Self.pause
      do {
        if try watch.hasNews() { isDue = true }
        if isDue {
          isDue = try await job.run().isBusy
          if isDue { pause = Self.longPause }
        }
      } catch {
        // Search goes on without; there may be room on the disk later.
        pause = Self.longPause
      }
      try? await Task.sleep(for: pause)
    }
  }
}
