import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

/// The files of a run that were imported before and have not changed, so only new files of a folder
/// are read.
///
/// This applies only to files that are self-contained, and that caused no diagnostics and left
/// nothing undecided: their entries are counted file by file.
struct KnownFiles {
  private struct Mark {
    var run: UUID
    var count: Int
  }

  /// The largest number of files for which this is used.
  private static let limit = 20_000

  private let archive: Archive
  private let settings: String
  /// The newest change before anything was counted.
  private let newest: UUID?
  /// The files that don't need to be read, by their metadata.
  private var known: [String: Mark] = [:]
  /// The files that were read in this run, with the number of entries each created or found.
  private var read: [String: Int] = [:]
  /// The files that this run did not have to read.
  private var met: Set<String> = []

  /// Reads the known files.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - settings: everything besides the files that affects the result of reading them.
  ///   - isUsed: false if everything is to be read again.
  /// - Throws: what querying the archive throws.
  init(_ archive: Archive, settings: String, isUsed: Bool) throws {
    newest = try archive.newestChange()
    self.archive = archive
    self.settings = SHA256.hash(data: Data(settings.utf8)).hexadecimal
    guard isUsed, let marks = try? archive.importedFiles(self.settings) else { return }
    var runs: [UUID: Bool] = [:]
    for mark in marks {
      guard let look = mark["look"]?.string, let count = mark["known"]?.int,
        let run = mark["run"]?.string.flatMap(UUID.init(uuidString:))
      else { continue }
      if runs[run] == nil { runs[run] = (try? archive.standingImportRun(run)) != nil }
      if runs[run] == true { known[look] = Mark(run: run, count: count) }
    }
  }

  /// Returns the metadata of a file; nil if it cannot be identified by it.
  static func look(of file: ImportFile, _ importer: any Importer) -> String? {
    guard importer.surroundings(of: file)?.isEmpty == true, !ScratchFolders.holds(file.url),
      let look = SourceLook(at: [file.url]), !look.isFresh
    else { return nil }
    return look.mark
  }

  /// Returns the number of entries in a file if all are known; nil if it has to be read.
  mutating func count(_ look: String) -> Int? {
    guard let mark = known[look] else { return nil }
    met.insert(look)
    return mark.count
  }

  /// True if any file was skipped.
  var hasMet: Bool { !met.isEmpty }

  /// Records the result of reading a file.
  mutating func note(_ look: String, count: Int) { read[look] = count }

  /// Stores the files for the next run, unless something was removed here in the meantime.
  func keep(for run: ImportRun) throws {
    guard !read.isEmpty || known.count > met.count,
      try archive.wereUndisturbed([run], since: newest)
    else { return }
    var marks = read.map { look, count in Self.json(look, Mark(run: run.id, count: count)) }
    for look in met.prefix(Self.limit) {
      if let mark = known[look] { marks.append(Self.json(look, mark)) }
    }
    try archive.keepImportedFiles(Array(marks.prefix(Self.limit)), of: settings)
  }

  private static func json(_ look: String, _ mark: Mark) -> JSON {
    ["look": .string(look), "run": .string(mark.run.uuidString), "known": JSON(mark.count)]
  }
}
