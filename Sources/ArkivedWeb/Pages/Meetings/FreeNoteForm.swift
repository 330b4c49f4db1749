import ArkivedCore
import Foundation

/// The editor of a note.
struct FreeNoteForm: Sendable {
  var texts: FormTexts

  init(day: DayKey?, meeting: UUID?, template: NoteTemplate?) {
    texts = FormTexts([
      "day": day?.description ?? "", "meeting": meeting?.uuidString ?? "",
      "note": template?.text ?? "", "title": "",
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

  /// The meeting stays what it is when a note is changed.
  func apply(to note: inout Note) throws(FieldError) {
    let shown = FreeNoteForm(note).texts
    if !texts.isUntouched("title", shown) { note.title = texts.optional("title") }
    // What was not touched keeps its line ends.
    if texts["note"] != shown["note"].replacingOccurrences(of: "\r\n", with: "\n") {
      note.text = texts["note"]
    }
    note.dayKey = try texts.day("day")
    if !texts.isUntouched("tags", shown) {
      note.tags = texts.list("tags").map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
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
      FormField("tags", "Tags", hint: "With commas between", isOptional: true),
    ]
  ]

  func context() -> [String: Any] {
    let text = FormField("note", "Note")
    var context = texts.context(Self.rows + [[text]] + Self.laterRows)
    context["rows"] = texts.context(Self.rows)["rows"]
    context["laterFields"] = ["rows": texts.context(Self.laterRows)["rows"] ?? []]
    context["noteText"] = FormValue(texts["note"])
    let problem = texts.problem(of: "note", label: "The note")
    context["hasNoteError"] = problem != nil
    context["noteError"] = problem ?? ""
    context["meetingID"] = texts["meeting"]
    context["isLong"] = texts["note"].utf8.count > NoteForm.longNote
    return context
  }
}

/// What a note of a meeting may begin with.
enum NoteTemplate: String, CaseIterable {
  case agenda, oneToOne = "one-to-one", retrospective

  var label: String {
    switch self {
    case .agenda: "Agenda"
    case .oneToOne: "One-to-one"
    case .retrospective: "Retrospective"
    }
  }

  var text: String {
    switch self {
    case .agenda:
      "## Agenda\n\n1. \n\n## Notes\n\n## Decisions\n\n## Next steps\n\n- [ ] \n"
    case .oneToOne:
      "## How are you?\n\n## Since the last time\n\n## What is in the way\n\n"
        + "## What comes next\n\n- [ ] \n"
    case .retrospective:
      "## What went well\n\n- \n\n## What did not\n\n- \n\n## Decisions\n\n"
        + "## What we change\n\n- [ ] \n"
    }
  }
}
