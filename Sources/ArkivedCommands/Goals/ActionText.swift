import ArkivedCore
import ArkivedStore
import Foundation

/// The appearance of activities from the perspective of goals.
struct ActionText {
  private let output: Output
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    output = context.output
    self.archive = archive
  }

  /// Formats actions: `2026-03-14 07:00–07:40 ran by the river · 5 km → Run 120 km  3F2A91B0`.
  ///
  /// - Parameters:
  ///   - actions: the actions.
  ///   - tail: returns the text after the action at an index.
  /// - Returns: the lines.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func lines(
    _ actions: [Activity], tail: (_ index: Int) throws -> String?
  ) throws -> [String] {
    let ids = try archive.shortIDs(Set(actions.map(\.id)))
    return try actions.enumerated().map { index, action in
      let tail = try tail(index)
      return ([line(action)] + [tail].compactMap { $0 } + [output.faint(ids[action.id] ?? "")])
        .joined(separator: " ")
    }
  }

  func line(_ action: Activity) -> String {
    let time = action.shownTimeText.map { " \($0)" } ?? ""
    let amounts = measures(action)
    return output.bold("\(action.dayKey)\(time)") + " "
      + EntryText.oneLine(String(action.text.prefix(200)))
      + (amounts.isEmpty ? "" : " · \(amounts)")
  }

  /// Formats measurements: “5 km, 40 minutes”.
  private func measures(_ action: Activity) -> String {
    var parts = MeasureText.write(action.measurements, in: .current)
    if let minutes = action.durationMinutes, action.measurements["minutes"] == nil {
      let words = said(
        minutes == 1 ? 1 : 2, one: "\(AmountText.shown(minutes)) minute",
        other: "\(AmountText.shown(minutes)) minutes")
      parts += parts.isEmpty ? words : ", \(words)"
    }
    return parts
  }
}
