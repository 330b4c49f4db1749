import ArkivedCore
import Foundation

/// Splits an entity's JSON into fields that are merged one by one, and reassembles it.
///
/// Fields that only make sense together form one field (`when`, `where`, `plan`), and collections
/// have one field for each member (`tags/ID`). Data that belongs to one computer is left out.
enum ReplicaFields {
  typealias Values = [String: JSON]

  /// The entities that devices share, each before those that refer to it.
  static let types: [EntityType] = [
    .tag, .person, .day, .metric, .activity, .meeting, .note, .personalValue, .goal, .term,
    .lifeTime, .contribution, .alignment, .assignment, .thread, .message,
  ]

  /// The settings that belong to the owner and not to one computer.
  static let settings = [
    "preferences", "retention", "tagsApart", "entriesApart", "tableProfiles", "importReadings",
    "nudges", Archive.writingName,
  ]
  /// The type under which settings are stored among the entities.
  static let settingsType = "settings"

  static func order(of type: String) -> Int {
    types.firstIndex { $0.rawValue == type } ?? types.count
  }

  /// The keys of an entity that are combined into one field.
  private static let groups: [EntityType: [(name: String, keys: [String])]] = [
    .activity: [
      ("when", ["dayKey", "startAt", "endAt", "timeZone", "durationMinutes", "dayPeriod"]),
      ("where", ["locationLabel", "lat", "lon"]),
    ],
    .metric: [("number", ["unit", "value", "min", "max"])],
    .goal: [
      (
        "plan",
        [
          "goalType", "measurementUnit", "measurementTarget", "startDate", "targetDate",
          "howGoalIsRelevant", "howGoalIsActionable", "expectedTermLength",
        ]
      )
    ],
    .personalValue: [("rank", ["incentiveType", "priority"])],
    .term: [("dates", ["startDate", "targetDate"])],
    .contribution: [("match", ["contribution", "matchMethod", "confidence", "matchedOn"])],
  ]

  /// Long texts, which are merged by their lines and words.
  private static let texts: [EntityType: Set<String>] = [
    .activity: ["description", "notes"], .day: ["note"], .note: ["text"],
    .meeting: ["purpose", "outcomes", "summary"], .person: ["relationshipSummary"],
    .goal: ["description", "notes"], .personalValue: ["description", "notes"],
    .term: ["reflection", "description", "notes"], .lifeTime: ["description", "notes"],
  ]

  static func isText(_ name: String, of type: String) -> Bool {
    texts[EntityType(rawValue: type)]?.contains(name) ?? false
  }

  /// Fields that refer to another entity; if the reference is required, an entity cannot be shown
  /// without it.
  static let references: [String: (type: EntityType, isRequired: Bool)] = [
    "activityId": (.activity, true), "meetingId": (.meeting, false), "actionId": (.activity, true),
    "goalId": (.goal, true), "valueId": (.personalValue, true), "termId": (.term, true),
    "threadId": (.thread, true),
  ]

  /// Returns true for entities that others refer to but can be shown without.
  static func isNamed(_ type: String) -> Bool {
    [EntityType.tag, .person, .meeting].contains(EntityType(rawValue: type))
  }

  private static let left: Set<String> = ["id", "people", "linkId", "resource"]

  private static let externalPrefix = "externalRefs/"

  /// Returns the references to other programs that some fields contain.
  ///
  /// - Parameters:
  ///   - fields: the names of an entity's fields.
  ///   - now: the time at which they count as fetched.
  /// - Returns: the references, sorted by their fields.
  static func externalReferences(
    in fields: some Collection<String>, at now: Instant
  ) -> [ExternalRef] {
    fields.filter { $0.hasPrefix(externalPrefix) }.sorted().compactMap { field in
      let name = field.dropFirst(externalPrefix.count)
      guard let bar = name.firstIndex(of: "|") else { return nil }
      return ExternalRef(
        provider: String(name[..<bar]), externalID: String(name[name.index(after: bar)...]),
        fetchedAt: now)
    }
  }

  /// Returns true for the fields of something deleted that stay when its content is forgotten.
  static func isKeptWithoutContent(_ field: String) -> Bool {
    field.hasPrefix(externalPrefix) || field == mergedInto
  }

  /// The field of a deleted tag or person with the ID of the one that it was merged into, which
  /// takes its place wherever a device names it without knowing that.
  static let mergedInto = "mergedInto"

  static let tags = "tags/"
  static let mentions = "mentions/"
  private static let lists = [tags, mentions, "attachments/", "aliases/", "addresses/"]

  /// The character that separates a mention from its count if an entry mentions the same person
  /// several times.
  private static let again: Character = "\u{1F}"

  /// Splits a mention into its name, or `#` and the person's ID, and the rest with the count.
  static func mention(_ text: some StringProtocol) -> (name: String, rest: String) {
    let end = text.firstIndex(of: again) ?? text.endIndex
    return (String(text[..<end]), String(text[end...]))
  }

  // MARK: Splitting a record into values

  /// Splits a record into fields.
  ///
  /// - Parameters:
  ///   - record: the JSON of an entity.
  ///   - type: the type of the entity.
  ///   - tag: returns the ID of a tag by its name.
  /// - Returns: the fields of the entity.
  static func values(
    of record: JSONObject, _ type: EntityType, tag: (String) throws -> String?
  ) rethrows -> Values {
    var values: Values = [:]
    let groups = groups[type] ?? []
    for (key, value) in record.members where !left.contains(key) {
      switch key {
      case "tags":
        for (place, name) in (value.array ?? []).enumerated() {
          guard let id = try name.string.flatMap({ try tag($0) }) else { continue }
          values[tags + id] = ["position": JSON(place)]
        }
      case "mentions":
        for (place, one) in (value.array ?? []).enumerated() {
          guard let name = one["name"]?.string else { continue }
          let id = one["personId"]?.string
          let field = mentions + (id.map { "#\($0)" } ?? name)
          // Merging two people may leave an entry that mentions the same person twice.
          var (unused, count) = (field, 1)
          while values[unused] != nil {
            count += 1
            unused = "\(field)\(again)\(count)"
          }
          values[unused] = ["position": JSON(place), "name": .string(name)]
        }
      case "attachments":
        for (place, one) in (value.array ?? []).enumerated() {
          guard var object = one.object, let id = object["id"]?.string else { continue }
          object["position"] = JSON(place)
          values["attachments/\(id)"] = .object(object)
        }
      case "externalRefs":
        for one in value.array ?? [] {
          guard var object = one.object, let provider = object["provider"]?.string,
            let external = object["externalId"]?.string
          else { continue }
          object["provider"] = nil
          object["externalId"] = nil
          values["externalRefs/\(provider)|\(external)"] = .object(object)
        }
      case "measurements":
        for (unit, amount) in value.object?.members ?? [] {
          values["measurements/\(unit)"] = amount
        }
      case "aliases", "addresses":
        for (place, one) in (value.array ?? []).enumerated() {
          if let text = one.string { values["\(key)/\(text)"] = ["position": JSON(place)] }
        }
      default:
        if groups.contains(where: { $0.keys.contains(key) }) { continue }
        if value != .null { values[key] = value }
      }
    }
    for group in groups {
      var object = JSONObject()
      for key in group.keys { if let value = record[key], value != .null { object[key] = value } }
      if !object.isEmpty { values[group.name] = .object(object) }
    }
    // The first address is treated as one of all, so none is lost if two devices have different
    // first ones.
    if type == .person, let email = record["email"]?.string {
      values["addresses/\(email)"] = ["position": JSON(-1)]
    }
    return values
  }

  // MARK: Assembling a record from values

  /// Assembles a record from fields.
  ///
  /// - Parameters:
  ///   - values: the fields returned by `settled`.
  ///   - type: the type of the entity.
  ///   - id: the ID of the entity.
  ///   - tag: returns the name of a tag by its ID.
  ///   - person: returns the name of a person by their ID.
  /// - Returns: the JSON of the entity.
  static func record(
    of values: Values, _ type: EntityType, id: String, tag: (String) throws -> String?,
    person: (String) throws -> String?
  ) rethrows -> JSONObject {
    var record = JSONObject()
    record["id"] = .string(id)
    var members: [String: [(position: Int, field: String, value: JSON)]] = [:]
    let groups = Set((groups[type] ?? []).map(\.name))
    for (field, value) in values {
      if let slash = field.firstIndex(of: "/") {
        let name = String(field[field.index(after: slash)...])
        members[String(field[..<slash]), default: []].append(
          (value["position"]?.int ?? 0, name, value))
      } else if groups.contains(field) {
        for (key, value) in value.object?.members ?? [] { record[key] = value }
      } else {
        record[field] = value
      }
    }
    for (collection, unsorted) in members {
      let list = unsorted.sorted { ($0.position, $0.field) < ($1.position, $1.field) }
      switch collection {
      case "tags": record["tags"] = JSON(try list.compactMap { try tag($0.field) })
      case "mentions":
        record["mentions"] = .array(
          try list.map { one -> JSON in
            let (field, _) = mention(one.field)
            guard field.hasPrefix("#") else { return ["name": .string(field)] }
            let id = String(field.dropFirst())
            let name = try person(id) ?? one.value["name"]?.string ?? "?"
            return ["name": .string(name), "personId": .string(id)]
          })
      case "attachments": record["attachments"] = .array(list.map { $0.value.without("position") })
      case "externalRefs":
        record["externalRefs"] = .array(
          list.compactMap { one -> JSON? in
            guard let bar = one.field.firstIndex(of: "|"), var object = one.value.object else {
              return nil
            }
            object["provider"] = .string(String(one.field[..<bar]))
            object["externalId"] = .string(String(one.field[one.field.index(after: bar)...]))
            return .object(object)
          })
      case "measurements":
        var object = JSONObject()
        for one in list { object[one.field] = one.value }
        record["measurements"] = .object(object)
      default: record[collection] = JSON(list.map(\.field))
      }
    }
    if type == .person { settleAddresses(&record) }
    return record
  }

  private static func settleAddresses(_ record: inout JSONObject) {
    var addresses = (record["addresses"]?.array ?? []).compactMap(\.string)
    let email = record["email"]?.string.flatMap { addresses.contains($0) ? $0 : nil }
    let first = email ?? addresses.first
    addresses.removeAll { $0 == first }
    record["email"] = first.map(JSON.string)
    record["addresses"] = JSON(addresses)
  }

  /// Returns the fields with the members of each list numbered from 0, so gaps and ties make no
  /// difference.
  static func numbered(_ values: Values) -> Values {
    var values = values
    for prefix in lists {
      let list = values.filter { $0.key.hasPrefix(prefix) }
        .map { (position: $0.value["position"]?.int ?? 0, field: $0.key) }
        .sorted { ($0.position, $0.field) < ($1.position, $1.field) }
      for (place, one) in list.enumerated() {
        guard var object = values[one.field]?.object else { continue }
        object["position"] = JSON(place)
        values[one.field] = .object(object)
      }
    }
    return values
  }

  /// Returns true if two values are equal byte for byte, optionally ignoring their position in a
  /// list.
  static func isSame(_ one: JSON?, _ other: JSON?, ignoringPosition: Bool = false) -> Bool {
    let (one, other) = (one ?? .null, other ?? .null)
    guard !ignoringPosition else {
      return isSame(one.without("position"), other.without("position"))
    }
    // Strings that Unicode calls equivalent may differ in their bytes.
    return one == other && one.text().utf8.elementsEqual(other.text().utf8)
  }
}

extension JSON {
  fileprivate func without(_ key: String) -> JSON {
    guard var object else { return self }
    object[key] = nil
    return .object(object)
  }
}
