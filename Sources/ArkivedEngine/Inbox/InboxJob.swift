package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// A check of the owner's inbox folder.
///
/// Its files become entries, and are moved away when these are safely in the archive.
///
/// Files are imported in large batches, each as one import that can be undone. Only committed and
/// flushed files are moved to `done`; after a check that was killed in between, the next one finds
/// the same files and recognises them by content. A file that cannot be imported is moved to
/// `failed`, with the reason next to it; a file that may not or cannot be moved stays and is
/// reported. Links are never followed.
package struct InboxJob: Sendable {
  let archive: Archive
  let home: Zone
  let folder: InboxFolder
  let stillness: InboxStillness
  let images: ImageReader
  /// The names for the places of photos; nil leaves only their coordinates.
  package var placeNames: PlaceNames?
  let isCancelled: @Sendable () -> Bool
  /// The language in which lines are parsed and failures are explained; initially that of the
  /// current task.
  package var language: Language
  /// The program that reads pictures and calendars in a separate process.
  package var readers = ReaderProgram.own

  /// The limits of a batch in files and bytes, because copies of its files are kept next to the
  /// archive in the meantime.
  private static let batchCount = 1_000
  private static let batchBytes = 1 << 30
  /// The factor by which a text's size is multiplied to estimate its memory use, because a text is
  /// in memory both in its original and in its parsed form.
  private static let textWeight = 32

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - homeZone: the home time zone.
  ///   - folder: the inbox.
  ///   - stillness: the observations of earlier checks.
  ///   - images: reads pictures.
  ///   - isCancelled: called between two batches.
  package init(
    archive: Archive, homeZone: Zone, folder: URL, stillness: InboxStillness = InboxStillness(),
    images: ImageReader = ImageReader(), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.archive = archive
    home = homeZone
    self.folder = InboxFolder(url: folder)
    self.stillness = stillness
    self.images = images
    self.isCancelled = isCancelled
    language = .current
  }

  /// Checks the inbox once.
  ///
  /// - Returns: a summary; `problem` is set if the folder or, during the check, the archive
  ///   prevented it.
  /// - Throws: `ArchiveError.busy` if another program checks an inbox of this archive, and what the
  ///   archive throws before anything was imported.
  package func run() throws -> InboxAccount {
    // Stored messages are in English and are translated for display.
    try ShownDates.speaking(.english) { try takeAll() }
  }

  private func takeAll() throws -> InboxAccount {
    var account = InboxAccount()
    let work = try Workplace(archive)
    defer { work.remove() }
    let found: [Sighting]
    do throws(InboxObstacle) {
      found = try look(&account)
    } catch {
      account.problem = error.reason
      return account
    }
    var rest = found[...]
    while !rest.isEmpty, !isCancelled() {
      let batch = Self.batch(&rest)
      do {
        try InboxBatch(job: self, work: work.url).take(batch, &account)
      } catch is ImportCancelled {
        return account
      } catch {
        // Files imported before the error have to be reported.
        guard !account.isEmpty else { throw error }
        let words = "\(error)"
        account.problem =
          "the rest couldn’t be imported: \(words.hasSuffix(".") ? String(words.dropLast()) : words)"
        return account
      }
      work.empty()
    }
    return account
  }

  // MARK: Polling

  /// A file to import, with its metadata.
  typealias Sighting = (name: InboxName, stamp: InboxStamp)

  private func look(_ account: inout InboxAccount) throws(InboxObstacle) -> [Sighting] {
    var found: [Sighting] = []
    let names = try folder.names()
    stillness.keep(only: Set(names))
    for text in names {
      let name = InboxName(text)
      guard text != InboxFolder.unnamed else {
        account.left.append(.init(name: text, reason: "its name isn’t valid UTF-8. Rename it"))
        continue
      }
      guard !name.isPassing, let stamp = InboxStamp(at: folder.path(text)) else { continue }
      guard stamp.isFile else {
        account.left.append(.init(name: text, reason: Self.reason(toLeave: stamp)))
        continue
      }
      guard stillness.isStill(text, stamp) else {
        account.waiting += 1
        continue
      }
      found.append((name: name, stamp: stamp))
    }
    return found
  }

  private static func reason(toLeave stamp: InboxStamp) -> String {
    if stamp.isFolder {
      return "it’s a folder. Move its files here, or import it with “arkived import”"
    }
    if stamp.isLink { return "it’s a link, and what it points to may not belong to the inbox" }
    return "not a regular file"
  }

  /// Removes the next files from the list.
  ///
  /// Files with the same base name stay together, such as a photo and its companions.
  static func batch(_ rest: inout ArraySlice<Sighting>) -> [Sighting] {
    var batch: [Sighting] = []
    var bytes = 0
    while let next = rest.first {
      let weight = weight(next)
      let isFull = batch.count >= batchCount || bytes + weight > batchBytes
      if isFull, let last = batch.last, last.name.kinship != next.name.kinship { break }
      batch.append(next)
      bytes += weight
      rest.removeFirst()
    }
    return batch
  }

  /// Returns the size a file adds to its batch; one that is too large is not read.
  private static func weight(_ file: Sighting) -> Int {
    let copied = min(file.stamp.size, InboxReader.mediaLimit)
    guard file.name.mayBeText else { return copied }
    return max(copied, min(file.stamp.size, InboxText.limit) * textWeight)
  }
}

/// A private folder next to the archive for one check, not used by anything else at the same time.
private final class Workplace {
  let url: URL
  private let lock: FileLock?

  /// Creates the folder.
  ///
  /// - Throws: `ArchiveError.busy`.
  init(_ archive: Archive) throws {
    guard let home = archive.databaseFile?.deletingLastPathComponent() else {
      lock = nil
      url = try ScratchFolders.make()
      return
    }
    lock = try FileLock(
      at: home.appendingPathComponent(Archive.inboxLockName), waits: 0.5,
      else: "Another program is reading the inbox right now.")
    url = home.appendingPathComponent(Archive.inboxWorkName)
    // Removes the remains of a check that was killed.
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Removes the folder's content.
  func empty() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    where !name.hasPrefix(".") {
      try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
  }

  func remove() {
    if lock == nil {
      ScratchFolders.remove(url)
    } else {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
