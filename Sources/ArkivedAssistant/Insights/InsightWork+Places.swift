import ArkivedCore

// The places of entries.
extension InsightWork {
  private static var placeLimit: Int { 100 }
  private static var spotLimit: Int { 200 }

  func placeReport() -> InsightReport {
    let title = said("Places")
    guard let days else { return empty(title, [spanChoice]) }
    let entries = self.entries(days)
    let named = entries.days(.place)
    let counts = entries.sums(.place)
    let spots = entries.spots()
    guard !named.isEmpty || !spots.isEmpty else {
      return InsightReport(
        topic: .places, title: title, days: days,
        statements: [said("No entry in this period has a place.")], sections: [],
        choices: [spanChoice])
    }
    var rows: [(entries: Int, row: InsightTable.Row)] = named.map { name, days in
      let spot = spots.first { $0.name == name }
      let count = counts[name]?.entries ?? 0
      return (
        count,
        .init(
          [
            .text(name), .count(count), .count(days.count),
            days.last.map { .day(DayKey(clamping: $0)) } ?? .empty,
            InsightValue(spot?.latitude), InsightValue(spot?.longitude),
          ], subject: .place(name))
      )
    }
    rows += spots.filter { $0.name.isEmpty }.map { spot in
      (
        spot.entries,
        .init(
          [
            .text(Self.coordinates(spot)), .count(spot.entries), .empty, .empty,
            .number(spot.latitude), .number(spot.longitude),
          ])
      )
    }
    // Ties are sorted by name.
    rows.sort { ($0.entries, $1.row.values[0].shown) > ($1.entries, $0.row.values[0].shown) }
    let count = InsightText.count(named.count)
    let words = question.span.words
    var statements = [
      said(
        named.count, one: "\(count) named place in \(words).",
        other: "\(count) named places in \(words).")
    ]
    if rows.count > Self.placeLimit {
      statements.append(said("Showing the \(Self.placeLimit) most frequent."))
    }
    if spots.isEmpty {
      statements.append(said("No entry in this period has coordinates, so there’s no map."))
    } else {
      statements.append(
        said(
          """
          The map is drawn here from the entries’ coordinates, and nothing is downloaded. A larger \
          circle means more entries.
          """))
    }
    var sections = [
      Self.mapSection("map", said("Map"), spots, note: nil), Self.closeUp(spots),
    ].compactMap(\.self)
    sections.append(
      .init(
        "places", said("Places by name"),
        table: InsightTable(
          [
            .init("place", said("Place")), .init("entries", said("Entries")),
            .init("days", said("Days")),
            .init("last", said("Last visit")),
            .init("latitude", said("Latitude"), isDetail: true, digits: 3),
            .init("longitude", said("Longitude"), isDetail: true, digits: 3),
          ], rows.prefix(Self.placeLimit).map(\.row)), isList: true))
    return InsightReport(
      topic: .places, title: title, days: days, statements: statements, sections: sections,
      choices: [spanChoice])
  }

  private static func mapSection(
    _ key: String, _ heading: String, _ spots: [PlaceMap.Spot], note: String?
  ) -> InsightReport.Section? {
    let drawn = Array(spots.prefix(spotLimit))
    guard let map = Self.map(drawn) else { return nil }
    let more =
      spots.count > drawn.count
      ? said("The map shows the \(drawn.count) most frequent of \(InsightText.count(spots.count)).")
      : nil
    return InsightReport.Section(
      key, heading, note: [note, more].compactMap(\.self).first, chart: InsightChart.map(map),
      table: InsightTable(
        [
          .init("place", said("Place")), .init("entries", said("Entries")),
          .init("latitude", said("Latitude"), digits: 3),
          .init("longitude", said("Longitude"), digits: 3),
        ],
        drawn.map { spot in
          .init(
            [
              .text(spot.name.isEmpty ? coordinates(spot) : spot.name), .count(spot.entries),
              .number(spot.latitude), .number(spot.longitude),
            ], subject: spot.name.isEmpty ? nil : InsightTable.Subject.place(spot.name))
        }))
  }

  /// Returns a close-up around the most frequent place if the whole map is too wide to distinguish
  /// places.
  private static func closeUp(_ spots: [PlaceMap.Spot]) -> InsightReport.Section? {
    guard let middle = spots.first else { return nil }
    let near = spots.filter {
      abs($0.latitude - middle.latitude) < 0.3 && abs($0.longitude - middle.longitude) < 0.5
    }
    guard near.count > 3, let whole = Self.map(spots), near.count < spots.count,
      whole.latitudes.upperBound - whole.latitudes.lowerBound > 1.5
        || whole.longitudes.upperBound - whole.longitudes.lowerBound > 2.5
    else { return nil }
    let name = middle.name.isEmpty ? coordinates(middle) : middle.name
    return mapSection(
      "near", said("Around \(ClippedLabel.of(name))"), near,
      note: said("A closer view around the most frequent place."))
  }

  private static func coordinates(_ spot: PlaceMap.Spot) -> String {
    coordinates(latitude: spot.latitude, longitude: spot.longitude)
  }

  static func coordinates(latitude: Double, longitude: Double) -> String {
    func degrees(_ value: Double) -> String { AmountText.shown((abs(value) * 100).rounded() / 100) }
    let (north, east) = (degrees(latitude), degrees(longitude))
    return (latitude < 0 ? said("\(north)° S") : said("\(north)° N")) + ", "
      + (longitude < 0 ? said("\(east)° W") : said("\(east)° E"))
  }

  /// Returns a frame around places, centred on their side of the earth.
  static func map(_ spots: [PlaceMap.Spot]) -> PlaceMap? {
    guard !spots.isEmpty else { return nil }
    let longitudes = spots.map(\.longitude).sorted()
    // The frame begins after the widest gap, so places on both sides of 180° are adjacent.
    var (start, widest) = (longitudes[0], longitudes[0] + 360 - (longitudes.last ?? 0))
    for (one, next) in zip(longitudes, longitudes.dropFirst()) where next - one > widest {
      (start, widest) = (next, next - one)
    }
    var placed = spots
    for index in placed.indices {
      if placed[index].longitude < start { placed[index].longitude += 360 }
      if placed[index].name.isEmpty { placed[index].name = coordinates(spots[index]) }
    }
    func frame(_ values: [Double], within limits: ClosedRange<Double>) -> ClosedRange<Double> {
      let (least, most) = (values.min() ?? 0, values.max() ?? 0)
      let edge = max((most - least) * 0.12, 0.01)
      return max(limits.lowerBound, least - edge)...min(limits.upperBound, most + edge)
    }
    return PlaceMap(
      spots: placed, latitudes: frame(placed.map(\.latitude), within: -90...90),
      longitudes: frame(placed.map(\.longitude), within: -190...550))
  }
}

extension InsightEntries {
  /// A position rounded to a hundredth of a degree, about a kilometre.
  private struct Spot: Hashable {
    var table: ObjectIdentifier
    var place: Int
    var latitude: Int
    var longitude: Int
  }

  /// Returns the places of entries with coordinates, most frequent first; entries with the same
  /// name within about a kilometre are one place.
  ///
  /// Entries without a name have an empty one.
  func spots() -> [PlaceMap.Spot] {
    // Grouped by name numbers first, so names are compared once per place instead of once per
    // entry.
    var told: [Spot: PlaceMap.Spot] = [:]
    eachSpot { table, ordinal, latitude, longitude in
      let place = Int(table.places[ordinal])
      let spot = Spot(
        table: ObjectIdentifier(table), place: place, latitude: Int((latitude * 100).rounded()),
        longitude: Int((longitude * 100).rounded()))
      if told[spot] == nil {
        let name = place == 0 ? "" : table.placeNames[checked: place - 1] ?? ""
        told[spot] = .init(name: name, latitude: latitude, longitude: longitude, entries: 0)
      }
      told[spot]?.entries += 1
    }
    struct Named: Hashable {
      var name: String
      var latitude: Int
      var longitude: Int
    }
    var found: [Named: PlaceMap.Spot] = [:]
    for (spot, own) in told {
      let key = Named(name: own.name, latitude: spot.latitude, longitude: spot.longitude)
      if found[key] == nil { found[key] = own } else { found[key]?.entries += own.entries }
    }
    return found.values.sorted { left, right in
      left.entries != right.entries
        ? left.entries > right.entries
        : (left.name, left.latitude, left.longitude) < (right.name, right.latitude, right.longitude)
    }
  }
}
