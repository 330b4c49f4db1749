import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A record of what earlier imports found in a path, which avoids reading the same input again.
///
/// The input is the same if its metadata is the same or, for a single file, if its content is. A
/// record is valid as long as nothing has happened to the imported data
/// (`Archive.standingImportRun`).
struct ImportMemory {
  /// A run that would find only known entries.
  struct Known {
    var run: ImportRun
    /// The number of entries it would find.
    var count: Int
  }

  /// The maximum number of surrounding files: no export has a folder with more files, and checking
  /// all of them would take too long.
  private static let surroundingLimit = 20_000

  private let archive: Archive
  private let path: URL
  /// The path of the input, before links are followed.
  private let name: String
  /// Everything besides the input that affects the result of reading it.
  private let settings: String
  private let isFolder: Bool
  private let look: SourceLook?
  /// Nanoseconds since 1970.
  private let startedAt: Int
  /// The newest change when the import began.
  private let newest: UUID?
  private var content: String?
  /// The computation of the content's hash during the import.
  private var hashing: ContentHashing?

  /// Creates a record for an input.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - path: an existing file or folder.
  ///   - settings: the reader, the zone, and the importers' options.
  /// - Throws: what querying the archive throws.
  init(_ archive: Archive, of path: URL, settings: String) throws {
    newest = try archive.newestChange()
    self.archive = archive
    self.path = path.resolvingSymlinksInPath()
    name = path.lastPathComponent
    self.settings = SHA256.hash(data: Data(settings.utf8)).hexadecimal
    isFolder =
      (try? self.path.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    startedAt = SourceLook.now
    look = SourceLook(at: [self.path])
  }

  /// Returns the runs that imported exactly this input, if another run would find nothing new.
  ///
  /// - Parameter watch: notified while a file's content is read.
  /// - Returns: the runs.
  /// - Throws: `ImportCancelled`, and errors from reading.
  mutating func known(_ watch: ImportWatch) throws -> [Known]? {
    guard let look else { return nil }
    // Something just written is best identified by its content, hashed before it is read rather
    // than after.
    if look.isFresh, !isFolder { _ = try hash(look, watch) }
    let readings = try archive.importReadings().compactMap { Reading($0) }
    for reading in readings
    where reading.settings == settings && reading.byteCount == look.byteCount
      && (reading.name ?? name) == name
    {
      guard try isSame(reading, look, watch), isSurrounded(as: reading) else { continue }
      let known = try reading.parts.compactMap { part in
        try archive.standingImportRun(part.run).map { Known(run: $0, count: part.count) }
      }
      if known.count == reading.parts.count { return known }
    }
    if !isFolder, content == nil { hashing = ContentHashing(of: path) }
    return nil
  }

  private mutating func isSame(
    _ reading: Reading, _ look: SourceLook, _ watch: ImportWatch
  ) throws -> Bool {
    if let mark = reading.look, mark == look.mark { return true }
    guard !isFolder, let expected = reading.content else { return false }
    return try hash(look, watch) == expected
  }

  /// Returns the hash of the content.
  ///
  /// - Parameters:
  ///   - look: the metadata of the input.
  ///   - watch: notified of progress, and asked whether to continue.
  /// - Returns: the hash.
  /// - Throws: an error if the content can't be read.
  private mutating func hash(_ look: SourceLook, _ watch: ImportWatch?) throws -> String {
    if let content { return content }
    if let found = hashing?.finish() {
      content = found
      return found
    }
    watch?.begin([look.byteCount])
    let found = try SourceLook.content(of: path) { count in
      watch?.reach(count)
      if watch?.isToStop() == true { throw ImportCancelled() }
    }
    content = found
    return found
  }

  private func isSurrounded(as reading: Reading) -> Bool {
    reading.around.isEmpty || surroundings(reading.around)?.mark == reading.aroundLook
  }

  private func surroundings(_ names: [String]) -> SourceLook? {
    let folder = path.deletingLastPathComponent()
    return SourceLook(
      at: names.map { $0.isEmpty ? folder : folder.appendingPathComponent($0) },
      limit: Self.surroundingLimit)
  }

  // MARK: Storing readings

  /// Stores what the runs found.
  ///
  /// Nothing is stored if the input was written to while it was read, or could give another result
  /// on another day. The same applies if something that the runs had found was removed here in the
  /// meantime.
  ///
  /// - Parameters:
  ///   - runs: the imports.
  ///   - files: the files of the runs with their importers.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  mutating func keep(
    _ runs: [ImportRun], of files: [(importer: any Importer, files: [ImportFile])]
  ) throws {
    guard let look, !runs.isEmpty, !look.isFresh || content != nil,
      SourceLook(at: [path])?.mark == look.mark,
      try archive.wereUndisturbed(runs, since: newest)
    else { return }
    var around: Set<String> = []
    for (importer, files) in files {
      for file in files.prefix(isFolder ? 1 : files.count) {
        guard let names = importer.surroundings(of: file) else { return }
        // The contents of a folder or an archive are checked with it.
        if file.url.resolvingSymlinksInPath() == path { around.formUnion(names) }
      }
    }
    let readsName =
      !isFolder
      && files.contains { importer, files in files.contains { importer.readsName(of: $0) } }
    var reading = Reading(
      settings: settings, name: readsName ? name : nil, byteCount: look.byteCount,
      look: look.isFresh ? nil : look.mark,
      content: nil, around: around.sorted(), aroundLook: nil,
      parts: runs.map { run in
        Reading.Part(
          run: run.id, count: run.created.values.reduce(0, +) + run.updated + run.unchanged)
      })
    if !isFolder { reading.content = try hash(look, nil) }
    if !around.isEmpty {
      // A file written since the import began may or may not have been read in that state.
      guard let found = surroundings(reading.around), found.isOlder(than: startedAt) else { return }
      reading.aroundLook = found.mark
    }
    guard reading.look != nil || reading.content != nil,
      SourceLook(at: [path])?.mark == look.mark
    else { return }
    try archive.keepImportReading(reading.json)
  }

  // MARK: The program

  /// The program that reads: its version and its build, because a corrected build may read more
  /// from the same input.
  static let program: String = {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments.first ?? ""
    #endif
    var status = stat()
    guard stat(path, &status) == 0 else { return ArkivedVersion.current }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return "\(ArkivedVersion.current) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
  }()
}

/// One input and the entries found in it.
private struct Reading {
  struct Part {
    var run: UUID
    var count: Int
  }

  var settings: String
  /// The name of the input, if it affects the result.
  var name: String?
  var byteCount: Int
  /// The metadata of the input; nil if it had only just been written.
  var look: String?
  var content: String?
  /// The other files around it that were examined, by their paths relative to its folder.
  var around: [String]
  var aroundLook: String?
  var parts: [Part]

  init(
    settings: String, name: String?, byteCount: Int, look: String?, content: String?,
    around: [String],
    aroundLook: String?, parts: [Part]
  ) {
    self.settings = settings
    self.name = name
    self.byteCount = byteCount
    self.look = look
    self.content = content
    self.around = around
    self.aroundLook = aroundLook
    self.parts = parts
  }

  init?(_ json: JSON) {
    guard let settings = json["settings"]?.string, let byteCount = json["bytes"]?.int,
      let parts = json["runs"]?.array, !parts.isEmpty
    else { return nil }
    self.settings = settings
    self.byteCount = byteCount
    name = json["name"]?.string
    look = json["look"]?.string
    content = json["content"]?.string
    around = json["around"]?.array?.compactMap(\.string) ?? []
    aroundLook = json["aroundLook"]?.string
    self.parts = parts.compactMap { part in
      guard let run = part["id"]?.string.flatMap(UUID.init(uuidString:)),
        let count = part["known"]?.int
      else { return nil }
      return Part(run: run, count: count)
    }
    guard self.parts.count == parts.count else { return nil }
  }

  var json: JSON {
    [
      "settings": .string(settings), "name": JSON(name), "bytes": JSON(byteCount),
      "look": JSON(look),
      "content": JSON(content), "around": JSON(around), "aroundLook": JSON(aroundLook),
      "runs": .array(
        parts.map { ["id": .string($0.run.uuidString), "known": JSON($0.count)] }),
    ]
  }
}
