import ArkivedCore
import Foundation

/// The tables of a timeline: activities, and notes of days and of activities.
struct TimelineContents: Sendable {
  let activities: TimelineTable
  let notes: TimelineTable
  /// The people found in texts, for an archive whose entries mention nobody explicitly.
  let derivedPeople: TextPeople.Names
  /// The names of daily metrics with their units, and the last row examined for them.
  let metrics: [String: String]
  let lastMetric: Int64

  /// Opens the contents.
  ///
  /// - Returns: nil if the bytes aren't a complete timeline of this version.
  init?(_ bytes: TimelineBytes) {
    guard let (tables, told) = TimelineLayout.directory(of: bytes),
      let activities = TimelineTable(bytes, tables[0]), let notes = TimelineTable(bytes, tables[1])
    else { return nil }
    self.activities = activities
    self.notes = notes
    derivedPeople = TextPeople.Names(
      (told["people"]?.array ?? []).compactMap(\.string),
      relations: (told["relations"]?.object?.members ?? []).reduce(into: [:]) {
        $0[$1.0] = $1.1.string
      })
    metrics = (told["metrics"]?.object?.members ?? []).reduce(into: [:]) {
      $0[$1.0] = $1.1.string
    }
    lastMetric = told["lastMetric"]?.int.map(Int64.init) ?? 0
  }

  func table(_ type: TimelineEntry.Kind) -> TimelineTable { type == .activity ? activities : notes }
}

/// Builds contents from collected entries.
struct TimelineContentsBuilder {
  private var activities = TimelineTableBuilder(isActivity: true)
  private var notes = TimelineTableBuilder(isActivity: false)
  /// The names of daily metrics with their units, and their last row.
  var metrics: (names: [String: String], last: Int64) = ([:], 0)
  /// Texts are searched for names only if fewer than one in this many activities mentions people.
  private static let mentioningShare = 20
  private static let namedTexts = 100_000

  mutating func add(_ entry: IndexedEntry) {
    guard entry.isActivity else { return notes.add(entry) }
    activities.add(entry)
    guard let text = entry.notes else { return }
    var note = entry
    note.text = text
    note.measurements = []
    note.isActivity = false
    notes.add(note)
  }

  /// Builds the contents.
  ///
  /// - Parameter people: the people known from texts; if nil, they are searched for.
  /// - Returns: the bytes of the file.
  mutating func finish(derivedPeople people: TextPeople.Names? = nil) -> [UInt8] {
    var names = people ?? TextPeople.Names([], relations: [:])
    if people == nil, activities.mentioning * Self.mentioningShare < activities.count {
      // Names recur, so a sample of very many texts suffices.
      let texts = activities.distinctTexts
      let step = max(1, texts.count / Self.namedTexts)
      names = TextPeople.Names(
        in: stride(from: 0, to: texts.count, by: step).map { WordCutter.words(of: texts[$0]) })
    }
    if !names.all.isEmpty {
      activities.derivePeople(names)
      notes.derivePeople(names)
    }
    var relations = JSONObject()
    for (name, relation) in names.relations.sorted(by: { $0.key < $1.key }) {
      relations[name] = .string(relation)
    }
    var units = JSONObject()
    for (name, unit) in metrics.names.sorted(by: { $0.key < $1.key }) { units[name] = JSON(unit) }
    return TimelineLayout.encoded(
      [activities.sections(), notes.sections()],
      notes: [
        "people": JSON(names.all), "relations": .object(relations), "metrics": .object(units),
        "lastMetric": JSON(Int(metrics.last)),
      ])
  }
}

/// Values recorded for days themselves: mood, energy and device metrics.
protocol DayFigures: Sendable {
  var metrics: [String: String] { get }
  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)]
  /// The first and last day with any data.
  var span: ClosedRange<DayKey>? { get }
}

/// A timeline over tables: a large one built from the archive earlier, and a small one with later
/// changes.
struct TableTimeline: Timeline {
  struct Part: Sendable {
    let contents: TimelineContents
    /// The ordinals of entries that were deleted or moved to another part, in ascending order.
    var outdatedActivities: [Int] = []
    var outdatedNotes: [Int] = []

    /// Removes activities with their notes, by row number.
    mutating func leaveOut(_ rows: [Int64]) {
      outdatedActivities = Self.ordinals(of: rows, in: contents.activities, outdatedActivities)
      outdatedNotes = Self.ordinals(of: rows, in: contents.notes, outdatedNotes)
    }

    private static func ordinals(
      of rows: [Int64], in table: TimelineTable, _ known: [Int]
    ) -> [Int] {
      let found = rows.compactMap { table.ordinal(ofRow: $0) }
      return found.isEmpty ? known : Set(known).union(found).sorted()
    }

    func outdated(_ type: TimelineEntry.Kind) -> [Int] {
      type == .activity ? outdatedActivities : outdatedNotes
    }
  }

  let parts: [Part]
  let figures: any DayFigures
  let people: [TimelinePerson]
  let tags: [String: Int]
  let places: [String: Int]
  let units: [String: Int]
  let names: TimelineNames

  init(_ parts: [Part], people: [TimelinePerson], figures: any DayFigures) {
    self.parts = parts
    self.figures = figures
    let known = Set(people.map(\.name))
    var all = people
    var tags: [String: Int] = [:]
    var places: [String: Int] = [:]
    var units: [String: Int] = [:]
    var others: Set<String> = []
    for part in parts {
      let table = part.contents.activities
      for (number, name) in table.tagNames.enumerated() {
        tags[name, default: 0] += table.entriesOfTag.range(number).count
      }
      for (number, name) in table.placeNames.enumerated() {
        places[name, default: 0] += table.entriesOfPlace.range(number).count
      }
      // The frequency of a unit only ranks interpretations; what matters is that it occurs.
      for unit in table.unitNames { units[unit, default: 0] += 1 }
      for ordinal in part.outdatedActivities {
        for tag in table.tags.values(ordinal) { tags[table.tagNames[checked: tag] ?? ""]? -= 1 }
        let place = Int(table.places[ordinal])
        if place > 0 { places[table.placeNames[checked: place - 1] ?? ""]? -= 1 }
      }
      others.formUnion(table.peopleNames)
      others.formUnion(part.contents.notes.peopleNames)
    }
    let relations = parts.first?.contents.derivedPeople.relations ?? [:]
    all += others.subtracting(known).sorted().map {
      TimelinePerson(name: $0, aliases: [], summary: relations[$0])
    }
    self.people = all
    self.tags = tags.filter { $0.value > 0 }
    self.places = places.filter { $0.value > 0 }
    self.units = units
    names = TimelineNames(
      people: all, tags: Array(self.tags.keys), places: self.places.keys.sorted(),
      tables: parts.flatMap { [$0.contents.activities, $0.contents.notes] })
  }

  var metrics: [String: String] { figures.metrics }

  var span: ClosedRange<DayKey>? {
    var days: [DayKey] = []
    for part in parts {
      let table = part.contents.activities
      // Entries that are gone may be the first or the last ones of their table.
      var (first, last) = (0, table.count - 1)
      for ordinal in part.outdatedActivities {
        guard ordinal == first else { break }
        first += 1
      }
      for ordinal in part.outdatedActivities.reversed() {
        guard ordinal == last else { break }
        last -= 1
      }
      guard first <= last else { continue }
      days.append(DayKey(clamping: Int(table.days[first])))
      days.append(DayKey(clamping: Int(table.days[last])))
    }
    if let span = figures.span { days += [span.lowerBound, span.upperBound] }
    guard let first = days.min(), let last = days.max() else { return nil }
    return first...last
  }

  func frequency(of key: String) -> Int {
    parts.reduce(0) {
      $0 + $1.contents.activities.frequency(of: key) + $1.contents.notes.frequency(of: key)
    }
  }

  func entries(
    _ type: TimelineEntry.Kind, where condition: IndexCondition
  ) -> [TimelineEntry] {
    var found: [TimelineEntry] = []
    var filled = 0
    for part in parts {
      let table = part.contents.table(type)
      let set = table.ordinals(where: condition, outdated: part.outdated(type))
      let count = set.count
      guard count > 0 else { continue }
      filled += 1
      found.reserveCapacity(found.count + count)
      set.each { found.append(TimelineEntry(table: table, ordinal: $0)) }
    }
    // Each table is in chronological order.
    if filled > 1 {
      found.sort { left, right in
        let first = (left.day, left.dayMinute ?? .max, left.id)
        return first < (right.day, right.dayMinute ?? .max, right.id)
      }
    }
    return found
  }

  func count(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> Int {
    parts.reduce(0) { sum, part in
      sum
        + part.contents.table(type).ordinals(where: condition, outdated: part.outdated(type)).count
    }
  }

  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] { figures.days(in: days) }
}

extension TableTimeline {
  /// Returns the current entry of a row of the full-text table; nil if there is none.
  func entry(ofRow row: Int64) -> TimelineEntry? {
    for part in parts {
      for kind in [TimelineEntry.Kind.activity, .day] {
        let table = part.contents.table(kind)
        if let ordinal = table.ordinal(ofRow: row), !part.outdated(kind).contains(ordinal) {
          return TimelineEntry(table: table, ordinal: ordinal)
        }
      }
    }
    return nil
  }
}
