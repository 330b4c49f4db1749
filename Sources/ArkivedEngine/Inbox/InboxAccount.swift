package import ArkivedCore

/// The result of checking an inbox.
package struct InboxAccount: Hashable, Sendable {
  /// A file with a message about it.
  package struct Told: Hashable, Sendable {
    package var name: String
    /// A sentence without its full stop.
    package var reason: String

    package init(name: String, reason: String) {
      (self.name, self.reason) = (name, reason)
    }

    package var json: JSON { ["name": .string(name), "reason": .string(reason)] }
  }

  /// The files that became entries.
  package var taken: [String] = []
  /// The files whose content is or was in the archive; they are moved away as well.
  package var known: [Told] = []
  /// The files that could not be imported, which were moved to `failed`.
  package var failed: [Told] = []
  /// The files that stay in the folder until the owner deals with them.
  package var left: [Told] = []
  /// The number of files still being copied.
  package var waiting = 0
  /// The reason the check ended early; nil if it didn't.
  package var problem: String?
  package var runs: [ImportRun] = []

  package init() {}

  /// True if nothing happened.
  package var isEmpty: Bool { taken.isEmpty && known.isEmpty && failed.isEmpty }

  /// Adds the result of a later check.
  package mutating func add(_ later: InboxAccount) {
    taken += later.taken
    known += later.known
    failed += later.failed
    runs += later.runs
    (left, waiting, problem) = (later.left, later.waiting, later.problem)
  }

  package var json: JSON {
    [
      "taken": JSON(taken), "known": .array(known.map(\.json)),
      "failed": .array(failed.map(\.json)), "left": .array(left.map(\.json)),
      "waiting": JSON(waiting), "problem": JSON(problem), "runs": .array(runs.map(\.json)),
    ]
  }

  /// A summary of a few lines in the language of the current task.
  package var lines: [String] {
    var lines: [String] = []
    if !taken.isEmpty {
      lines.append(
        said(taken.count, one: "Added one file.", other: "Added \(taken.count) files."))
    }
    if !known.isEmpty {
      lines.append(
        said(
          known.count, one: "Skipped one file that was already imported:",
          other: "Skipped \(known.count) files that were already imported:"))
      lines += Self.told(known)
    }
    if !failed.isEmpty {
      lines.append(
        said(
          failed.count, one: "One file couldn’t be added. It’s now in failed:",
          other: "\(failed.count) files couldn’t be added. They’re now in failed:"))
      lines += Self.told(failed)
    }
    if !left.isEmpty {
      lines.append(
        said(
          left.count, one: "One is still in the inbox:",
          other: "\(left.count) are still in the inbox:"))
      lines += Self.told(left)
    }
    if waiting > 0 {
      lines.append(
        said(
          waiting, one: "One file is still arriving.",
          other: "\(waiting) files are still arriving."))
    }
    return lines
  }

  private static let toldLimit = 20

  private static func told(_ files: [Told]) -> [String] {
    var lines = files.prefix(toldLimit).map { "  \($0.name): \(saidAgain($0.reason))" }
    if files.count > toldLimit { lines.append(said("  and \(files.count - toldLimit) more")) }
    return lines
  }
}
