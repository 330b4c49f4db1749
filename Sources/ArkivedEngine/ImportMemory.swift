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

/// What earlier imports found in a path, so that the same input need not be read again.
///
/// The input is the same where it looks the same, or, for a single file, where its content is the
/// same. What is remembered counts while nothing has happened to what came with it
/// (`Archive.standingImportRun`).
struct ImportMemory {
  /// A run that would find all it knows.
  struct Known {
    var run: ImportRun
    /// How many entries it would meet.
    var count: Int
  }

  /// A folder of more is nobody's export; who looked at all of it would take long.
  private static let surroundingLimit = 20_000

  private let archive: Archive
  private let path: URL
  /// What the input is called, before links are followed.
  private let name: String
  /// Everything besides the input that decides what is read from it.
  private let settings: String
  private let isFolder: Bool
  private let look: SourceLook?
  /// Nanoseconds since 1970.
  private let startedAt: Int
  /// The newest change as the import began.
  private let newest: UUID?
  private var content: String?
  /// Finds the content's hash while the file is imported.
  private var hashing: ContentHashing?

  /// - Parameters:
  ///   - path: a file or folder that is there.
  ///   - settings: the reader, the zone, and what is asked of the importers.
  /// - Throws: what asking the archive throws.
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

  /// The runs that brought this very input, where another one would find nothing new.
  ///
  /// - Parameter watch: told while a file's content is read.
  /// - Throws: `ImportCancelled`, and what reading throws.
  mutating func known(_ watch: ImportWatch) throws -> [Known]? {
    guard let look else { return nil }
    // What was only just written is best known by its content, before and not after it is read.
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

  /// - Parameter watch: told how far it is, and asked whether to go on.
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

  // MARK: Remembering

  /// Remembers what the runs found, unless the input was written to while it was read, could say
  /// something else another day, or something was taken away here meanwhile that the runs had met.
  ///
  /// - Parameter files: the files of the runs with their importers.
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
        // What a folder or an archive holds is looked at with it.
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
      // What was written since the import began may or may not have been seen by it.
      guard let found = surroundings(reading.around), found.isOlder(than: startedAt) else { return }
      reading.aroundLook = found.mark
    }
    guard reading.look != nil || reading.content != nil,
      SourceLook(at: [path])?.mark == look.mark
    else { return }
    try archive.keepImportReading(reading.json)
  }

  // MARK: The program

  /// The program that reads: its version, and which build of it, since one that was mended may read
  /// more in the same input.
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

/// One input and what was found in it.
private struct Reading {
  struct Part {
    var run: UUID
    var count: Int
  }

  var settings: String
  /// What it was called, where that has a say.
  var name: String?
  var byteCount: Int
  /// How it looked; nil where it had only just been written.
  var look: String?
  var content: String?
  /// What lies around a file and was looked at, by paths below its folder.
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
