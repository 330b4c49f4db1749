package import ArkivedCore
package import ArkivedStore
import Foundation

/// Sample questions in five groups about an archive's own people, tags, goals and days.
package struct ExamplePrompts: Sendable {
  package struct Group: Hashable, Sendable {
    package var name: String
    package var prompts: [String]
  }

  package let groups: [Group]

  package var all: [String] { groups.flatMap(\.prompts) }

  /// Returns some of the questions: the first of each group, then the second, so even a few cover
  /// all groups.
  package func few(_ count: Int) -> [String] {
    let longest = groups.map(\.prompts.count).max() ?? 0
    let mixed = (0..<longest).flatMap { index in
      groups.compactMap { $0.prompts.indices.contains(index) ? $0.prompts[index] : nil }
    }
    return Array(mixed.prefix(count))
  }

  /// Creates questions that an archive can answer; questions about the current if it has no
  /// entries.
  package init(for archive: Archive, zone: Zone) throws {
    let facts = try Facts(archive, zone)
    groups = [
      Group(name: "Reflective", prompts: facts.reflective),
      Group(name: "Analytical", prompts: facts.analytical),
      Group(name: "Exploratory", prompts: facts.exploratory),
      Group(name: "Specific", prompts: facts.specific),
      Group(name: "Creative", prompts: facts.creative),
    ]
  }

  /// The facts to ask about, from an archive's latest entries and its goals.
  private struct Facts {
    /// The maximum number of entries examined.
    private static let looked = 400

    private let day: DayKey
    private var tags: [String: Int] = [:]
    private var units: [String: Int] = [:]
    private var person: String?
    private var otherPerson: String?
    private var hasPlaces = false
    private var goals: [Goal] = []
    private var hasValues = false
    private var hasTerm = false
    private var hasNextMeeting = false

    init(_ archive: Archive, _ zone: Zone) throws {
      let now = archive.clock.now
      let today = zone.dayKey(at: now)
      var request = SearchRequest(query: "", to: .day(today), limit: Self.looked)
      request.homeZone = zone
      let activities = try archive.entries(archive.list(request, order: .newest)).compactMap {
        if case .activity(let activity) = $0 { activity } else { nil }
      }
      day = activities.first?.dayKey ?? today
      var people: [String: Int] = [:]
      for activity in activities where activity.dayKey.year == day.year {
        for tag in activity.tags { tags[tag, default: 0] += 1 }
        for unit in activity.measurements.keys { units[unit, default: 0] += 1 }
        hasPlaces = hasPlaces || activity.locationLabel != nil
        for mention in activity.people where activity.dayKey.startOfMonth == day.startOfMonth {
          people[mention.name, default: 0] += 1
        }
      }
      let known = Self.mostUsed(people)
      person = known.first
      otherPerson = known.dropFirst().first
      goals = try archive.goals().filter { $0.measurementTarget != nil }
      hasValues = try archive.values().contains(where: \.incentiveType.isValue)
      hasTerm = try archive.activeTerm(today: today) != nil
      hasNextMeeting = try archive.nextMeeting(at: now) != nil
    }

    private static func mostUsed(_ counts: [String: Int]) -> [String] {
      counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    }

    private var year: String { String(day.year) }
    private var month: String { SpanText.shownDays(RecapSpan.month(day).days) }
    /// The month with its preposition, which some languages need for a month but not for a year.
    private var inMonth: String { said("in \(month)") }
    private var date: String { day.shownPlainName }

    var reflective: [String] {
      var prompts = [said("Summarize \(month)"), said("How was \(date)?")]
      if hasValues { prompts.append(said("What matters to me?")) }
      if let person { prompts.append(said("What did I do with \(person) in \(month)?")) }
      prompts.append(said("How many entries did I write \(inMonth)?"))
      return prompts
    }

    var analytical: [String] {
      var prompts = [
        said("How many entries did I write in \(year)?"), said("Which month had the most entries?"),
      ]
      for tag in Self.mostUsed(tags).prefix(2) {
        prompts.append(said("How often did #\(tag) come up in \(year)?"))
      }
      let measured = Self.mostUsed(units).first { !["minutes", "count", "times"].contains($0) }
      if let measured { prompts.append(said("How many \(measured) in \(year)?")) }
      if !goals.isEmpty { prompts.append(said("What are my goals?")) }
      return prompts
    }

    var exploratory: [String] {
      var prompts: [String] = []
      if person != nil {
        prompts.append(said("Who did I see in \(month)?"))
        prompts.append(said("How many different people did I see in \(year)?"))
      }
      if hasPlaces { prompts.append(said("Which places did I visit in \(year)?")) }
      if hasNextMeeting { prompts.append(said("When is my next meeting?")) }
      prompts.append(said("What did I do \(inMonth)?"))
      prompts.append(said("What did I do in \(year)?"))
      return prompts
    }

    var specific: [String] {
      var prompts = [said("What did I do on \(date)?")]
      for name in [person, otherPerson].compactMap({ $0 }) {
        prompts.append(said("When did I last see \(name)?"))
      }
      for goal in [goals.first, goals.last].compactMap({ $0?.title }) {
        let isFirst = goal == goals.first?.title
        let prompt =
          isFirst
          ? said("Did I reach my goal “\(goal)”?")
          : said(
            """
            How far along am I with my goal “\(goal)”?
            """)
        prompts.append(prompt)
      }
      if hasTerm { prompts.append(said("When does my term end?")) }
      return prompts
    }

    var creative: [String] {
      [
        said("Describe \(month) as a short story"), said("Describe \(month) in three sentences"),
        said("Sum up \(month) in one sentence"), said("Sum up \(date) in two sentences"),
      ]
    }
  }
}
