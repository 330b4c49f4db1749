import ArkivedAssistant
import ArkivedCore
import Foundation
import Synchronization

/// A measurement of how well models answer prompts.
struct PlaygroundBenchmark {
  let output: Output

  struct Subject: Sendable {
    var name: String
    var assistant: Assistant
  }

  /// The result of one prompt.
  private struct Row {
    var prompt: String
    var first: Double?
    var total: Double
    var words: Int
    var tools: Int
    var goodTools: Int
    /// True if the answer is supported; nil for a computed answer.
    var isProved: Bool?
    var problem: String?

    /// The rate in pieces per second, from the first to the last.
    var rate: Double? {
      guard let first, words > 1, total > first else { return nil }
      return Double(words - 1) / (total - first) * 1_000
    }

    var json: JSON {
      [
        "prompt": .string(prompt), "firstMs": JSON(first), "totalMs": JSON(total),
        "piecesPerSecond": JSON(rate), "tools": JSON(tools), "toolsDone": JSON(goodTools),
        "proved": isProved.map { JSON.bool($0) } ?? .null, "problem": JSON(problem),
      ]
    }
  }

  func run(_ prompts: [String], _ subjects: [Subject]) async throws {
    var documents: [JSON] = []
    var lines: [String] = []
    for subject in subjects {
      var rows: [Row] = []
      for prompt in prompts {
        rows.append(try await measure(prompt, subject.assistant))
        output.say("\(subject.name): " + said("\(rows.count) of \(prompts.count)"))
      }
      documents.append([
        "model": .string(subject.name), "prompts": .array(rows.map(\.json)),
        "summary": summary(rows),
      ])
      lines += [output.bold(subject.name)] + rows.map(line) + [total(rows), ""]
    }
    output.result(["models": .array(documents)], lines: lines)
  }

  private func measure(_ prompt: String, _ assistant: Assistant) async throws -> Row {
    let clock = ContinuousClock()
    let start = clock.now
    let heard = Mutex<(first: Double?, count: Int)>((nil, 0))
    let reply = try await assistant.reply(
      to: prompt, history: [], by: .assistant(thread: nil), mayWrite: false
    ) { _ in
      let at = Self.milliseconds(clock.now - start)
      heard.withLock { $0 = ($0.first ?? at, $0.count + 1) }
    }
    let (first, count) = heard.withLock { $0 }
    return Row(
      prompt: prompt, first: first, total: Self.milliseconds(clock.now - start), words: count,
      tools: reply.steps.count, goodTools: reply.steps.filter { $0.answer.error == nil }.count,
      isProved: reply.grounding?.isSupported, problem: reply.problem)
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    (duration / .milliseconds(1) * 10).rounded() / 10
  }

  // MARK: Words

  private func line(_ row: Row) -> String {
    var parts = ["\(row.total) ms"]
    if let first = row.first { parts.append(said("first words after \(first) ms")) }
    if let rate = row.rate { parts.append(said("\(Int(rate.rounded())) text chunks/s")) }
    if row.tools > 0 { parts.append(said("tools \(row.goodTools)/\(row.tools)")) }
    if let isProved = row.isProved {
      parts.append(isProved ? said("supported") : said("not supported"))
    }
    if let problem = row.problem { parts.append(saidAgain(problem)) }
    return "  \(row.prompt): \(parts.joined(separator: ", "))"
  }

  private func summary(_ rows: [Row]) -> JSON {
    let phrased = rows.compactMap(\.isProved)
    let tools = rows.reduce(0) { $0 + $1.tools }
    return [
      "medianFirstMs": JSON(median(rows.compactMap(\.first))),
      "medianTotalMs": JSON(median(rows.map(\.total))),
      "medianPiecesPerSecond": JSON(median(rows.compactMap(\.rate))),
      "toolsDone": tools == 0
        ? .null : JSON(Double(rows.reduce(0) { $0 + $1.goodTools }) / Double(tools)),
      "proved": phrased.isEmpty
        ? .null : JSON(Double(phrased.filter { $0 }.count) / Double(phrased.count)),
      "problems": JSON(rows.filter { $0.problem != nil }.count),
    ]
  }

  private func total(_ rows: [Row]) -> String {
    let phrased = rows.compactMap(\.isProved)
    let proved = phrased.filter { $0 }.count
    let middle = median(rows.map(\.total)) ?? 0
    let words =
      phrased.isEmpty
      ? said("computed")
      : said(
        """
        \(proved) of \(phrased.count) answers supported
        """)
    return said("  Median \(middle) ms, \(words).")
  }

  private func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}
