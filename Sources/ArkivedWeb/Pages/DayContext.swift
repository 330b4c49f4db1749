import ArkivedCore
import Foundation

/// A day's page for its template.
struct DayContext {
  let day: Day
  let today: DayKey
  let zone: Zone

  var context: [String: Any] {
    let key = day.dayKey
    let previous = key.advanced(by: -1)
    let next = key.advanced(by: 1)
    var context: [String: Any] = [
      "dayKey": key.description, "dayName": EntryContext.dayName(key), "year": "\(key.year)",
      "isToday": key == today, "previousHref": "/day/\(previous)",
      "previousLabel": EntryContext.dayName(previous), "nextHref": "/day/\(next)",
      "nextLabel": EntryContext.dayName(next), "linePlaceholder": words.prompt,
      "emptyTitle": words.title, "emptyHint": words.hint,
      "hasActivities": !day.activities.isEmpty,
      "groups": EntryContext(homeZone: zone).groups(day.activities),
      "hasMetrics": !day.metrics.isEmpty, "metrics": metrics,
      "hasExamples": day.activities.isEmpty,
      "examples": [
        "lunch with Sam at Joe’s 12:30–13:15 #food", "7am: ran 5 km", "read for 30 minutes #book",
      ].map { ["exampleLine": $0] },
    ]
    addNote(to: &context)
    let attachments = day.entry?.attachments ?? []
    context["hasNoteAttachments"] = !attachments.isEmpty
    context["noteAttachments"] = attachments.map(EntryContext(homeZone: zone).attachment)
    if let weather = day.entry?.weather, let text = weather.text { context["weatherText"] = text }
    return context
  }

  private var words: (prompt: String, title: String, hint: String) {
    if day.dayKey == today {
      return (
        "What did you do?", "Nothing written yet", "One line is enough: what did you just do?"
      )
    }
    return day.dayKey < today
      ? ("What did you do that day?", "Nothing was written", "Add what you remember.")
      : ("What is planned?", "Nothing planned", "Add what you know already.")
  }

  private func addNote(to context: inout [String: Any]) {
    let note = day.entry?.note ?? ""
    let levels = [("Mood", day.entry?.mood), ("Energy", day.entry?.energy)].compactMap {
      name, value in value.map { ["levelName": name, "levelValue": "\($0)"] }
    }
    let title = day.entry?.title ?? ""
    context["hasNote"] = !note.isEmpty || !title.isEmpty || !levels.isEmpty
    if !title.isEmpty { context["noteTitle"] = title }
    context["hasLevels"] = !levels.isEmpty
    context["levels"] = levels
    context["hasNoteText"] = !note.isEmpty
    context["isNoteLong"] = note.count > 600 || note.split(separator: "\n").count > 8
    context["noteHTML"] = note.isEmpty ? "" : Markdown.html(note)
  }

  private var metrics: [[String: Any]] {
    day.metrics.map { metric in
      var context: [String: Any] = [
        "icon": "measure", "label": metric.metric, "value": AmountText.plain(metric.value),
      ]
      switch metric.metric {
      case "steps":
        context["icon"] = "steps"
        context["label"] = "Steps"
        context["value"] = DayContext.grouped(metric.value)
      case "sleepMinutes":
        context["icon"] = "sleep"
        context["label"] = "Sleep"
        if let minutes = Int(exactly: metric.value.rounded()), minutes >= 0 {
          context["value"] = "\(minutes / 60) h \(minutes % 60) min"
        }
      case "restingHeartRate":
        context["icon"] = "heart"
        context["label"] = "Resting heart rate"
        context["unit"] = metric.unit
      default:
        if !metric.unit.isEmpty { context["unit"] = metric.unit }
      }
      return context
    }
  }

  /// "8,412".
  static func grouped(_ amount: Double) -> String {
    guard let number = Int(exactly: amount.rounded()) else { return AmountText.plain(amount) }
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "−" : "") + groups.joined(separator: ",")
  }
}

/// The note's editor: what was typed into it, and what is wrong with that.
struct NoteForm: Sendable {
  let dayKey: DayKey
  var title: String
  var note: String
  var mood: String
  var energy: String
  var version: String
  var errors: [String: String] = [:]
  /// The entry as saved elsewhere in the meantime.
  var conflict: DayEntry?

  init(_ day: Day) {
    dayKey = day.dayKey
    title = day.entry?.title ?? ""
    note = day.entry?.note ?? ""
    mood = day.entry?.mood.map(String.init) ?? ""
    energy = day.entry?.energy.map(String.init) ?? ""
    version = EntityTag.text(day.entry?.updatedAt)
  }

  init(_ dayKey: DayKey, _ fields: FormFields) {
    self.dayKey = dayKey
    title = fields["title"] ?? ""
    // Browsers send CRLF from a text area (WHATWG HTML, form submission).
    note = (fields["note"] ?? "").replacingOccurrences(of: "\r\n", with: "\n")
    mood = fields["mood"] ?? ""
    energy = fields["energy"] ?? ""
    version = fields["version"] ?? ""
  }

  /// What the editor was opened with: some version, none yet (nil inside), or not told.
  var expectedVersion: Instant?? {
    guard let milliseconds = Int64(version.filter { $0 != "\"" }) else { return .none }
    return .some(milliseconds == 0 ? nil : Instant(milliseconds: milliseconds))
  }

  static func level(_ field: String, _ text: String) throws(FieldError) -> Int? {
    if text.isEmpty { return nil }
    guard let value = Int(text), (1...5).contains(value) else {
      throw FieldError(field, "is \(FieldError.shown(text)); it must be 1 to 5")
    }
    return value
  }

  func context(_ entries: EntryContext) -> [String: Any] {
    var context: [String: Any] = [
      "dayKey": dayKey.description, "dayName": EntryContext.dayName(dayKey),
      "year": "\(dayKey.year)", "version": version, "noteText": note,
      "moodChoices": choices(mood), "energyChoices": choices(energy),
      "hasConflict": conflict != nil,
    ]
    if !title.isEmpty { context["noteTitle"] = title }
    for (field, error) in errors { context["\(field)Error"] = error }
    if let conflict {
      context["conflictLabel"] = entries.moment(conflict.updatedAt)
      if !conflict.note.isEmpty { context["conflictText"] = conflict.note }
    }
    return context
  }

  private func choices(_ chosen: String) -> [[String: Any]] {
    let words = ["none", "very low", "low", "middling", "good", "very good"]
    return words.enumerated().map { index, word in
      let value = index == 0 ? "" : "\(index)"
      return [
        "value": value, "label": index == 0 ? "–" : value, "words": word,
        "isChecked": value == chosen,
      ]
    }
  }
}
