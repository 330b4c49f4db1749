import ArkivedCore

// Conversion of a query to the JSON that `QueryDecoder` parses, with times as days.

extension Query {
  var json: JSON {
    var object: JSONObject = ["source": source.json, "fold": .string(fold.rawValue)]
    if let target { object["target"] = .string(target.rawValue) }
    if let unit { object["unit"] = .string(unit) }
    if [.nth, .highest, .lowest].contains(fold), group == nil { object["rank"] = JSON(rank) }
    if let against {
      (object["by"], object["against"]) = (.string(by.rawValue), against.json)
    }
    if let group { object["group"] = .string(group.rawValue) }
    if let order { object["order"] = .string(order.rawValue) }
    (object["limit"], object["citations"]) = (JSON(limit), JSON(citations))
    return .object(object)
  }
}

extension Query.Source {
  var json: JSON {
    switch self {
    case .items(let kind, let predicate): [kind.rawValue: predicate.json]
    case .metric(let name, let days): ["metric": ["name": .string(name), "where": days.json]]
    case .onDays(let source, let other, let offsets):
      [
        "onDays": [
          "source": source.json, "of": other.json, "from": JSON(offsets.lowerBound),
          "to": JSON(offsets.upperBound),
        ]
      ]
    case .between(let source, let start, let end):
      ["between": ["source": source.json, "start": start.json, "end": end.json]]
    case .minus(let source, let without):
      ["minus": ["source": source.json, "without": without.json]]
    case .union(let sources): ["union": .array(sources.map(\.json))]
    }
  }
}

extension Query.Predicate {
  var json: JSON {
    var object = JSONObject()
    if case .all(let parts) = self, parts.count != 1, !parts.contains(.all([])) {
      // All members of an object must match.
      for (key, value) in parts.map(\.member) { object[key] = value }
      if object.members.count == parts.count { return .object(object) }
    }
    let (key, value) = member
    return [key: value]
  }

  /// The name and value of the corresponding member.
  private var member: (String, JSON) {
    switch self {
    case .all(let parts): ("all", .array(parts.map(\.json)))
    case .any(let parts): ("any", .array(parts.map(\.json)))
    case .not(let part): ("not", part.json)
    case .days(let days):
      (
        "days",
        Self.object([
          (
            "from",
            days.lowerBound == .earliest && days.upperBound < .latest
              ? .null : JSON(days.lowerBound)
          ),
          ("to", days.upperBound == .latest ? .null : JSON(days.upperBound)),
        ])
      )
    case .weekday(let days):
      ("weekday", JSON(Weekday.allCases.filter(days.contains).map { $0.name.lowercased() }))
    case .hours(let from, let to):
      (
        "hours",
        ["from": .string(RecapText.clock(from)), "to": .string(RecapText.clock(to))]
      )
    case .season(let seasons):
      ("season", JSON(Query.Season.allCases.filter(seasons.contains).map(\.rawValue)))
    case .month(let months): ("month", .array(months.sorted().map { JSON($0) }))
    case .person(let name, .any): ("person", .string(name))
    case .person(let name, let role):
      ("person", ["name": .string(name), "role": .string(role.rawValue)])
    case .alone: ("alone", true)
    case .place(let name): ("place", .string(name))
    case .tag(let name): ("tag", .string(name))
    case .kind(let name): ("kind", .string(name))
    case .source(let name): ("source", .string(name))
    case .concept(let concept):
      (
        "concept",
        concept.role == .any
          ? .string(concept.phrase)
          : ["phrase": .string(concept.phrase), "role": .string(concept.role.rawValue)]
      )
    case .amount(let unit, let bounds):
      ("amount", Self.object([("unit", .string(unit))] + bounds.members))
    case .mood(let bounds): ("mood", Self.object(bounds.members))
    case .energy(let bounds): ("energy", Self.object(bounds.members))
    case .metric(let name, let bounds):
      ("metric", Self.object([("name", .string(name))] + bounds.members))
    case .text(let text): ("text", .string(text))
    case .done(let isDone): ("done", .bool(isDone))
    }
  }

  /// Returns an object with the members that aren't null.
  private static func object(_ members: [(String, JSON)]) -> JSON {
    var object = JSONObject()
    for (key, value) in members where value != .null { object[key] = value }
    return .object(object)
  }
}

extension Query.Bounds {
  fileprivate var members: [(String, JSON)] { [("min", JSON(least)), ("max", JSON(most))] }
}
