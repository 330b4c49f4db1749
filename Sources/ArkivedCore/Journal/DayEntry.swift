public import Foundation

/// The page of one calendar day: its note and how the day felt.
///
/// Things done are stored as activities.
public struct DayEntry: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The day it belongs to.
  public var dayKey: DayKey
  /// The day's title.
  public var title: String?
  /// The note in Markdown.
  public var note: String
  /// From 1 (low) to 5 (high).
  public var mood: Int?
  /// From 1 (low) to 5 (high).
  public var energy: Int?
  /// The weather, as its source reported it.
  public var weather: Weather?
  /// The people mentioned in it.
  public var people: [Mention]
  /// The photos, recordings, files and links that belong to it.
  public var attachments: [Attachment]
  /// References to the sources it was imported from.
  public var externalRefs: [ExternalRef]
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a day's page.
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
  /// The title, otherwise the note's first line or sentence, otherwise the day's name.
  public var headline: String {
    if let title, !title.isEmpty { return title }
    let line = note.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if let end = line.range(of: ". ")?.lowerBound { return String(line[..<end]) }
    return line.isEmpty ? dayKey.longName : line
  }

  /// The reference that identifies an entry without an ID: there is one entry a day.
  package var naturalReference: ExternalRef {
    ExternalRef(provider: "day", externalID: dayKey.description, fetchedAt: updatedAt)
  }
}

extension DayMetric {
  /// The reference that identifies a metric without an ID: one for each day, metric and source.
  package var naturalReference: ExternalRef {
    ExternalRef(
      provider: "metric", externalID: "\(dayKey) \(metric) \(source)", fetchedAt: updatedAt)
  }
}

/// Everything about one day, as a page or an answer shows it.
public struct Day: Hashable, Sendable {
  /// The day it belongs to.
  public var dayKey: DayKey
  /// The day's own entry, or nil if nothing was written about the day itself.
  public var entry: DayEntry?
  /// The day's activities: all-day ones first, then by start, then those without a time in the
  /// order they were added.
  public var activities: [Activity]
  /// Activities longer than a day that began on an earlier day and were still in progress when this
  /// one began.
  public var continuing: [Activity]
  /// The meetings among the activities.
  public var meetings: [MeetingEntry]
  /// The day's metrics from devices.
  public var metrics: [DayMetric]

  /// Creates a day.
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

/// A metric of a day from a device.
public struct DayMetric: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The day it belongs to.
  public var dayKey: DayKey
  /// The name, such as "steps", "restingHeartRate" or "sleepMinutes".
  public var metric: String
  /// The unit of the value.
  public var unit: String
  /// The day's value: a sum, or an average if the metric is a level.
  public var value: Double
  /// The lowest value of the day.
  public var minimum: Double?
  /// The highest value of the day.
  public var maximum: Double?
  /// The device or program that measured it.
  public var source: String
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a metric.
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
