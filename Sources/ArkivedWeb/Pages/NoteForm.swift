import ArkivedCore
import ArkivedStore
import Foundation

/// The note's editor, with the typed text and the problem with it.
struct NoteForm: Sendable {
  let dayKey: DayKey
  var title: String
  var note: String
  var mood: String
  var energy: String
  /// The weather as typed, or nil if the form has no such field and the day's weather stays.
  var weather: String?
  var version: String
  var errors: [String: String] = [:]
  /// The entry as saved elsewhere in the meantime.
  var conflict: DayEntry?

  /// The length in bytes beyond which an editor shows no preview and keeps no draft.
  static let longNote = NoteParts.partSize

  init(_ dayKey: DayKey, _ entry: DayEntry?) {
    self.dayKey = dayKey
    title = entry?.title ?? ""
    note = entry?.note ?? ""
    mood = entry?.mood.map(String.init) ?? ""
    energy = entry?.energy.map(String.init) ?? ""
    weather = entry?.weather?.typedText ?? ""
    version = EntityTag.text(entry?.updatedAt)
  }

  init(_ dayKey: DayKey, _ fields: FormFields) {
    self.dayKey = dayKey
    title = fields["title"] ?? ""
    // Browsers submit CRLF from a text area (WHATWG HTML, form submission).
    note = fields.paragraphs("note")
    mood = fields["mood"] ?? ""
    energy = fields["energy"] ?? ""
    weather = fields["weather"]
    version = fields["version"] ?? ""
  }

  /// The version that the editor was opened with: a version, none yet (inner nil), or unknown.
  var expectedVersion: Instant?? {
    guard let milliseconds = Int64(version.filter { $0 != "\"" }) else { return .none }
    return .some(milliseconds == 0 ? nil : Instant(milliseconds: milliseconds))
  }

  static func level(_ field: String, _ text: String) throws(FieldError) -> Int? {
    if text.isEmpty { return nil }
    guard let value = Int(text), (1...5).contains(value) else {
      throw FieldError(field, "is \(FieldError.shown(text)), but must be between 1 and 5")
    }
    return value
  }

  /// Applies the weather to a day, unless the field was not changed.
  func applyWeather(to entry: inout DayEntry) throws(FieldError) {
    guard let weather, weather != entry.weather?.typedText ?? "" else { return }
    entry.weather = try Weather.typed(weather)
  }

  func context(_ entries: EntryContext) -> [String: Any] {
    var context: [String: Any] = [
      "dayKey": dayKey.description, "dayName": EntryContext.dayName(dayKey),
      "year": "\(dayKey.year)", "version": version, "noteText": FormValue(note),
      "weatherText": FormValue(weather ?? ""),
      "moodChoices": choices(mood), "energyChoices": choices(energy),
      "hasConflict": conflict != nil,
    ]
    if !title.isEmpty { context["titleText"] = FormValue(title) }
    let size = note.utf8.count
    if size > NoteForm.longNote { context["sizeText"] = EntryContext.size(size) }
    for (field, error) in errors { context["\(field)Error"] = error }
    if let conflict {
      context["conflictLabel"] = entries.moment(conflict.updatedAt)
      let clipped = ClippedText(conflict.note, limit: EntryContext.oldTextLimit)
      if !conflict.note.isEmpty { context["conflictText"] = clipped.text }
      context["isConflictCut"] = clipped.isCut
    }
    return context
  }

  /// The words for levels 1 to 5, with 0 for none.
  static var levelWords: [String] {
    [
      said("none"), said("very low"), said("low"), said("okay"), said("good"),
      said("very good"),
    ]
  }

  private func choices(_ chosen: String) -> [[String: Any]] {
    NoteForm.levelWords.enumerated().map { index, word in
      let value = index == 0 ? "" : "\(index)"
      return [
        "value": value, "label": index == 0 ? "–" : value, "words": word,
        "isChecked": value == chosen,
      ]
    }
  }
}
