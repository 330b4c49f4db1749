import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `history keep` command: the retention of the history.
struct HistoryKeep: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Set how long earlier versions and deleted items are kept. Default: forever.",
    discussion: """
      arkived history keep                             the current setting
      arkived history keep --versions 365              earlier versions of existing items, for a \
      year
      arkived history keep --deleted 90                deleted items, for 90 days
      arkived history keep --versions forever --deleted forever

      arkived serve and arkived doctor remove anything older.
      """)

  @Option(help: ArgumentHelp("A number of days, or forever.", valueName: "days"))
  var versions: String?

  @Option(help: ArgumentHelp("A number of days, or forever.", valueName: "days"))
  var deleted: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var retention = try archive.retention()
    if let versions { retention.versionDays = try Self.days(versions, "--versions") }
    if let deleted { retention.deletedDays = try Self.days(deleted, "--deleted") }
    if versions != nil || deleted != nil { try archive.setRetention(retention) }
    context.output.result(["kept": retention.json], lines: [Self.sentence(retention)])
  }

  private static func days(_ text: String, _ option: String) throws -> Int? {
    if ["ever", "forever"].contains(text.lowercased()) { return nil }
    guard let days = Int(text) else {
      throw CommandFailure(
        .usage, said("\(option) is “\(text)”, but must be a number of days, or forever."))
    }
    return days
  }

  static func sentence(_ retention: Retention) -> String {
    let versions = retention.versionDays.map {
      said(
        $0, one: "Earlier versions are kept for \($0) day.",
        other: "Earlier versions are kept for \($0) days.")
    }
    let deleted = retention.deletedDays.map {
      said(
        $0, one: "Deleted items are kept for \($0) day.",
        other: "Deleted items are kept for \($0) days.")
    }
    return (versions ?? said("Earlier versions are kept forever.")) + " "
      + (deleted ?? said("Deleted items are kept forever."))
  }
}
