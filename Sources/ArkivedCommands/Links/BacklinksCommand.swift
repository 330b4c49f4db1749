import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `backlinks` command: the texts that link to something.
struct BacklinksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backlinks",
    abstract: "Show what links to a day, a person, a note, an entry or a meeting.",
    discussion: """
      arkived backlinks Alex Kim
      arkived backlinks 2024-03-05
      arkived backlinks 3F2A91B0

      Write a link as [[Alex Kim]], [[2024-03-05]] or [[title of a note|other words]].
      """)

  @Argument(help: "A name, a note’s title, a day or an ID.") var target: [String]
  @Option(help: "The maximum number of links to show.") var limit = 50
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard (1...1_000).contains(limit) else {
      throw CommandFailure(.badInput, said("--limit is \(limit), but must be 1 to 1000."))
    }
    let archive = try context.open()
    let links = try archive.backlinks(to: try subject(archive, context), limit: limit)
    let text = BacklinkText(context, links)
    context.output.result(
      links.json, lines: links.links.isEmpty ? [said("Nothing links to it.")] : text.lines)
  }

  private func subject(_ archive: Archive, _ context: Context) throws -> LinkSubject {
    let name = target.joined(separator: " ")
    var found = try archive.targets(ofName: name)
    if found.isEmpty { found = try archive.targets(ofName: TextLink.entryPrefix + name) }
    guard found.count <= 1 else {
      let lines = found.map { "\n  \($0.id?.uuidString ?? "")  \(EntryText.oneLine($0.label))" }
      throw ArchiveError.ambiguous(
        said("“\(String(name.prefix(60)))” is ambiguous. Enter more digits:") + lines.joined())
    }
    guard let target = found.first else {
      if let day = try? context.day(target) { return .day(day) }
      throw ArchiveError.notFound(
        "Nothing is called “\(name.prefix(60))”. Use a name, a title, a day or an ID.")
    }
    switch (target.kind, target.id) {
    case (.person, let id?): return .person(id)
    case (.note, let id?): return .note(id)
    case (.activity, let id?), (.meeting, let id?): return .entry(id)
    default:
      guard target.kind == .day, let day = target.day else {
        throw ArchiveError.notFound(
          "“\(name.prefix(60))” is a \(target.kind.rawValue). Links lead to days, people, notes, "
            + "entries and meetings.")
      }
      return .day(day)
    }
  }
}
