import ArkivedCore
import Foundation

/// A field of a form, with its typed text and the problem with it.
struct FormField: Sendable {
  enum Kind: Sendable {
    case line, number, day, paragraphs
    /// Paragraphs in Markdown, with the writing surface.
    case markdown
    /// A choice of several values, each with the text to submit and the label to show.
    case choice([(value: String, label: String)])
  }

  var name: String
  var label: String
  /// The field's name in a sentence; the label unless that is a question.
  var noun: String
  var kind: Kind = .line
  var hint: String?
  var isOptional = false
  var isRequired = false

  init(
    _ name: String, _ label: String, _ kind: Kind = .line, hint: String? = nil,
    noun: String? = nil, isOptional: Bool = false, isRequired: Bool = false
  ) {
    self.name = name
    self.label = label
    self.noun = noun ?? label
    self.kind = kind
    self.hint = hint
    self.isOptional = isOptional
    self.isRequired = isRequired
  }

  func context(_ form: FormTexts) -> [String: Any] {
    let value = form[name]
    var context: [String: Any] = [
      "name": name, "label": saidWhole(label), "value": FormValue(value), "isOptional": isOptional,
      "isRequired": isRequired, "hasHint": hint != nil,
      "hint": saidWhole(hint ?? ""),
      "isLine": false, "isDay": false, "isArea": false, "isChoice": false, "isNumber": false,
      "isMarkdown": false,
      "hasError": false, "error": "", "isFirst": false,
    ]
    switch kind {
    case .line: context["isLine"] = true
    case .number:
      context["isLine"] = true
      context["isNumber"] = true
    case .day: context["isDay"] = true
    case .paragraphs: context["isArea"] = true
    case .markdown:
      context["isArea"] = true
      context["isMarkdown"] = true
    case .choice(let choices):
      context["isChoice"] = true
      var all = choices.map { (value: $0.value, label: saidWhole($0.label)) }
      // A value of a newer version stays unchanged.
      if !value.isEmpty, !all.contains(where: { $0.value == value }) { all.append((value, value)) }
      context["choices"] = all.map {
        ["value": FormValue($0.value), "label": $0.label, "isSelected": $0.value == value]
          as [String: Any]
      }
    }
    if let problem = form.problem(of: name, label: noun) {
      context["hasError"] = true
      context["error"] = problem
    }
    context["isDescribed"] = hint != nil || context["hasError"] as? Bool == true
    return context
  }
}

/// The texts in the fields of a form.
struct FormTexts: Sendable {
  private var texts: [String: String]
  /// The version that was opened.
  var version: String
  var error: FieldError?

  init(_ texts: [String: String] = [:], version: String = "") {
    self.texts = texts
    self.version = version
  }

  /// Reads the submitted values of these fields.
  init(_ fields: FormFields, lines: [String], paragraphs: [String] = []) {
    texts = [:]
    version = fields["version"] ?? ""
    for name in lines {
      texts[name] = (fields[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    for name in paragraphs { texts[name] = fields.paragraphs(name) }
  }

  subscript(name: String) -> String {
    get { texts[name] ?? "" }
    set { texts[name] = newValue }
  }

  /// Returns a field's text, or nil if it is empty.
  func optional(_ name: String) -> String? {
    let text = self[name]
    return text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty ? nil : text
  }

  func day(_ name: String) throws(FieldError) -> DayKey? {
    guard let text = optional(name) else { return nil }
    guard let day = DayKey(text) else {
      throw FieldError(name, "is \(FieldError.shown(text)), but must be a day such as 2026-03-14")
    }
    return day
  }

  func number(_ name: String) throws(FieldError) -> Double? {
    guard let text = optional(name) else { return nil }
    guard let number = FormNumber.read(text) else {
      throw FieldError(name, "is \(FieldError.shown(text)), but must be a number such as 12.5")
    }
    return number
  }

  func whole(_ name: String) throws(FieldError) -> Int? {
    guard let text = optional(name) else { return nil }
    guard let number = FormNumber.read(text).flatMap(Int.init(exactly:)) else {
      throw FieldError(name, "is \(FieldError.shown(text)), but must be a whole number")
    }
    return number
  }

  /// Returns names separated by commas, semicolons or lines.
  ///
  /// - Parameters:
  ///   - name: the field.
  ///   - known: the names in it so far, which stay whole even if they contain one of these.
  /// - Returns: the names in order.
  func list(_ name: String, known: [String] = []) -> [String] {
    NameList.names(in: self[name], known: known, separators: ",;")
  }

  /// Returns a field's text, or the old text with its exact line endings if the field was not
  /// changed.
  func text(_ name: String, unless shown: FormTexts, _ old: String?) -> String? {
    let before = shown[name].replacingOccurrences(of: "\r\n", with: "\n")
    return self[name] == before ? old : optional(name)
  }

  /// Returns true if a line is unchanged; browsers drop line endings and surrounding blanks.
  func isUntouched(_ name: String, _ shown: FormTexts) -> Bool {
    self[name]
      == String(
        String.UnicodeScalarView(
          shown[name].unicodeScalars.filter {
            $0 != "\n" && $0 != "\r"
          })
      ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func problem(of name: String, label: String) -> String? {
    guard let error, error.field == name else { return nil }
    return "\(saidWhole(label)) \(saidAgain(error.problem))."
  }

  /// Returns the data for `form-fields`: rows of fields, and the error with a link to its field.
  func context(_ rows: [[FormField]]) -> [String: Any] {
    // An error takes the focus to its own field.
    let first = error == nil ? rows.first?.first?.name : nil
    var context: [String: Any] = [
      "version": version, "hasErrors": error != nil,
      "rows": rows.map { row in
        let fields = row.map { field in
          field.context(self).merging(["isFirst": field.name == first]) { $1 }
        }
        return ["fields": fields, "isPair": row.count > 1] as [String: Any]
      },
    ]
    if let error {
      let field = rows.joined().first { $0.name == error.field }
      context["errors"] = [
        [
          "field": field?.name ?? "form",
          "message": "\(saidWhole(field?.noun ?? error.field)) \(saidAgain(error.problem)).",
        ]
      ]
    }
    return context
  }
}

/// Numbers as people type them.
enum FormNumber {
  /// Reads a number in the language of the page, with or without grouping separators.
  static func read(_ text: String) -> Double? {
    let typed = text.filter { !$0.isWhitespace && $0 != "_" && $0 != "'" && $0 != "’" }
    guard !typed.isEmpty,
      typed.allSatisfy({ $0.isASCII && ($0.isNumber || ".,+-eE".contains($0)) })
    else { return nil }
    return TypedNumber.read(typed)
  }

  /// Formats a number such that reading it returns the same number.
  static func exact(_ number: Double?) -> String {
    guard let number else { return "" }
    if let whole = Int64(exactly: number) { return String(whole) }
    return TypedNumber.shown("\(number)")
  }
}
