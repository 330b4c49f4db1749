import ArkivedBackup
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Another archive as files of lines: a folder with an archive, a backup, or an export.
struct MergeSource {
  /// The kind of source: archive, backup or export.
  enum Kind: String {
    case archive, backup, export
  }

  /// A file of lines, with its name in diagnostics.
  struct Lines {
    let file: URL
    let name: String
  }

  let kind: Kind
  let files: [Lines]
  /// The base folder of attachments' paths; nil if there are none.
  let attachments: URL?

  /// Passes on each line: the number of its file, its bytes (nil if the line is too long), and its
  /// JSON if it is valid.
  func forEachLine(_ body: (_ file: Int, _ bytes: [UInt8]?, _ json: JSON?) throws -> Void) throws {
    for (number, lines) in files.enumerated() {
      var reader = try LineReader(lines.file)
      defer { reader.close() }
      while let line = try reader.next() {
        switch line {
        case .tooLong: try body(number, nil, nil)
        case .bytes(let bytes):
          let object = (try? JSON(parsing: bytes, depthLimit: JSON.lineDepth))?.object
          try body(number, bytes, object.map { JSON.object($0) })
        }
      }
    }
  }
}

/// Determines the kind of another archive, and converts it to lines in a folder.
///
/// The other archive stays unchanged; even if its schema is older, it is not upgraded.
struct MergeSourceReader {
  let archive: Archive
  let restore: RestoreJob
  /// The private folder for the lines.
  let work: URL

  func read(_ source: URL, unlocks: [AgeUnlock]) throws -> MergeSource {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder) else {
      throw ImportRefusal(place: source.path, message: "no such file or directory")
    }
    let database = source.appendingPathComponent("archive.sqlite")
    if isFolder.boolValue {
      return FileManager.default.fileExists(atPath: database.path)
        ? try copied(database, in: source) : try export(in: source)
    }
    _ = try PlainFile(source)
    let handle = try FileHandle(forReadingFrom: source)
    let head = [UInt8](try handle.read(upToCount: 4_096) ?? Data())
    try handle.close()
    if head.starts(with: Array("SQLite format 3".utf8)) {
      guard source.lastPathComponent == "archive.sqlite" else {
        throw ArchiveError.refused(
          "\(source.lastPathComponent) is a database without its archive’s folder. Choose the "
            + "folder, or restore a snapshot with: arkived restore FILE")
      }
      return try copied(source, in: source.deletingLastPathComponent())
    }
    if JSONLinesImporter().recognises(head: head, fileName: source.lastPathComponent) {
      return try exported([source], in: source.deletingLastPathComponent())
    }
    return try backup(source, unlocks)
  }

  // MARK: An archive's folder

  private func copied(_ database: URL, in folder: URL) throws -> MergeSource {
    if let own = archive.databaseFile,
      own.resolvingSymlinksInPath().path == database.resolvingSymlinksInPath().path
    {
      throw ArchiveError.refused("\(folder.path) is this archive itself. Nothing was changed.")
    }
    let home = work.appendingPathComponent("other")
    try DurableFile.makeFolder(home)
    let copy = home.appendingPathComponent("archive.sqlite")
    let other: Archive
    do {
      try ForeignDatabase.copy(database, as: copy)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: copy.path)
      other = try Archive(
        at: .folder(home), clock: archive.clock, identities: archive.identities,
        opening: .examined)
    } catch let error as ForeignDatabaseError {
      throw ImportRefusal(place: database.path, message: error.description)
    } catch ArchiveError.newerArchive {
      throw ArchiveError.newerArchive(path: folder.path)
    }
    let findings = try other.examine(readsFiles: false)
    if let problem = findings.first(where: { $0.check == "integrity" && $0.verdict == .problem }) {
      throw ImportRefusal(place: database.path, message: problem.detail)
    }
    let lines = work.appendingPathComponent("lines")
    try DurableFile.makeFolder(lines)
    return MergeSource(
      kind: .archive, files: try write(other, into: lines),
      attachments: try Self.attachments(in: folder))
  }

  /// Writes a file of lines for each type, as in a backup.
  private func write(_ other: Archive, into folder: URL) throws -> [MergeSource.Lines] {
    var files: [MergeSource.Lines] = []
    var output: LineWriter?
    var type: String?
    try other.forEachEntity { next, json in
      if next != type {
        try output?.close()
        let name = MemberName.lines(files.count + 1, next)
        let file = folder.appendingPathComponent(name)
        output = try LineWriter(file)
        files.append(.init(file: file, name: name))
        type = next
      }
      try output?.write(ExportJob.typed(next, json))
      try restore.watch.look()
    }
    try output?.close()
    return files
  }

  // MARK: A backup

  private func backup(_ file: URL, _ unlocks: [AgeUnlock]) throws -> MergeSource {
    let reader = try RestoreJob.open(file, unlocks)
    try restore.checkRoom(for: reader.manifest)
    let folder = work.appendingPathComponent("backup")
    let attachments = folder.appendingPathComponent("attachments")
    for place in [folder, attachments] { try DurableFile.makeFolder(place) }
    try restore.unpack(reader) { path in
      MemberName.isLines(path) || MemberName.isAttachment(path)
        ? folder.appendingPathComponent(path) : nil
    }
    let names = reader.manifest.members.map(\.path).filter(MemberName.isLines)
    return MergeSource(
      kind: .backup,
      files: names.map { .init(file: folder.appendingPathComponent($0), name: $0) },
      attachments: attachments)
  }

  // MARK: An export

  private func export(in folder: URL) throws -> MergeSource {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix(".") && ($0.hasSuffix(".jsonl") || $0.hasSuffix(".ndjson")) }
    guard !names.isEmpty else {
      throw ImportRefusal(
        place: folder.path,
        message: "the folder contains neither an archive (archive.sqlite) nor an export (.jsonl)")
    }
    return try exported(names.map { folder.appendingPathComponent($0) }, in: folder)
  }

  private func exported(_ files: [URL], in folder: URL) throws -> MergeSource {
    MergeSource(
      kind: .export,
      files: try files.map { .init(file: try inUTF8($0), name: $0.lastPathComponent) },
      attachments: try Self.attachments(in: folder))
  }

  /// Returns a file of lines, or a UTF-8 copy of one that another program wrote in UTF-16.
  private func inUTF8(_ file: URL) throws -> URL {
    _ = try PlainFile(file)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    guard UTF16Order([UInt8](try handle.read(upToCount: 4) ?? Data())) != nil else { return file }
    let copy = work.appendingPathComponent("\(UUID().uuidString).jsonl")
    let output = try LineWriter(copy)
    var text = try TextBytes(file)
    defer { text.close() }
    while let piece = try text.readChunk() {
      try output.append(piece)
      try restore.watch.look()
    }
    try output.close()
    return copy
  }

  private static func attachments(in folder: URL) throws -> URL? {
    let url = folder.appendingPathComponent("attachments")
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    guard isThere, isFolder.boolValue else { return nil }
    try MergeSource.refuseLinks(in: url)
    return url
  }
}

extension MergeSource {
  /// Throws if a folder of attachments contains anything other than files and folders.
  ///
  /// A link there could point to anything on this computer, and a pipe would never end.
  ///
  /// - Throws: `ImportRefusal` with its name.
  static func refuseLinks(in folder: URL) throws {
    func refuse(_ path: String) -> ImportRefusal {
      ImportRefusal(
        place: path,
        message: "it points elsewhere, and Arkived doesn’t follow links in another archive. Put "
          + "the actual file or folder there, or merge a backup of that archive. Nothing was "
          + "changed")
    }
    func type(_ path: String) throws -> FileAttributeType? {
      try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }
    guard try type(folder.path) == .typeDirectory else { throw refuse(folder.path) }
    guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return }
    while let name = walk.nextObject() as? String {
      let path = folder.appendingPathComponent(name).path
      guard let found = try type(path), [.typeRegular, .typeDirectory].contains(found) else {
        throw refuse(path)
      }
    }
  }
}

/// A writer of lines to a private file.
final class LineWriter {
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(_ file: URL) throws {
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
    handle = try FileHandle(forWritingTo: file)
  }

  func write(_ line: String) throws { try write(Array(line.utf8)) }

  func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    try append([0x0A])
  }

  /// Appends text that includes the line breaks.
  func append(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    guard buffer.count > 1 << 20 else { return }
    try flush()
  }

  func close() throws {
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: Data(buffer))
    buffer.removeAll(keepingCapacity: true)
  }
}
