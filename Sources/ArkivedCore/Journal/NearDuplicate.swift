package import Foundation

/// The properties compared to find out whether two entries from different sources describe the same
/// event.
package struct EntrySketch: Hashable, Sendable, Identifiable {
  package let id: UUID
  package let start: Instant
  package let end: Instant
  package let kind: ActivityKind
  package let text: String
  package let lat: Double?
  package let lon: Double?
  /// The source and the change that imported it; entries from the same source and change are never
  /// duplicates.
  package let origin: String
  /// The original author of an entry from a source that collects from others; empty if there is
  /// none.
  package let teller: String
  /// The measurements, if available.
  package let measurements: [String: Double]

  package init(
    id: UUID, start: Instant, end: Instant, kind: ActivityKind, text: String, lat: Double?,
    lon: Double?, origin: String, teller: String = "", measurements: [String: Double] = [:]
  ) {
    self.teller = teller
    self.measurements = measurements
    self.id = id
    self.start = start
    self.end = end
    self.kind = kind
    self.text = text
    self.lat = lat
    self.lon = lon
    self.origin = origin
  }
}

/// The rule for proposing two entries as duplicates; it never merges anything.
package enum NearDuplicate {
  /// The longest duration of a candidate, in milliseconds; longer entries contain others rather
  /// than duplicate them.
  package static let longest: Int64 = 24 * 3_600_000
  private static let near = 1.0

  /// Returns true if two entries are probably the same.
  ///
  /// They must share at least half of their combined time, have similar texts or the same kind, and
  /// not be far apart.
  package static func isLikely(_ one: EntrySketch, _ other: EntrySketch) -> Bool {
    guard one.origin != other.origin || isToldByTwo(one, other) else { return false }
    let start = max(one.start, other.start).milliseconds
    let end = min(one.end, other.end).milliseconds
    let whole =
      max(one.end, other.end).milliseconds - min(one.start, other.start).milliseconds
    guard end > start, (end - start) * 2 >= whole else { return false }
    guard isAlike(one.text, other.text) || (one.kind == other.kind && one.kind != .other) else {
      return false
    }
    guard let lat = one.lat, let lon = one.lon, let otherLat = other.lat, let otherLon = other.lon
    else { return true }
    return kilometres(lat, lon, otherLat, otherLon) <= near
  }

  private static func isToldByTwo(_ one: EntrySketch, _ other: EntrySketch) -> Bool {
    !one.teller.isEmpty && !other.teller.isEmpty && one.teller != other.teller
  }

  /// Returns true if no measurements of the same unit contradict each other; amounts within a fifth
  /// are considered equal.
  package static func agree(_ one: [String: Double], _ other: [String: Double]) -> Bool {
    one.allSatisfy { unit, amount in
      guard let told = UnitTable.standard.amount(of: unit, in: other) else { return true }
      return abs(told - amount) <= 0.2 * max(told, amount)
    }
  }

  /// Returns true if two texts share a word of three letters or more; a word may also be the
  /// beginning of the other.
  static func isAlike(_ one: String, _ other: String) -> Bool {
    let (own, others) = (words(one), words(other))
    return own.contains { word in
      others.contains { $0.hasPrefix(word) || word.hasPrefix($0) }
    }
  }

  private static func words(_ text: String) -> [String] {
    NameFolding.key(String(text.prefix(200))).split { !$0.isLetter && !$0.isNumber }
      .filter { $0.count >= 3 && !fillers.contains(String($0)) }.map(String.init)
  }

  private static let fillers: Set<String> = [
    "the", "and", "with", "for", "from", "mit", "und", "avec", "con", "morning", "evening",
    "afternoon", "lunch", "night", "day", "time", "new",
  ]

  /// Returns the distance between two places on a sphere with a radius of 6 371 km (haversine).
  private static func kilometres(
    _ lat: Double, _ lon: Double, _ otherLat: Double, _ otherLon: Double
  ) -> Double {
    let degree = Double.pi / 180
    let (up, over) = ((otherLat - lat) * degree / 2, (otherLon - lon) * degree / 2)
    let share =
      sin(up) * sin(up) + cos(lat * degree) * cos(otherLat * degree) * sin(over) * sin(over)
    return 2 * 6_371 * asin(min(1, share.squareRoot()))
  }
}

extension Activity {
  /// Adds the information that only another entry about the same event has.
  ///
  /// Values that both have stay unchanged here; different wording is appended to the notes.
  package mutating func take(over other: Activity) {
    if kind == .other { kind = other.kind }
    takeStart(of: other)
    if let clockStart, endAt == nil, let end = other.endAt, end >= clockStart { endAt = end }
    if endAt == nil { durationMinutes = durationMinutes ?? other.durationMinutes }
    description = description ?? other.description
    locationLabel = locationLabel ?? other.locationLabel
    if lat == nil { (lat, lon) = (other.lat, other.lon) }
    weather = weather ?? other.weather
    isPinned = isPinned || other.isPinned
    for (unit, amount) in other.measurements
    where UnitTable.standard.amount(of: unit, in: measurements) == nil {
      measurements[unit] = amount
    }
    let known = [text, description, notes].compactMap { $0 }
    let more = [other.text, other.description, other.notes].compactMap { $0 }
      .filter { line in !known.contains { $0.contains(line) } }
    if !more.isEmpty {
      notes = ([notes].compactMap { $0 } + more).joined(separator: "\n\n")
    }
    var tagged = Set(tags.map { NameFolding.key($0) })
    tags += other.tags.filter { tagged.insert(NameFolding.key($0)).inserted }
    people += other.people.filter { mention in
      !people.contains { own in
        own.personID.map { $0 == mention.personID } ?? (own.name == mention.name)
      }
    }
    attachments += other.attachments.filter { file in
      file.contentHash == nil || !attachments.contains { $0.contentHash == file.contentHash }
    }
    externalRefs += other.externalRefs
  }

  /// Takes over the start of another entry if it says more than the own one: a clock time more than
  /// a part of the day, and that more than nothing.
  private mutating func takeStart(of other: Activity) {
    guard let start = other.startAt, clockStart == nil, endAt.map({ start <= $0 }) ?? true else {
      return
    }
    if other.dayPeriod == nil {
      startAt = start
      dayPeriod = nil
    } else if startAt == nil, endAt == nil {
      startAt = start
      dayPeriod = other.dayPeriod
    }
  }
}
