import ArkivedCore

/// A decoder for queries in JSON that rejects invalid input: first by its form, then by its types.
struct QueryDecoder {
  /// The parser for times in words.
  let reader: TimeReader

  /// Decodes a query.
  ///
  /// - Throws: `FieldError` whose field is the JSON pointer of the invalid part.
  func query(_ json: JSON) throws(FieldError) -> Query {
    let root = QueryPlace()
    var parts = 0
    try QueryShape.query.check(json, at: root, parts: &parts)
    var searches = 0
    var query = Query(
      try source(json["source"] ?? .null, root.member("source"), &searches),
      json["fold"]?.string.flatMap(Query.Fold.init) ?? .list)
    query.target = json["target"]?.string.flatMap(Query.Target.init)
    query.unit = json["unit"]?.string
    query.rank = json["rank"]?.int ?? 1
    query.by = json["by"]?.string.flatMap(Query.Fold.init) ?? .count
    if let against = json["against"] {
      query.against = try source(against, root.member("against"), &searches)
    }
    query.group = json["group"]?.string.flatMap(Query.Group.init)
    query.order = json["order"]?.string.flatMap(Query.Order.init)
    query.limit = json["limit"]?.int ?? Query.usualLimit
    query.citations = json["citations"]?.int ?? Query.usualCitations
    // Counts of days, people or places count each one once.
    if query.fold == .count, let target = query.target, target.naming != nil,
      ![.name, .thing].contains(target)
    {
      query.fold = .distinct
    }
    try Self.check(query, json)
    return query
  }

  // MARK: Sources

  private func source(
    _ json: JSON, _ place: QueryPlace, _ searches: inout Int
  ) throws(FieldError) -> Query.Source {
    guard let (name, value) = json.object?.members.first else { throw place.refusal("is empty") }
    let place = place.member(name)
    func part(_ name: String) throws(FieldError) -> Query.Source {
      try source(value[name] ?? .null, place.member(name), &searches)
    }
    if let kind = Query.ItemKind(rawValue: name) {
      return .items(kind, try predicate(value, kind, place, &searches))
    }
    switch name {
    case "metric":
      let days = try predicate(value["where"] ?? [:], .days, place.member("where"), &searches)
      return .metric(value["name"]?.string ?? "", days)
    case "onDays":
      let from = value["from"]?.int ?? 0
      let to = value["to"]?.int ?? from
      guard from <= to else {
        throw place.member("to").refusal("is \(to), but must not be less than from (\(from))")
      }
      let (wanted, days) = (try part("source"), try part("of"))
      try Self.checkDays(of: wanted, place.member("source"))
      try Self.checkDays(of: days, place.member("of"))
      return .onDays(wanted, of: days, offsets: from...to)
    case "between":
      let (wanted, start, end) = (try part("source"), try part("start"), try part("end"))
      for (name, source) in [("source", wanted), ("start", start), ("end", end)] {
        try Self.checkDays(of: source, place.member(name))
      }
      return .between(wanted, start: start, end: end)
    case "minus":
      let (wanted, without) = (try part("source"), try part("without"))
      try Self.checkSame(wanted, without, place.member("without"))
      return .minus(wanted, without)
    default:
      var sources: [Query.Source] = []
      for (index, element) in (value.array ?? []).enumerated() {
        let source = try source(element, place.element(index), &searches)
        try Self.checkSame(sources.first ?? source, source, place.element(index))
        sources.append(source)
      }
      return .union(sources)
    }
  }

  private static func checkDays(
    of source: Query.Source, _ place: QueryPlace
  ) throws(FieldError) {
    guard source.kind != .people else { throw place.refusal("is people, which have no days") }
  }

  private static func checkSame(
    _ first: Query.Source, _ second: Query.Source, _ place: QueryPlace
  ) throws(FieldError) {
    guard first.kind == second.kind else {
      throw place.refusal(
        "is \(second.kind.rawValue), but must be \(first.kind.rawValue) like the other source")
    }
    guard first.metric == second.metric else {
      throw place.refusal("has a different metric than the other source; use the same one")
    }
  }

  // MARK: Predicates

  private func predicate(
    _ json: JSON, _ kind: Query.ItemKind, _ place: QueryPlace, _ searches: inout Int
  ) throws(FieldError) -> Query.Predicate {
    var parts: [Query.Predicate] = []
    for (name, value) in json.object?.members ?? [] {
      let place = place.member(name)
      guard kind.conditions.contains(name) else {
        throw place.refusal(
          "doesn’t apply to \(kind.rawValue). Valid here: "
            + kind.conditions.sorted().joined(separator: ", "))
      }
      if ["concept", "text"].contains(name) {
        searches += 1
        guard searches <= QueryShape.searchLimit else {
          throw place.refusal("is one too many; \(QueryShape.searchLimit) phrases fit")
        }
      }
      parts.append(try condition(name, value, kind, place, &searches))
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private func condition(
    _ name: String, _ value: JSON, _ kind: Query.ItemKind, _ place: QueryPlace,
    _ searches: inout Int
  ) throws(FieldError) -> Query.Predicate {
    let text = value.string ?? ""
    let texts = value.array?.compactMap(\.string) ?? []
    switch name {
    case "all", "any":
      var parts: [Query.Predicate] = []
      for (index, element) in (value.array ?? []).enumerated() {
        parts.append(try predicate(element, kind, place.element(index), &searches))
      }
      return name == "all" ? .all(parts) : .any(parts)
    case "not": return .not(try predicate(value, kind, place, &searches))
    case "time": return .days(try days(text, place))
    case "days":
      let from = value["from"]?.string.flatMap { DayKey($0) }
      let to = value["to"]?.string.flatMap { DayKey($0) }
      guard from != nil || to != nil else { throw place.refusal("needs from or to") }
      let (first, last) = (from ?? .earliest, to ?? .latest)
      guard first <= last else {
        throw place.member("to").refusal("is \(last), but must not be before from (\(first))")
      }
      return .days(first...last)
    case "weekday":
      return .weekday(Set(Weekday.allCases.filter { texts.contains($0.name.lowercased()) }))
    case "hours":
      func minute(_ name: String) -> Int { value[name]?.string.flatMap(QueryShape.minute) ?? 0 }
      guard minute("from") != minute("to") else {
        throw place.member("to").refusal("must differ from from")
      }
      return .hours(from: minute("from"), to: minute("to"))
    case "season": return .season(Set(texts.compactMap(Query.Season.init)))
    case "month": return .month(Set(value.array?.compactMap(\.int) ?? []))
    case "person":
      let role = value["role"]?.string.flatMap(Query.Role.init) ?? .any
      let fitting: [Query.Role] =
        switch kind {
        case .meetings: [.any, .organizer, .attendee]
        case .promises: [.any, .owner, .recipient]
        default: [.any]
        }
      guard fitting.contains(role) else {
        throw place.member("role").refusal(
          "is “\(role.rawValue)”; \(kind.rawValue) know "
            + fitting.map(\.rawValue).joined(separator: ", "))
      }
      return .person(value["name"]?.string ?? text, role: role)
    case "alone": return value.bool == true ? .alone : .not(.alone)
    case "place": return .place(text)
    case "tag": return .tag(text.hasPrefix("#") ? String(text.dropFirst()) : text)
    case "kind": return .kind(text)
    case "source": return .source(text)
    case "concept":
      return .concept(
        Query.Concept(
          phrase: value["phrase"]?.string ?? text,
          role: value["role"]?.string.flatMap(Query.Concept.Role.init) ?? .any))
    case "amount":
      return .amount(unit: value["unit"]?.string ?? "", try bounds(value, place))
    case "mood": return .mood(try bounds(value, place))
    case "energy": return .energy(try bounds(value, place))
    case "metric": return .metric(value["name"]?.string ?? "", try bounds(value, place))
    case "text": return .text(text)
    default: return .done(value.bool == true)
    }
  }

  private func bounds(_ value: JSON, _ place: QueryPlace) throws(FieldError) -> Query.Bounds {
    let bounds = Query.Bounds(least: value["min"]?.double, most: value["max"]?.double)
    guard bounds.least != nil || bounds.most != nil else {
      throw place.refusal("needs min or max")
    }
    if let least = bounds.least, let most = bounds.most, least > most {
      throw place.member("max").refusal("is less than min")
    }
    return bounds
  }

  private func days(_ text: String, _ place: QueryPlace) throws(FieldError) -> ClosedRange<DayKey> {
    let phrase: TimePhrase
    do { phrase = try reader.phrase(text) } catch {
      throw place.refusal("can’t be read: \(error)")
    }
    func day(_ bound: TimeBound?, _ open: DayKey) throws(FieldError) -> DayKey {
      switch bound {
      case nil: return open
      case .day(let day): return day
      case .instant:
        throw place.refusal(
          "is \(FieldError.shown(text)), which is a time of day; use days and hours instead")
      }
    }
    let (first, last) = (try day(phrase.from, .earliest), try day(phrase.to, .latest))
    guard first <= last else { throw place.refusal("ends before it starts") }
    return first...last
  }

  // MARK: Types

  /// Checks the parts that depend on each other, which a schema can't express.
  private static func check(_ query: Query, _ json: JSON) throws(FieldError) {
    let root = QueryPlace()
    let kind = query.source.kind
    func refuse(_ member: String, _ problem: String) -> FieldError {
      root.member(member).refusal(problem)
    }
    if let target = query.target, !kind.targets.contains(target) {
      throw refuse(
        "target",
        "is “\(target.rawValue)”; \(kind.rawValue) have "
          + kind.targets.map(\.rawValue).sorted().joined(separator: ", "))
    }
    let hasMeasure = query.unit != nil || query.source.metric != nil
    if query.unit != nil, ![.entries, .meetings].contains(kind) {
      throw refuse("unit", "doesn’t apply here; only entries and meetings have amounts")
    }
    let isBoth = query.fold == .compare || query.fold == .share
    let computed = isBoth ? query.by : query.fold
    if computed.needsMeasure || query.target == .amount, !hasMeasure {
      throw refuse(
        "unit",
        "is missing; \(computed.needsMeasure ? computed.rawValue : "amount") requires a unit"
      )
    }
    if computed == .distinct, (query.target ?? (kind == .days ? .day : nil))?.naming == nil {
      throw refuse(
        "target", "is missing; distinct requires names or days, such as person, place or day")
    }
    if query.target == .timeSpan || query.target == .yesNo, query.fold != .list,
      query.fold != .count
    {
      throw refuse(
        "fold", "is “\(query.fold.rawValue)”, but this target only allows list and count")
    }
    switch (isBoth, query.against) {
    case (true, nil):
      throw refuse("against", "is missing; \(query.fold.rawValue) requires a second source")
    case (false, _?): throw refuse("against", "only applies to compare and share")
    case (true, let other?):
      guard other.kind == kind, other.metric == query.source.metric else {
        throw refuse(
          "against", "is \(other.kind.rawValue), but must be \(kind.rawValue) like source")
      }
      if query.fold == .share, query.by != .count, query.by != .sum {
        throw refuse("by", "is “\(query.by.rawValue)”, but share only allows count and sum")
      }
    case (false, nil):
      if json["by"] != nil { throw refuse("by", "only applies to compare and share") }
    }
    if json["rank"] != nil, ![.nth, .highest, .lowest].contains(query.fold) {
      throw refuse("rank", "only applies to nth, highest and lowest")
    }
    if query.fold == .nth, json["rank"] == nil {
      throw refuse("rank", "is missing; nth requires it")
    }
    if kind == .people, ![.list, .count, .distinct, .compare, .share].contains(query.fold) {
      throw refuse("fold", "is “\(query.fold.rawValue)”, which needs days; people have none")
    }
    try checkGroup(query, kind)
  }

  private static func checkGroup(_ query: Query, _ kind: Query.ItemKind) throws(FieldError) {
    let root = QueryPlace()
    guard let group = query.group else {
      let isList = query.fold == .list && query.target != .yesNo
      if query.order != nil, !isList {
        throw root.member("order").refusal("only applies to groups and lists")
      }
      if query.order == .most || query.order == .least, query.target?.naming == nil,
        query.target != .timeSpan, query.unit == nil, query.source.metric == nil
      {
        throw root.member("unit").refusal("is missing; the orders most and least require an amount")
      }
      return
    }
    guard query.fold.groups else {
      throw root.member("group").refusal(
        "can’t be combined with \(query.fold.rawValue). Groups are allowed for "
          + Query.Fold.allCases.filter(\.groups).map(\.rawValue).joined(separator: ", "))
    }
    if query.fold == .trend || query.fold == .run, !group.isTime {
      throw root.member("group").refusal(
        "is “\(group.rawValue)”, but \(query.fold.rawValue) requires day, week, month or year")
    }
    if query.rank > 1 {
      throw root.member("rank").refusal("can’t be combined with group; use order and limit")
    }
    if query.target == .timeSpan || query.target == .yesNo {
      throw root.member("target").refusal("can’t be combined with group")
    }
    let names = Set(kind.targets.compactMap(\.naming))
    guard group.isOrdered && kind != .people || names.contains(group) else {
      throw root.member("group").refusal(
        "is “\(group.rawValue)”, which \(kind.rawValue) don’t have")
    }
  }
}
