import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// `backup schedule`: where `serve` puts backups by itself.
struct BackupSchedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract:
      "Let serve make backups by itself, to a public key; shows the schedule without options.",
    discussion: """
      arkived backup key -o KEYFILE                       once; keep KEYFILE elsewhere
      arkived backup schedule --folder /mnt/disk --to age1…
      arkived backup schedule --off

      Of the last days, weeks and months the newest backup each is kept. Only files that it made
      itself are ever removed, and never the newest.
      """)

  @Option(help: "The folder to put them in, best on another disk.") var folder: String?
  @Option(help: "A public key (age1…); may be given several times.") var to: [String] = []
  @Option(help: "Days between two backups.") var days: Int?
  @Option(help: "How many days keep one.") var daily: Int?
  @Option(help: "How many weeks keep one.") var weekly: Int?
  @Option(help: "How many months keep one.") var monthly: Int?
  @Flag(help: "Make no more; those that are there stay.") var off = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    for (name, value) in [
      ("days", days), ("daily", daily), ("weekly", weekly), ("monthly", monthly),
    ] {
      guard let value, !(1...1_000).contains(value) else { continue }
      throw ValidationError(said("--\(name) is \(value); it must be 1 to 1000."))
    }
    guard !off || (folder == nil && to.isEmpty) else {
      throw ValidationError(said("--off stands alone."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var book = BackupBook(of: archive)
    if off {
      book = try BackupBook.change(of: archive) {
        $0.plan = nil
        $0.problem = nil
      }
    } else if isChange {
      let plan = try changed(book.plan)
      book = try BackupBook.change(of: archive) {
        $0.plan = plan
        $0.problem = nil
      }
    }
    context.output.result(["plan": book.plan?.json ?? .null], lines: Self.lines(book))
  }

  private var isChange: Bool {
    folder != nil || !to.isEmpty || [days, daily, weekly, monthly].contains { $0 != nil }
  }

  private func changed(_ old: BackupBook.Plan?) throws -> BackupBook.Plan {
    let recipients = try to.map { try AgeRecipient($0) }
    guard let place = folder ?? old?.folder,
      let keys = recipients.isEmpty ? old?.recipients : recipients
    else {
      throw CommandFailure(
        .usage,
        said(
          """
          Name the folder and the public key: --folder DIR --to KEY. A key is made by: \
          arkived backup key -o KEYFILE
          """))
    }
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(place), isDirectory: true)
      .standardizedFileURL
    try DurableFile.makeFolder(url)
    let rotation = old?.rotation ?? .usual
    return BackupBook.Plan(
      folder: url.path, recipients: keys, days: days ?? old?.days ?? 1,
      rotation: BackupRotation(
        daily: daily ?? rotation.daily, weekly: weekly ?? rotation.weekly,
        monthly: monthly ?? rotation.monthly))
  }

  private static func lines(_ book: BackupBook) -> [String] {
    guard let plan = book.plan else { return [said("No backups are made by themselves.")] }
    let every = said(plan.days, one: "every day", other: "every \(plan.days) days")
    return [
      said("While serve runs, a backup is made \(every) in \(plan.folder)"),
      said("for \(plan.recipients.map(\.description).joined(separator: ", "))"),
      said(
        """
        and the newest of \(plan.rotation.daily) days, \(plan.rotation.weekly) weeks and \
        \(plan.rotation.monthly) months are kept.
        """),
    ] + (book.problem.map { [said("The last one failed: \(saidAgain($0))")] } ?? [])
  }
}

/// `backup open`: decrypts a file in the age format.
struct BackupOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Decrypt a file in the age format, a backup or any other.")

  @Argument(help: "The encrypted file.") var file: String

  @Option(name: .shortAndLong, help: "The file to write.") var output: String

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let source = URL(fileURLWithPath: HomeFolder.expandingTilde(file))
    let target = URL(fileURLWithPath: HomeFolder.expandingTilde(output))
    guard target.resolvingSymlinksInPath() != source.resolvingSymlinksInPath() else {
      throw CommandFailure(
        .usage, said("-o names the encrypted file itself; name another."))
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
      lines: ["\(target.path): \(BackupText.size(count)), decrypted."])
  }
}
