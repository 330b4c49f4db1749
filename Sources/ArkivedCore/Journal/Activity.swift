public import Foundation

/// The atomic "what I did": one thing on one day, with everything that hangs on it.
public struct Activity: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The local calendar day on which it happened, where it happened.
  public var dayKey: DayKey
  /// The moment it began, where that is known.
  public var startAt: Instant?
  /// Not before `startAt`.
  public var endAt: Instant?
  /// The IANA name of the zone it happened in, kept as written even when this machine lacks it.
  public var timeZone: String
  /// The sort of doing it was.
  public var kind: ActivityKind
  /// What was done, in a line.
  public var text: String
  /// A longer text about it.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// How it came into the archive.
  public var source: ActivitySource
  /// Whether the owner pinned it.
  public var isPinned: Bool
  /// The name of the place.
  public var locationLabel: String?
  /// Degrees north, −90 to 90; present together with `lon`.
  public var lat: Double?
  /// Degrees east, −180 to 180.
  public var lon: Double?
  /// Unit to amount, such as `km` to 5; amounts are finite and not negative.
  public var measurements: [String: Double]
  /// Minutes, as given; see `duration` for the one that start and end tell.
  public var durationMinutes: Double?
  /// The weather, as a source gave it.
  public var weather: Weather?
  /// The line as its writer typed it.
  public var typedText: String?
  /// Names of tags, in the order they were given.
  public var tags: [String]
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

  /// Makes an activity.
  public init(
    id: UUID, dayKey: DayKey, startAt: Instant? = nil, endAt: Instant? = nil, timeZone: String,
    kind: ActivityKind = .other, text: String, description: String? = nil, notes: String? = nil,
    source: ActivitySource = .manual, isPinned: Bool = false, locationLabel: String? = nil,
    lat: Double? = nil, lon: Double? = nil, measurements: [String: Double] = [:],
    durationMinutes: Double? = nil, weather: Weather? = nil, typedText: String? = nil,
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
    self.weather = weather
    self.typedText = typedText
    self.tags = tags
    self.people = people
    self.attachments = attachments
    self.externalRefs = externalRefs
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// Minutes it took: as given, else from start to end.
  public var duration: Double? {
    if let durationMinutes { return durationMinutes }
    guard let startAt, let endAt else { return nil }
    return Double(endAt.milliseconds - startAt.milliseconds) / 60_000
  }

  /// The zone's rules; UTC where this machine knows none of that name.
  public var zone: Zone { Zone(timeZone) ?? .utc }
}

/// A person named in an entry: the words that name them, and whom they mean where that is known.
public struct Mention: Hashable, Sendable {
  /// The name as written; for a linked person, the person's name.
  public var name: String
  /// nil when the name fits several people or the person was deleted.
  public var personID: UUID?

  /// Makes a mention.
  public init(name: String, personID: UUID? = nil) {
    self.name = name
    self.personID = personID
  }
}

/// Where an imported entry came from. Provider and identifier together are unique.
public struct ExternalRef: Hashable, Sendable {
  /// calendar, health, location, weather, photos, and one per further importer.
  public var provider: String
  /// The identifier at the provider.
  public var externalID: String
  /// When it was last read from there.
  public var fetchedAt: Instant
  /// What the source said, hashed, so that a later import can tell whether it has changed.
  public var contentHash: String?

  /// Makes a reference.
  public init(
    provider: String, externalID: String, fetchedAt: Instant, contentHash: String? = nil
  ) {
    self.provider = provider
    self.externalID = externalID
    self.fetchedAt = fetchedAt
    self.contentHash = contentHash
  }
}

/// The weather of a day or an activity, as a source gave it.
public struct Weather: Hashable, Sendable {
  /// The weather in words, such as rain.
  public var conditions: String?
  /// Degrees Celsius.
  public var temperatureCelsius: Double?
  /// Per cent, 0 to 100.
  public var humidityPercent: Double?
  /// Kilometres per hour.
  public var windSpeedKph: Double?

  /// Makes an account of the weather.
  public init(
    conditions: String? = nil, temperatureCelsius: Double? = nil, humidityPercent: Double? = nil,
    windSpeedKph: Double? = nil
  ) {
    self.conditions = conditions
    self.temperatureCelsius = temperatureCelsius
    self.humidityPercent = humidityPercent
    self.windSpeedKph = windSpeedKph
  }

  /// "rain, 12 °C", or nil when nothing is known.
  public var text: String? {
    var parts: [String] = []
    if let conditions, !conditions.isEmpty { parts.append(conditions) }
    if let temperatureCelsius { parts.append("\(AmountText.plain(temperatureCelsius)) °C") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
