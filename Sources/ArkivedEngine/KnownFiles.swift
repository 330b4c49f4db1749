import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

/// Which files of a run came in before and have not changed since, so that of a folder to which some
/// were added only these are read.
///
/// Only files that tell all by themselves are so known, and only those of which nothing had to be told
/// and nothing was still to be decided: what they bring is counted file by file.
struct KnownFiles {
  private struct Mark {
    var run: UUID
    var count: Int
  }

  /// Of a folder with more, the others are read.
  private static let limit = 20_000

  private let archive: Archive
  private let settings: String
  /// The newest change before anything was counted.
  private let newest: UUID?
  /// By their looks, files that need no reading.
  private var known: [String: Mark] = [:]
  /// Files that were read by this run, and how many entries each brought or met.
  private var read: [String: Int] = [:]
  /// Files that this run did not have to read.
  private var met: Set<String> = []

  /// - Parameters:
  ///   - settings: everything besides the files that decides what is read from them.
  ///   - isUsed: false where everything is to be read again.
  /// - Throws: what asking the archive throws.
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

  /// How a file looks; nil where it cannot be known by that.
  static func look(of file: ImportFile, _ importer: any Importer) -> String? {
    guard importer.surroundings(of: file)?.isEmpty == true, !ScratchFolders.holds(file.url),
      let look = SourceLook(at: [file.url]), !look.isFresh
    else { return nil }
    return look.mark
  }

  /// How many entries a file has that are all known; nil where it has to be read.
  mutating func count(_ look: String) -> Int? {
    guard let mark = known[look] else { return nil }
    met.insert(look)
    return mark.count
  }

  /// Whether any file was not read.
  var hasMet: Bool { !met.isEmpty }

  /// Notes what reading a file came to.
  mutating func note(_ look: String, count: Int) { read[look] = count }

  /// Remembers the files for the next run, unless something was taken away here meanwhile.
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
