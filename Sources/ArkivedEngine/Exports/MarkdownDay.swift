package import ArkivedCore
import ArkivedImport
import Foundation

/// One day as a Markdown page that other programs open as a daily note.
package struct MarkdownDay {
  private let day: Day
  /// The names of the pages for links to people; nil for a page on its own.
  private let vault: VaultNames?

  package init(_ day: Day) { self.init(day, vault: nil) }

  init(_ day: Day, vault: VaultNames?) {
    self.day = day
    self.vault = vault
  }

  /// The page, ending with a line break.
  package var text: String { (frontMatter + body).joined(separator: "\n") }

  /// The page without the front matter.
  package var section: String { body.joined(separator: "\n") }

  private var body: [String] {
    var lines: [String] = []
    lines.append("# \(day.entry?.title ?? day.dayKey.longName)")
    lines.append("")
    if let note = day.entry?.note, !note.isEmpty {
      lines.append(vault?.linked(note) ?? note)
      lines.append("")
    }
    let isMistaken = vault != nil && ExportedLine.looksLikeEntries(day.entry?.note ?? "")
    if !day.activities.isEmpty || isMistaken {
      lines.append(ExportedLine.heading)
      lines.append("")
      lines += day.activities.map(line)
      lines.append("")
    }
    let attachments = day.entry?.attachments ?? []
    if !attachments.isEmpty {
      if vault != nil { lines.append(AttachedFiles.mark) }
      lines += attachments.map(Self.link)
      lines.append("")
    }
    return lines
  }

  private var frontMatter: [String] {
    var lines = ["---", "date: \(day.dayKey)"]
    if let mood = day.entry?.mood { lines.append("mood: \(mood)") }
    if let energy = day.entry?.energy { lines.append("energy: \(energy)") }
    let tags = Set(day.activities.flatMap(\.tags).map { vault == nil ? $0 : VaultNames.tag($0) })
      .sorted()
    if !tags.isEmpty { lines.append("tags: [\(tags.map(quoted).joined(separator: ", "))]") }
    let people = Set(
      ((day.entry?.people ?? []) + day.activities.flatMap(\.people))
        .map { vault?.link($0) ?? $0.name }
    )
    .sorted()
    if !people.isEmpty { lines.append("people: [\(people.map(quoted).joined(separator: ", "))]") }
    for metric in MetricRule.combined(day.metrics) {
      lines.append("\(quoted(Self.property(metric))): \(AmountText.plain(metric.value))")
    }
    return lines + ["---", ""]
  }

  /// Returns a metric's name, with its unit unless an import knows that from the name.
  private static func property(_ metric: DayMetric) -> String {
    let isCount = ["", "count"].contains(metric.unit)
    if let known = MeasureName.read(metric.metric), known.name == metric.metric,
      isCount || UnitTable.standard.isSame(known.unit, metric.unit)
    {
      return metric.metric
    }
    guard !metric.unit.isEmpty else { return metric.metric }
    return "\(metric.metric) (\(metric.unit))"
  }

  /// Returns a YAML double-quoted scalar, which has the same form as a JSON string.
  private func quoted(_ text: String) -> String { JSON.string(text).text() }

  private func line(_ activity: Activity) -> String {
    var line = "- "
    let words = (vault?.linked(activity.text) ?? activity.text)
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    if let vault {
      line += ExportedLine.beginning(of: activity, before: words, in: vault.zone)
    } else if let span = activity.timeText {
      line += "\(span) "
    }
    line += words
    // An import would take the end of these words for an addition, so the kind ends them.
    let needsKind = vault != nil && ExportedLine.hidesEnd(of: words)
    if activity.kind != .other || needsKind { line += " (\(activity.kind.rawValue))" }
    for tag in activity.tags {
      line += " #"
      line +=
        vault == nil
        ? tag.map { $0.isWhitespace ? "_" : String($0) }.joined() : VaultNames.tag(tag)
    }
    if let vault { for mention in activity.people { line += " " + vault.link(mention) } }
    line += vault?.mark(activity.id) ?? ""
    for text in [activity.description, activity.notes].compactMap({ $0 }) where !text.isEmpty {
      // In a vault, blank lines are indented too, so an import finds the paragraphs again.
      let parts = (vault?.linked(text) ?? text).trimmingCharacters(in: .newlines)
        .split(omittingEmptySubsequences: vault == nil, whereSeparator: \.isNewline)
      for part in parts { line += "\n    \(part)" }
    }
    if vault != nil, !activity.attachments.isEmpty { line += "\n    \(AttachedFiles.mark)" }
    for attachment in activity.attachments { line += "\n    \(Self.link(attachment))" }
    return line
  }

  /// Returns a link to an attachment from a page in a folder next to `attachments/`.
  static func link(_ attachment: Attachment) -> String {
    let label = (attachment.caption ?? attachment.originalName ?? "attachment")
      .filter { $0 != "]" && $0 != "[" && !$0.isNewline }
    let target =
      attachment.relativePath.map { "../attachments/\($0)" } ?? attachment.externalURL ?? ""
    return (attachment.type == .photo ? "!" : "") + "[\(label)](<\(oneLine(target))>)"
  }

  /// Returns an address with its line breaks and other control characters percent-encoded, because
  /// what follows a line break would be a line of the page.
  private static func oneLine(_ address: String) -> String {
    var text = ""
    for scalar in address.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        for byte in String(scalar).utf8 {
          text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
