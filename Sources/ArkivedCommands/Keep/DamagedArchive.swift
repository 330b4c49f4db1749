import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// An archive whose file is too damaged to open or to read, with the available ways to restore it.
struct DamagedArchive {
  let home: URL
  private let reason: String?

  /// Creates the advice; nil for all other errors, and for an archive in memory.
  init?(_ error: any Error, at location: ArchiveLocation) {
    guard case .folder(let home) = location else { return nil }
    switch error {
    case ArchiveError.damaged(_, let reason): self.reason = reason
    default:
      guard StorageTrouble(error) == .damaged else { return nil }
      reason = nil
    }
    self.home = home
  }

  var failure: CommandFailure {
    let file = home.appendingPathComponent("archive.sqlite").path
    var lines: [String] = []
    if let reason = reason.map({ saidAgain($0) }) {
      lines.append(said("The archive file \(file) is damaged and can’t be read: \(reason)."))
    } else {
      lines.append(said("The archive file \(file) is damaged and can’t be read completely."))
    }
    let word = Archive.shellWord(file)
    // Attached files and the list of backups are stored separately and are intact.
    lines.append(
      said(
        """
        Move it to another folder, together with the files next to it whose names start the same \
        way. Leave the rest of the folder as it is: `mv \(word)* SOME-OTHER-FOLDER`
        """))
    let copies = KnownCopies(of: home).newestFirst
    for (number, copy) in copies.enumerated() {
      let path = Archive.shellWord(copy.path)
      lines.append(
        number == 0
          ? said("Then restore the copy from \(copy.day): `arkived restore \(path)`")
          : said("There’s also an older one from \(copy.day): `arkived restore \(path)`"))
    }
    lines.append(
      copies.isEmpty
        ? said(
          """
          Arkived doesn’t know of any backup or snapshot. Look for a backup elsewhere, and keep the \
          file. `sqlite3 \(word) .recover` may still recover much of it.
          """)
        : said("Anything written since then is only in the damaged file, so keep it too."))
    return CommandFailure(.badInput, lines.joined(separator: "\n"))
  }
}
