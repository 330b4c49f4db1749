package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// Brings files into the archive: finds out what they are, reads them, and writes what is new.
///
/// All the files of one format under one path are one run: they appear together, in one change
/// that can be undone, or not at all.
package struct ImportJob: Sendable {
  package let archive: Archive
  package let homeZone: Zone
  package let importers: [any Importer]
  /// Brings back what the owner deleted, and overwrites what was changed here.
  package let overridesOwner: Bool
  /// Tells how many entries were read so far.
  package let progress: @Sendable (_ entries: Int) -> Void

  /// The formats that Arkived reads.
  package static let formats: [any Importer] = [
    ICalendarImporter(), JrnlImporter(), JSONLinesImporter(),
  ]

  package init(
    archive: Archive, homeZone: Zone, importers: [any Importer] = ImportJob.formats,
    overridesOwner: Bool = false, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.archive = archive
    self.homeZone = homeZone
    self.importers = importers
    self.overridesOwner = overridesOwner
    self.progress = progress
  }

  /// Imports a file, or every file below a folder that some importer recognises.
  ///
  /// Where a folder holds several formats, each is a run of its own; one that is refused does not
  /// keep the others out, and is told among their warnings.
  /// - Throws: `ImportRefusal` when nothing of it can be used, `CocoaError` when it cannot be read.
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
          message: "this is no format that Arkived reads. It reads iCalendar (.ics), Arkived "
            + "JSON Lines (.jsonl) and jrnl (text or JSON)")
      }
      return ([(importer, [file])], [])
    }
    return try walked(path)
  }

  private func walked(_ folder: URL) throws -> (groups: [Group], notes: [Diagnostic]) {
    var groups: [Group] = []
    var notes: [Diagnostic] = []
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    for name in names where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      let url = folder.appendingPathComponent(name)
      // Links could lead out of the folder or in circles.
      guard (try? url.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink != true,
        (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
      else { continue }
      let file = ImportFile(url: url, name: name)
      let importer: (any Importer)?
      do {
        importer = try recognise(file)
      } catch {
        notes.append(
          Diagnostic(.skipped, place: name, message: "the file cannot be read; left out"))
        continue
      }
      guard let importer else {
        notes.append(
          Diagnostic(.note, place: name, message: "not a format that Arkived reads; left alone"))
        continue
      }
      if let index = groups.firstIndex(where: { $0.importer.format == importer.format }) {
        groups[index].files.append(file)
      } else {
        groups.append((importer, [file]))
      }
    }
    guard !groups.isEmpty else {
      throw ImportRefusal(
        place: folder.path,
        message: "the folder holds no file that Arkived reads (.ics, .jsonl, jrnl’s text or JSON)")
    }
    return (groups, notes)
  }

  private func recognise(_ file: ImportFile) throws -> (any Importer)? {
    let handle = try FileHandle(forReadingFrom: file.url)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 4096) ?? Data())
    return importers.first { $0.recognises(head: head, fileName: file.name) }
  }

  // MARK: Running

  private func run(
    _ importer: any Importer, _ files: [ImportFile], source: URL, name: String?,
    notes: [Diagnostic]
  ) throws -> ImportRun {
    let startedAt = archive.clock.now
    let context = ImportContext(
      now: startedAt, homeZone: homeZone, identities: archive.identities)
    let runID = archive.identities.next()
    return try archive.write(
      by: .importer, "import", "Imported \(source.lastPathComponent)"
    ) { scope in
      let sink = ImportWriter(
        scope: scope, archive: archive, overridesOwner: overridesOwner, progress: progress)
      for note in notes { sink.diagnose(note) }
      var refusals: [ImportRefusal] = []
      for file in files {
        do {
          try sink.attempt { try importer.read(file, context: context, into: sink) }
        } catch let refusal as ImportRefusal {
          // One bad file among many is left out and named; alone it is the answer.
          guard files.count > 1 else { throw refusal }
          refusals.append(refusal)
          sink.diagnose(
            Diagnostic(.skipped, place: refusal.place, message: refusal.message))
        }
      }
      if let first = refusals.first, refusals.count == files.count { throw first }
      try sink.finish()
      let run = ImportRun(
        id: runID, format: importer.format, source: name ?? source.path, startedAt: startedAt,
        finishedAt: archive.clock.now, created: sink.account.created, updated: sink.account.updated,
        unchanged: sink.account.unchanged, skipped: sink.account.skipped,
        warnings: sink.account.warnings)
      try scope.record(run)
      return run
    }.value
  }
}
