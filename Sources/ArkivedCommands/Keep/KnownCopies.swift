import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The known copies of an archive in its folder: its newest backup and its newest snapshot.
struct KnownCopies {
  /// A file that can be restored.
  struct Copy {
    let path: String
    let day: String
    let made: Date
  }

  private let home: URL

  init(of home: URL) { self.home = home }

  var newestFirst: [Copy] { [backup, snapshot].compactMap { $0 }.sorted { $0.made > $1.made } }

  /// Returns a sentence that names the newest copy, to end an error message when opening fails;
  /// empty without a copy.
  static func advice(for error: ArchiveError) -> String {
    let path: String
    switch error {
    case .missing(let file, _), .otherArchive(let file), .torn(let file, _): path = file
    default: return ""
    }
    let home = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard let copy = KnownCopies(of: home).newestFirst.first else { return "" }
    let word = Archive.shellWord(copy.path)
    return "\n" + said("The newest copy is from \(copy.day): `arkived restore \(word)`")
  }

  /// The newest backup that can be restored, as far as is known.
  private var backup: Copy? {
    let book = BackupBook(in: home)
    let now = Instant(Date())
    return book.lastRestorable(now: now).map {
      Copy(
        path: $0.path, day: String("\($0.madeAt)".prefix(10)),
        made: Date(timeIntervalSince1970: Double($0.madeAt.milliseconds) / 1_000))
    }
  }

  /// The newest copy of the database made before a restore or a migration.
  private var snapshot: Copy? {
    let folder = home.appendingPathComponent("snapshots")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let copies = names.filter { $0.hasSuffix(".sqlite") && !$0.hasPrefix(".") }
      .compactMap { name -> Copy? in
        let path = folder.appendingPathComponent(name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let made = attributes?[.modificationDate] as? Date else { return nil }
        return Copy(path: path, day: String("\(Instant(made))".prefix(10)), made: made)
      }
    return copies.max { $0.made < $1.made }
  }
}
