import ArkivedCore

/// The form of a part of a query: a single declaration defines both its JSON Schema and its
/// validation.
indirect enum QueryShape: Sendable {
  case text
  case choice([String])
  case integer(ClosedRange<Int>)
  case number
  case flag
  /// `YYYY-MM-DD`.
  case day
  /// `HH:MM`.
  case clock
  case list(QueryShape)
  /// An object; it contains exactly one of its members if `isOne`.
  case object([Member], isOne: Bool = false)
  /// A string or an object.
  case either(QueryShape, QueryShape)
  /// A shape declared in `QueryShape.named`, because it may contain itself.
  case named(String)

  struct Member: Sendable {
    var name: String
    var shape: QueryShape
    var summary: String
    var isRequired = false

    init(_ name: String, _ shape: QueryShape, _ summary: String, isRequired: Bool = false) {
      self.name = name
      self.shape = shape
      self.summary = summary
      self.isRequired = isRequired
    }
  }

  static let longestText = 500
  static let longestList = 50
  /// The maximum nesting depth of predicates and sources.
  static let depthLimit = 16
  /// The maximum number of values in a query.
  static let partLimit = 1_000
  /// The maximum number of phrases and quotations, each of which requires a search.
  static let searchLimit = 20
}

// MARK: Query shapes

extension QueryShape {
  static let query = QueryShape.object(members)

  static let members: [Member] = [
    Member("source", .named("source"), "What to read.", isRequired: true),
    Member(
      "fold", .choice(Query.Fold.allCases.map(\.rawValue)),
      "What to compute. Default: list. sum, mean, median, highest and lowest require unit or a "
        + "metric. compare and share require against."),
    Member(
      "target", .choice(Query.Target.allCases.map(\.rawValue)),
      "What the values are, such as the day or the place of each item."),
    Member("unit", .text, "The unit of the amounts, such as km, € or pages; min for durations."),
    Member(
      "rank", .integer(1...Query.largestLimit),
      "For nth, highest and lowest: 2 for the second, and so on."),
    Member(
      "by", .choice(["count", "distinct", "sum", "mean", "median"]),
      "What compare and share compute for both sides. Default: count."),
    Member("against", .named("source"), "The other side of compare, or the whole for share."),
    Member(
      "group", .choice(Query.Group.allCases.map(\.rawValue)),
      "Compute the result for each of these."),
    Member(
      "order", .choice(Query.Order.allCases.map(\.rawValue)),
      "The order of groups and lists; most and least order by value."),
    Member("limit", .integer(1...Query.largestLimit), "How many values to return. Default: 50."),
    Member(
      "citations", .integer(0...Query.largestLimit), "How many citations to return. Default: 20."),
  ]

  static let named: [String: QueryShape] = [
    "source": .object(sources, isOne: true), "predicate": .object(conditions),
  ]

  private static let source = QueryShape.named("source")
  private static let predicate = QueryShape.named("predicate")

  private static let itemSummaries: [Query.ItemKind: String] = [
    .entries: "Entries that match a predicate; {} matches all.",
    .days: "Days. Each condition must be met by the day or one of its entries.",
    .meetings: "Past and future meetings.", .notes: "Notes.",
    .promises: "Promises in notes.", .decisions: "Decisions in notes.", .goals: "Goals.",
    .terms: "Ten-week terms.", .people: "People.",
  ]

  private static let sources: [Member] =
    Query.ItemKind.allCases.map { Member($0.rawValue, predicate, itemSummaries[$0] ?? "") } + [
      Member(
        "metric",
        .object([
          Member("name", .text, "steps, sleep, mood, energy …", isRequired: true),
          Member("where", predicate, "The days to include."),
        ]), "Days with the value of a metric."),
      Member(
        "onDays",
        .object([
          Member("source", source, "The items to return.", isRequired: true),
          Member("of", source, "The items whose days are used.", isRequired: true),
          Member(
            "from", .integer(-36_600...36_600),
            "How many days later; 1 is the next day. Default: 0."),
          Member("to", .integer(-36_600...36_600), "At most this many days later. Default: from."),
        ]), "Items on the days of another source, or some days later."),
      Member(
        "between",
        .object([
          Member("source", source, "The items to return.", isRequired: true),
          Member("start", source, "Its first day is the start.", isRequired: true),
          Member("end", source, "Its last day is the end.", isRequired: true),
        ]), "Items between two events, including their days."),
      Member(
        "minus",
        .object([
          Member("source", source, "The items to return.", isRequired: true),
          Member(
            "without", source, "The items to exclude; the same kind of source.", isRequired: true),
        ]), "Items that aren’t in another source."),
      Member("union", .list(source), "Items from several sources of the same kind."),
    ]

  private static let bounds: [Member] = [
    Member("min", .number, "The minimum."), Member("max", .number, "The maximum."),
  ]

  private static let conditions: [Member] = [
    Member("all", .list(predicate), "All of these must match."),
    Member("any", .list(predicate), "At least one of these must match."),
    Member("not", predicate, "This must not match."),
    Member("time", .text, "A time in words or numbers: last month, 2025, 2026-03-14."),
    Member(
      "days",
      .object([Member("from", .day, "The first day."), Member("to", .day, "The last day.")]),
      "A range of days, including both."),
    Member("weekday", .list(.choice(weekdays)), "Days of the week."),
    Member(
      "hours",
      .object([
        Member("from", .clock, "The earliest start.", isRequired: true),
        Member("to", .clock, "The start must be before this.", isRequired: true),
      ]), "The time it started, such as 18:00 to 22:00."),
    Member("season", .list(.choice(Query.Season.allCases.map(\.rawValue))), "Seasons."),
    Member("month", .list(.integer(1...12)), "Months of any year."),
    Member(
      "person",
      .either(
        .text,
        .object([
          Member("name", .text, "The name.", isRequired: true),
          Member(
            "role", .choice(Query.Role.allCases.map(\.rawValue)),
            "For meetings organizer or attendee, for promises owner or recipient."),
        ])), "Someone who is named or took part."),
    Member("alone", .flag, "True for items that name nobody."),
    Member("place", .text, "A place, or a word from its name."),
    Member("tag", .text, "A tag."), Member("kind", .text, "The kind, such as work or health."),
    Member("source", .text, "The source, such as manual."),
    Member(
      "concept",
      .either(
        .text,
        .object([
          Member("phrase", .text, "The words.", isRequired: true),
          Member(
            "role", .choice(Query.Concept.Role.allCases.map(\.rawValue)),
            "event: the single entry that matches best."),
        ])), "What the entries are about, in your words; found by words, tags and meaning."),
    Member(
      "amount",
      .object([Member("unit", .text, "The unit; min for time.", isRequired: true)] + bounds),
      "An amount within bounds."),
    Member("mood", .object(bounds), "The day's mood, 1 to 5."),
    Member("energy", .object(bounds), "The day's energy, 1 to 5."),
    Member(
      "metric", .object([Member("name", .text, "Its name.", isRequired: true)] + bounds),
      "A metric of the day."),
    Member("text", .text, "Words that appear literally in the entry."),
    Member("done", .flag, "For promises: true if done."),
  ]

  static let weekdays = Weekday.allCases.map { $0.name.lowercased() }
}

// MARK: Schema

extension QueryShape {
  /// The JSON Schema (2020-12) of a query.
  static let schema: JSON = {
    var schema = query.schema.object ?? [:]
    var definitions = JSONObject()
    for (name, shape) in named.sorted(by: { $0.key < $1.key }) { definitions[name] = shape.schema }
    schema["$defs"] = .object(definitions)
    return .object(schema)
  }()

  var schema: JSON {
    switch self {
    case .text: ["type": "string", "minLength": 1, "maxLength": JSON(Self.longestText)]
    case .choice(let values): ["type": "string", "enum": JSON(values)]
    case .integer(let range):
      [
        "type": "integer", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound),
      ]
    case .number: ["type": "number"]
    case .flag: ["type": "boolean"]
    case .day: ["type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"]
    case .clock: ["type": "string", "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$"]
    case .list(let element):
      [
        "type": "array", "items": element.schema, "minItems": 1,
        "maxItems": JSON(Self.longestList),
      ]
    case .object(let members, let isOne): Self.schema(of: members, isOne: isOne)
    case .either(let text, let object): ["anyOf": [text.schema, object.schema]]
    case .named(let name): ["$ref": .string("#/$defs/\(name)")]
    }
  }

  private static func schema(of members: [Member], isOne: Bool) -> JSON {
    var properties = JSONObject()
    for member in members {
      var property = member.shape.schema.object ?? [:]
      property["description"] = .string(member.summary)
      properties[member.name] = .object(property)
    }
    var schema: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = JSON(required) }
    if isOne { (schema["minProperties"], schema["maxProperties"]) = (1, 1) }
    return .object(schema)
  }
}

// MARK: Check

/// A position in a query as a JSON pointer (RFC 6901).
struct QueryPlace: Hashable, Sendable {
  private(set) var pointer = ""

  /// Returns the position of a member of this object; a long name is truncated.
  func member(_ name: String) -> QueryPlace {
    let plain = name.count > 60 ? String(name.prefix(59)) + "…" : name
    let escaped = plain.replacing("~", with: "~0").replacing("/", with: "~1")
    return QueryPlace(pointer: pointer + "/" + escaped)
  }

  func element(_ index: Int) -> QueryPlace { QueryPlace(pointer: "\(pointer)/\(index)") }

  func refusal(_ problem: String) -> FieldError {
    FieldError(pointer.isEmpty ? "The query" : pointer, problem)
  }
}

extension QueryShape {
  /// Validates a value and everything in it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - place: its position in the query.
  ///   - depth: how deeply it is nested.
  ///   - parts: counts the values examined, so validation stops early for any input.
  /// - Throws: `FieldError` whose field is the JSON pointer of the first invalid part.
  func check(
    _ value: JSON, at place: QueryPlace, depth: Int = 0, parts: inout Int
  ) throws(FieldError) {
    parts += 1
    guard parts <= Self.partLimit else {
      throw place.refusal("has too many values; a query can have at most \(Self.partLimit)")
    }
    switch (self, value) {
    case (.named(let name), _):
      guard depth < Self.depthLimit else {
        throw place.refusal("is nested too deeply; at most \(Self.depthLimit) levels are allowed")
      }
      try Self.named[name]?.check(value, at: place, depth: depth + 1, parts: &parts)
    case (.either(let text, _), .string):
      try text.check(value, at: place, depth: depth, parts: &parts)
    case (.either(_, let object), .object):
      try object.check(value, at: place, depth: depth, parts: &parts)
    case (.text, .string(let text)):
      guard !text.isEmpty, text.contains(where: { !$0.isWhitespace }) else {
        throw place.refusal("is empty")
      }
      guard text.utf8.count <= 4 * Self.longestText,
        text.unicodeScalars.count <= Self.longestText
      else { throw place.refusal("is longer than \(Self.longestText) characters") }
    case (.choice(let values), .string(let text)) where values.contains(text): break
    case (.integer(let range), .integer), (.integer(let range), .number):
      guard let number = value.int, range.contains(number) else { throw wrong(value, place) }
    case (.number, .integer): break
    case (.number, .number(let number)) where number.isFinite: break
    case (.flag, .bool): break
    case (.day, .string(let text)) where DayKey(text) != nil: break
    case (.clock, .string(let text)) where Self.minute(text) != nil: break
    case (.list(let element), .array(let values)):
      guard !values.isEmpty else {
        throw place.refusal("is empty, but must have at least one element")
      }
      guard values.count <= Self.longestList else {
        throw place.refusal(
          "has \(values.count) values, but at most \(Self.longestList) are allowed")
      }
      for (index, value) in values.enumerated() {
        try element.check(value, at: place.element(index), depth: depth, parts: &parts)
      }
    case (.object(let members, let isOne), .object(let object)):
      for (name, value) in object.members {
        guard let member = members.first(where: { $0.name == name }) else {
          throw place.member(name).refusal(
            "is unknown. Valid here: \(members.map(\.name).joined(separator: ", "))")
        }
        try member.shape.check(value, at: place.member(name), depth: depth, parts: &parts)
      }
      for member in members where member.isRequired && object[member.name] == nil {
        throw place.member(member.name).refusal(
          "is missing and must be \(member.shape.wanted)")
      }
      if isOne, object.members.count != 1 {
        throw place.refusal(
          "has \(object.members.count) members, but must have exactly one of "
            + members.map(\.name).joined(separator: ", "))
      }
    default: throw wrong(value, place)
    }
  }

  private func wrong(_ value: JSON, _ place: QueryPlace) -> FieldError {
    let told =
      switch value {
      case .string(let text): FieldError.shown(text)
      case .integer, .number: value.text()
      default: value.typeName
      }
    return place.refusal("is \(told), but must be \(wanted)")
  }

  /// The description of valid values: "one of list, count".
  private var wanted: String {
    switch self {
    case .text: "a string"
    case .choice(let values): "one of \(values.joined(separator: ", "))"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .flag: "true or false"
    case .day: "a day such as 2026-03-14"
    case .clock: "a time such as 18:00"
    case .list: "a list"
    case .object(let members, true): "an object with one of \(Self.names(members))"
    case .object(let members, false): "an object with \(Self.names(members))"
    case .either: "a string or an object"
    case .named(let name): Self.named[name]?.wanted ?? "an object"
    }
  }

  private static func names(_ members: [Member]) -> String {
    members.map(\.name).joined(separator: ", ")
  }

  /// Parses `HH:MM` as a minute of the day.
  static func minute(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == 0x3A,
      [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
    else { return nil }
    let digits = bytes.map { Int($0) - 0x30 }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
    return hour < 24 && minute < 60 ? hour * 60 + minute : nil
  }
}
