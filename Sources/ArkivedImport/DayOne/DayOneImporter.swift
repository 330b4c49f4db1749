import Foundation

/// Imports Day One's exports: the zip archive with one journal or several beside their media, the
/// folder that it unpacks to, and a journal's JSON alone; also the journals of Day One Classic
/// (`DayOneClassic`) and exports as plain text (`DayOneTextExport`). Each entry becomes an activity.
///
/// A journal is walked through twice in memory bounded by its largest entry: first for its media, so
/// that only what entries name is unpacked, then entry by entry.
package struct DayOneImporter: Importer {
  package let format = "dayone"

  /// A larger journal is none: fifteen years of writing are some hundred megabytes.
  static let journalLimit: Int64 = 2 << 30
  /// Room that unpacking leaves on the disk.
  static let reserve: Int64 = 512 << 20
  private static let candidateLimit = 200

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    DayOneHead(head).isJournal || DayOneClassic.isEntry(head, named: fileName)
      || DayOneTextExport.isExport(head)
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    let candidates = Self.candidates(in: zip)
    let heads = zip.heads(of: candidates)
    if heads.values.contains(where: { DayOneHead($0).isJournal }) { return true }
    // A journal that cannot be looked into is told from what lies beside it, so that the import can
    // say what is wrong with it.
    let folders = Set(zip.entries.map(\.folder))
    return candidates.contains { entry in
      heads[entry.index] == nil
        && DayOneMedia.Kind.allCases.contains { folders.contains(entry.folder + $0.folder + "/") }
    }
  }

  /// The files of a zip archive that may be journals: at its top or in a folder or two. None where there
  /// are too many to be an export of Day One's; then the archive is walked through.
  static func candidates(in zip: ZipFile) -> [ZipFile.Entry] {
    var names: Set<String> = []
    let files = zip.entries.filter { entry in
      entry.name.lowercased().hasSuffix(".json") && !entry.isHidden
        && entry.name.count { $0 == "/" } <= 2 && names.insert(entry.name).inserted
    }
    return files.count <= candidateLimit ? files : []
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard parts.count >= 2,
      DayOneMedia.Kind.allCases.contains(where: { $0.folder == parts[parts.count - 2] })
    else { return false }
    // Day One names media after a hash or an identity; others in such a folder are nobody's.
    let stem = (parts.last ?? "").prefix { $0 != "." }
    guard !stem.isEmpty, stem.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return false }
    let home = parts.dropLast(2).map { $0 + "/" }.joined()
    return folders.contains(home) || folders.contains(home + DayOneClassic.folderName + "/")
  }

  // MARK: Reading

  /// A journal alone is called after its file.
  package func readsName(of file: ImportFile) -> Bool { !file.isZip }

  package func surroundings(of file: ImportFile) -> [String]? {
    if file.isZip { return [] }
    if file.name.hasSuffix(DayOneClassic.ending) { return ["../photos"] }
    return DayOneMedia.Kind.allCases.map(\.folder)
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let head = try ZipMembers.head(of: file)
    if ZipFile.isZip(head) {
      return try DayOneArchive(file, context: context, sink: sink).read()
    }
    if DayOneClassic.isEntry(head, named: file.name) {
      return try DayOneClassic(file, context, sink).read()
    }
    if DayOneTextExport.isExport(head) {
      var export = DayOneTextExport(file, context, sink)
      return try export.read()
    }
    let journal = DayOneJournal(
      url: file.url, place: file.name,
      name: file.url.deletingPathExtension().lastPathComponent)
    let files = DayOneMediaFiles(beside: file.url)
    let media = try journal.survey().media
    if files.isEmpty, !media.isEmpty {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "none of the \(media.count) photos and other media that it refers to are in "
            + "its folder. To import them, choose the export’s zip archive or the folder it "
            + "unpacks to"))
    }
    let count = try journal.read(
      DayOneEntry.Surroundings(context: context, files: files, media: media), into: sink)
    if count == 0 { Self.tellEmpty(file.name, sink) }
  }

  static func tellEmpty(_ place: String, _ sink: any ImportSink) {
    sink.diagnose(
      Diagnostic(.note, place: place, message: "nothing to import: none of its entries can be used")
    )
  }
}
