import Foundation

extension DayEntry {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "dayKey": JSON(dayKey), "title": JSON(title),
      "note": .string(note), "mood": JSON(mood), "energy": JSON(energy),
      "weather": weather.map(\.json) ?? .null, "people": JSON(people.map(\.name)),
      "attachments": .array(attachments.map(\.json)),
      "externalRefs": .array(externalRefs.map(\.json)), "createdAt": JSON(createdAt),
      "updatedAt": JSON(updatedAt), "mentions": .array(people.map(\.json)),
    ]
  }

  /// Reads and validates a day; only `dayKey` is required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    guard let dayKey = try fields.day("dayKey") else {
      throw FieldError("dayKey", "is missing")
    }
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), dayKey: dayKey,
      title: try fields.string("title"), note: try fields.string("note") ?? "",
      mood: try fields.int("mood"), energy: try fields.int("energy"),
      weather: try Weather.read("weather", &fields), people: try Mention.readAll(&fields),
      attachments: try Attachment.readAll(&fields, now: createdAt, defaults: defaults),
      externalRefs: try ExternalRef.readAll(&fields, now: defaults.now), createdAt: createdAt,
      updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}

extension Day {
  /// The day in the form of the contract.
  package var json: JSON {
    [
      "dayKey": JSON(dayKey), "title": JSON(entry?.title), "note": JSON(entry?.note),
      "mood": JSON(entry?.mood), "energy": JSON(entry?.energy),
      "activities": .array(activities.map(\.json)),
      "continuing": .array(continuing.map(\.json)), "meetings": .array(meetings.map(\.json)),
      "metrics": .array(metrics.map(\.json)), "weather": entry?.weather.map(\.json) ?? .null,
      "people": JSON(entry?.people.map(\.name) ?? []),
      "attachments": .array(entry?.attachments.map(\.json) ?? []),
      "updatedAt": JSON(entry?.updatedAt),
    ]
  }
}

extension DayMetric {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "dayKey": JSON(dayKey), "metric": .string(metric),
      "unit": .string(unit), "value": JSON(value), "min": JSON(minimum), "max": JSON(maximum),
      "source": .string(source), "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  /// Reads and validates a metric; `dayKey`, `metric` and `value` are required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    guard let dayKey = try fields.day("dayKey") else { throw FieldError("dayKey", "is missing") }
    guard let value = try fields.double("value") else { throw FieldError("value", "is missing") }
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), dayKey: dayKey,
      metric: try fields.required("metric"), unit: try fields.string("unit") ?? "",
      value: value, minimum: try fields.double("min"), maximum: try fields.double("max"),
      source: try fields.string("source") ?? ActivitySource.manual.rawValue,
      createdAt: createdAt, updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}

extension Person {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "name": JSON(name), "email": JSON(email),
      "addresses": JSON(furtherAddresses), "aliases": JSON(aliases),
      "relationshipSummary": JSON(relationshipSummary),
      "externalRefs": .array(externalRefs.map(\.json)), "createdAt": JSON(createdAt),
      "updatedAt": JSON(updatedAt),
    ]
  }

  /// Reads and validates a person; a name, an alias or an address is required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), name: try fields.string("name"),
      email: try fields.string("email"),
      furtherAddresses: try fields.strings("addresses") ?? [],
      aliases: (try fields.strings("aliases") ?? []).filter { !NameFolding.key($0).isEmpty },
      relationshipSummary: try fields.string("relationshipSummary"),
      externalRefs: try ExternalRef.readAll(&fields, now: defaults.now), createdAt: createdAt,
      updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}

extension Tag {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "name": .string(name), "colorHex": JSON(colorHex),
      "createdAt": JSON(createdAt), "updatedAt": JSON(updatedAt),
    ]
  }

  /// Reads and validates a tag; only `name` is required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let createdAt = try fields.instant("createdAt") ?? defaults.now
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(), name: try fields.required("name"),
      colorHex: try fields.string("colorHex"), createdAt: createdAt,
      updatedAt: try fields.instant("updatedAt") ?? createdAt)
    try validate()
  }
}

extension Tombstone {
  package var json: JSON {
    [
      "sourceTable": .string(sourceTable.rawValue), "sourceId": .string(sourceID.uuidString),
      "provider": JSON(provider), "externalId": JSON(externalID), "deletedAt": JSON(deletedAt),
    ]
  }

  /// Reads a tombstone; `sourceTable` and `sourceId` are required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let table = try fields.required("sourceTable")
    guard let sourceID = try fields.uuid("sourceId") else {
      throw FieldError("sourceId", "is missing")
    }
    self.init(
      sourceTable: EntityType(rawValue: table), sourceID: sourceID,
      provider: try fields.string("provider"), externalID: try fields.string("externalId"),
      deletedAt: try fields.instant("deletedAt") ?? defaults.now)
    guard (provider == nil) == (externalID == nil) else {
      throw FieldError("provider", "and externalId must be given together or not at all")
    }
  }
}

extension HistoryRecord {
  package var json: JSON {
    [
      "id": .string(id.uuidString), "sourceTable": .string(sourceTable.rawValue),
      "sourceId": .string(sourceID.uuidString), "reason": .string(reason.rawValue),
      "archivedAt": JSON(archivedAt), "archivedBy": .string(archivedBy.rawValue),
      "record": record,
    ]
  }

  /// Reads an old version; `sourceTable`, `sourceId` and `record` are required.
  package init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError) {
    let table = try fields.required("sourceTable")
    guard let sourceID = try fields.uuid("sourceId") else {
      throw FieldError("sourceId", "is missing")
    }
    guard let record = try fields.object("record") else {
      throw FieldError("record", "is missing")
    }
    guard !JSON.object(record).isNested(deeperThan: JSON.freeDepth + 2) else {
      throw FieldError("record", "is nested too deeply")
    }
    self.init(
      id: try fields.uuid("id") ?? defaults.identities.next(),
      sourceTable: EntityType(rawValue: table), sourceID: sourceID, record: .object(record),
      reason: Reason(rawValue: try fields.string("reason") ?? Reason.update.rawValue),
      archivedAt: try fields.instant("archivedAt") ?? defaults.now,
      archivedBy: Author(rawValue: try fields.string("archivedBy") ?? Author.owner.rawValue))
  }
}
