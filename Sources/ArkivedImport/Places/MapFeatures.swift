import ArkivedCore

/// A place or path as described by a map file (KML, GeoJSON).
struct MapFeature {
  var name: String?
  var description: String?
  var address: String?
  var notes: String?
  /// The text used instead of a statement that somebody was there.
  var text: String?
  var time: FeatureTime?
  var hasBadTime = false
  /// The place it marks.
  var point: GeoPoint?
  var lines: [[GeoPoint]] = []
  var mode: TravelMode?
  /// The length given in the file, in metres.
  var metres: Double?
  /// The duration in minutes, if the file gives it.
  var minutes: Double?
  var measurements: [String: Double] = [:]
  /// In metres; 0 if it isn't known.
  var accuracy: UInt16 = 0
  var device = ""
  /// True if it is a position in a log rather than a place that somebody marked.
  var isLogged = false
  /// The number of its line, or the offset of its byte.
  var line = 0
}

/// Creates stays and journeys from the features of a map file.
///
/// A place with a time is a stay, and a line with a time is a journey. Many places that follow each
/// other closely are a position log, which becomes stays and journeys like any location history.
struct MapFeatures {
  /// The number of places examined before deciding whether they are a log.
  private static let sampleSize = 2_000
  /// The minimum number of places in a log, unless their fields identify it as one.
  private static let leastCount = 20
  /// The maximum number of milliseconds between consecutive places in a log.
  private static let density: Int64 = 120_000
  /// The maximum length of a track in milliseconds; a longer one is a location history.
  static let trackSpan: Int64 = 2 * 86_400_000

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let mark: String
  private let provider: String
  var tracks: TrackEntries
  private var entries: PlaceEntries
  private var log: PointDays
  /// True if the log has points, which may come from the files before.
  private var hasLog = false
  /// Places with a time, stored until their type is known.
  private var pending: [MapFeature] = []
  private var isSettled = false
  private var isLog = false
  /// The words with positions of the log.
  private var positionNotes = PositionNotes()
  private var devices: [String: UInt8] = [:]
  private(set) var untimedPlaces = 0
  private(set) var untimedLines = 0
  private var placeless = 0
  private var firstPlaceless = 0
  /// The number of tracks that were read as a location history.
  var histories = 0

  /// Creates the features of a file; positions in the file are lines if `mark` is `:`, and bytes if
  /// it is ` byte `.
  init(
    file: ImportFile, context: ImportContext, provider: String, sink: any ImportSink,
    mark: String = ":"
  ) {
    (self.file, self.context, self.sink, self.mark) = (file, context, sink, mark)
    self.provider = provider
    tracks = TrackEntries(
      file: file, context: context, provider: provider, sink: sink, mark: mark)
    entries = PlaceEntries(context: context, provider: provider, sink: sink)
    log = PointDays(file, context: context, provider: provider, into: sink)
  }

  /// The points of a log that the next file may continue.
  struct OpenLog {
    fileprivate var days: PointDays
    fileprivate var devices: [String: UInt8]

    /// The latest time so far, in milliseconds since 1970.
    var latest: Int64? { days.latest }

    /// Passes on the stays and journeys.
    ///
    /// - Throws: any error that the sink throws.
    mutating func finish() throws { try days.finish() }
  }

  /// The log so far; nil if there is none.
  var openLog: OpenLog? { hasLog ? OpenLog(days: log, devices: devices) : nil }

  /// Continues the log of the file before.
  mutating func goOn(from before: OpenLog) {
    (log, devices, hasLog) = (before.days, before.devices, true)
    log.file = file
  }

  func spot(_ line: Int) -> String { "\(file.name)\(mark)\(line)" }

  /// Reports a field that can't be used.
  func tell(_ written: FeatureTime.Written, _ message: String, at line: Int) {
    sink.diagnose(
      Diagnostic(.skipped, place: "\(spot(line)) field “\(written.field)”", message: message))
  }

  // MARK: Features

  mutating func take(_ feature: MapFeature) throws {
    guard feature.point != nil || feature.lines.contains(where: { !$0.isEmpty }) else {
      if placeless == 0 { firstPlaceless = feature.line }
      placeless += 1
      return
    }
    let isLine = feature.lines.contains { $0.count > 1 }
    guard let time = feature.time else {
      if feature.hasBadTime { return }
      if isLine { untimedLines += 1 } else { untimedPlaces += 1 }
      return
    }
    if isLine { return try takeWay(feature, time) }
    guard time.end == nil, !time.isWholeDay, feature.text == nil else {
      return try takeVisit(feature, time)
    }
    guard isSettled else {
      pending.append(feature)
      if pending.count >= Self.sampleSize { try settle() }
      return
    }
    try takePlace(feature, time)
  }

  private mutating func takePlace(_ feature: MapFeature, _ time: FeatureTime) throws {
    if isLog { try takePosition(feature, time) } else { try takeVisit(feature, time) }
  }

  private mutating func takePosition(_ feature: MapFeature, _ time: FeatureTime) throws {
    guard let place = feature.point ?? feature.lines.first?.first else { return }
    var point = TrackPoint(place, time: time.start.instant.milliseconds)
    point.offset = time.offset
    point.accuracy = feature.accuracy
    point.mode = feature.mode
    point.device = device(feature.device)
    try takePosition(point)
    positionNotes.take(feature, time)
  }

  /// Takes the comments on positions, and reports other words with them.
  private mutating func takePositionNotes() throws {
    let (comments, dropped) = positionNotes.takeAll()
    for comment in comments { try takeVisit(comment.feature, comment.time) }
    guard dropped > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: dropped == 1
          ? "skipped text generated by a program at 1 position"
          : "skipped text generated by a program at \(dropped) positions"))
  }

  /// A position of a log.
  mutating func takePosition(_ point: TrackPoint) throws {
    hasLog = true
    try log.take(point)
  }

  /// Takes a journey in a log, which the program that wrote it recorded separately.
  mutating func takeTrip(_ feature: MapFeature) throws {
    guard let time = feature.time else { return }
    hasLog = true
    try log.take(trip: way(feature, time))
  }

  /// Takes a track whose points have times; a track longer than two days is a location history.
  mutating func take(_ track: RecordedTrack) throws {
    let times = track.points.compactMap(\.time)
    guard let first = times.min(), let last = times.max(), last - first > Self.trackSpan else {
      return try tracks.take(track)
    }
    histories += 1
    for point in track.points {
      guard let time = point.time else { continue }
      var position = TrackPoint(point.place, time: time)
      position.offset = point.offset.map { Int($0) * 60 }
      try takePosition(position)
    }
  }

  private mutating func device(_ name: String) -> UInt8 {
    if let number = devices[name] { return number }
    let number = UInt8(clamping: devices.count)
    if devices.count < 255 { devices[name] = number }
    return number
  }

  private mutating func takeVisit(_ feature: MapFeature, _ time: FeatureTime) throws {
    let point = feature.point ?? feature.lines.first?.first
    let identity = entries.identity(
      (time.isWholeDay ? "place/\(time.start.day)" : "place/\(time.start.instant)"),
      of: "\(feature.name ?? "")\u{1F}\(point?.text ?? "")")
    try entries.take(
      PlaceEntries.Visit(
        start: start(time), end: time.end, point: point, name: feature.name,
        details: details(feature, time), identity: identity, notes: notes(feature),
        isWholeDay: time.isWholeDay, text: feature.text, place: spot(feature.line)))
  }

  private mutating func takeWay(_ feature: MapFeature, _ time: FeatureTime) throws {
    var way = way(feature, time)
    let base = time.isWholeDay ? "way/\(time.start.day)" : "way/\(time.start.instant)"
    way.identity = entries.identity(base, of: "\(feature.name ?? "")\u{1F}\(way.point?.text ?? "")")
    try entries.take(way)
  }

  private func way(_ feature: MapFeature, _ time: FeatureTime) -> PlaceEntries.Way {
    let drawn = feature.lines.filter { $0.count > 1 }
    // A line drawn between its ends is less informative than the file.
    let length = drawn.reduce(0) { $0 + PointDays.metres($1) }
    return PlaceEntries.Way(
      start: start(time), end: time.end, metres: feature.metres ?? (drawn.isEmpty ? nil : length),
      mode: feature.mode, name: feature.name, details: details(feature, time),
      notes: notes(feature), lines: drawn.map { PathLine.simplified($0) },
      point: feature.point ?? drawn.first?.first, measurements: feature.measurements,
      minutes: feature.minutes, isWholeDay: time.isWholeDay, place: spot(feature.line))
  }

  private func start(_ time: FeatureTime) -> PlaceTime {
    guard let offset = time.offset, !time.isWholeDay else { return time.start }
    return PlaceTime(time.start.instant, knownOffset: offset, home: context.zones)
  }

  private func details(_ feature: MapFeature, _ time: FeatureTime) -> String? {
    let days = time.lastDay.map { "\(time.start.day) – \($0)" }
    let parts = [feature.address, days].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func notes(_ feature: MapFeature) -> String? {
    let parts = [feature.description, feature.notes].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  // MARK: Places or a log

  /// Decides whether the places so far are a log, and takes them.
  private mutating func settle() throws {
    isSettled = true
    let logged = pending.count { $0.isLogged }
    isLog = logged * 2 > pending.count || isDense
    let places = pending
    pending = []
    for place in places {
      if let time = place.time { try takePlace(place, time) }
    }
  }

  private var isDense: Bool {
    guard pending.count >= Self.leastCount else { return false }
    let times = pending.compactMap { $0.time?.start.instant.milliseconds }.sorted()
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    return !gaps.isEmpty && gaps[gaps.count / 2] <= Self.density
  }

  // MARK: Finishing

  /// The number of entries passed on.
  var count: Int { entries.count + tracks.entries.count + log.entries.count }

  /// Takes the places whose kind isn't decided yet.
  mutating func settleRest() throws {
    if !isSettled { try settle() }
  }

  /// Takes the remaining places, and reports what couldn't be used.
  ///
  /// - Parameter goesOn: true if the next file continues the log.
  /// - Throws: any error that the sink throws.
  mutating func finish(goesOn: Bool = false) throws {
    try settleRest()
    try takePositionNotes()
    if hasLog, !goesOn { try log.finish() }
    tracks.tellLosses()
    func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
      sink.diagnose(Diagnostic(severity, place: place, message: message))
    }
    if placeless > 0 {
      tell(
        .skipped, spot(firstPlaceless),
        placeless == 1
          ? "skipped 1 feature without valid coordinates"
          : "skipped \(placeless) features without valid coordinates; this is the first")
    }
    let lines = untimedLines + tracks.routes
    if untimedPlaces + lines > 0 {
      tell(
        .note, file.name,
        "skipped \(untimedPlaces) places and \(lines) lines without a time: they don’t show when you were there"
      )
    }
    if histories > 0 {
      tell(
        .note, file.name,
        histories == 1
          ? "1 track spans more than two days and was read as a location history"
          : "\(histories) tracks span more than two days and were read as a location history")
    }
    guard count == 0, untimedPlaces + lines + placeless == 0, !(hasLog && goesOn) else { return }
    tell(
      .note, file.name,
      hasLog
        ? "nothing to import: no stay of ten minutes and no way of 300 m"
        : "nothing to import: no places, lines or tracks with a time")
  }
}
