package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation
import Synchronization

/// Brings files into the archive: finds out what they are, reads them, and writes what is new.
///
/// All the files of one format under one path are one run: they appear together, in one change
/// that can be undone, or not at all.
package struct ImportJob {
  package let archive: Archive
  package let homeZone: Zone
  package let importers: [any Importer]
  /// Brings back what the owner deleted, and overwrites what was changed here.
  package let overridesOwner: Bool
  package let watch: ImportWatch

  /// The formats that Arkived reads.
  package static let formats: [any Importer] = [
    ICalendarImporter(), DayOneImporter(), MarkdownFolderImporter(), JrnlImporter(),
    JSONLinesImporter(), TenWeekImporter(source: ForeignTables()), DaylioImporter(),
    TogglImporter(), LoopImporter(),
  ]

  /// What they are called in a sentence.
  package static let formatNames =
    "iCalendar (.ics), Day One exports (.zip, .json), jrnl’s journals (text or JSON), "
    + "exports of Daylio, Toggl (.csv) and Loop (.zip), Ten Week databases (SQLite) and Arkived JSON Lines "
    + "(.jsonl)"

  package init(
    archive: Archive, homeZone: Zone, importers: [any Importer] = ImportJob.formats,
    overridesOwner: Bool = false, watch: ImportWatch = ImportWatch()
  ) {
    self.archive = archive
    self.homeZone = homeZone
    self.importers = importers
    self.overridesOwner = overridesOwner
    self.watch = watch
  }

  /// Imports a file, or every file below a folder that some importer recognises.
  ///
  /// Where a folder holds several formats, each is a run of its own; one that is refused does not
  /// keep the others out, and is told among their warnings.
  /// - Throws: `ImportRefusal` when nothing of it can be used, `CocoaError` when it cannot be read,
  ///   `ImportInterruption` when it ended early and something had come in by then.
  /// - Parameter name: what the run's account calls the source; its path when nil.
  package func run(_ path: URL, named name: String? = nil) throws -> [ImportRun] {
    let (groups, notes) = try grouped(path)
    var runs: [ImportRun] = []
    var refusals: [ImportRefusal] = []
    for (importer, files) in groups {
      do {
        runs.append(
          try run(importer, files, source: path, name: name, notes: runs.isEmpty ? notes : []))
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      } catch {
        guard !runs.isEmpty else { throw error }
        throw ImportInterruption(published: runs, cause: error)
      }
    }
    guard !runs.isEmpty else {
      throw refusals.first
        ?? ImportRefusal(place: path.path, message: "there is nothing that Arkived reads")
    }
    runs[0].warnings += refusals.map { .init(place: $0.place, message: $0.message) }
    runs[0].skipped += refusals.count
    return runs
  }

  // MARK: Finding files

  private typealias Group = (importer: any Importer, files: [ImportFile])

  private func grouped(_ path: URL) throws -> (groups: [Group], notes: [Diagnostic]) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else {
      throw ImportRefusal(place: path.path, message: "there is no such file or folder")
    }
    guard isFolder.boolValue else {
      let file = ImportFile(url: path, name: path.lastPathComponent)
      guard let importer = try recognise(file) else {
        throw ImportRefusal(
          place: file.name,
          message: "this is no format that Arkived reads. It reads \(Self.formatNames)")
      }
      return ([(importer, [file])], [])
    }
    return try walked(path)
  }

  private func walked(_ folder: URL) throws -> (groups: [Group], notes: [Diagnostic]) {
    var found: [(importer: any Importer, file: ImportFile)] = []
    var unknown: [String] = []
    var notes: [Diagnostic] = []
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    for name in names where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      let url = folder.appendingPathComponent(name)
      // Links could lead out of the folder or in circles.
      guard (try? url.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink != true,
        (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
      else { continue }
      let file = ImportFile(url: url, name: name)
      do {
        if let importer = try recognise(file) {
          found.append((importer, file))
        } else {
          unknown.append(name)
        }
      } catch let refusal as ImportRefusal {
        notes.append(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
      } catch {
        notes.append(
          Diagnostic(.skipped, place: name, message: "the file cannot be read; left out"))
      }
    }
    let groups = grouped(found, &unknown)
    notes += unknown.map {
      Diagnostic(.note, place: $0, message: "not a format that Arkived reads; left alone")
    }
    guard !groups.isEmpty else {
      throw ImportRefusal(
        place: folder.path,
        message: "the folder holds no file that Arkived reads: \(Self.formatNames)")
    }
    return (groups, notes)
  }

  /// Files by their format, without those that belong to files of another one.
  private func grouped(
    _ found: [(importer: any Importer, file: ImportFile)], _ unknown: inout [String]
  ) -> [Group] {
    var groups: [Group] = []
    for (importer, file) in found {
      if let index = groups.firstIndex(where: { $0.importer.format == importer.format }) {
        groups[index].files.append(file)
      } else {
        groups.append((importer, [file]))
      }
    }
    let homes = groups.map { group in
      (group.importer, folders: Set(group.files.map(\.folder)))
    }
    func isCompanion(_ name: String, of format: String?) -> Bool {
      homes.contains { importer, folders in
        importer.format != format && importer.accompanies(name, filesIn: folders)
      }
    }
    unknown.removeAll { isCompanion($0, of: nil) }
    for index in groups.indices {
      let format = groups[index].importer.format
      groups[index].files.removeAll { isCompanion($0.name, of: format) }
    }
    return groups.filter { !$0.files.isEmpty }
  }

  private func recognise(_ file: ImportFile) throws -> (any Importer)? {
    let handle = try FileHandle(forReadingFrom: file.url)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 4096) ?? Data())
    if ZipFile.isZip(head) {
      let zip: ZipFile
      do {
        zip = try ZipFile(file.url)
      } catch {
        throw ImportRefusal(
          place: file.name, message: "the zip archive cannot be read: \(error)")
      }
      let importer = importers.first { $0.recognises(zip, fileName: file.name) }
      if let importer { return importer }
    }
    return try importers.first { try $0.recognises(file, head: head) }
  }

  // MARK: Running

  private func run(
    _ importer: any Importer, _ files: [ImportFile], source: URL, name: String?,
    notes: [Diagnostic]
  ) throws -> ImportRun {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let context = ImportContext(
      now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
      scratchFolder: { try scratch.make() })
    let run = try StagedImport(
      archive, action: "import", summary: "Imported \(source.lastPathComponent)",
      overridesOwner: overridesOwner, watch: watch)
    do {
      for note in notes { run.diagnose(note) }
      watch.begin(files.map(\.byteCount))
      var refusals: [ImportRefusal] = []
      for file in files {
        do {
          try run.take { sink in try importer.read(file, context: context, into: sink) }
        } catch let refusal as ImportRefusal {
          // One bad file among many is left out and named; alone it is the answer.
          guard files.count > 1 else { throw refusal }
          refusals.append(refusal)
          run.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
        }
      }
      if let first = refusals.first, refusals.count == files.count { throw first }
      return try run.publish(format: importer.format, source: name ?? source.path)
    } catch {
      run.discard()
      throw error
    }
  }
}

/// A private folder that a run makes when it needs one.
private final class ScratchFolder: Sendable {
  private struct State {
    var url: URL?
    var isOver = false
  }

  private let state = Mutex(State())

  /// - Throws: `RecordChannel.Closed` when the run has ended without its reader.
  func make() throws -> URL {
    try state.withLock { state in
      guard !state.isOver else { throw RecordChannel.Closed() }
      if let url = state.url { return url }
      let url = try ScratchFolders.make()
      state.url = url
      return url
    }
  }

  func remove() {
    state.withLock { state in
      state.isOver = true
      if let url = state.url { ScratchFolders.remove(url) }
    }
  }
}

extension ImportFile {
  fileprivate var byteCount: Int {
    (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
  }
}
