import ArkivedCore
import ArkivedStore
import Foundation

extension Draft {
  /// The draft's title: “the note of 2026-03-14, begun 2026-03-14T20:00:00Z”.
  var title: String {
    let what =
      switch purpose {
      case .note: dayKey.map { said("the note for \($0)") } ?? said("the note for a day")
      case .entries: said(versions.count, one: "an entry", other: "\(versions.count) entries")
      case .add: said("a new entry")
      }
    return said("\(what), started \(startedAt)")
  }

  /// True for a text of `capture`, which is read differently from one that an editor received with
  /// instructions.
  var isCaptured: Bool { purpose == .add && original.isEmpty }

  /// Returns a name for a draft that begins now.
  static func newName(_ context: Context) -> String {
    let wall = context.zone.wallTime(at: context.clock.now)
    let time = wall.clockText.filter { $0 != ":" }
    return "\(wall.day)-\(time)-\(UUID().uuidString.prefix(4).lowercased())"
  }
}
