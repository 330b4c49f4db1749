import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `backup` command: one file that opens without Arkived.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Save everything in one encrypted file that opens without Arkived.",
    discussion: """
      arkived backup life.zip.age            asks twice for a passphrase
      arkived backup life.zip.age --to KEY   for a public key, made with backup key
      arkived backup schedule --folder DIR --to KEY
      arkived backup                         makes one now, as scheduled
      arkived backup verify life.zip.age
      arkived backup test life.zip.age       restores it to a temporary folder and checks it
      arkived backup list
      arkived backup --plain FOLDER          a plain copy of the folder, for sync programs

      A backup is verified before it replaces a file of the same name. To open it
      without Arkived: age -d life.zip.age > life.zip, then unzip life.zip.
      """,
    subcommands: [
      BackupMake.self, BackupKey.self, BackupVerify.self, BackupTestCommand.self, BackupList.self,
      BackupAccept.self,
      BackupSchedule.self, BackupOpen.self,
    ],
    defaultSubcommand: BackupMake.self)
}

struct BackupMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make a backup (the default).")

  @Argument(help: "The file or folder to write to. Default: the folder for automatic backups.")
  var path: String?

  @Option(help: "A public key (age1…) to encrypt for. Can be repeated.")
  var to: [String] = []

  @Flag(help: "Don’t encrypt. Anyone who has the file can read everything in it.") var unencrypted =
    false

  @Option(
    help: ArgumentHelp(
      "Create or update a plain, consistent copy of the archive in this folder.",
      discussion:
        """
        For programs that copy or sync files. Don’t let them copy the archive’s folder while it is \
        in use.
        """,
      valueName: "folder"))
  var plain: String?

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard plain == nil || (path == nil && to.isEmpty && !unencrypted && !passphrase.isGiven) else {
      throw ValidationError(said("--plain takes a folder and nothing else."))
    }
    let ways = [!to.isEmpty, unencrypted, passphrase.isGiven].filter { $0 }.count
    guard ways < 2 else {
      throw ValidationError(said("Use only one of --to, --unencrypted or a passphrase."))
    }
    guard path != nil || ways == 0 else {
      throw ValidationError(said("Specify the file to write to: `arkived backup life.zip.age`"))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    if let plain { return try copyPlain(to: plain, archive, context) }
    let work = LongWork(context)
    let account: BackupJob.Account
    if let path {
      let file = try file(path, !unencrypted, context)
      try BackupJob.claim(file, for: archive)
      let target = try target(context)
      Interrupt.watch()
      account = try BackupJob(archive: archive, target: target, watch: work.watch).replace(file)
    } else {
      Interrupt.watch()
      account = try PlannedBackup(archive: archive, zone: context.zone, watch: work.watch).run()
    }
    work.clear()
    context.output.result(["backup": account.json], lines: Self.lines(account))
    guard !account.losses.isEmpty else { return }
    let losses = account.losses.map { saidAgain($0) }.joined(separator: "; ")
    context.output.say(
      said(
        """
        This backup is missing items that the previous one had: \(losses). No earlier backup was \
        removed or replaced. If this is a mistake, restore an earlier backup (`arkived backup \
        list`). If this is intended: `arkived backup accept`
        """))
  }

  private func copyPlain(to folder: String, _ archive: Archive, _ context: Context) throws {
    let target = try PathArgument.folder(folder).standardizedFileURL
    let count = try archive.writePlainCopy(to: target)
    context.output.result(
      ["copy": ["folder": .string(target.path), "newFiles": JSON(count)]],
      lines: [
        said("\(target.path) is now an up-to-date copy of the archive. New attachments: \(count).")
      ])
  }

  private func target(_ context: Context) throws -> AgeTarget? {
    if unencrypted { return nil }
    if !to.isEmpty { return .recipients(try to.map { try AgeRecipient($0) }) }
    return .passphrase(try passphrase.new(context.output))
  }

  private func file(_ path: String, _ isEncrypted: Bool, _ context: Context) throws -> URL {
    let url = try PathArgument.url(path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { return url }
    let name = PlannedBackup.name(at: context.clock.now, isEncrypted ? "zip.age" : "zip")
    return PlannedBackup.free(name, in: url)
  }

  private static func lines(_ account: BackupJob.Account) -> [String] {
    let manifest = account.manifest
    let (entries, files) = BackupText.counts(manifest)
    let size = BackupText.size(account.bytes)
    var lines = [said("\(account.file.path): \(entries), \(files), \(size). Verified.")]
    if !account.isEncrypted {
      lines.append(said("It isn’t encrypted. Keep it where only you can read it."))
    }
    lines += manifest.missing.prefix(20).map {
      said("Missing or changed in the archive: attachments/\($0)")
    }
    return lines
  }
}

struct BackupKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Create a key pair: a secret file to keep elsewhere, and a public key for --to.")

  @Option(name: .shortAndLong, help: "The file for the secret key. It must not exist yet.")
  var output: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let url = try PathArgument.url(output)
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(
        .cannotCreate, said("\(url.path) already exists. Nothing was written."))
    }
    let identity = AgeIdentity()
    let text = identity.fileText(created: "\(context.clock.now)")
    try DurableFile.write(Data(text.utf8), to: url)
    context.output.result(
      ["publicKey": .string(identity.recipient.description), "file": .string(url.path)],
      lines: [identity.recipient.description])
    context.output.say(
      said(
        """
        The secret key is in \(url.path). Store it somewhere other than this computer, with a copy \
        on paper. Without it, nobody can open the backups.
        """))
  }
}

struct BackupVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read a backup and verify everything in it. Default: the last one.")

  @Argument(help: "The backup.") var file: String?

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let book = BackupBook(of: archive)
    guard let path = file ?? book.last(now: context.clock.now)?.path else {
      throw CommandFailure(.noInput, said("No backups yet. To make one: `arkived backup FILE`"))
    }
    let url = try PathArgument.url(path).standardizedFileURL
    let unlocks = try unlock.unlocks(for: url)
    let isLocked = try AgeFile.isAge(AgeFile.input(PlainFile(url)).peek(64)) && unlocks.isEmpty
    if isLocked, let entry = book.entries.first(where: { $0.path == url.path }) {
      // Without the key, the file can still be compared with the verified one.
      guard try entry.isUnaltered() else {
        let failure = BackupFailure.damaged("the file isn’t the one created on \(entry.madeAt)")
        BackupBook.note(failure, of: url, in: archive)
        throw failure
      }
      context.output.result(
        ["verified": ["file": .string(url.path), "depth": "file"]],
        lines: [
          said(
            """
            \(url.path): unchanged since it was made and verified. Add --identity to verify its entries too.
            """)
        ])
      return
    }
    let work = LongWork(context)
    Interrupt.watch()
    let manifest: BackupManifest
    do {
      let reader = try BackupReader(url, unlocks: unlocks)
      manifest = reader.manifest
      try work.follow(manifest.bytes) { report in try reader.check(progress: report) }
    } catch {
      BackupBook.note(error, of: url, in: archive)
      throw error
    }
    work.clear()
    let (entries, files) = BackupText.counts(manifest)
    let made = context.timeText(manifest.madeAt)
    context.output.result(
      [
        "verified": [
          "file": .string(url.path), "depth": "entries", "madeAt": JSON(manifest.madeAt),
          "entries": JSON(manifest.entries), "files": JSON(manifest.members.count),
        ]
      ],
      lines: [said("\(url.path): intact. Made on \(made), \(entries), \(files).")])
  }
}

struct BackupAccept: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept a backup even though something is missing from it. Older backups can then "
      + "be removed again.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var count = 0
    try BackupBook.change(of: try context.open()) { count = $0.acceptLosses() }
    context.output.result(
      ["accepted": JSON(count)],
      lines: [
        count == 0
          ? said("There’s no backup to accept.")
          : said("\(count) accepted. Older backups can be removed again.")
      ])
  }
}

struct BackupList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List backups, newest first.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let book = BackupBook(of: archive)
    let listing = BackupListing(of: archive)
    context.output.result(
      [
        "backups": .array(
          book.entries.map { entry in
            var object = entry.json.object ?? [:]
            object["isThere"] = .bool(entry.isThere)
            return .object(object)
          }), "plan": book.plan?.json ?? .null, "files": .array(listing.items.map(\.json)),
      ],
      lines: listing.items.map { item in
        "\(context.timeText(item.madeAt))  \(BackupText.size(item.bytes))  \(item.path)"
          + Self.remark(item, context)
      })
    if listing.items.isEmpty {
      context.output.say(said("No backups yet. To make one: `arkived backup FILE`"))
    }
  }

  private static func remark(_ item: BackupListing.Item, _ context: Context) -> String {
    switch item.health {
    case .verified: ""
    case .tested(let at): said("  (tested on \(context.timeText(at)))")
    case .failed(let at, _): said("  (failed a test on \(context.timeText(at)))")
    case .changed: said("  (changed since it was made)")
    case .gone, .detached: said("  (no longer there)")
    case .unknown: said("  (never tested)")
    }
  }
}
