import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `init` command: creates an archive, even if an earlier one has lost its database.
struct InitArchive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a new archive.",
    discussion: """
      Every command creates the archive if there isn’t one yet. You only need this if an archive’s \
      database is missing and you don’t want to restore a backup. What’s left of the earlier \
      archive is kept in a folder named set-aside-… next to the new one.
      """)

  @Flag(
    help:
      "Create a new archive even though there was one here. Nothing from the old one is deleted.")
  var new = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard case .folder(let folder) = context.location else {
      throw CommandFailure(.usage, said("An archive in memory doesn’t need init."))
    }
    var kept: URL?
    var opening = ArchiveOpening.usual
    do {
      guard try !Archive.exists(in: folder) else {
        throw CommandFailure(
          .cannotCreate, said("There’s already an archive at \(folder.path). Nothing was changed.")
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
      lines: [said("Created a new archive at \(folder.path).")]
        + (kept.map { [said("What was here before is now in \($0.path).")] } ?? []))
  }
}
