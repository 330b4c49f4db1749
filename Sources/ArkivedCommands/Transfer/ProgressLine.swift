import ArkivedCore
import ArkivedEngine
import Foundation

/// A line at the terminal with the progress of long work.
struct ProgressLine: Sendable {
  let isShown: Bool

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    Output.write("\r\u{1B}[K\(Self.text(progress))", to: 2)
  }

  /// Shows the line for any other work.
  func show(text: String) {
    guard isShown else { return }
    Output.write("\r\u{1B}[K\(Output.visible(text))", to: 2)
  }

  func clear() {
    if isShown { Output.write("\r\u{1B}[K", to: 2) }
  }

  /// Formats the progress: `412,000 entries · 63% · 31,200 a second · 8 s left`.
  static func text(_ progress: ImportProgress) -> String {
    // Reading a file alone counts no entries.
    var parts =
      progress.entries > 0 ? [said("\(AmountText.grouped(progress.entries)) entries")] : []
    if progress.isFinished {
      parts.append(said("saving"))
    } else {
      if progress.fraction > 0 { parts.append(PercentText.shown(Int(progress.fraction * 100))) }
      if progress.seconds > 0.5, progress.entries > 0 {
        parts.append(said("\(AmountText.grouped(Int(progress.entriesPerSecond))) per second"))
      }
      if let left = progress.secondsLeft { parts.append(said("\(duration(left)) left")) }
    }
    return parts.joined(separator: " · ")
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e7).rounded(.up))
    return whole < 90 ? "\(whole) s" : "\((whole + 59) / 60) min"
  }
}

extension ProgressLine {
  /// Shows the progress of a calendar or a service: `Work: 1,200 of 20,000 fetched`.
  func show(_ progress: CalendarSync.Progress, of place: String) {
    guard isShown else { return }
    let done = AmountText.grouped(progress.done)
    let count = progress.total.map { said("\(done) of \(AmountText.grouped($0))") } ?? done
    let step =
      progress.step == .fetching ? said("\(count) fetched") : said("\(count) checked")
    let text = "\(EntryText.oneLine(place)): \(step)"
    Output.write("\r\u{1B}[K\(Output.visible(text))", to: 2)
  }
}
