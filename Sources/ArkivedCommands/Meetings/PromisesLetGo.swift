import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `promises let-go` command: gives up promises, many at once.
struct PromisesLetGo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "let-go",
    abstract: "Let go of promises. Each checkbox becomes [-]; arkived undo brings them back.")

  @Argument(help: "The promises as listed: NOTE:LINE.") var promises: [String] = []
  @Option(
    help: ArgumentHelp(
      "All open promises overdue by more than this many days.", valueName: "days"))
  var overdue: Int?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard promises.isEmpty != (overdue == nil) else {
      throw CommandFailure(
        .usage, said("Specify promises as listed, such as 3F2A91B0:4, or use --overdue DAYS."))
    }
    if let overdue, overdue < 0 {
      throw CommandFailure(.usage, said("--overdue is \(overdue), but must be 0 or more."))
    }
    let archive = try context.open()
    let chosen = try overdue.map { try late(by: $0, archive, context) } ?? named(archive)
    let saved = try archive.letGo(of: chosen)
    context.output.result(
      [
        "letGo": .array(saved.value.map(\.json))
      ], lines: saved.value.map { "[-] \($0.text)" })
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  private func late(
    by days: Int, _ archive: Archive, _ context: Context
  ) throws -> [ShownPromise] {
    let limit = context.today.advanced(by: -days)
    return try archive.promises().filter { one in one.promise.due.map { $0 < limit } ?? false }
      .map { ShownPromise(noteID: $0.noteID, line: $0.promise.line, text: $0.promise.text) }
  }

  private func named(_ archive: Archive) throws -> [ShownPromise] {
    try promises.map { name in
      let parts = name.split(separator: ":")
      guard parts.count == 2, let line = Int(parts[1]) else {
        throw CommandFailure(
          .usage,
          said("“\(name)” isn’t a valid promise. Write it as listed, such as 3F2A91B0:4."))
      }
      let note = try archive.note(named: String(parts[0]))
      let found = PromiseReader().promises(in: note.text, writtenOn: nil).first { $0.line == line }
      return ShownPromise(noteID: note.id, line: line, text: found?.text ?? "")
    }
  }
}
