import ArkivedCore

/// A point as read from a file.
struct RecordedPoint {
  var place: GeoPoint?
  var time: Instant?
  /// Seconds east of UTC given in the file; nil for UTC, which gives the time but not the place.
  var offset: Int?
  /// Metres.
  var height: Float?
  /// The heart rate in beats per minute; 0 if it isn't given.
  var heart: UInt8 = 0
  var hasBadTime = false
  var line = 0
}

/// The part of a track or route that has been read so far.
struct RecordedTrack {
  struct Point {
    var place: GeoPoint
    var time: Int64?
    var height: Float?
    var segment: Int32
    /// Minutes east of UTC.
    var offset: Int16?
    /// The heart rate in beats per minute; 0 if it isn't given.
    var heart: UInt8 = 0
  }

  var name: String?
  var details: String?
  var remark: String?
  var type: String?
  /// The mode of travel, if the file gives it in a way other than a type.
  var mode: TravelMode?
  var measurements: [String: Double] = [:]
  var isRoute = false
  var line = 0
  var points: [Point] = []
  private(set) var segment: Int32 = 0

  mutating func beginSegment() { segment &+= 1 }

  /// Adds the points of another track as further segments.
  mutating func append(_ other: RecordedTrack) {
    let shift = segment &+ 1
    points += other.points.map { point in
      var point = point
      point.segment &+= shift
      return point
    }
    segment = shift &+ other.segment
  }
}

/// Creates activities from tracks and waypoints, for all files of recorded tracks.
struct TrackEntries {
  /// The maximum number of points; a person's track has no more.
  static let pointLimit = 1_000_000
  /// The number of metres that must be climbed before it counts as an ascent.
  private static let heightNoise: Float = 5
  /// The minimum length of a halt in a track that counts as a stay, in milliseconds.
  private static let haltMinimum: Int64 = 1_200_000

  private let file: ImportFile
  private let sink: any ImportSink
  private let home: HomeZones
  /// The text between a file's name and the number of a line or byte in it.
  private let mark: String
  private(set) var entries: PlaceEntries
  private var placeless = 0
  private var badTimes = 0
  private var firstBad = 0
  private var excess = 0
  /// The number of points that can't have been reached.
  private var wild = 0
  private var firstWild = 0
  private(set) var untimedWaypoints = 0
  private(set) var routes = 0

  /// Creates the entries of a file; positions in the file are lines if `mark` is `:`, and bytes if
  /// it is ` byte `.
  init(
    file: ImportFile, context: ImportContext, provider: String, sink: any ImportSink,
    mark: String = ":"
  ) {
    self.file = file
    self.sink = sink
    self.mark = mark
    home = context.zones
    entries = PlaceEntries(context: context, provider: provider, sink: sink)
  }

  private func spot(_ number: Int) -> String { "\(file.name)\(mark)\(number)" }

  mutating func add(_ point: RecordedPoint, to track: inout RecordedTrack) {
    note(point)
    guard let place = point.place else { return }
    guard track.points.count < Self.pointLimit else {
      excess += 1
      return
    }
    track.points.append(
      RecordedTrack.Point(
        place: place, time: point.time?.milliseconds, height: point.height,
        segment: track.segment, offset: point.offset.map { Int16($0 / 60) },
        heart: point.heart))
  }

  private mutating func note(_ point: RecordedPoint) {
    if point.place == nil || point.hasBadTime, firstBad == 0 { firstBad = point.line }
    if point.place == nil { placeless += 1 }
    if point.hasBadTime { badTimes += 1 }
  }

  mutating func takeWaypoint(_ point: RecordedPoint, name: String?, details: String?) throws {
    note(point)
    guard let place = point.place else { return }
    guard let time = point.time else {
      if !point.hasBadTime { untimedWaypoints += 1 }
      return
    }
    try entries.take(
      PlaceEntries.Visit(
        start: PlaceTime(time, knownOffset: point.offset, home: home), point: place, name: name,
        details: details,
        identity: entries.identity(
          "waypoint/\(time)", of: "\(name ?? "")\u{1F}\(place.text)"),
        place: spot(point.line)))
  }

  /// Takes a track, which becomes an activity on each of its days.
  mutating func take(_ track: RecordedTrack) throws {
    let spot = spot(track.line)
    guard track.points.contains(where: { $0.time != nil }) else {
      if track.isRoute {
        routes += 1
      } else {
        let name = track.name.map { " \(FieldError.shown($0))" } ?? ""
        sink.diagnose(
          Diagnostic(
            .skipped, place: spot,
            message: "skipped: the track\(name) has no times, so its day is unknown"))
      }
      return
    }
    let (points, dropped) = TrackJumps.removing(from: track.points)
    if dropped > 0 {
      if wild == 0 { firstWild = track.line }
      wild += dropped
    }
    var last: RecordedTrack.Point?
    for (number, day) in days(of: points).enumerated() {
      try take(day, after: last, of: track, number, spot)
      last = day.last
    }
  }

  /// Returns the points by their local day, in order of appearance of the days; a point without a
  /// time belongs to the day of the previous one.
  private func days(of points: [RecordedTrack.Point]) -> [[RecordedTrack.Point]] {
    var gathering = DayGathering<Void>(zones: home)
    var order: [DayKey] = []
    var days: [DayKey: [RecordedTrack.Point]] = [:]
    func day(_ point: RecordedTrack.Point) -> DayKey? {
      guard let time = point.time else { return nil }
      let instant = Instant(milliseconds: time)
      guard let offset = point.offset else { return gathering.day(at: instant) }
      return WallTime(utc: instant.adding(seconds: Int(offset) * 60)).day
    }
    var present = points.first { $0.time != nil }.flatMap(day)
    for point in points {
      present = day(point) ?? present
      guard let present else { continue }
      if days[present] == nil { order.append(present) }
      days[present, default: []].append(point)
    }
    return order.compactMap { days[$0] }
  }

  /// Adds the points of one day; the step over midnight from `last` belongs to this day.
  private mutating func take(
    _ points: [RecordedTrack.Point], after last: RecordedTrack.Point?, of track: RecordedTrack,
    _ number: Int,
    _ spot: String
  ) throws {
    let times = points.compactMap(\.time)
    guard let first = times.min(), let end = times.max() else { return }
    let isOneSegment = last?.segment == points.first?.segment
    let lines = Self.lines((isOneSegment ? [last].compactMap { $0 } : []) + points)
    let metres = lines.reduce(0) { $0 + PointDays.metres($1) }
    let mode = track.mode ?? track.type.flatMap { TravelMode($0) }
    var details: [String] = []
    if let type = track.type, mode == nil, !TravelMode.isUnknown(type) { details.append(type) }
    if let ascent = Self.ascent(points) { details.append("Ascent \(ascent) m") }
    let start = Instant(milliseconds: first)
    let offset = points.first { $0.time == first }?.offset.map { Int($0) * 60 }
    // Two tracks may start in the same second, but the same track twice is one entry.
    let identity = entries.identity(
      "track/\(start)", of: "\(points.first?.place.text ?? "")\u{1F}\(Int(metres.rounded()))")
    var measurements = HeartRates(points).measurements
    if number == 0 { measurements.merge(track.measurements) { _, told in told } }
    try entries.take(
      PlaceEntries.Way(
        start: PlaceTime(start, knownOffset: offset, home: home), end: Instant(milliseconds: end),
        metres: metres,
        mode: mode, name: number == 0 ? track.name : track.name.map { "\($0) (\(number + 1))" },
        details: details.isEmpty ? nil : details.joined(separator: ", "),
        notes: [track.details, track.remark].compactMap { $0 }.first,
        lines: lines.map { PathLine.simplified($0) }, point: points.first?.place,
        kind: mode?.isSport == true ? .health : .travel,
        measurements: measurements, identity: identity, place: spot))
    try takeHalts(points, spot)
  }

  private mutating func takeHalts(_ points: [RecordedTrack.Point], _ spot: String) throws {
    let timed = PointDays.cleaned(
      points.compactMap { point in point.time.map { TrackPoint(point.place, time: $0) } })
    let finder = StayFinder(minimum: Self.haltMinimum)
    for case .stay(let range) in finder.parts(of: timed) where range.count < timed.count {
      let stay = timed[range]
      guard let first = stay.first, let last = stay.last else { continue }
      let start = Instant(milliseconds: first.time)
      let offset = points.first { $0.time == first.time }?.offset.map { Int($0) * 60 }
      let middle = PointDays.middle(stay)
      let identity = entries.identity("halt/\(start)", of: middle?.text ?? "")
      try entries.take(
        PlaceEntries.Visit(
          start: PlaceTime(start, knownOffset: offset, home: home),
          end: Instant(milliseconds: last.time),
          point: middle, identity: identity, place: spot))
    }
  }

  /// Returns the places of each segment.
  static func lines(_ points: [RecordedTrack.Point]) -> [[GeoPoint]] {
    var lines: [[GeoPoint]] = []
    var segment: Int32?
    for point in points {
      if point.segment != segment { lines.append([]) }
      segment = point.segment
      lines[lines.count - 1].append(point.place)
    }
    return lines
  }

  /// Returns the metres climbed in all segments, counting ascents of five metres or more; nil if
  /// heights are not given or nothing was climbed.
  ///
  /// Ascents between segments are not counted as part of this track.
  static func ascent(_ points: [RecordedTrack.Point]) -> Int? {
    var risen: Float = 0
    var low: Float?
    var segment = points.first?.segment
    for point in points {
      if point.segment != segment { (low, segment) = (nil, point.segment) }
      guard let height = point.height, abs(height) < 12_000 else { continue }
      guard let base = low else {
        low = height
        continue
      }
      if height < base {
        low = height
      } else if height - base >= heightNoise {
        risen += height - base
        low = height
      }
    }
    return risen >= 10 ? Int(risen.rounded()) : nil
  }

  /// Reports what couldn't be used.
  func finish() {
    tellLosses()
    if untimedWaypoints + routes > 0 {
      tell(
        .note, file.name,
        "waypoints (\(untimedWaypoints)) and routes (\(routes)) have no times, so their day is "
          + "unknown. They were planned or only mark a place")
    } else if entries.count == 0 {
      tell(.note, file.name, "nothing to import: no tracks or waypoints with times")
    }
  }

  /// Reports points without a place or time, and those beyond the limit.
  func tellLosses() {
    if placeless + badTimes > 0 {
      tell(
        .skipped, spot(firstBad),
        "skipped \(placeless) points without valid coordinates and \(badTimes) unreadable times; "
          + "this is the first")
    }
    if wild > 0 { tell(.skipped, spot(firstWild), TrackJumps.message(wild)) }
    if excess > 0 {
      tell(.skipped, file.name, "skipped \(excess) points over the limit of one million per track")
    }
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }
}
