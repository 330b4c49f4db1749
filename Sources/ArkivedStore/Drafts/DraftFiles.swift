import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The private folder for drafts, which survive a crash of the editor, the program or the machine:
/// `NAME.md` with the text, `NAME.json` with its purpose, and files that an editor creates next to
/// them.
///
/// A process that works on a draft holds a lock on its record.
package struct DraftFiles: Sendable {
  package let folder: URL

  /// The largest number of bytes read from a file.
  private static let sizeLimit = 8 << 20

  /// Creates the folder's reader.
  ///
  /// - Parameters:
  ///   - location: the archive; drafts of one in memory are in a folder of the session, or else of
  ///     the system.
  ///   - environment: the environment variables.
  package init(
    _ location: ArchiveLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    switch location {
    case .folder(let home): folder = home.appendingPathComponent("drafts")
    case .memory:
      let session = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      folder = URL(fileURLWithPath: session ?? NSTemporaryDirectory())
        .appendingPathComponent("arkived-drafts-\(getuid())")
    }
  }

  package func text(_ name: String) -> URL { folder.appendingPathComponent("\(name).md") }
  package func record(_ name: String) -> URL { folder.appendingPathComponent("\(name).json") }

  /// The names of all files, in order; empty for a folder that belongs to another user.
  package var names: [String] {
    var status = stat()
    guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// Returns the names of a draft's files: its text, its record, an editor's backups and swap
  /// files.
  package func companions(of name: String) -> [String] {
    names.filter { $0 == "\(name).json" || $0.contains("\(name).md") }
  }

  // MARK: Contents of drafts

  /// A draft with its text, or a file in the folder that belongs to no draft.
  struct Content: Sendable {
    let name: String
    /// The draft; nil for a file without a readable record.
    let draft: Draft?
    /// The content of all its files.
    let text: String
    let startedOn: DayKey
    /// True if it is being edited.
    let isOpen: Bool
  }

  /// Reads all drafts.
  func contents() -> [Content] {
    let names = names
    var rest = Set(names)
    var found: [Content] = []
    for file in names where file.hasSuffix(".json") {
      let name = String(file.dropLast(".json".count))
      guard let draft = draft(name) else { continue }
      let files = companions(of: name)
      rest.subtract(files)
      let texts = files.filter { $0 != file }.map { read($0) }
      found.append(
        Content(
          name: name, draft: draft, text: ([draft.original] + texts).joined(separator: "\n"),
          startedOn: DayKey(String(name.prefix(10))) ?? Zone.utc.dayKey(at: draft.startedAt),
          isOpen: isOpen(name)))
    }
    for file in rest.sorted() {
      found.append(
        Content(
          name: file, draft: nil, text: read(file), startedOn: Zone.utc.dayKey(at: changed(file)),
          isOpen: false))
    }
    return found
  }

  private func draft(_ name: String) -> Draft? {
    (try? JSON(parsing: read("\(name).json"))).flatMap { Draft($0) }
  }

  private func changed(_ file: String) -> Instant {
    let path = folder.appendingPathComponent(file).path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Instant(attributes?[.modificationDate] as? Date ?? Date())
  }

  private func read(_ file: String) -> String {
    let url = folder.appendingPathComponent(file)
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let handle = try? FileHandle(forReadingFrom: url)
    else { return "" }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: Self.sizeLimit) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  // MARK: Removing

  private func isOpen(_ name: String) -> Bool {
    let descriptor = open(record(name).path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    // Closing it releases the lock.
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Removes a draft, or a file that belongs to none.
  ///
  /// - Returns: false if it is being edited; it then stays.
  func remove(_ name: String) -> Bool {
    let descriptor = open(record(name).path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    for file in descriptor >= 0 ? companions(of: name) : names.filter({ $0 == name }) {
      unlink(folder.appendingPathComponent(file).path)
    }
    try? DurableFile.synchronise(folder)
    return true
  }
}
