import Foundation

/// The values used for fields that an input omits.
package struct EntryDefaults: Sendable {
  package var now: Instant
  package var homeZone: Zone
  package var identities: any IdentitySource

  package init(now: Instant, homeZone: Zone, identities: any IdentitySource) {
    self.now = now
    self.homeZone = homeZone
    self.identities = identities
  }
}

extension Activity {
  /// The activity as the contract's ACTIVITY: `record` with the duration filled in from start and
  /// end.
  package var json: JSON {
    guard durationMinutes == nil, let duration, var object = record.object else { return record }
    object["durationMinutes"] = JSON(duration)
    return .object(object)
  }

  /// The entity as stored, for history and exports: every field, with absent ones as null, except
  /// `dayPeriod`, which most entries lack.
  ///
  /// In addition to `people`, `mentions` gives the person each name refers to; `typedText` and
  /// `weather` complete the entity.
  package var record: JSON {
    var object = JSONObject()
    object.append(uncheckedKey: "id", .string(id.uuidString))
    object.append(uncheckedKey: "dayKey", JSON(dayKey))
    object.append(uncheckedKey: "startAt", JSON(startAt))
    object.append(uncheckedKey: "endAt", JSON(endAt))
    object.append(uncheckedKey: "timeZone", .string(timeZone))
    object.append(uncheckedKey: "kind", .string(kind.rawValue))
    object.append(uncheckedKey: "text", .string(text))
    object.append(uncheckedKey: "description", JSON(description))
    object.append(uncheckedKey: "notes", JSON(notes))
    object.append(uncheckedKey: "source", .string(source.rawValue))
    object.append(uncheckedKey: "isPinned", .bool(isPinned))
    object.append(uncheckedKey: "locationLabel", JSON(locationLabel))
    object.append(uncheckedKey: "lat", JSON(lat))
    object.append(uncheckedKey: "lon", JSON(lon))
    object.append(uncheckedKey: "measurements", Activity.json(measurements))
    object.append(uncheckedKey: "durationMinutes", JSON(durationMinutes))
    object.append(uncheckedKey: "tags", JSON(tags))
    object.append(uncheckedKey: "people", JSON(people.map(\.name)))
    object.append(uncheckedKey: "attachments", .array(attachments.map(\.json)))
    object.append(uncheckedKey: "externalRefs", .array(externalRefs.map(\.json)))
    object.append(uncheckedKey: "createdAt", JSON(createdAt))
    object.append(uncheckedKey: "updatedAt", JSON(updatedAt))
    object.append(uncheckedKey: "mentions", .array(people.map(\.json)))
    object.append(uncheckedKey: "weather", weather.map(\.json) ?? .null)
    object.append(uncheckedKey: "typedText", JSON(typedText))
    if let dayPeriod { object.append(uncheckedKey: "dayPeriod", .string(dayPeriod.rawValue)) }
    return .object(object)
  }

  private static func json(_ measurements: [String: Double]) -> JSON {
    var object = JSONObject()
    for (unit, amount) in measurements.sorted(by: { $0.key < $1.key }) {
      object.append(uncheckedKey: unit, JSON(amount))
    }
    return .object(object)
  }

  /// Reads and validates an ACTIVITY.
  ///
  /// Only `text` and one of `dayKey` or `startAt` are required. A top-level `provider` and
  /// `externalId` become an external reference.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let text = try fields.required("text")
    let zoneName = try fields.string("timeZone") ?? defaults.homeZone.identifier
    let startAt = try fields.instant("startAt")
    let dayKey: DayKey
    if let given = try fields.day("dayKey") {
      dayKey = given
    } else if let startAt {
      dayKey = (Zone(zoneName) ?? defaults.homeZone).dayKey(at: startAt)
    } else {
      throw FieldError("dayKey", "is missing. Give dayKey or startAt")
    }
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), dayKey: dayKey, startAt: startAt,
      endAt: try fields.instant("endAt"), timeZone: zoneName,
      kind: ActivityKind(rawValue: try fields.string("kind") ?? ActivityKind.other.rawValue),
      text: text, description: try fields.string("description"),
      notes: try fields.string("notes"),
      source: ActivitySource(
        rawValue: try fields.string("source") ?? ActivitySource.manual.rawValue),
      isPinned: try fields.bool("isPinned") ?? false,
      locationLabel: try fields.string("locationLabel"), lat: try fields.double("lat"),
      lon: try fields.double("lon"), measurements: try Activity.measurements(&fields),
      durationMinutes: try fields.double("durationMinutes"),
      dayPeriod: try DayPeriod.read("dayPeriod", &fields),
      weather: try Weather.read("weather", &fields), typedText: try fields.string("typedText"),
      tags: try fields.strings("tags") ?? [], people: try Mention.readAll(&fields),
      attachments: try Attachment.readAll(&fields, now: createdAt, defaults: defaults),
      externalRefs: try ExternalRef.readAll(&fields, now: defaults.now), createdAt: createdAt,
      updatedAt: try fields.instant("updatedAt") ?? createdAt)
    // Earlier versions let a person lose their name; the link still says who they are.
    for index in people.indices where people[index].personID != nil && isBlank(people[index].name) {
      people[index].name = Person.nameless
    }
    try validate()
  }

  private static func measurements(
    _ fields: inout FieldReader
  ) throws(FieldError) -> [String: Double] {
    guard let object = try fields.object("measurements") else { return [:] }
    var amounts: [String: Double] = [:]
    for (unit, value) in object.members {
      guard let amount = value.double else {
        throw FieldError("measurements.\(unit)", "must be a number, not \(value.typeName)")
      }
      amounts[unit] = amount
    }
    return amounts
  }
}

extension DayPeriod {
  static func read(_ key: String, _ fields: inout FieldReader) throws(FieldError) -> DayPeriod? {
    guard let text = try fields.string(key) else { return nil }
    guard let period = DayPeriod(rawValue: text) else {
      throw FieldError(
        key, "is \(FieldError.shown(text)), but must be morning, afternoon, evening or night")
    }
    return period
  }
}

extension Mention {
  package var json: JSON { ["name": .string(name), "personId": JSON(personID?.uuidString)] }

  /// Reads `mentions` if present, and `people` otherwise.
  static func readAll(_ fields: inout FieldReader) throws(FieldError) -> [Mention] {
    let names = try fields.strings("people") ?? []
    let mentions = try fields.objects("mentions") { reader throws(FieldError) in
      Mention(name: try reader.required("name"), personID: try reader.uuid("personId"))
    }
    return mentions ?? names.map { Mention(name: $0) }
  }
}

extension ExternalRef {
  package var json: JSON {
    [
      "provider": .string(provider), "externalId": .string(externalID),
      "fetchedAt": JSON(fetchedAt), "contentHash": JSON(contentHash),
    ]
  }

  /// Reads `externalRefs`, as well as a top-level `provider` with `externalId`.
  static func readAll(
    _ fields: inout FieldReader, now: Instant
  ) throws(FieldError) -> [ExternalRef] {
    var refs =
      try fields.objects("externalRefs") { reader throws(FieldError) in
        ExternalRef(
          provider: try reader.required("provider"), externalID: try reader.required("externalId"),
          fetchedAt: try reader.instant("fetchedAt") ?? now,
          contentHash: try reader.string("contentHash"))
      } ?? []
    let provider = try fields.string("provider")
    let externalID = try fields.string("externalId")
    switch (provider, externalID) {
    case (let provider?, let externalID?):
      let isNew = !refs.contains { $0.provider == provider && $0.externalID == externalID }
      if isNew {
        refs.append(ExternalRef(provider: provider, externalID: externalID, fetchedAt: now))
      }
    case (nil, nil): break
    case (nil, _): throw FieldError("provider", "is required with externalId")
    case (_, nil): throw FieldError("externalId", "is required with provider")
    }
    for ref in refs where ref.provider.isEmpty || ref.externalID.isEmpty {
      throw FieldError("externalRefs", "contains an empty provider or externalId")
    }
    return refs
  }
}

extension Weather {
  package var json: JSON {
    [
      "conditions": JSON(conditions), "temperatureCelsius": JSON(temperatureCelsius),
      "humidityPercent": JSON(humidityPercent), "windSpeedKph": JSON(windSpeedKph),
    ]
  }

  static func read(_ key: String, _ fields: inout FieldReader) throws(FieldError) -> Weather? {
    guard let object = try fields.object(key) else { return nil }
    var reader = FieldReader(object)
    do throws(FieldError) {
      return try Weather(&reader)
    } catch {
      throw FieldError("\(key).\(error.field)", error.problem)
    }
  }

  package init(_ fields: inout FieldReader) throws(FieldError) {
    self.init(
      conditions: try fields.string("conditions"),
      temperatureCelsius: try fields.double("temperatureCelsius"),
      humidityPercent: try fields.double("humidityPercent"),
      windSpeedKph: try fields.double("windSpeedKph"))
  }
}

extension Attachment {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "type": .string(type.rawValue), "caption": JSON(caption),
      "relativePath": JSON(relativePath), "externalURL": JSON(externalURL),
      "contentHash": JSON(contentHash), "byteCount": JSON(byteCount),
      "mediaType": JSON(mediaType), "originalName": JSON(originalName),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  /// Reads an attachment.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - typeKey: the key of its type, because in an attachment's own line, `type` is already the
  ///     kind of line.
  ///   - now: the current time.
  ///   - defaults: the values for missing fields.
  /// - Throws: `FieldError` that names the invalid field.
  package init(
    _ fields: inout FieldReader, typeKey: String = "type", now: Instant, defaults: EntryDefaults
  ) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      type: AttachmentType(rawValue: try fields.string(typeKey) ?? AttachmentType.file.rawValue),
      caption: try fields.string("caption"), relativePath: try fields.string("relativePath"),
      externalURL: try fields.string("externalURL"),
      contentHash: try fields.string("contentHash"), byteCount: try fields.int("byteCount"),
      mediaType: try fields.string("mediaType"), originalName: try fields.string("originalName"),
      createdAt: createdAt, updatedAt: try fields.instant("updatedAt") ?? createdAt)
  }

  static func readAll(
    _ fields: inout FieldReader, now: Instant, defaults: EntryDefaults
  ) throws(FieldError) -> [Attachment] {
    try fields.objects("attachments") { reader throws(FieldError) in
      try Attachment(&reader, now: now, defaults: defaults)
    } ?? []
  }
}
