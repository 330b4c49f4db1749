import ArkivedCore
import Foundation

/// Imports Day One's exports: the zip archive with one or more journals and their media, the folder
/// that it unpacks to, and a journal's JSON alone; also the journals of Day One Classic
/// (`DayOneClassic`) and exports as plain text (`DayOneTextExport`).
///
/// Each entry becomes an activity.
///
/// A journal is walked through twice in memory bounded by its largest entry: first for its media,
/// so only those that entries refer to are unpacked, then entry by entry.
package struct DayOneImporter: Importer {
  package let format = "dayone"

  /// The size limit of a journal in bytes; fifteen years of writing take a few hundred megabytes.
  static let journalLimit: Int64 = 2 << 30
  /// The disk space that unpacking leaves free, in bytes.
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
    // A journal that can't be opened is recognised by its neighbouring files, so the import can
    // report what is wrong with it.
    let folders = Set(zip.entries.map(\.folder))
    return candidates.contains { entry in
      heads[entry.index] == nil
        && DayOneMedia.Kind.allCases.contains { folders.contains(entry.folder + $0.folder + "/") }
    }
  }

  /// Returns the files of a zip archive that may be journals: at the top level or up to two folders
  /// deep.
  ///
  /// An archive with too many of them isn't a Day One export, so none is returned; it is then
  /// searched as an ordinary archive.
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
    // Day One names media after a hash or an identifier; other files in such a folder don't belong
    // to an entry.
    let stem = (parts.last ?? "").prefix { $0 != "." }
    guard !stem.isEmpty, stem.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return false }
    let home = parts.dropLast(2).map { $0 + "/" }.joined()
    return folders.contains(home) || folders.contains(home + DayOneClassic.folderName + "/")
  }

  // MARK: Reading

  /// Returns true for a journal on its own, which is named after its file.
  package func readsName(of file: ImportFile) -> Bool { !file.isZip }

  /// If no date of a text export shows the order of days and months, the locale decides.
  package var settings: String { "\(DateOrder.inProcess)" }

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
