import Foundation

/// The facts about an action that matching needs.
package struct ActionFacts: Sendable {
  package var day: DayKey
  /// Pairs of unit and amount.
  package var measurements: [(unit: String, amount: Double)]
  /// In minutes.
  package var duration: Double?
  /// The words in which keywords are looked up: those of the action's text, description and tags.
  package private(set) var words: [[Keyword.Word]]

  /// The index of the first tag among the texts.
  static let tagsFrom = 2

  package init(
    day: DayKey, measurements: [(unit: String, amount: Double)], duration: Double?,
    texts: [String]
  ) {
    self.day = day
    self.measurements = measurements
    self.duration = duration
    words = texts.map(Keyword.words(of:))
  }

  /// Sets texts that are read later than the rest.
  package mutating func read(_ texts: [String]) { words = texts.map(Keyword.words(of:)) }

  init(_ action: some Performed & Persistable, on day: DayKey, tags: [String]) {
    self.init(
      day: day,
      measurements: action.measurements.sorted { $0.key < $1.key }
        .map { (unit: $0.key, amount: $0.value) },
      duration: action.duration, texts: [action.title, action.description ?? ""] + tags)
  }

  package init(_ activity: Activity) {
    self.init(activity, on: activity.dayKey, tags: activity.tags)
    // The length of whole days isn't time that somebody spent.
    if activity.durationMinutes == nil, activity.isAllDay { duration = nil }
  }
}

/// A match of an action with a goal, and the action's contribution.
public struct GoalMatch: Hashable, Sendable {
  /// In the goal's unit.
  public var contribution: Double
  /// The confidence of the match, from 0 to 1.
  public var confidence: Double
  /// The parts that matched: `dates`, `unit:km`, `keyword:yoga`, `tag:yoga`, `duration`.
  public var matchedOn: [String]

  /// True if the match is confident enough to count without review.
  public var counts: Bool { confidence >= ActionGoalContribution.countsFrom }

  /// The first element of `matchedOn` if the match was proposed by similarity of meaning.
  package static let meaning = "meaning"
  /// The highest confidence of a match by similarity of meaning.
  package static let proposalLimit = 0.6

  /// Creates a match.
  public init(contribution: Double, confidence: Double, matchedOn: [String]) {
    self.contribution = contribution
    self.confidence = confidence
    self.matchedOn = matchedOn
  }
}

/// Decides which actions count toward one goal.
///
/// Only actions within the goal's dates count. If the goal's hints name units and keywords, an
/// action matches if it has a measurement in one of the units and contains one of the keywords
/// (confidence 0.9). Otherwise it matches if it has a measurement in the goal's unit (0.8), or one
/// whose name only contains the unit, such as `distance_km` (0.6). Units match by name, plural,
/// alias or conversion. The duration counts as minutes if no measurement gives a time; an all-day
/// activity has none, unless it was entered.
public struct GoalMatcher: Sendable {
  /// The confidence of a match by a unit and a keyword of the hints.
  public static let hintedConfidence = 0.9
  /// The confidence of a match by the unit.
  public static let unitConfidence = 0.8
  /// The confidence of a match by part of the measurement's name.
  public static let partConfidence = 0.6

  /// The goal.
  public let goal: Goal
  /// Problems in the goal's hints, worded for its owner.
  public let warnings: [String]

  private let table: UnitTable
  /// The units a measurement may have, preferred first; empty if nothing can match.
  private let units: [String]
  let keywords: [Keyword]
  private let needsKeyword: Bool
  /// True if each action that contains a keyword counts as one occasion.
  private let countsOnce: Bool

  /// Creates a matcher for a goal, with the units of measure that Arkived knows.
  public init(_ goal: Goal) { self.init(goal, units: .standard) }

  package init(_ goal: Goal, units table: UnitTable) {
    self.goal = goal
    // A goal always knows its own unit, with its singular and plural.
    var table = table.teaching([goal.measurementUnit].compactMap { $0 })
    var warnings: [String] = []
    var units = [goal.measurementUnit].compactMap { $0 }
    var keywords: [Keyword] = []
    switch GoalHints.read(goal.howGoalIsActionable) {
    case .absent: break
    case .broken(let why): warnings.append("howGoalIsActionable is ignored: \(why)")
    case .hints(let hints):
      keywords = hints.keywords.map(Keyword.init)
      warnings += keywords.filter(\.isEmpty).map {
        "howGoalIsActionable contains “\($0.text)”, which has no letters to search for"
      }
      if !hints.units.isEmpty { units = hints.units }
      table = table.teaching(hints.units)
      for unit in hints.units {
        if let own = goal.measurementUnit, GoalMatcher.cannotHold(unit, in: own, table) {
          warnings.append(
            "howGoalIsActionable contains \(unit), which can’t be converted to \(own)")
        }
      }
    }
    if goal.measurementUnit == nil {
      warnings += units.isEmpty ? [] : ["without measurementUnit, no action counts automatically"]
      units = []
    }
    self.table = table
    self.units = units
    self.keywords = keywords
    needsKeyword = !keywords.isEmpty
    countsOnce =
      !keywords.isEmpty && goal.measurementUnit.map(GoalMatcher.isOccasion) == true
    self.warnings = warnings
  }

  /// True if no action can ever match.
  package var isIdle: Bool { units.isEmpty }

  /// True if an action's texts are needed for the match.
  package var readsTexts: Bool { needsKeyword }

  /// Returns true if a measurement with this name can count, regardless of the rest of the action.
  package func canMeasure(_ name: String) -> Bool {
    countsOnce || measure(named: [name], hasLength: false) != nil
  }

  /// True if the length of an action can count.
  package var canTime: Bool { countsOnce || measure(named: [], hasLength: true) != nil }

  /// True if every action with one of the keywords counts, measured or not.
  package var countsOccasions: Bool { countsOnce }

  /// Returns an activity's contribution to the goal, or nil if it doesn't match.
  public func match(_ activity: Activity) -> GoalMatch? { match(ActionFacts(activity)) }

  /// Returns the contribution of something done on a day, or nil if it doesn't match.
  public func match(
    _ action: some Performed & Persistable, on day: DayKey, tags: [String] = []
  ) -> GoalMatch? {
    match(ActionFacts(action, on: day, tags: tags))
  }

  /// Returns an action's contribution to the goal, or nil if it doesn't match.
  package func match(_ action: ActionFacts) -> GoalMatch? {
    guard goal.accepts(action.day), !units.isEmpty else { return nil }
    return match(
      action,
      measure: measure(
        named: action.measurements.map(\.unit), hasLength: action.duration != nil))
  }

  /// Returns an action's contribution to the goal, for an action on one of the goal's days and with
  /// a known measure.
  func match(_ action: ActionFacts, measure: Measure?) -> GoalMatch? {
    var contribution = 1.0
    if let measure {
      guard let amount = measure.amount(in: action) else { return nil }
      contribution = amount
    } else if !countsOnce {
      return nil
    }
    var matchedOn = goal.startDate == nil && goal.targetDate == nil ? [] : ["dates"]
    var confidence = GoalMatcher.unitConfidence
    var keyword: String?
    if needsKeyword {
      guard let found = self.keyword(in: action.words) else { return nil }
      keyword = found
      confidence = GoalMatcher.hintedConfidence
    }
    if let measure {
      matchedOn.append(measure.source)
      if measure.isPart { confidence = GoalMatcher.partConfidence }
    }
    if let keyword { matchedOn.append(keyword) }
    return GoalMatch(
      contribution: contribution, confidence: confidence, matchedOn: matchedOn)
  }

  /// Returns the amount an action measures in the goal's unit, and the source of the amount,
  /// ignoring keywords and dates.
  package func measured(_ action: ActionFacts) -> (amount: Double, source: String)? {
    let measure = measure(named: action.measurements.map(\.unit), hasLength: action.duration != nil)
    return measure.flatMap { measure in
      measure.amount(in: action).map { ($0, measure.source) }
    }
  }

  // MARK: Units

  /// The conversion of an action's measurements into the goal's unit.
  package struct Measure: Sendable {
    /// The index of the measurement, or nil for the action's length.
    var index: Int?
    /// The factors to multiply the amount by, in order.
    var factors: [Double]
    package var source: String
    var isPart = false

    /// Returns the amount in the goal's unit, or nil if it is too large to represent.
    func amount(in action: ActionFacts) -> Double? {
      guard let amount = index.map({ action.measurements[$0].amount }) ?? action.duration
      else { return nil }
      let result = factors.reduce(amount, *)
      return result.isFinite ? result : nil
    }
  }

  /// Returns the conversion of these measurements into the goal's unit, or nil if there is none.
  ///
  /// Several measurements of the same thing, such as km and miles of one run, count once: the first
  /// of the wanted units wins, and a measurement with that unit's own name comes before a
  /// conversion.
  ///
  /// - Parameters:
  ///   - names: the units of the measurements.
  ///   - hasLength: true if the actions have a known duration.
  /// - Returns: the conversion.
  package func measure(named names: [String], hasLength: Bool) -> Measure? {
    for unit in units {
      for (index, name) in names.enumerated() where table.isSame(name, unit) {
        if let factor = factorToGoal(from: unit) {
          return Measure(index: index, factors: [factor], source: "unit:\(name)")
        }
      }
    }
    for unit in units {
      for (index, name) in names.enumerated() {
        if let first = table.convert(1, from: name, to: unit), let second = factorToGoal(from: unit)
        {
          return Measure(index: index, factors: [first, second], source: "unit:\(name)")
        }
      }
    }
    if hasLength, !names.contains(where: { table.unit(named: $0)?.dimension == .time }) {
      for unit in units {
        if let first = table.convert(1, from: "minutes", to: unit),
          let second = factorToGoal(from: unit)
        {
          return Measure(index: nil, factors: [first, second], source: "duration")
        }
      }
    }
    for unit in units {
      for (index, name) in names.enumerated() {
        guard let part = Self.parts(of: name).first(where: { canConvert($0, to: unit) }),
          let first = table.convert(1, from: part, to: unit),
          let second = factorToGoal(from: unit)
        else { continue }
        return Measure(
          index: index, factors: [first, second], source: "part:\(name)", isPart: true)
      }
    }
    return nil
  }

  private func canConvert(_ part: String, to unit: String) -> Bool {
    table.convert(1, from: part, to: unit) != nil
  }

  /// Returns the factor that converts an amount of a unit into the goal's unit, or nil if there is
  /// none.
  private func factorToGoal(from unit: String) -> Double? {
    guard let own = goal.measurementUnit else { return nil }
    if GoalMatcher.cannotHold(unit, in: own, table) { return nil }
    // A unit the owner invented, such as "yoga minutes", counts regardless of the units in the
    // hints.
    return table.convert(1, from: unit, to: own) ?? 1
  }

  /// Returns true if both units are known independently of the goal and measure different things.
  private static func cannotHold(_ unit: String, in own: String, _ table: UnitTable) -> Bool {
    guard table.convert(1, from: unit, to: own) == nil else { return false }
    return table.isKnown(unit) && table.isKnown(own)
  }

  /// Returns true if a unit only counts occasions.
  private static func isOccasion(_ unit: String) -> Bool {
    [
      "time", "times", "session", "sessions", "occasion", "occasions", "action", "actions",
      "entry", "entries",
    ].contains(NameFolding.loose(unit))
  }

  /// Returns the words of a measurement's name: `distance_km` and `distanceKm` give "distance" and
  /// "km".
  private static func parts(of name: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var last: Character?
    for character in name {
      let isBorder = last?.isLowercase == true && character.isUppercase
      if !character.isLetter || isBorder {
        if !part.isEmpty { parts.append(part) }
        part = ""
      }
      if character.isLetter { part.append(character) }
      last = character
    }
    if !part.isEmpty { parts.append(part) }
    return parts.count > 1 || parts.first != name ? parts : []
  }

  // MARK: Words

  /// Returns `keyword:yoga` if the action's text contains the keyword, `tag:yoga` if only a tag
  /// does, and nil otherwise.
  private func keyword(in texts: [[Keyword.Word]]) -> String? {
    for (kind, part) in [
      ("keyword", texts.prefix(ActionFacts.tagsFrom)),
      ("tag", texts.dropFirst(ActionFacts.tagsFrom)),
    ] {
      if let found = keywords.first(where: { keyword in part.contains { keyword.stands(in: $0) } })
      {
        return "\(kind):\(found.text)"
      }
    }
    return nil
  }
}
