import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `init`: a new archive, also where an earlier one lost its database.
struct InitArchive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin a new archive.",
    discussion: """
      Every command makes the archive when there is none yet, so this is needed only where an archive's \
      database is missing and no backup is to be restored. What the earlier archive left is kept in a \
      folder set-aside-… beside the new one.
      """)

  @Flag(help: "Begin a new one although there was an archive here; nothing of it is deleted.")
  var new = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard case .folder(let folder) = context.location else {
      throw CommandFailure(.usage, said("An archive in memory needs no init."))
    }
    var kept: URL?
    var opening = ArchiveOpening.usual
    do {
      guard try !Archive.exists(in: folder) else {
        throw CommandFailure(
          .cannotCreate, said("There is an archive at \(folder.path) already; nothing was changed.")
        )
      }
    } catch let missing as ArchiveError {
      guard case .missing = missing, new else { throw missing }
      kept = try Archive.setAsideLeftovers(in: folder, onlyDatabase: false, now: context.clock.now)
      opening = .making
    }
    let archive = try Archive(at: context.location, clock: context.clock, opening: opening)
    let identity = try archive.identity()?.archive.identityText
    context.output.result(
      [
        "folder": .string(folder.path), "setAside": JSON(kept?.path), "archive": JSON(identity),
      ],
      lines: [said("A new archive is at \(folder.path).")]
        + (kept.map { [said("What was here before is in \($0.path).")] } ?? []))
  }
}
