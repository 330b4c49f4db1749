import ArkivedCore

/// Derives the stays and journeys from a stream of points, separately for each local day.
///
/// It ignores points that are less accurate than 200 m, from before 1990, within a second of the
/// previous point, or that jump away and back faster than 300 m/s. If there are several devices on
/// a day, the one that travelled the farthest counts: a tablet left at home shows nothing of a
/// walk.
struct PointDays {
  private static let accuracyLimit = 200
  /// The speed in metres a second that nobody exceeds.
  static let speedLimit = 300.0
  /// The shortest distance in metres that counts as a journey.
  static let wayLimit = 300.0
  /// The distance in metres below which the lines of a day's journeys aren't stored.
  static let lineLimit = 1_000.0
  private static let earliest: Int64 = 631_152_000_000

  /// The file that is read, which may be one of several of a stream.
  var file: ImportFile
  /// The latest time of a point, in milliseconds since 1970.
  private(set) var latest: Int64?
  private let sink: any ImportSink
  private let finder = StayFinder()
  private var days: DayGathering<TrackPoint>
  private(set) var entries: PlaceEntries
  /// The names of places by the numbers in points, from 1.
  var names: [String] = []
  /// Days (since 1970) with better data elsewhere.
  var otherDayNumbers: Set<Int> = []
  private var otherDays = 0
  /// Journeys that the source records separately, by their local days, until they are passed on.
  private var trips: [Int: [PlaceEntries.Way]] = [:]
  private var givenOut: Set<Int> = []
  private var untimely = 0

  init(
    _ file: ImportFile, context: ImportContext, provider: String, zones: HomeZones? = nil,
    into sink: any ImportSink
  ) {
    self.file = file
    self.sink = sink
    days = DayGathering(zones: zones ?? context.zones)
    entries = PlaceEntries(context: context, provider: provider, sink: sink)
  }

  mutating func take(_ point: TrackPoint) throws {
    guard point.accuracy <= Self.accuracyLimit else { return }
    guard point.time >= Self.earliest, let moment = PlaceTime.instant(point.time) else {
      untimely += 1
      return
    }
    latest = max(latest ?? point.time, point.time)
    let local = homeMoment(moment, point.offset)
    let day = days.day(at: local)
    entries.lastDay = max(entries.lastDay ?? day, day)
    entries.lastMoment = max(entries.lastMoment ?? moment, moment)
    guard days.add(point, at: local) else { return }
    for (day, points) in days.takeDue() { try take(points, on: day) }
  }

  /// Returns the moment at which clocks at home showed the time that clocks at the place showed,
  /// because the local day counts.
  private func homeMoment(_ moment: Instant, _ offset: Int?) -> Instant {
    guard let offset, days.zones.zone(at: moment).offset(at: moment) != offset else {
      return moment
    }
    return days.zones.instant(of: WallTime(utc: moment.adding(seconds: offset)))
  }

  /// Takes words that somebody wrote at a place.
  mutating func take(_ note: PlaceEntries.Visit) throws { try entries.take(note) }

  /// Takes a journey that the source records separately from its points.
  ///
  /// It receives the line of these points, and movement between stays during the journey doesn't
  /// become another journey.
  mutating func take(trip: PlaceEntries.Way) throws {
    let day = trip.start.day.daysSinceEpoch
    guard !givenOut.contains(day) else { return try entries.take(trip) }
    trips[day, default: []].append(trip)
  }

  /// Passes on the rest, and reports unused data.
  mutating func finish() throws {
    for (day, points) in days.takeRest() { try take(points, on: day) }
    for (_, rest) in trips.sorted(by: { $0.key < $1.key }) {
      for trip in rest { try entries.take(trip) }
    }
    trips = [:]
    func tell(_ severity: Diagnostic.Severity, _ message: String) {
      sink.diagnose(Diagnostic(severity, place: file.name, message: message))
    }
    if untimely > 0 {
      tell(.skipped, "skipped points with no time or a time before 1990: \(untimely)")
    }
    if days.late + days.excess > 0 {
      tell(
        .note,
        """
        skipped points that are too far in the file from the others of the same day, or exceed the limit \
        for one day: \(days.late + days.excess)
        """)
    }
    if otherDays > 0 {
      tell(
        .note,
        (otherDays == 1 ? "skipped 1 day that" : "skipped \(otherDays) days that")
          + " the monthly files in “Semantic Location History” next to it cover in more detail. "
          + "Import the folder to get them")
    }
  }

  private mutating func take(_ all: [TrackPoint], on day: DayKey) throws {
    guard !otherDayNumbers.contains(day.daysSinceEpoch) else {
      otherDays += 1
      return
    }
    let points = Self.cleaned(Self.mainDevice(all))
    let parts = finder.parts(of: points)
    givenOut.insert(day.daysSinceEpoch)
    let told = trips.removeValue(forKey: day.daysSinceEpoch) ?? []
    var ways = parts.map { part -> PlaceEntries.Way? in
      guard case .way(let range) = part, !Self.isTold(points[range], by: told) else { return nil }
      return way(points[range])
    }
    Self.gatherLines(&ways)
    for var trip in told {
      let span = Self.span(of: trip)
      let line = points.filter { span.contains($0.time) }.map(\.place)
      if trip.lines.isEmpty, Self.metres(line) >= Self.lineLimit {
        trip.lines = [PathLine.simplified(line)]
      }
      try entries.take(trip)
    }
    for (part, way) in zip(parts, ways) {
      if case .stay(let range) = part { try takeStay(points[range]) }
      if let way { try entries.take(way) }
    }
  }

  private static func span(of trip: PlaceEntries.Way) -> ClosedRange<Int64> {
    let start = trip.start.instant.milliseconds
    return start...max(start, trip.end?.milliseconds ?? start)
  }

  /// Returns true if most of the time covered by some points belongs to journeys.
  private static func isTold(
    _ points: ArraySlice<TrackPoint>, by trips: [PlaceEntries.Way]
  ) -> Bool {
    guard let first = points.first?.time, let last = points.last?.time, last > first else {
      return false
    }
    let shared = trips.reduce(Int64(0)) { sum, trip in
      let span = span(of: trip)
      return sum + max(0, min(last, span.upperBound) - max(first, span.lowerBound))
    }
    return shared * 2 > last - first
  }

  /// Stores all lines with the longest journey, so a day has one file instead of one per journey.
  private static func gatherLines(_ ways: inout [PlaceEntries.Way?]) {
    let lines = ways.flatMap { $0?.lines ?? [] }
    let longest = ways.indices.max { (ways[$0]?.metres ?? 0) < (ways[$1]?.metres ?? 0) }
    for index in ways.indices {
      let keeps = index == longest && (ways[index]?.metres ?? 0) >= lineLimit
      ways[index]?.lines = keeps ? lines : []
    }
  }

  private mutating func takeStay(_ points: ArraySlice<TrackPoint>) throws {
    guard let first = points.first, let last = points.last else { return }
    let named = points.lazy.map { Int($0.name) }.filter { $0 > 0 }
    var counts: [Int: Int] = [:]
    for name in named { counts[name, default: 0] += 1 }
    let name = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    try entries.take(
      PlaceEntries.Visit(
        start: start(of: first), end: Instant(milliseconds: last.time),
        point: Self.middle(points),
        name: name.flatMap { $0 <= names.count ? names[$0 - 1] : nil },
        place: "\(file.name) stay \(Instant(milliseconds: first.time))"))
  }

  private func start(of point: TrackPoint) -> PlaceTime {
    PlaceTime(
      Instant(milliseconds: point.time), knownOffset: point.offset, home: days.zones)
  }

  private func way(_ points: ArraySlice<TrackPoint>) -> PlaceEntries.Way? {
    guard let first = points.first, let last = points.last, points.count > 1 else { return nil }
    let places = points.map(\.place)
    let metres = Self.metres(places)
    guard metres >= Self.wayLimit else { return nil }
    return PlaceEntries.Way(
      start: start(of: first), end: Instant(milliseconds: last.time), metres: metres,
      mode: Self.mode(points),
      lines: [PathLine.simplified(places)],
      place: "\(file.name) way \(Instant(milliseconds: first.time))")
  }

  // MARK: Points

  /// Returns the mean of some places.
  static func middle(_ points: ArraySlice<TrackPoint>) -> GeoPoint? {
    guard let first = points.first else { return nil }
    let count = Double(points.count)
    let latitude = points.reduce(0.0) { $0 + Double($1.place.latE7) } / count
    // Averaging relative to the first point also works for places at 180°.
    let longitudes = points.reduce(0.0) { sum, point in
      let offset = Double(point.place.lonE7) - Double(first.place.lonE7)
      return sum + (abs(offset) > 1.8e9 ? 0 : offset)
    }
    let longitude = Double(first.place.lonE7) + longitudes / count
    return GeoPoint(lat: latitude / 1e7, lon: longitude / 1e7)
  }

  static func metres(_ places: [GeoPoint]) -> Double {
    zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
  }

  /// Returns the mode that most points state.
  private static func mode(_ points: ArraySlice<TrackPoint>) -> TravelMode? {
    var counts: [TravelMode: Int] = [:]
    for point in points { if let mode = point.mode { counts[mode, default: 0] += 1 } }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }

  private static func mainDevice(_ points: [TrackPoint]) -> [TrackPoint] {
    guard let first = points.first, points.contains(where: { $0.device != first.device }) else {
      return points
    }
    let byDevice = Dictionary(grouping: points, by: \.device)
    func extent(_ points: [TrackPoint]) -> Double {
      let plane = LocalPlane(around: first.place)
      let positions = points.map { plane.position($0.place) }
      let least = positions.reduce(positions[0]) { pointwiseMin($0, $1) }
      let most = positions.reduce(positions[0]) { pointwiseMax($0, $1) }
      return (most - least).length
    }
    let ranked = byDevice.map { (device: $0.key, extent: extent($0.value), points: $0.value) }
    return ranked.max { ($0.extent, $1.device) < ($1.extent, $0.device) }?.points ?? points
  }

  /// Returns the points sorted by time, a second or more apart, without points that jump away and
  /// back.
  static func cleaned(_ points: [TrackPoint]) -> [TrackPoint] {
    var kept: [TrackPoint] = []
    kept.reserveCapacity(points.count)
    let sorted = points.sorted {
      ($0.time, $0.place.latE7, $0.place.lonE7) < ($1.time, $1.place.latE7, $1.place.lonE7)
    }
    for point in sorted {
      if let last = kept.last, point.time - last.time < 1_000 { continue }
      kept.append(point)
    }
    guard kept.count > 2 else { return kept }
    func speed(_ first: TrackPoint, _ second: TrackPoint) -> Double {
      first.place.metres(to: second.place) / (Double(second.time - first.time) / 1_000)
    }
    return kept.indices.filter { index in
      guard index > 0, index + 1 < kept.count else { return true }
      return speed(kept[index - 1], kept[index]) <= speedLimit
        || speed(kept[index], kept[index + 1]) <= speedLimit
    }.map { kept[$0] }
  }
}
