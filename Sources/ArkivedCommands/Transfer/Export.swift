import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import Foundation

/// `export`: writes everything into open formats.
struct Export: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, markdown, tenweek
  }

  static let configuration = CommandConfiguration(
    abstract: "Write everything out: JSON Lines, a folder of Markdown, or a Ten Week database.",
    discussion: """
      arkived export -o life.jsonl                 with the attachments in attachments/ beside it
      arkived export --format markdown -o life/    a page a day, as Obsidian opens them
      arkived export | less                        JSON Lines on standard output
      arkived export --format tenweek -o goals.db  the goals side, as Ten Week opens it
      """)

  @Option(help: "jsonl, markdown or tenweek.") var format: Format = .jsonl

  @Option(name: .shortAndLong, help: "The file or folder to write.") var output: String?

  @Option(
    help: "tenweek: names of columns, plain or uuid; those of the imported file when left out.")
  var variant: TenWeekVariant?

  @Flag(help: "tenweek: also replace a file that is no export of Arkived or was changed since.")
  var force = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard format == .tenweek || (variant == nil && !force) else {
      throw ValidationError("--variant and --force belong to --format tenweek.")
    }
  }

  func run() throws {
    let context = try Context(options)
    let job = ExportJob(archive: try context.open())
    let target = output.flatMap { $0 == "-" ? nil : $0 }.map {
      URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath)
    }
    let summary: ExportJob.Summary
    switch (format, target) {
    case (.jsonl, let target?): summary = try job.writeJSONLines(to: target)
    case (.jsonl, nil):
      guard !context.output.isJSON else {
        throw CommandFailure(.usage, "With --json, name the file to write: -o life.jsonl")
      }
      var buffer = ""
      summary = try job.writeJSONLines { line in
        buffer += line + "\n"
        if buffer.utf8.count > 1 << 18 {
          Output.write(buffer, to: 1)
          buffer = ""
        }
      }
      Output.write(buffer, to: 1)
      context.output.say("\(summary.entries) lines. Attachments are written only with -o FILE.")
      return
    case (.markdown, let target?): summary = try job.writeMarkdown(to: target)
    case (.markdown, nil):
      throw CommandFailure(.usage, "Name the folder to write the pages into: -o DIR")
    case (.tenweek, let target?):
      summary = try job.writeTenWeek(
        to: target, variant: variant, homeZone: context.zone, replaces: force)
    case (.tenweek, nil): throw CommandFailure(.usage, "Name the file to write: -o goals.db")
    }
    context.output.result(
      ["exported": summary.json],
      lines: [
        "\(summary.entries) entries, \(summary.files) files written to \(output ?? "")."
      ] + summary.missingFiles.map { "Missing in the archive: \($0)" }
        + summary.leftOut.map { "Left out, the format does not allow it: \($0)" })
  }
}

extension TenWeekVariant: ExpressibleByArgument {}
