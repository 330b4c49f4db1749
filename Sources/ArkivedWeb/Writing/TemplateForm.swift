import ArkivedCore
import Foundation

/// The form of a template.
struct TemplateForm: Sendable {
  /// The largest form, in bytes.
  static let limit = 262_144

  var name = ""
  var text = ""
  var use = WritingTemplate.Use.day
  var weekdays: Set<Weekday> = []
  var kind = ""
  /// The version that the form was opened with; empty for a new template.
  var version = ""
  var error: FieldError?

  init() {}

  init(_ template: WritingTemplate) {
    name = template.name
    text = template.text
    use = template.use
    weekdays = template.weekdays
    kind = template.kind?.rawValue ?? ""
    version = template.version
  }

  init(_ fields: FormFields) {
    name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    text = fields.paragraphs("text")
    use = fields.text("use").flatMap(WritingTemplate.Use.init) ?? .day
    let days = Set(fields.all("weekday"))
    weekdays = Set(Weekday.allCases.filter { days.contains($0.name.lowercased()) })
    kind = fields.text("kind") ?? ""
    version = fields.text("version") ?? ""
  }

  /// Returns true if the form was opened with a version, or doesn't say with which.
  func knows(_ stored: String) -> Bool { version.isEmpty || version == stored }

  func template(id: UUID) -> WritingTemplate {
    WritingTemplate(
      id: id, name: name, text: text, use: use, weekdays: weekdays,
      kind: kind.isEmpty ? nil : ActivityKind(rawValue: String(kind.prefix(60))))
  }

  var context: [String: Any] {
    var context: [String: Any] = [
      "name": FormValue(name), "templateText": FormValue(text), "version": version,
      "useChoices": WritingTemplate.Use.allCases.map { item in
        ["value": item.rawValue, "label": Self.word(item), "isSelected": item == use]
          as [String: Any]
      },
      "weekdayChoices": Weekday.allCases.map { day in
        [
          "value": day.name.lowercased(), "label": day.shownName,
          "isChecked": weekdays.contains(day),
        ] as [String: Any]
      },
      "kindChoices": ([""] + ActivityKind.known.map(\.rawValue)).map { value in
        [
          "value": value,
          "label": value.isEmpty ? said("Any kind") : saidWhole(EntryContext.capitalised(value)),
          "isSelected": value == kind,
        ] as [String: Any]
      }, "placeholders": Self.placeholders, "hasNameError": false, "hasTextError": false,
    ]
    if let error {
      let field = error.field == "name" ? "Name" : "Text"
      context["has\(field)Error"] = true
      context["templateError"] = saidAgain(error.description + ".")
    }
    return context
  }

  private static var placeholders: [[String: Any]] {
    TemplateValues.names.map { name in
      let meaning =
        switch name {
        case "date": said("the date")
        case "day": said("a link to the day")
        case "weekday": said("the weekday")
        case "yesterday": said("a link to the day before")
        case "tomorrow": said("a link to the next day")
        case "time": said("the current time, only for today")
        case "weather": said("the weather, if it’s known")
        case "open": said("what is still open from the day before")
        default: said("the prompt of the day")
        }
      return ["placeholder": "{{\(name)}}", "meaning": meaning]
    }
  }

  static func word(_ use: WritingTemplate.Use) -> String {
    switch use {
    case .day: said("Day note")
    case .note: said("Note")
    case .entry: said("Entry")
    }
  }

  /// Returns what a template is for, in a line of a list.
  static func line(_ template: WritingTemplate) -> String {
    var parts = [word(template.use)]
    if template.weekdays.count == Weekday.allCases.count {
      parts.append(said("every day"))
    } else if !template.weekdays.isEmpty {
      parts.append(
        Weekday.allCases.filter(template.weekdays.contains).map(\.shownName)
          .joined(separator: ", "))
    }
    if let kind = template.kind {
      parts.append(saidWhole(EntryContext.capitalised(ClippedText.of(kind.rawValue, limit: 40))))
    }
    return parts.joined(separator: " · ")
  }
}
