public import Foundation

/// The basic unit of the journal: one thing done on one day, with everything attached to it.
public struct Activity: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The local calendar day at the place where it happened.
  public var dayKey: DayKey
  /// The instant at which it began, if known; with `dayPeriod`, the beginning of that part of the
  /// day.
  ///
  /// Setting a different start gives a clock time, so this removes `dayPeriod`.
  public var startAt: Instant? {
    didSet { if startAt != oldValue { dayPeriod = nil } }
  }
  /// The end, which is not before `startAt`; setting one removes `dayPeriod`, as for a start.
  public var endAt: Instant? {
    didSet { if endAt != nil { dayPeriod = nil } }
  }
  /// The part of the day that is known instead of a clock time.
  ///
  /// The entry is listed at `startAt`, but it is shown without a clock time.
  public var dayPeriod: DayPeriod?
  /// The IANA name of the time zone it happened in, kept as written even if this machine doesn't
  /// know it.
  public var timeZone: String
  /// The kind of activity.
  public var kind: ActivityKind
  /// A description in one line.
  public var text: String
  /// A longer description.
  public var description: String?
  /// The owner's notes.
  public var notes: String?
  /// The way it was added to the archive.
  public var source: ActivitySource
  /// True if the owner pinned it.
  public var isPinned: Bool
  /// The name of the place.
  public var locationLabel: String?
  /// Degrees north, −90 to 90; present together with `lon`.
  public var lat: Double?
  /// Degrees east, −180 to 180.
  public var lon: Double?
  /// The amount of each unit, such as 5 for `km`; amounts are finite and not negative.
  public var measurements: [String: Double]
  /// The minutes as entered; `duration` also considers the start and the end.
  public var durationMinutes: Double?
  /// The weather, as its source reported it.
  public var weather: Weather?
  /// The line as its author typed it.
  public var typedText: String?
  /// The names of tags, in the order given.
  public var tags: [String]
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

  /// Creates an activity.
  public init(
    id: UUID, dayKey: DayKey, startAt: Instant? = nil, endAt: Instant? = nil, timeZone: String,
    kind: ActivityKind = .other, text: String, description: String? = nil, notes: String? = nil,
    source: ActivitySource = .manual, isPinned: Bool = false, locationLabel: String? = nil,
    lat: Double? = nil, lon: Double? = nil, measurements: [String: Double] = [:],
    durationMinutes: Double? = nil, dayPeriod: DayPeriod? = nil, weather: Weather? = nil,
    typedText: String? = nil,
    tags: [String] = [], people: [Mention] = [], attachments: [Attachment] = [],
    externalRefs: [ExternalRef] = [], createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.dayKey = dayKey
    self.startAt = startAt
    self.endAt = endAt
    self.timeZone = timeZone
    self.kind = kind
    self.text = text
    self.description = description
    self.notes = notes
    self.source = source
    self.isPinned = isPinned
    self.locationLabel = locationLabel
    self.lat = lat
    self.lon = lon
    self.measurements = measurements
    self.durationMinutes = durationMinutes
    self.dayPeriod = dayPeriod
    self.weather = weather
    self.typedText = typedText
    self.tags = tags
    self.people = people
    self.attachments = attachments
    self.externalRefs = externalRefs
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The duration in minutes: as entered, or else from start to end.
  public var duration: Double? {
    if let durationMinutes { return durationMinutes }
    guard let startAt, let endAt else { return nil }
    return Double(endAt.milliseconds - startAt.milliseconds) / 60_000
  }

  /// The rules of the time zone, or UTC if this machine doesn't know the zone.
  public var zone: Zone { Zone(timeZone) ?? .utc }
}

/// A person mentioned in an entry, linked to a known person if possible.
public struct Mention: Hashable, Sendable {
  /// The name as written; for a linked person, the person's name.
  public var name: String
  /// The linked person, or nil if the name fits several people or the person was deleted.
  public var personID: UUID?

  /// Creates a mention.
  public init(name: String, personID: UUID? = nil) {
    self.name = name
    self.personID = personID
  }
}

/// The origin of an imported entry; provider and identifier together are unique.
public struct ExternalRef: Hashable, Sendable {
  /// The source: calendar, health, location, weather, photos, or the name of another importer.
  public var provider: String
  /// The identifier at the provider.
  public var externalID: String
  /// The time at which it was last read from the source.
  public var fetchedAt: Instant
  /// A hash of the source's content, used to recognise changes in a later import.
  public var contentHash: String?

  /// Creates a reference.
  public init(
    provider: String, externalID: String, fetchedAt: Instant, contentHash: String? = nil
  ) {
    self.provider = provider
    self.externalID = externalID
    self.fetchedAt = fetchedAt
    self.contentHash = contentHash
  }
}

/// The weather of a day or an activity, as its source reported it.
public struct Weather: Hashable, Sendable {
  /// The weather in words, such as "rain".
  public var conditions: String?
  /// In degrees Celsius.
  public var temperatureCelsius: Double?
  /// In per cent, from 0 to 100.
  public var humidityPercent: Double?
  /// In kilometres per hour.
  public var windSpeedKph: Double?

  /// Creates a weather record.
  public init(
    conditions: String? = nil, temperatureCelsius: Double? = nil, humidityPercent: Double? = nil,
    windSpeedKph: Double? = nil
  ) {
    self.conditions = conditions
    self.temperatureCelsius = temperatureCelsius
    self.humidityPercent = humidityPercent
    self.windSpeedKph = windSpeedKph
  }

  /// The weather as text, such as "rain, 12.5 °C", or nil if nothing is known.
  public var text: String? { wording(AmountText.plain) }

  /// The same text with numbers as the current language writes them: in German "rain, 12,5 °C".
  package var shownText: String? { wording(AmountText.shown) }

  private func wording(_ number: (Double) -> String) -> String? {
    var parts: [String] = []
    if let conditions, !conditions.isEmpty { parts.append(conditions) }
    if let temperatureCelsius { parts.append("\(number(temperatureCelsius)) °C") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
