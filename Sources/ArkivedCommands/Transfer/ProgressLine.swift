import ArkivedEngine
import Foundation

/// One line at the terminal that tells how far a long work is.
struct ProgressLine: Sendable {
  let isShown: Bool

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    Output.write("\r\u{1B}[K\(Self.text(progress))", to: 2)
  }

  /// Any other work's line.
  func show(text: String) {
    guard isShown else { return }
    Output.write("\r\u{1B}[K\(Output.visible(text))", to: 2)
  }

  func clear() {
    if isShown { Output.write("\r\u{1B}[K", to: 2) }
  }

  /// `412,000 entries · 63 % · 31,200 a second · 8 s left`
  static func text(_ progress: ImportProgress) -> String {
    // What reads a file alone counts none.
    var parts = progress.entries > 0 ? ["\(grouped(progress.entries)) entries"] : []
    if progress.isFinished {
      parts.append("putting them in")
    } else {
      if progress.fraction > 0 { parts.append("\(Int(progress.fraction * 100)) %") }
      if progress.seconds > 0.5, progress.entries > 0 {
        parts.append("\(grouped(Int(progress.entriesPerSecond))) a second")
      }
      if let left = progress.secondsLeft { parts.append("\(duration(left)) left") }
    }
    return parts.joined(separator: " · ")
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e7).rounded(.up))
    return whole < 90 ? "\(whole) s" : "\((whole + 59) / 60) min"
  }

  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var index = digits.endIndex
    while digits.distance(from: digits.startIndex, to: index) > 3 {
      index = digits.index(index, offsetBy: -3)
      digits.insert(",", at: index)
    }
    return digits
  }
}

extension ProgressLine {
  /// `Work: 1,200 of 20,000 fetched`
  func show(_ progress: CalendarSync.Progress, of place: String) {
    guard isShown else { return }
    let total = progress.total.map { " of \(Self.grouped($0))" } ?? ""
    let step = progress.step == .fetching ? "fetched" : "looked through"
    let text = "\(EntryText.oneLine(place)): \(Self.grouped(progress.done))\(total) \(step)"
    Output.write("\r\u{1B}[K\(Output.visible(text))", to: 2)
  }
}
