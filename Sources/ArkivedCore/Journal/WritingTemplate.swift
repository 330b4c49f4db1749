package import Foundation

/// A text by the owner with which a note or an entry can begin.
///
/// It is Markdown with placeholders such as `{{date}}`; nothing in it is ever executed.
package struct WritingTemplate: Hashable, Sendable, Identifiable {
  /// The kind of text that begins with it.
  package enum Use: String, CaseIterable, Sendable {
    /// A day's note.
    case day
    /// An independent note, or one about a meeting.
    case note
    /// The notes of an entry.
    case entry
  }

  package var id: UUID
  package var name: String
  package var text: String
  package var use: Use
  /// For a day's note, the weekdays on which it is offered first.
  package var weekdays: Set<Weekday>
  /// For an entry, the kind for which it is offered first.
  package var kind: ActivityKind?

  package static let largestText = 20_000
  package static let longestName = 80

  package init(
    id: UUID, name: String, text: String, use: Use = .day, weekdays: Set<Weekday> = [],
    kind: ActivityKind? = nil
  ) {
    self.id = id
    self.name = name
    self.text = text
    self.use = use
    self.weekdays = use == .day ? weekdays : []
    self.kind = use == .entry ? kind : nil
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "name": .string(name), "text": .string(text),
      "use": .string(use.rawValue),
      "weekdays": JSON(weekdays.sorted { $0.rawValue < $1.rawValue }.map { $0.name.lowercased() }),
      "kind": JSON(kind?.rawValue),
    ]
  }

  /// Reads the form that `json` writes.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - id: the ID if the form contains none.
  /// - Throws: `FieldError` that names the first invalid field.
  package init(_ fields: inout FieldReader, id: UUID) throws(FieldError) {
    let use = try fields.string("use") ?? Use.day.rawValue
    guard let known = Use(rawValue: use) else {
      throw FieldError("use", "is \(FieldError.shown(use)), but must be day, note or entry")
    }
    var weekdays: Set<Weekday> = []
    for name in try fields.strings("weekdays") ?? [] {
      guard let day = Weekday.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
      else {
        throw FieldError(
          "weekdays", "has \(FieldError.shown(name)), but must be weekdays such as monday")
      }
      weekdays.insert(day)
    }
    let kind = try fields.string("kind")
    self.init(
      id: try fields.uuid("id") ?? id, name: try fields.required("name"),
      text: try fields.required("text"), use: known, weekdays: weekdays,
      kind: kind.flatMap { $0.isEmpty ? nil : ActivityKind(rawValue: $0) })
    try validate()
  }

  package func validate() throws(FieldError) {
    guard !isBlank(name) else { throw FieldError("name", "is empty") }
    guard name.count <= Self.longestName, !name.contains(where: \.isNewline) else {
      throw FieldError("name", "must be one line of at most \(Self.longestName) characters")
    }
    guard !isBlank(text) else { throw FieldError("text", "is empty") }
    guard text.utf8.count <= Self.largestText else {
      throw FieldError("text", "is longer than \(Self.largestText / 1_000) kB")
    }
    guard !text.contains("\0"), !name.contains("\0") else {
      throw FieldError("text", "contains a NUL character")
    }
  }

  /// The example template in a new archive.
  package static var example: WritingTemplate {
    WritingTemplate(
      id: exampleID, name: said("Evening"),
      text: """
        ## \(said("Three good things"))

        1. \("")
        2. \("")
        3. \("")

        ## \(said("Still open"))

        {{open}}

        ## \(said("Tomorrow"))

        - [ ] \("")
        """)
  }

  private static let exampleID = UUID(
    uuid: (0xA4, 0x1D, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
}

/// The data available when a template is filled in.
package struct TemplateValues: Hashable, Sendable {
  package var day: DayKey
  package var time: WallTime?
  package var weather: Weather?
  /// The open items of the day before, without their checkboxes.
  package var openItems: [String] = []
  package var prompt: String?

  package init(day: DayKey) { self.day = day }

  /// The placeholders, in the order of their explanations.
  package static let names = [
    "date", "day", "weekday", "yesterday", "tomorrow", "time", "weather", "open", "prompt",
  ]

  private func value(_ name: Substring) -> String? {
    switch name {
    case "date": day.shownName
    case "day": "[[\(day)]]"
    case "weekday": day.weekday.shownName
    case "yesterday": "[[\(day.advanced(by: -1))]]"
    case "tomorrow": "[[\(day.advanced(by: 1))]]"
    case "time": time?.shownClock ?? ""
    case "weather": weather?.shownText ?? ""
    case "open": openItems.map { "- [ ] \($0)" }.joined(separator: "\n")
    case "prompt": prompt ?? ""
    default: nil
    }
  }

  /// Returns a template's text with its placeholders filled in.
  ///
  /// Each is replaced once, so the text of an item or a prompt is never read as a placeholder. An
  /// unknown one is kept. A line that consists only of placeholders without a value is omitted.
  package func filled(_ text: String) -> String {
    // A carriage return and a line feed are one character.
    let text = text.replacing("\r\n", with: "\n")
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
      line -> String? in
      var result = ""
      var rest = line
      var isFilled = false
      while let open = rest.range(of: "{{") {
        guard let close = rest[open.upperBound...].prefix(40).range(of: "}}") else { break }
        let name = rest[open.upperBound..<close.lowerBound].drop { $0 == " " }
        let word = name.prefix { $0.isLetter }
        result += rest[..<open.lowerBound]
        if name.dropFirst(word.count).allSatisfy({ $0 == " " }), let value = value(word) {
          result += value
          isFilled = true
        } else {
          result += rest[open.lowerBound..<close.upperBound]
        }
        rest = rest[close.upperBound...]
      }
      result += rest
      return isFilled && isBlank(result) ? nil : result
    }.joined(separator: "\n")
  }

  /// Returns the unticked checkboxes in a text, with their formatting.
  package static func openItems(in text: String) -> [String] {
    var items: [String] = []
    MarkdownText.forEachLine(text) { line, isCode in
      guard !isCode, items.count < 100, let item = MarkdownText.item(line),
        let task = MarkdownText.task(item), !task.isDone, !isBlank(String(task.text))
      else { return }
      items.append(String(task.text))
    }
    return items
  }
}

/// The owner's templates and prompts.
package struct WritingSettings: Hashable, Sendable {
  package var templates: [WritingTemplate]
  /// True if a day without a note shows a prompt.
  package var showsPrompts = false
  /// True if prompts may refer to the owner's own past.
  package var usesPast = false
  /// The owner's prompts; nil to use the built-in ones.
  package var prompts: [String]?
  /// Templates for a use that only a newer version knows, as they are stored.
  private var foreign: [JSON] = []

  package static let mostTemplates = 200
  package static let mostPrompts = 1_000
  package static let longestPrompt = 500

  package init() { templates = [.example] }

  /// Reads the form that `json` writes; invalid parts are skipped, and templates for an unknown use
  /// are kept for the next write.
  package init(_ json: JSON) {
    let items = json["templates"]?.array ?? []
    foreign = items.filter { item in
      item["use"]?.string.map { WritingTemplate.Use(rawValue: $0) == nil } ?? false
    }
    templates = items.compactMap { item in
      guard let object = item.object else { return nil }
      var fields = FieldReader(object)
      return try? WritingTemplate(&fields, id: UUID())
    }
    showsPrompts = json["showsPrompts"]?.bool ?? false
    usesPast = json["usesPast"]?.bool ?? false
    prompts = json["prompts"]?.array?.compactMap(\.string)
  }

  package var json: JSON {
    [
      "templates": .array(templates.map(\.json) + foreign), "showsPrompts": .bool(showsPrompts),
      "usesPast": .bool(usesPast), "prompts": prompts.map { JSON($0) } ?? .null,
    ]
  }

  /// The prompts in use.
  package var shownPrompts: [String] { prompts ?? Self.usualPrompts }

  /// Returns the prompt for a day from the list, a different one each day; nil if the list is
  /// empty.
  package func prompt(of day: DayKey) -> String? {
    let all = shownPrompts
    guard !all.isEmpty else { return nil }
    let count = all.count
    return all[((day.daysSinceEpoch % count) + count) % count]
  }

  /// Returns the template with a name or an ID.
  ///
  /// - Throws: `FieldError` that lists the existing ones.
  package func template(named name: String) throws(FieldError) -> WritingTemplate {
    let folded = NameFolding.key(name)
    if let found = templates.first(where: {
      NameFolding.key($0.name) == folded || $0.id.uuidString == name.uppercased()
    }) {
      return found
    }
    let known = templates.map(\.name).joined(separator: ", ")
    throw FieldError(
      "template",
      known.isEmpty
        ? "is \(FieldError.shown(name)), but there are no templates yet"
        : "is \(FieldError.shown(name)), but must be one of \(known)")
  }

  /// Returns the templates for a day's note, those for its weekday first.
  package func templates(of day: DayKey) -> [WritingTemplate] {
    let all = templates.filter { $0.use == .day }
    return all.filter { $0.weekdays.contains(day.weekday) }
      + all.filter { !$0.weekdays.contains(day.weekday) }
  }

  /// Returns the templates for an entry, those for its kind first.
  package func templates(of kind: ActivityKind) -> [WritingTemplate] {
    let all = templates.filter { $0.use == .entry }
    return all.filter { $0.kind == kind } + all.filter { $0.kind == nil }
      + all.filter { $0.kind != kind && $0.kind != nil }
  }

  /// Adds a template, or replaces the one with the same ID; at most one template is offered first
  /// for each weekday and each kind.
  ///
  /// - Throws: `FieldError` if another one has its name, or there are too many.
  package mutating func keep(_ template: WritingTemplate) throws(FieldError) {
    try template.validate()
    let name = NameFolding.key(template.name)
    guard !templates.contains(where: { $0.id != template.id && NameFolding.key($0.name) == name })
    else {
      throw FieldError("name", "is already the name of another template")
    }
    for index in templates.indices where templates[index].id != template.id {
      templates[index].weekdays.subtract(template.weekdays)
      if template.kind != nil, templates[index].kind == template.kind {
        templates[index].kind = nil
      }
    }
    if let index = templates.firstIndex(where: { $0.id == template.id }) {
      templates[index] = template
    } else {
      guard templates.count < Self.mostTemplates else {
        throw FieldError(
          "name",
          "can’t be added: there are already \(Self.mostTemplates) templates. Delete one first")
      }
      templates.append(template)
    }
  }

  /// Sets the owner's list of prompts, one per line; an empty list restores the built-in prompts.
  ///
  /// - Throws: `FieldError` if there are too many, or one is too long.
  package mutating func setPrompts(_ lines: [String]) throws(FieldError) {
    let lines = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    guard lines.count <= Self.mostPrompts else {
      throw FieldError(
        "prompts", "has \(lines.count) lines, but can have at most \(Self.mostPrompts)")
    }
    if let long = lines.firstIndex(where: { $0.count > Self.longestPrompt }) {
      throw FieldError(
        "prompts", "has more than \(Self.longestPrompt) characters in line \(long + 1)")
    }
    prompts = lines.isEmpty || lines == Self.usualPrompts ? nil : lines
  }

  /// Returns the prompt about the text written a number of years ago.
  package static func pastPrompt(years: Int, _ words: String) -> String {
    years == 1 ? said("A year ago: \(words)") : said("\(years) years ago: \(words)")
  }

  /// The built-in prompts.
  package static var usualPrompts: [String] {
    [
      said("What was good today?"), said("What surprised you?"),
      said("Who did you think of, and why?"), said("What did you learn?"),
      said("What would you do differently?"), said("What are you looking forward to?"),
      said("What drained you, and what gave you energy?"),
      said("What did you put off, and what’s behind it?"),
      said("What small thing would you like to remember?"), said("What are you grateful for?"),
      said("What did you hear, smell or taste today?"),
      said("What would make tomorrow a good day?"), said("What was on your mind most?"),
      said("What have you finished?"),
    ]
  }
}
