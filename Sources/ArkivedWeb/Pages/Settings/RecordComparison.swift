import ArkivedCore
import ArkivedStore
import Foundation

/// The effect of a change on one entity, field by field, for display.
struct RecordComparison {
  let entries: EntryContext
  /// The number of scalars of a field that are shown.
  var textLimit = 4_000

  /// Returns the fields that differ, or all fields with a value if there is only one version.
  ///
  /// - Parameters:
  ///   - change: both versions.
  ///   - size: increased by the number of bytes written.
  /// - Returns: the fields; `isCut` in one of which a difference may be missing.
  func fields(_ change: EntityChange, _ size: inout Int) -> [[String: Any]] {
    let (before, after) = (change.before, change.after)
    var names = (after ?? before)?.object?.keys ?? []
    names += (before?.object?.keys ?? []).filter { !names.contains($0) }
    var fields: [[String: Any]] = []
    for name in names where !RecordWords.silent.contains(name) {
      // If there is only one version, false values are uninformative.
      let isOnly = before == nil || after == nil
      if isOnly, case .bool(false) = (after ?? before)?[name] { continue }
      let type = change.type
      let (old, new) = (text(before?[name], of: name, type), text(after?[name], of: name, type))
      guard old != nil || new != nil, isOnly || old != new else { continue }
      let (was, became, isCut) = html(old ?? "", new ?? "")
      size += was.utf8.count + became.utf8.count
      fields.append([
        "fieldName": FieldLabel.of(name), "hasBefore": old != nil && before != nil,
        "hasAfter": new != nil && after != nil, "isEmptied": new == nil && after != nil,
        "wasEmpty": old == nil && before != nil && after != nil, "beforeHTML": was,
        "afterHTML": became, "isCut": isCut,
      ])
    }
    return fields
  }

  /// Returns the name of an entity in a list.
  func title(_ change: EntityChange) -> String {
    let record = change.after ?? change.before ?? .null
    if change.type == .term { return said("Term \(record["termNumber"]?.int ?? 0)") }
    if change.type == .tag { return "#\(record["name"]?.string ?? "")" }
    if change.type == .template { return record["name"]?.string ?? "" }
    if change.type == .prompts { return said("Prompts") }
    let name = ["text", "title", "name", "note", "metric", "email", "birthDate"].lazy
      .compactMap { record[$0]?.string }.first { !$0.isEmpty }
    return name
      ?? (change.isLong
        ? said("Long text") : EntryContext.capitalised(saidAgain(change.type.singular)))
  }

  // MARK: Values

  /// Returns a value for display, or nil if it is uninformative.
  func text(_ value: JSON?, of name: String, _ type: EntityType? = nil) -> String? {
    if type == .template, let words = Self.templateText(value, of: name) { return words }
    if let value, let words = RecordWords.value(value, of: name) { return words }
    switch value {
    case nil, .null: return nil
    case .string(let text):
      guard !text.isEmpty else { return nil }
      if name.hasSuffix("At") || name == "logTime", let instant = Instant(text) {
        return entries.moment(instant)
      }
      if let day = DayKey(text) { return day.shownPlainName }
      return text
    case .bool(let isSo): return isSo ? said("yes") : said("no")
    case .array(let values):
      let texts = values.compactMap(part)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    case .object(let object):
      let texts = object.members.compactMap { key, value in part(value).map { "\(key): \($0)" } }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    case let other?: return other.text()
    }
  }

  /// Returns what a template is for, and when it is offered; nil for its other fields.
  private static func templateText(_ value: JSON?, of name: String) -> String? {
    switch name {
    case "use":
      return value?.string.flatMap(WritingTemplate.Use.init).map(TemplateForm.word)
    case "weekdays":
      let names = Set((value?.array ?? []).compactMap(\.string))
      let days = Weekday.allCases.filter { names.contains($0.name.lowercased()) }
      return days.isEmpty ? nil : days.map(\.shownName).joined(separator: ", ")
    default: return nil
    }
  }

  private func part(_ value: JSON) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return text
    case .object:
      let name = ["name", "caption", "originalName", "externalId", "address"].lazy
        .compactMap { value[$0]?.string }.first { !$0.isEmpty }
      return name ?? value.text()
    default: return value.text()
    }
  }

  // MARK: HTML

  private func html(
    _ before: String, _ after: String
  ) -> (before: String, after: String, isCut: Bool) {
    let (old, new, isCut) = window(before, after)
    guard !old.isEmpty, !new.isEmpty else { return (Self.plain(old), Self.plain(new), isCut) }
    let difference = WordDifference(old, new)
    return (
      Self.marked(difference.before, "del"), Self.marked(difference.after, "ins"), isCut
    )
  }

  private static func plain(_ text: String) -> String {
    var html = HTMLWriter()
    html.isolated(text)
    return html.text
  }

  private static func marked(_ pieces: [WordDifference.Piece], _ element: String) -> String {
    var html = HTMLWriter()
    html.raw("<bdi>")
    for piece in pieces {
      html.raw(piece.isOwn ? "<\(element)>" : "")
      // A directional control would affect text beyond its own piece.
      html.value(VisibleText.named(piece.text))
      html.raw(piece.isOwn ? "</\(element)>" : "")
    }
    html.raw("</bdi>")
    return html.text
  }

  /// Returns the part of two texts that is shown, beginning shortly before they differ.
  private func window(
    _ before: String, _ after: String
  ) -> (before: String, after: String, isCut: Bool) {
    let (old, new) = (Array(before.unicodeScalars), Array(after.unicodeScalars))
    guard max(old.count, new.count) > textLimit else { return (before, after, false) }
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    let from = before.isEmpty || after.isEmpty ? 0 : max(0, start - 200)
    func cut(_ scalars: [Unicode.Scalar]) -> String {
      let part = scalars.dropFirst(from).prefix(textLimit)
      var view = String.UnicodeScalarView()
      view.append(contentsOf: part)
      return (from > 0 && !part.isEmpty ? "…" : "") + String(view)
        + (from + part.count < scalars.count ? "…" : "")
    }
    return (cut(old), cut(new), max(old.count, new.count) - from > textLimit)
  }
}
