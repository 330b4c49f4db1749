package import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Watches a file, or a folder and its subfolders, for possible changes.
///
/// If the system can't report changes, the file or folder is checked at intervals.
package struct FileWatch: Sendable {
  package let url: URL
  /// The quiet time before a change is reported, which lets a program finish writing many files.
  ///
  /// Under constant changes, a report follows every ten of these.
  package var rest = Duration.seconds(1)
  /// The interval between checks if the system doesn't report changes.
  package var interval = Duration.seconds(15)
  /// True if the system is asked to report changes.
  package var usesSystem = true

  /// The files of a folder to watch.
  package enum Concern: Hashable, Sendable {
    /// Calendars in the folder and its subfolders.
    case calendars
    /// Everything directly in the folder, except names that begin with a dot.
    case allInFolder
  }

  package var looksAt = Concern.calendars

  package init(url: URL) { self.url = url }

  /// Returns a stream with an element for each change, or for several within a short time.
  ///
  /// The stream ends when nobody is listening any more. Changes before that aren't reported.
  package func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.detached { await watch(continuation) }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func watch(_ continuation: AsyncStream<Void>.Continuation) async {
    #if os(Linux)
      if usesSystem {
        let isWatched = await watchBySystem(continuation)
        if isWatched || Task.isCancelled { return continuation.finish() }
      }
    #endif
    var last = FileLook(url.path, looksAt)
    while !Task.isCancelled {
      guard (try? await Task.sleep(for: interval)) != nil else { break }
      let next = FileLook(url.path, looksAt)
      if next != last { continuation.yield() }
      last = next
    }
    continuation.finish()
  }

  #if os(Linux)
    /// Watches with the system's help.
    ///
    /// - Returns: false if the system can't watch everything.
    private func watchBySystem(_ continuation: AsyncStream<Void>.Continuation) async -> Bool {
      guard let watcher = Inotify(url.path, looksAt) else { return false }
      let rest = Int(rest / .milliseconds(1))
      return await withTaskCancellationHandler {
        await withCheckedContinuation { ended in
          Thread.detachNewThread {
            ended.resume(returning: watcher.run(rest: rest) { continuation.yield() })
          }
        }
      } onCancel: {
        watcher.stop()
      }
    }
  #endif
}

/// The stamps of a file or a folder tree.
private struct FileLook: Equatable {
  private var stamps: [String: FileStamp] = [:]

  init(_ path: String, _ concern: FileWatch.Concern) {
    guard let stamp = try? FileStamp(at: path) else { return }
    stamps[""] = stamp
    if stamp.isFolder, concern == .allInFolder {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      for name in names where !name.hasPrefix(".") {
        stamps[name] = try? FileStamp(at: path + "/" + name)
      }
      stamps[""] = nil
      return
    }
    guard stamp.isFolder, let listing = try? CalendarFolderListing(path) else { return }
    // The folder itself also changes with files of no concern.
    stamps[""] = nil
    for file in listing.files { stamps[file.name] = file.stamp }
  }
}

#if os(Linux)
  /// Waits for change events from the kernel.
  private final class Inotify: Sendable {
    private static let events =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE)
      | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_MODIFY)
      | UInt32(IN_ATTRIB)
    /// The maximum number of folders; larger trees are checked at intervals.
    private static let mostFolders = 2_000

    private let path: String
    private let concern: FileWatch.Concern
    private let kernel: KernelEvents

    /// Creates a watcher.
    ///
    /// - Returns: nil if the system can't provide a watch.
    init?(_ path: String, _ concern: FileWatch.Concern) {
      guard let kernel = KernelEvents() else { return nil }
      self.path = path
      self.concern = concern
      self.kernel = kernel
    }

    func stop() { kernel.stop() }

    /// Watches until `stop`.
    ///
    /// - Parameters:
    ///   - rest: milliseconds without a change before one is reported.
    ///   - tell: called after a change.
    /// - Returns: false if not everything can be watched.
    func run(rest: Int, _ tell: () -> Void) -> Bool {
      var watched = watches()
      guard watched != nil else { return false }
      var last = FileLook(path, concern)
      var firstChange: ContinuousClock.Instant?
      while !kernel.isOver {
        let isWaiting = firstChange != nil
        let isQuiet = !kernel.wait(milliseconds: isWaiting ? rest : -1)
        if kernel.isOver { break }
        if !isQuiet {
          kernel.take()
          firstChange = firstChange ?? .now
          // Changes happen all the time.
          guard let start = firstChange,
            start.duration(to: .now) > .milliseconds(10 * rest)
          else { continue }
        }
        guard isWaiting || !isQuiet else { continue }
        firstChange = nil
        // Folders appear and disappear, and a replaced file is a different one.
        for watch in watched ?? [] { kernel.end(watch) }
        watched = watches()
        kernel.take()
        // The kernel also reports neighbouring files.
        let look = FileLook(path, concern)
        if look != last { tell() }
        last = look
        guard watched != nil else { return false }
      }
      return true
    }

    /// Watches the folder and its subfolders, or the file's folder; if that is missing, the nearest
    /// existing parent.
    private func watches() -> Set<Int32>? {
      var watches: Set<Int32> = []
      func add(_ path: String) -> Bool {
        guard let watch = kernel.watch(path, for: Inotify.events) else {
          return errno == ENOENT || errno == ENOTDIR
        }
        watches.insert(watch)
        return true
      }
      guard let stamp = try? FileStamp(at: path) else {
        var parent = URL(filePath: path).deletingLastPathComponent()
        while parent.path != "/", !FileManager.default.fileExists(atPath: parent.path) {
          parent.deleteLastPathComponent()
        }
        return add(parent.path) ? watches : nil
      }
      guard stamp.isFolder else {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        return add(folder) && add(path) ? watches : nil
      }
      if concern == .allInFolder {
        _ = add(URL(filePath: path).deletingLastPathComponent().path)
        return add(path) ? watches : nil
      }
      guard let folders = try? CalendarFolderListing(path).folders,
        folders.count < Inotify.mostFolders
      else { return nil }
      // The folder itself may be replaced.
      _ = add(URL(filePath: path).deletingLastPathComponent().path)
      for folder in [path] + folders where !add(folder) { return nil }
      return watches
    }
  }
#endif
