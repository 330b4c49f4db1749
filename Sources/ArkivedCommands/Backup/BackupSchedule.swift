import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `backup schedule` command: where `serve` stores automatic backups.
struct BackupSchedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract:
      "Make backups automatically while serve runs, encrypted for a public key. Without options, show the schedule.",
    discussion: """
      arkived backup key -o KEYFILE                       once; keep KEYFILE elsewhere
      arkived backup schedule --folder /mnt/disk --to age1…
      arkived backup schedule --off

      The newest backup of each recent day, week and month is kept. Only scheduled backups are ever
      removed, and never the newest.
      """)

  @Option(help: "The folder for backups, ideally on another disk.") var folder: String?
  @Option(help: "A public key (age1…). Can be repeated.") var to: [String] = []
  @Option(help: "Days between backups.") var days: Int?
  @Option(help: "Keep one backup per day for this many days.") var daily: Int?
  @Option(help: "Keep one backup per week for this many weeks.") var weekly: Int?
  @Option(help: "Keep one backup per month for this many months.") var monthly: Int?
  @Flag(help: "Stop making backups. Existing ones are kept.") var off = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    for (name, value) in [
      ("days", days), ("daily", daily), ("weekly", weekly), ("monthly", monthly),
    ] {
      guard let value, !(1...1_000).contains(value) else { continue }
      throw ValidationError(said("--\(name) is \(value), but must be between 1 and 1000."))
    }
    guard !off || !isChange else {
      throw ValidationError(said("--off can’t be combined with other options."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var book = BackupBook(of: archive)
    if off {
      book = try BackupBook.removePlan(of: archive)
    } else if isChange {
      book = try changed(archive)
    }
    context.output.result(["plan": book.plan?.json ?? .null], lines: Self.lines(book))
  }

  private var isChange: Bool {
    folder != nil || !to.isEmpty || [days, daily, weekly, monthly].contains { $0 != nil }
  }

  private func changed(_ archive: Archive) throws -> BackupBook {
    if let folder { _ = try PathArgument.checked(folder) }
    do {
      return try BackupBook.plan(
        of: archive, folder: try folder.map(PathArgument.checked),
        recipients: try to.map { try AgeRecipient($0) }, days: days, daily: daily, weekly: weekly,
        monthly: monthly)
    } catch is BackupPlanMissing {
      throw CommandFailure(
        .usage,
        said(
          """
          Add a folder and a public key: --folder DIR --to KEY. To create a key: `arkived backup \
          key -o KEYFILE`
          """))
    }
  }

  private static func lines(_ book: BackupBook) -> [String] {
    guard let plan = book.plan else { return [said("Automatic backups are off.")] }
    let every = said(plan.days, one: "every day", other: "every \(plan.days) days")
    return [
      said("While serve is running, it makes a backup \(every) in \(plan.folder)."),
      said("Public keys: \(plan.recipients.map(\.description).joined(separator: ", "))"),
      said(
        """
        The newest backup of each period is kept. Days: \(plan.rotation.daily), weeks: \
        \(plan.rotation.weekly), months: \(plan.rotation.monthly).
        """),
    ] + (book.problem.map { [said("The last backup failed: \(saidAgain($0))")] } ?? [])
  }
}

/// The `backup open` command: decrypts a file in the age format.
struct BackupOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Decrypt a file in age format, such as a backup.")

  @Argument(help: "The encrypted file.") var file: String

  @Option(name: .shortAndLong, help: "The file to write.") var output: String

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let source = try PathArgument.url(file)
    let target = try PathArgument.url(output)
    guard target.resolvingSymlinksInPath() != source.resolvingSymlinksInPath() else {
      throw CommandFailure(
        .usage, said("-o is the encrypted file itself. Choose a different file."))
    }
    let unlocks = try unlock.unlocks(for: source, workLimit: AgeUnlock.highestWorkLimit)
    let input = try UnlockOptions.input(of: source)
    if unlocks.isEmpty, AgeFile.isAge(try input.peek(64)) { throw BackupFailure.needsKey }
    let decryptor = try AgeDecryptor(input, unlocks: unlocks)
    var count = 0
    try DurableFile.write(to: target) { append in
      while let piece = try decryptor.next() {
        count += piece.count
        try append(Data(piece))
      }
    }
    context.output.result(
      ["opened": ["file": .string(target.path), "bytes": JSON(count)]],
      lines: [said("Decrypted \(target.path) (\(BackupText.size(count))).")])
  }
}
