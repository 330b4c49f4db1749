import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `move` command: moves an archive to another computer.
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move the archive to another computer, and check it there.",
    discussion: """
      arkived move pack life.move              here; asks twice for a passphrase
      arkived move unpack life.move            there, into an empty archive; compares and reports
      arkived move leave "the new laptop"      here, once everything works there; this archive \
      becomes read-only
      arkived move stay                        here: reverts that

      Besides a backup’s contents, the file holds linked calendars and files, settings, model \
      choices,
      the backup schedule and unfinished drafts. It includes calendar passwords and model keys only
      with --with-secrets. It is always encrypted. Tokens, sessions and indexes stay behind.
      """,
    subcommands: [MovePackCommand.self, MoveUnpack.self, MoveLeave.self, MoveStay.self])
}

struct MovePackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Save everything in one encrypted file for another computer.")

  @Argument(help: "The file to write.") var file: String

  @Option(help: "A public key (age1…) to encrypt for. Can be repeated.")
  var to: [String] = []

  @Flag(
    name: .customLong("with-secrets"),
    help: "Include calendar passwords and model keys.")
  var withSecrets = false

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard to.isEmpty || !passphrase.isGiven else {
      throw ValidationError(said("Use either --to or a passphrase."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let url = try PathArgument.url(file)
    try BackupJob.claim(url, for: archive)
    let target: AgeTarget =
      to.isEmpty
      ? .passphrase(try passphrase.new(context.output))
      : .recipients(try to.map { try AgeRecipient($0) })
    let work = LongWork(context)
    Interrupt.watch()
    let packed = try MoveJob(archive: archive, homeZone: context.zone, watch: work.watch).pack(
      to: url, target: target, host: MoveJob.thisHost, withSecrets: withSecrets)
    work.clear()
    context.output.result(["move": packed.json], lines: Self.lines(packed))
  }

  private static func lines(_ packed: MoveJob.Packed) -> [String] {
    let (backup, pack) = (packed.backup, packed.pack)
    let (entries, files) = BackupText.counts(backup.manifest)
    let size = BackupText.size(backup.bytes)
    var lines = [
      said("\(backup.file.path): \(entries), \(files), \(size). Verified."),
      said("Fingerprint: \(MoveJob.fingerprint(backup.manifest))"),
    ]
    if !pack.links.isEmpty {
      let secrets =
        pack.bringsSecrets
        ? said("passwords: \(pack.secrets.count)") : said("without passwords")
      lines.append(said("Linked calendars and files included: \(pack.links.count), \(secrets)."))
    }
    lines += packed.problems.map { said("Skipped: \(saidAgain($0))") }
    lines += backup.manifest.missing.prefix(20).map {
      said("Missing or changed in the archive: attachments/\($0)")
    }
    let file = Archive.shellWord(backup.file.lastPathComponent)
    lines.append(said("On the other computer, run: `arkived move unpack \(file)`"))
    return lines
  }
}

struct MoveUnpack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpack",
    abstract: "Unpack a packed archive into this empty one, and check that everything arrived.")

  @Argument(help: "The file made by arkived move pack.") var file: String

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let url = try PathArgument.url(file)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(.noInput, said("File \(url.path) not found."))
    }
    let unlocks = try unlock.unlocks(for: url)
    let archive = try context.open()
    let work = LongWork(context)
    Interrupt.watch()
    let prepared = try MoveJob(archive: archive, homeZone: context.zone, watch: work.watch)
      .prepare(url, unlocks: unlocks)
    let report = try prepared.apply()
    work.clear()
    context.output.result(["move": report.json], lines: Self.lines(report, context))
    guard report.isComplete else {
      throw CommandFailure(
        .failed,
        said(
          "Not everything arrived. Keep the archive on the old computer, then pack and unpack again."
        ),
        isInDocument: true)
    }
  }

  private static func lines(_ report: MoveReport, _ context: Context) -> [String] {
    let packed = report.manifest
    var lines = [
      said(
        """
        Packed on \(report.pack.host), \(context.timeText(report.pack.packedAt)), by Arkived \
        \(report.pack.program)
        """),
      said("Fingerprint: \(report.fingerprint)"),
    ]
    let types = Set(packed.counts.keys).union(report.here.keys).sorted()
    lines += types.map { type in
      let (there, here) = (packed.counts[type] ?? 0, report.here[type] ?? 0)
      return said("  \(saidWhole(type)): \(there) packed, \(here) here")
        + (there == here ? "" : said("  ← differs"))
    }
    lines.append(
      said(
        """
          files: \(report.files) here and intact, \(BackupText.size(report.bytes))
        """))
    lines += packed.missing.prefix(20).map {
      said("  missing on the old computer: attachments/\($0)")
    }
    lines += report.problems.map { "  \(saidAgain($0))" }
    lines.append(report.isComplete ? said("Everything is here.") : said("Not everything is here."))
    return lines + [said("Remaining steps:")] + report.remaining.map { "  \(saidAgain($0))" }
  }
}

struct MoveLeave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Mark this archive as moved. It becomes read-only.")

  @Argument(help: "A name for the computer it moved to.") var name: [String]

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let destination = name.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    guard !destination.isEmpty, destination.count <= 200 else {
      throw CommandFailure(
        .usage, said("Enter a name of up to 200 characters for the other computer."))
    }
    let archive = try context.open()
    let departure = try archive.leave(for: destination)
    let count = try archive.changesSincePacking()
    context.output.result(
      ["moved": departure.json, "changesSincePacking": JSON(count)],
      lines: [
        said(
          """
          This archive is marked as moved to “\(destination)”. You can still read it, export it \
          and back it up. To allow changes here again: `arkived move stay`
          """)
      ] + Self.left(behind: count ?? 0))
  }

  /// Explains what to do about changes that the other computer lacks.
  private static func left(behind count: Int) -> [String] {
    guard count > 0 else { return [] }
    return [
      said(
        count,
        one: """
          \(count) change was made here after packing and may be missing there. To bring it over: \
          `arkived backup FILE` here, then `arkived merge FILE` there.
          """,
        other: """
          \(count) changes were made here after packing and may be missing there. To bring them \
          over: `arkived backup FILE` here, then `arkived merge FILE` there.
          """)
    ]
  }
}

struct MoveStay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stay", abstract: "Remove the mark and allow changes to this archive again.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let departure = try context.open().stay()
    context.output.result(
      ["stays": true, "wasMoved": departure?.json ?? .null],
      lines: [
        departure.map {
          said(
            """
            This archive can be changed again. To add what was written on “\($0.destination)” in \
            the meantime: `arkived merge`
            """)
        } ?? said("This archive isn’t marked as moved.")
      ])
  }
}
