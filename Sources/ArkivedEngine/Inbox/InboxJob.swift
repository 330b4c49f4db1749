package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// One look into the owner's inbox folder: what lies there becomes entries, and is put away when these
/// are safely in the archive.
///
/// Files come in by the hundred, each batch as one import that can be undone. Only what is committed
/// and flushed is moved to `done`; a look that was killed between the two finds the same files again
/// and knows them by their content. A file that cannot come in goes to `failed` with the reason beside
/// it; what may not or cannot be touched stays and is told. Links are never followed.
package struct InboxJob: Sendable {
  let archive: Archive
  let home: Zone
  let folder: InboxFolder
  let stillness: InboxStillness
  let images: ImageReader
  /// What the places of photos are called; nil leaves them with their coordinates alone.
  package var placeNames: PlaceNames?
  let isCancelled: @Sendable () -> Bool
  /// In which lines are read and the reason beside a file that failed is told; at first that of the
  /// work at hand.
  package var language: Language
  /// By which pictures and calendars are read in a process of their own.
  package var readers = ReaderProgram.own

  /// How many files make a batch, and how many bytes: copies of them lie beside the archive meanwhile.
  private static let batchCount = 1_000
  private static let batchBytes = 1 << 30
  /// A text is held in memory, as it is and as what is made of it.
  private static let textWeight = 32

  /// - Parameters:
  ///   - folder: the inbox.
  ///   - stillness: what earlier looks saw.
  ///   - isCancelled: asked between two batches.
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

  /// Looks once.
  ///
  /// - Returns: what was done; `problem` says where the folder or, in the midst of it, the archive was
  ///   in the way.
  /// - Throws: `ArchiveError.busy` where another program looks into an inbox of this archive, and what
  ///   the archive throws before anything came in.
  package func run() throws -> InboxAccount {
    // What is kept of it is English; it is said again where it is shown.
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
        // What came in before is to be told.
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

  // MARK: Looking

  /// A file that is to come in, and how it looked.
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

  /// Takes the next files off the list; those of one name stay together, as photos do with what lies
  /// beside them.
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

  /// What a file adds to its batch; one that is too large is not read.
  private static func weight(_ file: Sighting) -> Int {
    let copied = min(file.stamp.size, InboxReader.mediaLimit)
    guard file.name.mayBeText else { return copied }
    return max(copied, min(file.stamp.size, InboxText.limit) * textWeight)
  }
}

/// A private folder beside the archive for one look, which nobody else has meanwhile.
private final class Workplace {
  let url: URL
  private let lock: FileLock?

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
    // What a look that was killed left.
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Removes what lies in it.
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
