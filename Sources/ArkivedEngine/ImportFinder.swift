import ArkivedCore
import ArkivedImport
import Foundation

/// Determines the formats of the files at a path: a single file, all files below a folder, or all
/// in a zip archive.
struct ImportFinder {
  typealias Group = (importer: any Importer, files: [ImportFile])

  /// The result: files by format, and diagnostics about the others.
  typealias Found = (groups: [Group], notes: [Diagnostic])

  private let importers: [any Importer]
  private let scratch: ScratchFolder
  /// The names of files that are skipped silently.
  var besides: Set<String> = []
  /// Called with the name of each file before it is examined.
  var isLookingAt: (String) -> Void = { _ in }

  /// Archives nested deeper than this are not opened.
  private static let depthLimit = 2
  /// Beyond this, unrecognised files are counted but not named.
  private static let nameLimit = 100

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - importers: the importers to choose from.
  ///   - scratch: contains the unpacked files; it must outlive them.
  init(_ importers: [any Importer], _ scratch: ScratchFolder) {
    self.importers = importers
    self.scratch = scratch
  }

  /// Finds the files of a path.
  ///
  /// - Throws: `ImportRefusal` if there is nothing of a known format.
  func find(_ path: URL) throws -> Found {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else {
      throw ImportRefusal(place: path.path, message: "no such file or directory")
    }
    if isFolder.boolValue, Self.isArchive(path) {
      throw OwnFormat.archive.refusal(place: path.path, path: path.path)
    }
    var walk = Walk()
    if isFolder.boolValue {
      try take(folder: path, named: "", depth: 0, into: &walk)
    } else {
      let file = ImportFile(url: path, name: path.lastPathComponent)
      let (importer, zip) = try recognise(file, mayWalk: true, into: &walk)
      if let importer { return ([(importer, [file])], Self.notes(on: walk.unknown)) }
      guard let zip else {
        let table = importers.lazy.compactMap { $0 as? TableImporter }.first
        let refusal = table?.advice(on: file, head: try Self.head(of: file))
        throw refusal
          ?? ImportRefusal(
            place: file.name,
            message: "this isn’t a format Arkived can read. It reads \(ImportJob.formatNames)")
      }
      try take(zip, of: file, depth: 1, into: &walk)
    }
    let groups = grouped(&walk)
    guard !groups.isEmpty else {
      // The reason a file was refused is more helpful than a message that nothing was found.
      if let refusal = walk.notes.first(where: { $0.severity == .skipped }) {
        throw ImportRefusal(place: refusal.place, message: refusal.message)
      }
      throw ImportRefusal(
        place: path.path,
        message: "\(isFolder.boolValue ? "the folder" : "the zip archive") contains no file "
          + "Arkived can read: \(ImportJob.formatNames)")
    }
    return (groups, walk.notes + Self.notes(on: walk.unknown) + Self.notes(onLinks: walk.links))
  }

  /// Returns true if a folder is the folder of an archive.
  private static func isArchive(_ folder: URL) -> Bool {
    let database = folder.appendingPathComponent(OwnFormat.databaseName)
    guard let head = try? head(of: ImportFile(url: database, name: "")) else { return false }
    return OwnFormat(fileName: OwnFormat.databaseName, head: head) != nil
  }

  /// Throws for Arkived's own files that an import doesn't accept.
  ///
  /// - Throws: `ImportRefusal` with the command to use instead.
  private func refuse(_ own: OwnFormat?, _ file: ImportFile, _ walk: inout Walk) throws {
    guard let own else { return }
    walk.own.insert(file.name)
    if let archive = walk.archive {
      throw OwnFormat.refusal(place: file.name, inArchive: archive)
    }
    let path = own == .archive ? file.url.deletingLastPathComponent().path : file.url.path
    throw own.refusal(place: file.name, path: path)
  }

  private static func notes(on unknown: [String]) -> [Diagnostic] {
    var notes = unknown.prefix(nameLimit).map {
      Diagnostic(.note, place: $0, message: "not a format Arkived can read; skipped")
    }
    if unknown.count > nameLimit, let next = unknown.dropFirst(nameLimit).first {
      notes.append(
        Diagnostic(
          .note, place: next,
          message: "not a format Arkived can read; skipped. More files like this: "
            + "\(unknown.count - nameLimit - 1)"))
    }
    return notes
  }

  private static func notes(onLinks links: [String]) -> [Diagnostic] {
    guard let first = links.first else { return [] }
    let message =
      links.count == 1
      ? "a link, which Arkived doesn’t follow. Import its target separately"
      : "a link, which Arkived doesn’t follow. Import its target separately. More links: "
        + "\(links.count - 1)"
    return [Diagnostic(.note, place: first, message: message)]
  }

  // MARK: Folder traversal

  private struct Walk {
    var found: [(importer: any Importer, file: ImportFile)] = []
    var unknown: [String] = []
    var links: [String] = []
    var notes: [Diagnostic] = []
    /// The names of Arkived's own files.
    var own: Set<String> = []
    /// The outermost ZIP archive that is being walked through.
    var archive: String?
    /// The number of bytes that may still be unpacked from the archives in it.
    var allowance = Int64.max
  }

  /// Examines the files of a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - prefix: the beginning of the names of the folder's files.
  ///   - depth: the number of folders above.
  ///   - walk: collects the results.
  /// - Throws: an error if a file can't be read.
  private func take(
    folder: URL, named prefix: String, depth: Int, into walk: inout Walk
  ) throws {
    let listing = try FolderListing(of: folder)
    walk.notes += listing.problems(named: prefix)
    // Links could point outside the folder or form a cycle.
    walk.links += listing.links.map { prefix + $0 }.filter { !isBesideLines($0) }
    let archives = listing.files.filter { $0.hasSuffix(OwnFormat.databaseName) }
      .map { String($0.dropLast(OwnFormat.databaseName.count)) }
      .filter { $0.isEmpty || $0.hasSuffix("/") }
      .filter { Self.isArchive(folder.appendingPathComponent($0)) }
    for name in listing.files {
      let home = archives.first { name.hasPrefix($0) }
      // Only an archive's database is examined, and refused: its attachments aren't photos to
      // import.
      guard home.map({ name == $0 + OwnFormat.databaseName }) ?? true else { continue }
      let file = ImportFile(url: folder.appendingPathComponent(name), name: prefix + name)
      try take(file, depth: depth, into: &walk)
    }
  }

  /// Returns true if a link leads to files that the lines refer to.
  ///
  /// If nothing else is read, as in a merge, these files are read by path.
  private func isBesideLines(_ name: String) -> Bool {
    importers.allSatisfy { $0 is JSONLinesImporter }
      && name.split(separator: "/").contains("attachments")
  }

  private func take(_ file: ImportFile, depth: Int, into walk: inout Walk) throws {
    guard !besides.contains(file.name) else { return }
    isLookingAt(file.name)
    do {
      let (importer, zip) = try recognise(
        file, mayWalk: depth < Self.depthLimit, into: &walk)
      if let importer {
        walk.found.append((importer, file))
      } else if let zip, depth < Self.depthLimit {
        try take(zip, of: file, depth: depth + 1, into: &walk)
      } else {
        walk.unknown.append(file.name)
      }
    } catch let refusal as ImportRefusal {
      walk.notes.append(
        Diagnostic(.skipped, place: refusal.place, message: refusal.message, mayPass: true))
    } catch {
      walk.notes.append(
        Diagnostic(
          .skipped, place: file.name, message: "the file can’t be read; skipped", mayPass: true))
    }
  }

  /// Walks through a zip archive that is not of a single format.
  private func take(
    _ zip: ZipFile, of file: ImportFile, depth: Int, into walk: inout Walk
  ) throws {
    let home = try scratch.make().appendingPathComponent(UUID().uuidString)
    let outer = walk.archive
    walk.archive = outer ?? file.name
    defer { walk.archive = outer }
    if outer == nil { walk.allowance = ZipWalk.innerAllowance(of: file.url) }
    // Names continue as if the archive were a folder, so relative references in it work.
    let folder = home.appendingPathComponent(file.name)
    let allowance = outer == nil ? Int64.max : walk.allowance
    // Everything unpacked counts, even if it has been removed.
    defer { if outer != nil { walk.allowance -= ZipWalk.size(of: folder, in: zip) } }
    do {
      let (notes, isBeyondLimit) = try ZipWalk(zip, named: file.name, allowance: allowance)
        .unpackCounted(into: folder)
      walk.notes += notes
      if outer != nil, isBeyondLimit { walk.allowance = 0 }
    } catch let refusal as ImportRefusal where outer != nil {
      walk.allowance = 0
      throw refusal
    }
    let (found, unknown) = (walk.found.count, walk.unknown.count)
    try take(folder: folder, named: "\(file.name)/", depth: depth, into: &walk)
    guard walk.found.count == found else { return }
    // An archive with nothing of a known format counts as one unrecognised file.
    walk.unknown.removeLast(walk.unknown.count - unknown)
    walk.unknown.append(file.name)
  }

  /// Returns the files by format, without those that belong to files of another format.
  private func grouped(_ walk: inout Walk) -> [Group] {
    var groups: [Group] = []
    for (importer, file) in walk.found {
      if let index = groups.firstIndex(where: { $0.importer.format == importer.format }) {
        groups[index].files.append(file)
      } else {
        groups.append((importer, [file]))
      }
    }
    let homes = groups.map { group in
      (group.importer, folders: Set(group.files.map(\.folder)))
    }
    let vaults = Self.vaults(groups)
    func isCompanion(_ name: String, of format: String?) -> Bool {
      if MarkdownFolderImporter.isShown(name), vaults.contains(where: { name.hasPrefix($0) }) {
        return true
      }
      return homes.contains { importer, folders in
        importer.format != format && (format == nil || Self.mayTake(name, importer))
          && importer.accompanies(name, filesIn: folders)
      }
    }
    walk.unknown.removeAll { isCompanion($0, of: nil) }
    // A backup that is attached to an entry is imported with it.
    let own = walk.own
    walk.notes.removeAll { own.contains($0.place) && isCompanion($0.place, of: nil) }
    for index in groups.indices {
      let format = groups[index].importer.format
      groups[index].files.removeAll { isCompanion($0.name, of: format) }
    }
    return groups.filter { !$0.files.isEmpty }
  }

  /// Returns true if a file with its own format may still belong to files of another format.
  ///
  /// Next to photos, such a name is a coincidence, and pages only refer to files they can show.
  private static func mayTake(_ name: String, _ importer: any Importer) -> Bool {
    switch importer {
    case is PhotosImporter: false
    case is MarkdownFolderImporter: MarkdownFolderImporter.isShown(name)
    default: true
    }
  }

  /// Returns the prefixes of the names of files in vaults; pictures in a vault belong to its pages.
  private static func vaults(_ groups: [Group]) -> Set<String> {
    let pages = groups.filter { $0.importer is MarkdownFolderImporter }.flatMap(\.files)
    var folders: Set<String> = []
    return Set(
      pages.filter { folders.insert($0.folder).inserted }
        .compactMap { MarkdownFolderImporter.vaultName(of: $0) })
  }

  // MARK: Recognising

  private static func head(of file: ImportFile) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: file.url)
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: 4096) ?? Data())
  }

  /// Returns the importer of a file, or the file as a zip archive if it is one and no importer
  /// reads it as a whole.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - mayWalk: true if an archive of several formats can be walked through; otherwise it belongs
  ///     to the first importer that recognises it.
  ///   - walk: receives the names of unrecognised files in an archive that one importer reads.
  /// - Returns: the importer, and the archive.
  /// - Throws: an error if the file can't be read.
  private func recognise(
    _ file: ImportFile, mayWalk: Bool, into walk: inout Walk
  ) throws -> (importer: (any Importer)?, zip: ZipFile?) {
    let head = try Self.head(of: file)
    try refuse(OwnFormat(fileName: file.url.lastPathComponent, head: head), file, &walk)
    guard ZipFile.isZip(head) else {
      return (try importers.first { try $0.recognises(file, head: head) }, nil)
    }
    let zip: ZipFile
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive can’t be read: \(error)")
    }
    try refuse(OwnFormat(zip: zip), file, &walk)
    // A vault may contain more pictures than pages.
    if !MarkdownFolderImporter.isVault(zip),
      let importer = importers.first(where: { $0.recognises(zip, fileName: file.name) })
    {
      let look = MixedArchive(importers).look(into: zip, for: importer)
      if !mayWalk || !look.isMixed {
        walk.unknown += look.unknown.map { "\(file.name)/\($0)" }
        return (importer, nil)
      }
    }
    // Its bytes are not examined, because they may be those of a file stored uncompressed.
    return (nil, zip)
  }
}

extension ImportFile {
  var byteCount: Int {
    (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
  }
}
