import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The terminal report on the outcome of an order, with a request for the owner's confirmation if
/// it is required.
struct ActReport {
  let context: Context
  let archive: Archive
  let tools: ToolBox

  func tell(_ outcome: ActOutcome, isYes: Bool) throws {
    let output = context.output
    switch outcome.state {
    case .failed: throw CommandFailure(.badInput, outcome.sentence)
    case .unclear:
      try output.result(.null, lines: candidates(outcome))
      throw CommandFailure(.usage, outcome.sentence)
    case .done:
      output.result(.null, lines: [outcome.sentence])
      if outcome.changeID != nil { output.say(said("`arkived undo` reverts this.")) }
    case .pending: try decide(outcome, isYes: isYes)
    }
  }

  private func candidates(_ outcome: ActOutcome) throws -> [String] {
    let ids = try archive.shortIDs(outcome.candidates.map(\.id))
    return outcome.candidates.map { activity in
      "  \(activity.dayKey) \(OneLine.of(String(activity.text.prefix(120)))) "
        + context.output.faint(ids[activity.id] ?? "")
    }
  }

  /// Shows the changes, and makes them after confirmation.
  private func decide(_ outcome: ActOutcome, isYes: Bool) throws {
    guard let id = outcome.pending?["id"]?.string.flatMap({ UUID(identity: $0) }) else { return }
    try decide(id, isYes: isYes)
  }

  /// The number of characters of a value that are shown.
  private static let valueLimit = 400

  /// Shows an act, entry by entry, and carries it out after confirmation.
  ///
  /// - Throws: `CommandFailure` (refused) if nobody confirms it, or if it is too long to be shown
  ///   whole.
  func decide(_ id: UUID, isYes: Bool) throws {
    let output = context.output
    let act = try tools.pendingAct(id)
    // A line break in a text could imitate further effects.
    var lines = [OneLine.of(saidAgain(act.summary))]
    var isCut = false
    for effect in act.effects {
      if act.effects.count > 1 {
        lines.append("  \(effect.dayKey) \(OneLine.of(String(effect.title.prefix(120))))")
      }
      guard !effect.isDeletion else { continue }
      for difference in effect.differences {
        let short = difference.short(limit: Self.valueLimit)
        isCut = isCut || short.isCut
        let before = time(difference.before) ?? short.before ?? said("nothing")
        let after = time(difference.after) ?? short.after ?? said("nothing")
        lines.append("  \(difference.field): \(before) → \(after)")
      }
    }
    output.result(.null, lines: lines)
    guard isYes || !isCut else {
      throw CommandFailure(
        .refused,
        said(
          """
          This change is too long to show here. Review it at \(act.confirmPath) in the web app. \
          Nothing was changed.
          """))
    }
    do {
      try Confirmation.ask(
        said("Make this change?"), isGiven: isYes, refusal: said("Nothing was changed."))
    } catch {
      _ = try tools.decline(id)
      throw error
    }
    _ = try tools.confirm(id)
    output.say(said("Done. `arkived undo` reverts this."))
  }

  /// Shows every field that an act changes or deletes, and carries it out if a person at the
  /// terminal approves.
  ///
  /// It is for what a model or a program chose, of which the owner has seen nothing yet.
  func review(_ id: UUID) throws {
    let output = context.output
    let act = try tools.pendingAct(id)
    guard StandardInput.isInteractive else { return output.say(Self.waits(act.json)) }
    do {
      let decided = try ActText(context).decide(act, tools)
      output.say(
        decided.status == .done ? said("Done. `arkived undo` reverts this.") : said("Declined."))
    } catch let failure as CommandFailure where failure.status == .refused {
      output.say(failure.message)
    } catch let error as ArchiveError {
      output.say(saidAgain(error.description))
    }
  }

  /// Returns an instant as a person reads it; nil for other values.
  private func time(_ value: JSON) -> String? {
    value.string.flatMap { Instant($0) }.map(context.timeText)
  }

  /// Returns a hint on where to decide an act that a model requested.
  static func waits(_ act: JSON) -> String {
    let summary = act["summary"]?.string.map { OneLine.of(saidAgain($0)) } ?? said("A change")
    return said("\(summary): waiting for your approval. To review it, run `arkived confirm`.")
  }
}
