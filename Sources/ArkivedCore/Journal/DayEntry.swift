public import Foundation

/// One calendar day's own page: its note and how the day felt. What was done are activities.
public struct DayEntry: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The day that it belongs to.
  public var dayKey: DayKey
  /// The day's title.
  public var title: String?
  /// Markdown.
  public var note: String
  /// 1 (low) to 5 (high).
  public var mood: Int?
  /// 1 (low) to 5 (high).
  public var energy: Int?
  /// The weather, as a source gave it.
  public var weather: Weather?
  /// The people who are named in it.
  public var people: [Mention]
  /// The photos, recordings, files and links that belong to it.
  public var attachments: [Attachment]
  /// Where it was imported from.
  public var externalRefs: [ExternalRef]
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a day's page.
  public init(
    id: UUID, dayKey: DayKey, title: String? = nil, note: String = "", mood: Int? = nil,
    energy: Int? = nil, weather: Weather? = nil, people: [Mention] = [],
    attachments: [Attachment] = [], externalRefs: [ExternalRef] = [], createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.dayKey = dayKey
    self.title = title
    self.note = note
    self.mood = mood
    self.energy = energy
    self.weather = weather
    self.people = people
    self.attachments = attachments
    self.externalRefs = externalRefs
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension DayEntry {
  /// Its title, else the note's first line or sentence, else the day's name.
  public var headline: String {
    if let title, !title.isEmpty { return title }
    let line = note.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if let end = line.range(of: ". ")?.lowerBound { return String(line[..<end]) }
    return line.isEmpty ? dayKey.longName : line
  }

  /// How the entry is known where it has no identity: there is one a day.
  package var naturalReference: ExternalRef {
    ExternalRef(provider: "day", externalID: dayKey.description, fetchedAt: updatedAt)
  }
}

extension DayMetric {
  /// How the number is known where it has no identity: one a day, metric and source.
  package var naturalReference: ExternalRef {
    ExternalRef(
      provider: "metric", externalID: "\(dayKey) \(metric) \(source)", fetchedAt: updatedAt)
  }
}

/// Everything that a day holds, as a page or an answer shows it.
public struct Day: Hashable, Sendable {
  /// The day that it belongs to.
  public var dayKey: DayKey
  /// nil while nothing was written about the day itself.
  public var entry: DayEntry?
  /// All-day ones first, then by start, then those without a time in the order they were added.
  public var activities: [Activity]
  /// What began on an earlier day, took longer than a day, and was not over when this one began.
  public var continuing: [Activity]
  /// The meetings among the activities.
  public var meetings: [MeetingEntry]
  /// The day's numbers from devices.
  public var metrics: [DayMetric]

  /// Makes a day.
  public init(
    dayKey: DayKey, entry: DayEntry? = nil, activities: [Activity] = [],
    continuing: [Activity] = [], meetings: [MeetingEntry] = [], metrics: [DayMetric] = []
  ) {
    self.dayKey = dayKey
    self.entry = entry
    self.activities = activities
    self.continuing = continuing
    self.meetings = meetings
    self.metrics = metrics
  }
}

/// A day's number from a device.
public struct DayMetric: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The day that it belongs to.
  public var dayKey: DayKey
  /// steps, restingHeartRate, sleepMinutes, …
  public var metric: String
  /// The unit of the value.
  public var unit: String
  /// The day's number: a sum, or an average where the metric is a level.
  public var value: Double
  /// The lowest value of the day.
  public var minimum: Double?
  /// The highest value of the day.
  public var maximum: Double?
  /// The device or program that measured.
  public var source: String
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a day's number.
  public init(
    id: UUID, dayKey: DayKey, metric: String, unit: String, value: Double,
    minimum: Double? = nil, maximum: Double? = nil, source: String, createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.dayKey = dayKey
    self.metric = metric
    self.unit = unit
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
    self.source = source
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
