import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `goal pack` command: one goal or term with everything that belongs to it, in a single file.
struct GoalPack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Save a goal or a term, with everything that belongs to it, in one JSON file.",
    discussion: """
      arkived goal pack "run 120 km" -o run.json
      arkived goal pack --term 3 --with-actions -o autumn.json
      """)

  @Argument(help: "The goal: its title, a part of it, or its ID.") var goal: String?

  @Option(help: "A term instead of a goal: its number, current, last or next.") var term: String?

  @Flag(help: "Include actions and the links you made, confirmed or rejected.") var withActions =
    false

  @Option(name: .shortAndLong, help: "The file to write. Default: standard output.")
  var output: String?

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard (goal == nil) != (term == nil) else {
      throw ValidationError(said("Specify a goal, or use --term for a term."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let job = GoalPackJob(archive: archive, homeZone: context.zone)
    let pack =
      if let goal {
        try job.pack(try archive.goal(named: goal), withActions: withActions)
      } else {
        try job.pack(
          try archive.term(named: term ?? "", today: context.today), withActions: withActions)
      }
    guard let output, output != "-" else {
      if context.output.isJSON { return context.output.data(pack.json.text()) }
      return context.output.part(GoalPackJob.text(pack))
    }
    let file = try PathArgument.url(output)
    try job.write(pack, to: file)
    context.output.result(
      [
        "packed": [
          "title": .string(pack.title), "file": .string(file.path), "terms": JSON(pack.terms.count),
          "goals": JSON(pack.goals.count), "values": JSON(pack.values.count),
          "actions": JSON(pack.actions.count),
        ]
      ], lines: [said("“\(pack.title)” packed into \(output).")])
  }
}

/// The `goal unpack` command: opens such a file.
struct GoalUnpack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpack",
    abstract: "Open a file made by goal pack. Opening it again changes nothing.",
    discussion: """
      arkived goal unpack run.json
      arkived goal unpack run.json --as-new --from 2027-01-04
      """)

  @Argument(help: "The file.", completion: .file()) var file: String

  @Flag(help: "Add it as a new goal or term, alongside what’s already here.") var asNew = false

  @Option(help: "With --as-new: the new first day. Other dates shift accordingly.")
  var from: String?

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard asNew || from == nil else { throw ValidationError(said("--from needs --as-new.")) }
  }

  func run() throws {
    let context = try Context(options)
    let start = try from.map { try context.firstDay($0, option: "--from") }
    let job = GoalPackJob(archive: try context.open(), homeZone: context.zone)
    let pack = try job.read(PathArgument.url(file))
    let opened = try job.open(pack, asNew: asNew, from: start)
    let counts = ItemCount.text(opened.created)
    context.output.result(
      ["unpacked": opened.json],
      lines: [
        said(
          """
          “\(opened.title)”: \(counts) new, \(opened.updated) updated, \(opened.unchanged) \
          unchanged.
          """
        )
      ]
        + opened.kept.map {
          said("  Kept “\($0.prefix(80))” because the version here is just as new or newer.")
        })
  }
}
