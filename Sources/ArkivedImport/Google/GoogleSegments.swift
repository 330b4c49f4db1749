import ArkivedCore

/// Converts the visits and journeys that Google detected to activities.
///
/// They are in Takeout's monthly files (`placeVisit`, `activitySegment`) and in the phones' exports
/// (`visit`, `activity`).
struct GoogleSegments {
  private let file: ImportFile
  private let home: HomeZones
  private let sink: any ImportSink
  private let paths: GooglePaths
  private var entries: PlaceEntries
  private var inner = 0
  private var memories = 0
  private var strange: [String: Int] = [:]
  /// The times of visits and journeys, in milliseconds since 1970.
  private var told: [ClosedRange<Int64>] = []

  init(file: ImportFile, context: ImportContext, sink: any ImportSink, paths: GooglePaths) {
    self.file = file
    home = context.zones
    self.sink = sink
    self.paths = paths
    entries = PlaceEntries(context: context, provider: GoogleImporter.provider, sink: sink)
  }

  /// The number of imported visits and journeys.
  var count: Int { entries.count }

  // MARK: Takeout

  /// Takes an element of `timelineObjects`.
  mutating func takeObject(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws {
    guard let json = parsed(bytes, offset) else { return }
    if let visit = json["placeVisit"], visit.object != nil {
      try takePlaceVisit(visit, offset)
    } else if let segment = json["activitySegment"], segment.object != nil {
      try takeActivitySegment(segment, offset)
    } else {
      strange[json.object?.keys.first ?? "nothing", default: 0] += 1
    }
  }

  private mutating func takePlaceVisit(_ visit: JSON, _ offset: Int) throws {
    let location = visit["location"]
    let duration = visit["duration"]
    guard let start = time(duration, "startTimestamp", offset) else { return }
    let inside = (visit["childVisits"]?.array ?? []).compactMap {
      $0["location"]?["name"]?.string.flatMap(PlaceEntries.line)
    }
    let details =
      [location?["address"]?.string.flatMap(PlaceEntries.line)].compactMap { $0 }
      + (inside.isEmpty ? [] : ["Inside: " + inside.joined(separator: ", ")])
    try entries.take(
      PlaceEntries.Visit(
        start: start, end: end(duration, "endTimestamp", start, offset),
        point: Self.point(location) ?? Self.point(visit),
        name: location?["name"]?.string ?? Self.name(location?["semanticType"]?.string),
        details: details.isEmpty ? nil : details.joined(separator: "; "), place: spot(offset)))
  }

  private mutating func takeActivitySegment(_ segment: JSON, _ offset: Int) throws {
    let duration = segment["duration"]
    guard let start = time(duration, "startTimestamp", offset) else { return }
    let raw = segment["simplifiedRawPath"]?["points"]?.array
    let path = raw ?? segment["waypointPath"]?["waypoints"]?.array ?? []
    try takeWay(
      start, end(duration, "endTimestamp", start, offset),
      type: segment["activityType"]?.string
        ?? segment["activities"]?.array?.first?["activityType"]?
        .string,
      metres: Self.number(segment["distance"])
        ?? Self.number(segment["waypointPath"]?["distanceMeters"]),
      from: Self.point(segment["startLocation"]), along: path.compactMap { Self.point($0) },
      to: Self.point(segment["endLocation"]), offset)
  }

  // MARK: Phones

  /// Takes an element of `semanticSegments`, or of the list of iOS.
  mutating func takeSegment(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws {
    guard let json = parsed(bytes, offset) else { return }
    if let visit = json["visit"], visit.object != nil {
      try takeVisit(visit, json, offset)
    } else if let activity = json["activity"], activity.object != nil {
      guard let start = time(json, "startTime", offset) else { return }
      let end = end(json, "endTime", start, offset)
      try takeWay(
        start, end, type: activity["topCandidate"]?["type"]?.string,
        metres: Self.number(activity["distanceMeters"]), from: Self.point(activity["start"]),
        along: end.map { paths.places(from: start.instant, to: $0) } ?? [],
        to: Self.point(activity["end"]), offset)
    } else if json["timelineMemory"] != nil {
      memories += 1
    } else if json["timelinePath"] == nil {
      let known = ["startTime", "endTime", "startTimeTimezoneUtcOffsetMinutes"]
      strange[json.object?.keys.first { !known.contains($0) } ?? "nothing", default: 0] += 1
    }
  }

  private mutating func takeVisit(_ visit: JSON, _ segment: JSON, _ offset: Int) throws {
    // A shop in a mall has its own visit inside the mall's.
    guard (Self.number(visit["hierarchyLevel"]) ?? 0) < 1 else {
      inner += 1
      return
    }
    guard let start = time(segment, "startTime", offset) else { return }
    let candidate = visit["topCandidate"]
    let end = end(segment, "endTime", start, offset)
    note(start, end)
    try entries.take(
      PlaceEntries.Visit(
        start: start, end: end,
        point: Self.point(candidate?["placeLocation"]),
        name: candidate?["name"]?.string ?? Self.name(candidate?["semanticType"]?.string),
        place: spot(offset)))
  }

  // MARK: Shared helpers

  private mutating func takeWay(
    _ start: PlaceTime, _ end: Instant?, type: String?, metres told: Double?, from: GeoPoint?,
    along: [GeoPoint], to: GeoPoint?, _ offset: Int
  ) throws {
    note(start, end)
    let mode = type.flatMap { TravelMode($0) }
    let places = [from].compactMap { $0 } + along + [to].compactMap { $0 }
    let metres =
      told.flatMap { $0 > 0 && $0 < PlaceEntries.longestWay ? $0 : nil } ?? PointDays.metres(places)
    var details: [String] = []
    if let type, mode == nil, !TravelMode.isUnknown(type) {
      details.append("Google calls it \(type.prefix(80))")
    }
    let line = PathLine.simplified(places)
    let isStraight = line.count <= 2 && from != nil && to != nil
    if isStraight, let from, let to, from != to {
      details.append("From \(from.text) to \(to.text)")
    }
    try entries.take(
      PlaceEntries.Way(
        start: start, end: end, metres: metres, mode: mode,
        details: details.isEmpty ? nil : details.joined(separator: "; "),
        // A line between the two ends that the details give isn't a route.
        lines: metres >= PointDays.lineLimit && !isStraight ? [line] : [],
        place: spot(offset)))
  }

  private func spot(_ offset: Int) -> String { "\(file.name) byte \(offset)" }

  private func skip(_ place: String, _ message: String) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(message)"))
  }

  private func parsed(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> JSON? {
    do {
      let json = try JSON(parsing: bytes)
      if json.object != nil { return json }
      skip(spot(offset), "it must be an object, not \(json.typeName)")
    } catch {
      skip(spot(offset), "not valid JSON: \(error)")
    }
    return nil
  }

  /// Returns the time of a member, and reports anything that isn't one.
  private func time(_ json: JSON?, _ name: String, _ offset: Int) -> PlaceTime? {
    if let time = Self.moment(json, name, home) { return time }
    let value = json?[name] ?? json?[name + "Ms"]
    let shown = value?.string.map { FieldError.shown($0) } ?? value?.typeName ?? "nothing"
    skip(
      "\(spot(offset)) field “\(name)”",
      "\(shown) isn’t a valid time (such as 2024-05-03T11:22:33Z)")
    return nil
  }

  /// Returns the end of an element that began at a given time; an end that is impossible or
  /// unreadable is reported and skipped.
  private func end(
    _ json: JSON?, _ name: String, _ start: PlaceTime, _ offset: Int
  ) -> Instant? {
    let value = json?[name] ?? json?[name + "Ms"]
    let end = Self.time(value, nil, home)?.instant
    if let end, end >= start.instant { return end }
    sink.diagnose(
      Diagnostic(
        .note, place: "\(spot(offset)) field “\(name)”",
        message: end == nil
          ? "the end is missing or invalid, so only the start was imported"
          : "the end is before the start, so only the start was imported"))
    return nil
  }

  private mutating func note(_ start: PlaceTime, _ end: Instant?) {
    told.append(start.instant.milliseconds...(end ?? start.instant).milliseconds)
  }

  /// Creates journeys from the paths during which Google detected neither a visit nor a journey.
  mutating func takeLoosePaths() throws {
    for run in paths.runs(outside: told) {
      guard let first = run.first, let last = run.last, run.count > 1 else { continue }
      let places = run.map(\.place)
      let metres = PointDays.metres(places)
      guard metres >= PointDays.wayLimit, metres < PlaceEntries.longestWay else { continue }
      let start = Instant(milliseconds: first.time)
      try entries.take(
        PlaceEntries.Way(
          start: PlaceTime(start, knownOffset: first.offset, home: home),
          end: Instant(milliseconds: last.time),
          metres: metres,
          lines: metres >= PointDays.lineLimit ? [PathLine.simplified(places)] : [],
          identity: "path/\(start)", place: "\(file.name) path \(start)"))
    }
  }

  /// Reports the data that couldn't be used.
  func finish() {
    if inner > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "\(inner) visits are part of other visits, such as a shop in a mall; only the "
            + "outer ones were imported"))
    }
    if memories > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "skipped trip memories (\(memories)); the routes and visits of the trips are imported"))
    }
    for (name, count) in strange.sorted(by: { $0.key < $1.key }).prefix(10) {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "\(count) elements are of an unknown kind (\(FieldError.shown(name))); skipped"))
    }
  }

  // MARK: Values

  /// Returns the time of a member, which older files give in milliseconds under a name that ends
  /// with `Ms`; nil if it isn't a time.
  static func moment(_ json: JSON?, _ name: String, _ home: HomeZones) -> PlaceTime? {
    let time = time(
      json?[name] ?? json?[name + "Ms"], json?["\(name)TimezoneUtcOffsetMinutes"], home)
    // Zero means that the time is unknown.
    return time?.instant.milliseconds == 0 ? nil : time
  }

  private static func time(_ value: JSON?, _ offset: JSON?, _ home: HomeZones) -> PlaceTime? {
    let seconds = number(offset).flatMap { abs($0) <= 14 * 60 ? Int($0) * 60 : nil }
    if let text = value?.string { return PlaceTime(text, offset: seconds, home: home) }
    return value?.int.flatMap { PlaceTime("\($0)", offset: seconds, home: home) }
  }

  /// Returns a number, which Apple's phones write in quotes.
  static func number(_ json: JSON?) -> Double? {
    let number = json?.double ?? json?.string.flatMap { Double($0) }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a place written in any of Google's forms.
  static func point(_ json: JSON?) -> GeoPoint? {
    guard let json else { return nil }
    if let text = json.string { return GeoPoint(text) }
    for name in ["latLng", "LatLng", "point"] {
      if let text = json[name]?.string { return GeoPoint(text) }
    }
    let pairs = [
      ("latitudeE7", "longitudeE7"), ("latE7", "lngE7"), ("centerLatE7", "centerLngE7"),
    ]
    for (first, second) in pairs {
      guard let latitude = number(json[first]), let longitude = number(json[second]),
        abs(latitude) < 1e10, abs(longitude) < 1e10
      else { continue }
      return GeoPoint(latE7: Int64(latitude), lonE7: Int64(longitude))
    }
    return nil
  }

  /// Returns a name for home and work, as set by people or by Google; other types of places aren't
  /// names.
  private static func name(_ type: String?) -> String? {
    let words = (type ?? "").lowercased().replacing("_", with: " ")
    if words.hasSuffix("home") { return "Home" }
    return words.hasSuffix("work") ? "Work" : nil
  }
}
