import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// An archive whose file is so damaged that it cannot be opened or read through: what is there to
/// bring it back, and how.
struct DamagedArchive {
  let home: URL
  private let reason: String?

  /// nil for every other trouble, and for an archive in memory.
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
      lines.append(said("The archive's file \(file) is damaged and cannot be read: \(reason)."))
    } else {
      lines.append(said("The archive's file \(file) is damaged and cannot be read through."))
    }
    // Attached files and the list of backups lie beside it and are sound.
    lines.append(
      said(
        """
        Move it aside, with the files beside it whose names begin like its own, and leave the rest \
        of the folder where it is: mv \(file)* SOME-OTHER-FOLDER
        """))
    let copies = KnownCopies(of: home).newestFirst
    for (number, copy) in copies.enumerated() {
      lines.append(
        number == 0
          ? said("Then bring back what was saved on \(copy.day): arkived restore \(copy.path)")
          : said("There is an older one, of \(copy.day): arkived restore \(copy.path)"))
    }
    lines.append(
      copies.isEmpty
        ? said(
          """
          No backup and no snapshot of it is known here. Look for a backup elsewhere, and keep the \
          file: sqlite3 \(file) .recover may still read much of it.
          """)
        : said("What was written since is in the damaged file alone, so keep that too."))
    return CommandFailure(.badInput, lines.joined(separator: "\n"))
  }
}
