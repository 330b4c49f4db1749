import Foundation

/// What matching needs to know of an action.
package struct ActionFacts: Sendable {
  package var day: DayKey
  /// Unit to amount.
  package var measurements: [(unit: String, amount: Double)]
  /// Minutes.
  package var duration: Double?
  /// What keywords are looked for in, as words: the action's text, its description, its tags.
  package private(set) var words: [[Keyword.Word]]

  /// Where the tags begin among the texts.
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

  /// Takes texts that are read later than the rest.
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
  }
}

/// That an action fits a goal, and what it gives to it.
public struct GoalMatch: Hashable, Sendable {
  /// In the goal's unit.
  public var contribution: Double
  /// How sure the match is, 0 to 1.
  public var confidence: Double
  /// What matched: `dates`, `unit:km`, `keyword:yoga`, `tag:yoga`, `duration`.
  public var matchedOn: [String]

  /// Whether it is sure enough to count without review.
  public var counts: Bool { confidence >= ActionGoalContribution.countsFrom }

  /// What `matchedOn` begins with where likeness of meaning proposed the match.
  package static let meaning = "meaning"
  /// Likeness of meaning is never surer than this.
  package static let proposalLimit = 0.6

  /// Makes a match.
  public init(contribution: Double, confidence: Double, matchedOn: [String]) {
    self.contribution = contribution
    self.confidence = confidence
    self.matchedOn = matchedOn
  }
}

/// Tells which actions count towards one goal.
///
/// A goal takes actions inside its dates. With hints that name units and keywords, an action counts
/// that has a measurement in one of the units and holds one of the keywords: 0.9. Else one with a
/// measurement in the goal's unit: 0.8; or in one whose name only contains the unit as a part, such
/// as `distance_km`: 0.6. Units match by name, plural, alias or conversion. A duration counts as
/// minutes where no measurement tells a time.
public struct GoalMatcher: Sendable {
  /// The confidence of a match by the unit and a keyword of the hints.
  public static let hintedConfidence = 0.9
  /// The confidence of a match by the unit.
  public static let unitConfidence = 0.8
  /// The confidence of a match by a part of the measurement's name.
  public static let partConfidence = 0.6

  /// The goal.
  public let goal: Goal
  /// What is wrong with the goal's hints, for its owner.
  public let warnings: [String]

  private let table: UnitTable
  /// Units in which a measurement may be, the preferred first; empty when nothing can match.
  private let units: [String]
  let keywords: [Keyword]
  private let needsKeyword: Bool
  /// Whether each action that holds a keyword is one of what is counted.
  private let countsOnce: Bool

  /// Makes the matcher of a goal, with the units of measure that Arkived knows.
  public init(_ goal: Goal) { self.init(goal, units: .standard) }

  package init(_ goal: Goal, units table: UnitTable) {
    self.goal = goal
    // Its own unit is known to a goal, with its singular and plural.
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

  /// Whether nothing can match whatever is done.
  package var isIdle: Bool { units.isEmpty }

  /// Whether an action's texts are looked at.
  package var readsTexts: Bool { needsKeyword }

  /// Whether an amount of a measurement of this name can count, whatever the action says.
  package func canMeasure(_ name: String) -> Bool {
    countsOnce || measure(named: [name], hasLength: false) != nil
  }

  /// Whether the length of an action can count.
  package var canTime: Bool { countsOnce || measure(named: [], hasLength: true) != nil }

  /// Whether every action with one of the keywords counts, measured or not.
  package var countsOccasions: Bool { countsOnce }

  /// Returns what an activity gives to the goal, or nil when it doesn't fit.
  public func match(_ activity: Activity) -> GoalMatch? { match(ActionFacts(activity)) }

  /// Returns what something that was done on a day gives to the goal, or nil when it doesn't fit.
  public func match(
    _ action: some Performed & Persistable, on day: DayKey, tags: [String] = []
  ) -> GoalMatch? {
    match(ActionFacts(action, on: day, tags: tags))
  }

  /// What an action gives to the goal, or nil when it does not fit.
  package func match(_ action: ActionFacts) -> GoalMatch? {
    guard goal.accepts(action.day), !units.isEmpty else { return nil }
    return match(
      action,
      measure: measure(
        named: action.measurements.map(\.unit), hasLength: action.duration != nil))
  }

  /// The same for an action of one of the goal's days, of which is known how it is measured.
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

  /// What an action measures of the goal's unit, and by what, whatever its words and day.
  package func measured(_ action: ActionFacts) -> (amount: Double, source: String)? {
    let measure = measure(named: action.measurements.map(\.unit), hasLength: action.duration != nil)
    return measure.flatMap { measure in
      measure.amount(in: action).map { ($0, measure.source) }
    }
  }

  // MARK: Units

  /// How the goal's unit is read from actions with certain measurements.
  package struct Measure: Sendable {
    /// Which measurement; nil for the action's length.
    var index: Int?
    /// What an amount is multiplied with, one after the other.
    var factors: [Double]
    package var source: String
    var isPart = false

    /// The amount in the goal's unit; nil where it is too large to be told.
    func amount(in action: ActionFacts) -> Double? {
      guard let amount = index.map({ action.measurements[$0].amount }) ?? action.duration
      else { return nil }
      let result = factors.reduce(amount, *)
      return result.isFinite ? result : nil
    }
  }

  /// How actions with these measurements are measured in the goal's unit; nil where they are not.
  ///
  /// Several measurements of one thing, such as km and miles of one run, are one: the first of the
  /// wanted units is taken, by its own name before a conversion.
  ///
  /// - Parameter hasLength: whether the actions last a known time.
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

  /// What makes an amount of a unit one of the goal's; nil where that cannot be.
  private func factorToGoal(from unit: String) -> Double? {
    guard let own = goal.measurementUnit else { return nil }
    if GoalMatcher.cannotHold(unit, in: own, table) { return nil }
    // A unit of the owner's own making, such as "yoga minutes", holds what the hints name.
    return table.convert(1, from: unit, to: own) ?? 1
  }

  /// Whether both units are known, none of them by the goal alone, and measure different things.
  private static func cannotHold(_ unit: String, in own: String, _ table: UnitTable) -> Bool {
    guard table.convert(1, from: unit, to: own) == nil else { return false }
    return table.isKnown(unit) && table.isKnown(own)
  }

  /// Whether a unit only says how often.
  private static func isOccasion(_ unit: String) -> Bool {
    [
      "time", "times", "session", "sessions", "occasion", "occasions", "action", "actions",
      "entry", "entries",
    ].contains(NameFolding.loose(unit))
  }

  /// The words of a measurement's name: `distance_km` and `distanceKm` have distance and km.
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

  /// `keyword:yoga` where the action says it, else `tag:yoga` where only a tag does.
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
