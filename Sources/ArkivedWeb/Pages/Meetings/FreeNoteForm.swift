import ArkivedCore
import Foundation

/// The editor of a note.
struct FreeNoteForm: Sendable {
  var texts: FormTexts

  init(day: DayKey?, meeting: UUID?, template: String?) {
    texts = FormTexts([
      "day": day?.description ?? "", "meeting": meeting?.uuidString ?? "",
      "note": template ?? "", "title": "",
    ])
  }

  init(_ fields: FormFields) {
    texts = FormTexts(
      fields, lines: ["title", "day", "tags", "meeting"], paragraphs: ["note"])
  }

  init(_ note: Note) {
    texts = FormTexts(
      [
        "title": note.title ?? "", "day": note.dayKey?.description ?? "",
        "tags": note.tags.joined(separator: ", "), "note": note.text,
        "meeting": note.meetingID?.uuidString ?? "",
      ], version: EntityTag.text(note.updatedAt))
  }

  /// Applies the typed values to a note, whose meeting doesn't change.
  func apply(to note: inout Note) throws(FieldError) {
    let shown = FreeNoteForm(note).texts
    if !texts.isUntouched("title", shown) { note.title = texts.optional("title") }
    // Unchanged text keeps its line endings.
    if texts["note"] != shown["note"].replacingOccurrences(of: "\r\n", with: "\n") {
      note.text = texts["note"]
    }
    note.dayKey = try texts.day("day")
    if !texts.isUntouched("tags", shown) {
      note.tags = Tag.names(texts.list("tags", known: note.tags))
    }
    do throws(FieldError) { try note.validate() } catch {
      throw FieldError(error.field == "text" ? "note" : error.field, error.problem)
    }
  }

  static let rows: [[FormField]] = [
    [FormField("title", "Title", isOptional: true)]
  ]

  static let laterRows: [[FormField]] = [
    [
      FormField("day", "Day", .day, isOptional: true),
      FormField("tags", "Tags", hint: "Separated by commas", isOptional: true),
    ]
  ]

  private static let allRows = rows + [[FormField("note", "Note")]] + laterRows

  /// Returns the fields of the saved note that differ from the typed ones, as text.
  func otherVersion(_ saved: FreeNoteForm) -> String? {
    texts.otherVersion(saved.texts, in: Self.allRows)
  }

  func context() -> [String: Any] {
    var context = texts.context(Self.allRows)
    context["rows"] = texts.context(Self.rows)["rows"]
    context["laterFields"] = ["rows": texts.context(Self.laterRows)["rows"] ?? []]
    context["noteText"] = FormValue(texts["note"])
    let problem = texts.problem(of: "note", label: "The note")
    context["hasNoteError"] = problem != nil
    context["noteError"] = problem ?? ""
    context["meetingID"] = texts["meeting"]
    let size = texts["note"].utf8.count
    context["isLong"] = size > NoteForm.longNote
    context["sizeText"] = EntryContext.size(size)
    return context
  }
}
