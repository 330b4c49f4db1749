import ArkivedCore
import Foundation

/// How entries look at the terminal.
struct EntryText {
  let output: Output

  init(_ context: Context) { output = context.output }

  /// `09:00–09:15 Standup (Work) #team  3F2A91B0`
  func line(_ activity: Activity) -> String {
    var parts: [String] = []
    if let time = activity.timeText { parts.append(output.bold(time)) }
    parts.append(activity.text.split(whereSeparator: \.isNewline).joined(separator: " "))
    if activity.kind != .other {
      let kind = activity.kind.rawValue
      parts.append("(\(kind.prefix(1).uppercased())\(kind.dropFirst()))")
    }
    parts += activity.tags.map { "#\($0)" }
    if activity.isPinned { parts.append("★") }
    if !activity.attachments.isEmpty { parts.append("[\(activity.attachments.count) attached]") }
    parts.append(output.faint(String(activity.id.uuidString.prefix(8))))
    return parts.joined(separator: " ")
  }

  /// A whole day.
  func lines(_ day: Day) -> [String] {
    var lines = [output.bold(day.dayKey.longName)]
    if let entry = day.entry {
      if let title = entry.title, !title.isEmpty { lines.append(title) }
      var feelings: [String] = []
      if let mood = entry.mood { feelings.append("mood \(mood)/5") }
      if let energy = entry.energy { feelings.append("energy \(energy)/5") }
      if let weather = entry.weather?.conditions { feelings.append(weather) }
      if !feelings.isEmpty { lines.append(output.faint(feelings.joined(separator: " · "))) }
      if !entry.note.isEmpty { lines += ["", entry.note] }
    }
    if !day.metrics.isEmpty {
      lines.append(
        output.faint(
          day.metrics.map { "\($0.metric) \(AmountText.plain($0.value))" }
            .joined(separator: " · ")))
    }
    if !day.activities.isEmpty { lines.append("") }
    lines += day.activities.map(line)
    if day.entry == nil, day.activities.isEmpty { lines.append("Nothing is written yet.") }
    return lines
  }
}
