package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// The owner's inbox and the result of its last check: `inbox.json` in the archive's folder.
package struct InboxBook: Sendable {
  /// The folder; nil without an inbox.
  package var folder: String?
  /// The number of files imported since it was set.
  package var taken = 0
  package var lastLook: Instant?
  /// The result of the last check: the files left in place, and the newest that failed.
  package var left: [InboxAccount.Told] = []
  package var failed: [InboxAccount.Told] = []
  package var waiting = 0
  package var problem: String?

  private static let toldLimit = 20

  /// Reads the inbox settings of an archive, or creates empty ones if there are none.
  package init(of archive: Archive) {
    guard let file = Self.file(of: archive) else { return }
    do {
      try read(file)
    } catch {
      problem = "\(error)"
    }
  }

  private init(reading file: URL) throws { try read(file) }

  /// Reads the settings from a file; without one, they are empty.
  ///
  /// - Throws: `ArchiveError.refused` if it exists but can't be read, so nobody replaces it with an
  ///   empty one.
  private mutating func read(_ file: URL) throws {
    guard let json = try SettingsFile.read(file) else { return }
    folder = json["folder"]?.string
    taken = json["taken"]?.int ?? 0
    lastLook = json["lastLook"]?.string.flatMap { Instant($0) }
    left = Self.told(json["left"])
    failed = Self.told(json["failed"])
    waiting = json["waiting"]?.int ?? 0
    problem = json["problem"]?.string
  }

  private static func told(_ json: JSON?) -> [InboxAccount.Told] {
    (json?.array ?? []).compactMap { entry in
      guard let name = entry["name"]?.string, let reason = entry["reason"]?.string else {
        return nil
      }
      return InboxAccount.Told(name: name, reason: reason)
    }
  }

  package var url: URL? { folder.map { URL(fileURLWithPath: $0, isDirectory: true) } }

  package var json: JSON {
    [
      "folder": JSON(folder), "taken": JSON(taken), "lastLook": JSON(lastLook),
      "left": .array(left.map(\.json)), "failed": .array(failed.map(\.json)),
      "waiting": JSON(waiting), "problem": JSON(problem),
    ]
  }

  private static func file(of archive: Archive) -> URL? {
    archive.databaseFile?.deletingLastPathComponent().appendingPathComponent("inbox.json")
  }

  /// Changes the inbox settings.
  ///
  /// Changes from two programs at once are applied one after the other.
  ///
  /// - Throws: `ArchiveError.refused` for an archive in memory.
  @discardableResult
  package static func change(
    of archive: Archive, _ edit: (inout InboxBook) throws -> Void
  ) throws -> InboxBook {
    guard let file = file(of: archive) else {
      throw ArchiveError.refused(
        "An archive in memory has no inbox. Choose a folder for the archive.")
    }
    let lock = try FileLock(
      at: file.deletingLastPathComponent().appendingPathComponent("inbox.lock"), waits: 10,
      else: "Another program is changing the inbox. Try again.")
    defer { lock.release() }
    var book = try InboxBook(reading: file)
    let before = book.json
    try edit(&book)
    guard book.json != before else { return book }
    try DurableFile.write(Data(book.json.bytes(indented: true) + [0x0A]), to: file)
    return book
  }

  /// Records the result of a check.
  package mutating func note(_ account: InboxAccount, at now: Instant) {
    taken += account.taken.count
    left = Array(account.left.prefix(Self.toldLimit))
    failed = Array((account.failed.reversed() + failed).prefix(Self.toldLimit))
    waiting = account.waiting
    problem = account.problem
    if !account.isEmpty || lastLook == nil { lastLook = now }
  }

  // MARK: Choosing

  /// Returns the folder that a person typed.
  ///
  /// - Throws: `FieldError` if it isn't an absolute path.
  package static func folder(_ typed: String) throws(FieldError) -> URL {
    guard !typed.isEmpty else { throw FieldError("folder", "is missing. Enter a folder") }
    guard typed.hasPrefix("/") || typed.hasPrefix("~/"), !typed.utf8.contains(0) else {
      throw FieldError("folder", "is \(FieldError.shown(typed)), but must begin with / or ~/")
    }
    return URL(fileURLWithPath: HomeFolder.expandingTilde(typed), isDirectory: true)
  }

  /// Makes a folder the inbox.
  ///
  /// - Throws: as `check`, or an error of the file system if the folder can't be created.
  package static func choose(_ folder: URL, for archive: Archive) throws -> InboxBook {
    try check(folder, for: archive)
    let url = folder.standardizedFileURL.resolvingSymlinksInPath()
    let path = url.path
    if !FileManager.default.fileExists(atPath: path) { try DurableFile.makeFolder(url) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { throw ArchiveError.refused("\(path) isn’t a folder.") }
    return try change(of: archive) { book in
      if book.folder != path { book = InboxBook() }
      book.folder = path
    }
  }

  /// Throws if a folder can't be the inbox.
  ///
  /// - Throws: `ArchiveError.refused` if the folder contains many files that are probably not for
  ///   import: the home folder, a disk, the archive itself.
  package static func check(_ folder: URL, for archive: Archive) throws {
    let path = folder.standardizedFileURL.resolvingSymlinksInPath().path
    func isWithin(_ inner: String, _ outer: String) -> Bool {
      inner == outer || inner.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
    }
    let home = HomeFolder.url().resolvingSymlinksInPath().path
    guard path != "/", !isWithin(home, path) else {
      throw ArchiveError.refused(
        "\(path) contains more than an inbox should: every file in it would be imported. Choose a "
          + "separate folder, such as \(home)/Inbox.")
    }
    if let own = archive.databaseFile?.deletingLastPathComponent().resolvingSymlinksInPath().path,
      isWithin(path, own) || isWithin(own, path)
    {
      throw ArchiveError.refused(
        "\(path) overlaps with the archive’s folder. Choose a folder elsewhere.")
    }
  }

  private init() {}

  /// Returns the number of files in a folder that would be imported.
  package static func count(in folder: URL) -> Int {
    let inbox = InboxFolder(url: folder.standardizedFileURL.resolvingSymlinksInPath())
    let names = (try? inbox.names()) ?? []
    return names.filter {
      !InboxName($0).isPassing && InboxStamp(at: inbox.path($0))?.isFile == true
    }.count
  }
}
