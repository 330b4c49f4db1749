package import ArkivedCore
import Foundation

/// A timeline held in memory, read from an export as JSON Lines.
package struct MemoryTimeline: Timeline {
  package private(set) var people: [TimelinePerson] = []
  package private(set) var tags: [String: Int] = [:]
  package private(set) var places: [String: Int] = [:]
  package private(set) var units: [String: Int] = [:]
  package private(set) var metrics: [String: String] = [:]
  private var activities: [TimelineEntry] = []
  private var notes: [TimelineEntry] = []
  private var dayValues: [DayKey: TimelineDay] = [:]
  private var counts: [String: Int] = [:]
  private var written: [String: Int] = [:]

  package var span: ClosedRange<DayKey>? {
    let days = activities.map(\.day) + Array(dayValues.keys)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first...last
  }

  /// Reads an export; lines that are not understood are left out.
  package init(jsonLines text: String, zone home: Zone) {
    for line in text.split(separator: "\n") {
      guard let row = try? JSON(parsing: String(line)) else { continue }
      switch row["type"]?.string ?? "activity" {
      case "person": readPerson(row)
      case "activity": readActivity(row, home)
      case "day": readDay(row)
      case "metric": readMetric(row)
      default: break
      }
    }
    if people.isEmpty { derivePeople() }
    activities.sort { ($0.day, $0.startMinute ?? 1440) < ($1.day, $1.startMinute ?? 1440) }
    notes.sort { $0.day < $1.day }
    let known = Set(people.map(\.name))
    for entry in activities {
      for name in entry.people where !known.contains(name) {
        if !people.contains(where: { $0.name == name }) {
          people.append(.init(name: name, aliases: [], summary: nil))
        }
      }
    }
    for entry in activities + notes {
      for key in entry.keys { counts[key, default: 0] += 1 }
      for word in Set(entry.words.map(\.lower)) { written[word, default: 0] += 1 }
      if let place = entry.place {
        for word in WordCutter.words(of: place) { written[word.lower, default: 0] += 1 }
      }
      for tag in entry.tags { written[tag.lowercased(), default: 0] += 1 }
    }
  }

  /// Without people of its own, an archive's people are those whom its sentences name.
  private mutating func derivePeople() {
    let names = TextPeople.names(in: activities.map(\.words))
    let relations = TextPeople.relations(in: activities.map(\.words), of: names)
    people = names.map { TimelinePerson(name: $0, aliases: [], summary: relations[$0]) }
    let kin = Dictionary(grouping: relations.keys) { relations[$0] ?? "" }.filter {
      $0.value.count == 1
    }
    let byFirst = Dictionary(grouping: names) {
      Lemma.key($0.split(separator: " ").first.map(String.init) ?? $0)
    }
    activities = activities.map { entry in
      guard entry.people.isEmpty else { return entry }
      var found: [String] = []
      for (index, word) in entry.words.enumerated() where word.isCapitalised {
        for name in byFirst[word.key] ?? [] {
          let parts = name.split(separator: " ").map(String.init)
          let written = entry.words[index...].prefix(parts.count).map(\.text)
          let isPlace =
            index > 0 && ["in", "at"].contains(entry.words[index - 1].lower)
            || word.isPossessive && index + 1 < entry.words.count
              && ["parents", "mother", "father", "flat", "house"].contains(
                entry.words[index + 1].lower)
          if written == parts, !found.contains(name), !isPlace { found.append(name) }
        }
      }
      // "my sister" alone is the one who is so called elsewhere.
      for index in entry.words.indices.dropFirst() where entry.words[index - 1].lower == "my" {
        if let name = kin[entry.words[index].lower]?.first, !found.contains(name) {
          found.append(name)
        }
      }
      // "Anna Reuter" is not also Anna.
      let longest = found.filter { name in
        !found.contains { $0 != name && $0.hasPrefix(name + " ") }
      }
      return entry.with(people: longest)
    }
  }

  private mutating func readPerson(_ row: JSON) {
    guard let name = row["name"]?.string else { return }
    people.append(
      .init(
        name: name, aliases: (row["aliases"]?.array ?? []).compactMap(\.string),
        summary: row["relationshipSummary"]?.string))
  }

  private mutating func readActivity(_ row: JSON, _ home: Zone) {
    guard let text = row["text"]?.string else { return }
    let zone = row["timeZone"]?.string.flatMap { Zone($0) } ?? home
    let start = row["startAt"]?.string.flatMap { Instant($0) }
    let end = row["endAt"]?.string.flatMap { Instant($0) }
    let wall = start.map { zone.wallTime(at: $0) }
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }) ?? wall?.day else { return }
    var duration = row["durationMinutes"]?.double
    if duration == nil, let start, let end { duration = Double(start.seconds(to: end)) / 60 }
    var measurements: [String: Double] = [:]
    for (unit, amount) in row["measurements"]?.object?.members ?? [] {
      measurements[unit] = amount.double
    }
    let told = measurements.isEmpty ? TextAmounts.read(WordCutter.words(of: text), text: text) : [:]
    for (unit, amount) in told where unit != "minutes" { measurements[unit] = amount }
    if duration == nil { duration = told["minutes"] }
    let entry = TimelineEntry(
      id: row["id"]?.string.flatMap { UUID(uuidString: $0) } ?? UUID(), type: .activity, day: day,
      startMinute: wall.map { $0.hour * 60 + $0.minute }, durationMinutes: duration,
      activityKind: row["kind"]?.string ?? "other", text: text,
      tags: (row["tags"]?.array ?? []).compactMap(\.string),
      people: (row["people"]?.array ?? []).compactMap(\.string),
      place: row["locationLabel"]?.string, measurements: measurements)
    activities.append(entry)
    for tag in entry.tags { tags[tag, default: 0] += 1 }
    for unit in measurements.keys { units[unit, default: 0] += 1 }
    if let place = entry.place { places[place, default: 0] += 1 }
  }

  private mutating func readDay(_ row: JSON) {
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }) else { return }
    let id = row["id"]?.string.flatMap { UUID(uuidString: $0) } ?? UUID()
    var value = dayValues[day] ?? TimelineDay(metrics: [:])
    value.id = id
    value.mood = row["mood"]?.int
    value.energy = row["energy"]?.int
    dayValues[day] = value
    let text = [row["title"]?.string, row["note"]?.string].compactMap(\.self)
      .joined(separator: ".\n")
    guard !text.isEmpty else { return }
    notes.append(
      TimelineEntry(
        id: id, type: .day, day: day, startMinute: nil, durationMinutes: nil, activityKind: "",
        text: text, tags: [], people: (row["people"]?.array ?? []).compactMap(\.string),
        place: nil, measurements: [:]))
  }

  private mutating func readMetric(_ row: JSON) {
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }),
      let name = row["metric"]?.string, let value = row["value"]?.double
    else { return }
    dayValues[day, default: TimelineDay(metrics: [:])].metrics[name] = value
    metrics[name] = row["unit"]?.string ?? ""
  }

  package func frequency(of key: String) -> Int { counts[key] ?? 0 }

  package func vocabulary() -> [String: Int] { written }

  package func entries(
    _ type: TimelineEntry.Kind, where condition: IndexCondition
  ) -> [TimelineEntry] {
    let all = type == .activity ? activities : notes
    // In order of time, so that a span is a slice.
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].day < condition.days.lowerBound { low = middle + 1 } else { high = middle }
    }
    var result: [TimelineEntry] = []
    for entry in all[low...] {
      guard entry.day <= condition.days.upperBound else { break }
      if condition.holds(for: entry) { result.append(entry) }
    }
    return result
  }

  package func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] {
    dayValues.filter { days.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension IndexCondition {
  /// Whether an entry fulfils all but the span of days.
  package func holds(for entry: TimelineEntry) -> Bool {
    if !weekdays.isEmpty, !weekdays.contains(entry.day.weekday) { return false }
    if let onDays, !onDays.contains(entry.day) { return false }
    if hasNobody, !entry.people.isEmpty { return false }
    for clause in all where !clause.contains(where: { $0.holds(for: entry) }) { return false }
    for clause in none where clause.contains(where: { $0.holds(for: entry) }) { return false }
    return true
  }
}

extension IndexCondition.Atom {
  func holds(for entry: TimelineEntry) -> Bool {
    switch self {
    case .tag(let tag): entry.tags.contains(tag)
    case .kind(let kind): entry.activityKind == kind
    case .person(let name): entry.people.contains(name)
    case .place(let key): entry.placeKeys.contains(key)
    case .word(let key): entry.keys.contains(key)
    case .day(let days): days.contains(entry.day)
    }
  }
}
