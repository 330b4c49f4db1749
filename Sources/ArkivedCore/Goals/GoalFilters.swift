/// A page of a list: a limit and an offset.
package struct ListPage: Hashable, Sendable {
  package static let largestOffset = 10_000_000

  package var limit: Int
  package var offset: Int
  /// The cursor that the page before returned.
  package var after: PageCursor?

  package init(limit: Int, offset: Int = 0, after: PageCursor? = nil) {
    self.limit = limit
    self.offset = offset
    self.after = after
  }

  /// Reads `limit`, `offset` and, for lists that have a cursor, `after`.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - usual: the limit if none is given.
  ///   - most: the largest limit.
  ///   - takesCursor: true to read `after`.
  /// - Throws: `FieldError` if one of them isn't valid.
  package init(
    _ fields: inout FieldReader, usual: Int, most: Int, takesCursor: Bool = false
  ) throws(FieldError) {
    limit = try fields.int("limit") ?? usual
    guard (1...most).contains(limit) else {
      throw FieldError("limit", "is \(limit), but must be between 1 and \(most)")
    }
    offset = try fields.int("offset") ?? 0
    guard (0...ListPage.largestOffset).contains(offset) else {
      throw FieldError(
        "offset", "is \(offset), but must be between 0 and \(ListPage.largestOffset)")
    }
    after = try takesCursor ? Self.cursor(fields.string("after"), offset: offset) : nil
  }

  /// Reads a cursor.
  ///
  /// - Parameters:
  ///   - text: the text that the page before returned; nil or empty for the first page.
  ///   - offset: the offset that is given besides.
  /// - Returns: the cursor.
  /// - Throws: `FieldError` if it isn't a cursor, or is combined with an offset.
  package static func cursor(_ text: String?, offset: Int) throws(FieldError) -> PageCursor? {
    guard let text, !text.isEmpty else { return nil }
    guard let cursor = PageCursor(text) else {
      throw FieldError("after", "must be the “next” of the page before")
    }
    guard offset == 0 else { throw FieldError("after", "can’t be combined with offset") }
    return cursor
  }

  /// Returns this page of a whole list.
  package func part<Element: Sendable>(of all: [Element]) -> Listed<Element> {
    Listed(items: Array(all.dropFirst(offset).prefix(limit)), total: all.count)
  }
}

/// A page of a list, with the length of the whole list.
package struct Listed<Element: Sendable>: Sendable {
  package var items: [Element]
  package var total: Int

  package init(items: [Element], total: Int) {
    self.items = items
    self.total = total
  }
}

/// A span of days that may be open on either side.
package struct DayFilter: Hashable, Sendable {
  package var from: DayKey?
  package var to: DayKey?

  package init(from: DayKey? = nil, to: DayKey? = nil) {
    self.from = from
    self.to = to
  }

  /// Reads the first and the last day, both inclusive.
  package init(
    _ fields: inout FieldReader, from first: String = "startDate", to last: String = "endDate",
    homeZone: Zone
  ) throws(FieldError) {
    from = try fields.dayOrInstant(first, in: homeZone)
    to = try fields.dayOrInstant(last, in: homeZone)
    if let from, let to, from > to {
      throw FieldError(last, "is \(to), but must not be before \(first) (\(from))")
    }
  }

  package var isOpen: Bool { from == nil && to == nil }
  /// The days of the span, or nil if both sides are open.
  package var days: ClosedRange<DayKey>? {
    isOpen ? nil : (from ?? .earliest)...max(from ?? .earliest, to ?? .latest)
  }

  /// Returns true if a period, which may be open on either side, has a day in common with the span.
  package func meets(from start: DayKey?, to end: DayKey?) -> Bool {
    (start ?? .earliest) <= (to ?? .latest) && (end ?? .latest) >= (from ?? .earliest)
  }
}

/// A filter for goals.
package struct GoalFilter: Hashable, Sendable {
  /// Text to find in the title, the description, the notes or the relevance, ignoring case and
  /// accents.
  package var searchText: String?
  package var goalType: String?
  /// True for goals with a first or a last day, false for those without, nil for both.
  package var hasDates: Bool?
  /// True for goals with a target amount, false for those without, nil for both.
  package var hasTarget: Bool?
  /// The days to match; a goal matches if it can be worked on on one of these days, a milestone
  /// only on its target date.
  package var span: DayFilter
  package var page: ListPage

  package init(
    searchText: String? = nil, goalType: String? = nil, hasDates: Bool? = nil,
    hasTarget: Bool? = nil, span: DayFilter = DayFilter(), page: ListPage = ListPage(limit: 50)
  ) {
    self.searchText = searchText
    self.goalType = goalType
    self.hasDates = hasDates
    self.hasTarget = hasTarget
    self.span = span
    self.page = page
  }

  /// Reads searchText, goalType, hasDates, hasTarget, startDate, endDate, limit (1 to 100) and offset.
  package init(_ fields: inout FieldReader, homeZone: Zone) throws(FieldError) {
    searchText = try fields.string("searchText")
    goalType = try fields.string("goalType")
    hasDates = try fields.bool("hasDates")
    hasTarget = try fields.bool("hasTarget")
    span = try DayFilter(&fields, homeZone: homeZone)
    page = try ListPage(&fields, usual: 50, most: 100)
  }

  /// Returns the goals that match, in their original order.
  package func select(_ goals: [Goal]) -> Listed<Goal> {
    let text = SearchedText(searchText)
    let type = goalType.map(NameFolding.loose)
    return page.part(
      of: goals.filter { goal in
        let start = goal.goalType == .milestone ? goal.targetDate : goal.startDate
        return (type.map { $0 == NameFolding.loose(goal.goalType.rawValue) } ?? true)
          && span.meets(from: start, to: goal.targetDate) && hasWanted(goal)
          && text.stands(in: goal.title, goal.description, goal.notes, goal.howGoalIsRelevant)
      })
  }

  /// Returns true if a goal has the dates and the target that the filter asks for.
  package func hasWanted(_ goal: Goal) -> Bool {
    (hasDates.map { $0 == (goal.startDate != nil || goal.targetDate != nil) } ?? true)
      && (hasTarget.map { $0 == (goal.measurementTarget != nil) } ?? true)
  }
}

/// A filter for values and life areas.
package struct ValueFilter: Hashable, Sendable {
  package var searchText: String?
  package var valueType: String?
  package var lifeDomain: String?
  package var minPriority: Int?
  package var maxPriority: Int?
  package var page: ListPage

  package init(
    searchText: String? = nil, valueType: String? = nil, lifeDomain: String? = nil,
    minPriority: Int? = nil, maxPriority: Int? = nil, page: ListPage = ListPage(limit: 50)
  ) {
    self.searchText = searchText
    self.valueType = valueType
    self.lifeDomain = lifeDomain
    self.minPriority = minPriority
    self.maxPriority = maxPriority
    self.page = page
  }

  /// Reads searchText, valueType, lifeDomain, minPriority, maxPriority, limit (1 to 50) and offset.
  package init(_ fields: inout FieldReader) throws(FieldError) {
    searchText = try fields.string("searchText")
    valueType = try fields.string("valueType")
    lifeDomain = try fields.string("lifeDomain")
    minPriority = try fields.int("minPriority")
    maxPriority = try fields.int("maxPriority")
    for (name, priority) in [("minPriority", minPriority), ("maxPriority", maxPriority)] {
      guard let priority, !(1...100).contains(priority) else { continue }
      throw FieldError(name, "is \(priority), but must be between 1 (highest) and 100")
    }
    if let minPriority, let maxPriority, minPriority > maxPriority {
      throw FieldError(
        "maxPriority", "is \(maxPriority), but must not be less than minPriority (\(minPriority))")
    }
    page = try ListPage(&fields, usual: 50, most: 50)
  }

  /// Returns the values that match, in their original order.
  package func select(_ values: [PersonalValue]) -> Listed<PersonalValue> {
    let text = SearchedText(searchText)
    let type = valueType.map(NameFolding.loose)
    let domain = lifeDomain.map(NameFolding.loose)
    return page.part(
      of: values.filter { value in
        (type.map { $0 == NameFolding.loose(value.incentiveType.rawValue) } ?? true)
          && (domain.map { $0 == NameFolding.loose(value.lifeDomain) } ?? true)
          && value.priority >= minPriority ?? 1 && value.priority <= maxPriority ?? 100
          && text.stands(in: value.title, value.description, value.notes, value.alignmentGuidance)
      })
  }
}

/// A filter for terms.
package struct TermFilter: Hashable, Sendable {
  package var termNumber: Int?
  /// The status to match, or nil for all.
  package var status: TermStatus?
  /// The days to match; a term matches if it includes one of them.
  package var span: DayFilter
  package var page: ListPage

  package init(
    termNumber: Int? = nil, status: TermStatus? = nil, span: DayFilter = DayFilter(),
    page: ListPage = ListPage(limit: 20)
  ) {
    self.termNumber = termNumber
    self.status = status
    self.span = span
    self.page = page
  }

  /// Reads termNumber, status (active, upcoming, complete or all), startDate, endDate, limit
  /// (1 to 20) and offset.
  package init(_ fields: inout FieldReader, homeZone: Zone) throws(FieldError) {
    termNumber = try fields.int("termNumber")
    status = try fields.string("status").flatMap { text throws(FieldError) in
      try TermStatus.filter(text)
    }
    span = try DayFilter(&fields, homeZone: homeZone)
    page = try ListPage(&fields, usual: 20, most: 20)
  }

  /// Returns the terms that match, in their original order.
  package func select(_ terms: [Term], today: DayKey) -> Listed<Term> {
    page.part(
      of: terms.filter { term in
        (termNumber.map { $0 == term.termNumber } ?? true)
          && (status.map { $0 == term.status(on: today) } ?? true)
          && span.meets(from: term.startDate, to: term.targetDate)
      })
  }
}

/// A text to find in others, ignoring case and accents.
private struct SearchedText {
  let folded: String?

  init(_ text: String?) {
    folded = text.flatMap { isBlank($0) ? nil : NameFolding.loose($0) }
  }

  func stands(in texts: String?...) -> Bool {
    guard let folded else { return true }
    return texts.contains { $0.map { NameFolding.loose($0).contains(folded) } ?? false }
  }
}
