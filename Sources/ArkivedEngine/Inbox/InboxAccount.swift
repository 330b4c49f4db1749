package import ArkivedCore

/// What a look into an inbox came to.
package struct InboxAccount: Hashable, Sendable {
  /// A file, and what is to be said of it.
  package struct Told: Hashable, Sendable {
    package var name: String
    /// A sentence without its full stop.
    package var reason: String

    package init(name: String, reason: String) {
      (self.name, self.reason) = (name, reason)
    }

    package var json: JSON { ["name": .string(name), "reason": .string(reason)] }
  }

  /// Files that became entries.
  package var taken: [String] = []
  /// Files whose content the archive has, or had; they are put away as well.
  package var known: [Told] = []
  /// Files that cannot come in, which lie in `failed` now.
  package var failed: [Told] = []
  /// What stays in the folder until something is done about it.
  package var left: [Told] = []
  /// How many files are on their way.
  package var waiting = 0
  /// Why the look ended early; nil where it did not.
  package var problem: String?
  package var runs: [ImportRun] = []

  package init() {}

  /// Whether nothing happened.
  package var isEmpty: Bool { taken.isEmpty && known.isEmpty && failed.isEmpty }

  /// Adds what a later look came to.
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

  /// It in a few lines for a person, in the language of the work at hand.
  package var lines: [String] {
    var lines: [String] = []
    if !taken.isEmpty {
      lines.append(
        said(taken.count, one: "Added one file.", other: "Added \(taken.count) files."))
    }
    if !known.isEmpty {
      lines.append(
        said(
          known.count, one: "Skipped one known file:",
          other: "Skipped \(known.count) known files:"))
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
          left.count, one: "One stays in the inbox:",
          other: "\(left.count) stay in the inbox:"))
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
