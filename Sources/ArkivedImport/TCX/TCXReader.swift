import ArkivedCore
import Foundation

/// Reads one TCX file, element by element.
final class TCXReader: XMLTextEvents {
  /// The elements that are read; all others are `other`.
  private enum Element: String {
    case TrainingCenterDatabase, Activity, Lap, Track, Trackpoint, Position, Creator, Plan, Training
    case Id, Notes, Name, Time, TotalTimeSeconds, DistanceMeters, Calories, AltitudeMeters
    case LatitudeDegrees, LongitudeDegrees, AverageHeartRateBpm, MaximumHeartRateBpm, HeartRateBpm
    case Value, Steps, Course, Workout, Run, Transition
    /// The folders of version 1, which give the sport of the runs in them.
    case History, Running, Biking, Other, MultiSport, other
  }

  /// The data from an activity's laps.
  private struct Lap {
    var start: Instant?
    var seconds: Double?
    var metres: Double?
    var kilocalories: Double?
    var heartMean: Double?
    var heartMost: Double?
    var steps: Double?
  }

  /// The data from an activity's points.
  private struct Points {
    var first: Instant?
    var last: Instant?
    var metres = 0.0
    var heart = HeartRates()
  }

  /// A longer text is cut.
  private static let textLimit = 64 << 10
  /// The maximum length of an activity, in milliseconds; no real activity lasts longer.
  private static let longest: Int64 = 30 * 86_400_000

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var stream: XMLStream?
  private var activities: RecordedActivities
  private var stack: [Element] = []
  private var words: [UInt8] = []
  private var loss: Diagnostic?
  private var isTCX = false
  private var plans = 0
  private var transitions = 0
  private var excess = 0
  private var bad = (count: 0, place: "", message: "")

  private var activity: RecordedActivity?
  private var id: String?
  private var laps: [Lap] = []
  private var lap = Lap()
  private var points = Points()
  private var point = RecordedPoint()
  private var lat: Double?
  private var lon: Double?
  private var rate: Double?
  private var reach: Double?

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    activities = RecordedActivities(
      context: context, provider: TCXImporter.provider, sink: sink)
  }

  /// - Throws: `ImportRefusal` if it isn't TCX, and what the sink throws.
  func read() throws {
    let stream = XMLStream(self, root: "TrainingCenterDatabase")
    self.stream = stream
    defer { self.stream = nil }
    let end = try XMLDocument.read(file, by: stream, into: sink) { loss != nil }
    loss = loss ?? end
    guard isTCX else {
      throw ImportRefusal(
        place: loss?.place ?? file.name,
        message: "this isn’t TCX: "
          + (loss?.message ?? "the TrainingCenterDatabase element is missing"))
    }
    if let loss {
      // The unfinished activity is kept as far as it was read.
      try endActivity()
      sink.diagnose(
        Diagnostic(
          .skipped, place: loss.place,
          message: "\(loss.message); the file is damaged or cut off, and was read up to here. "
            + "Export it again"))
    }
    tellRest()
  }

  private func tellRest() {
    if bad.count > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: bad.place,
          message: bad.count == 1
            ? bad.message : "\(bad.message); \(bad.count - 1) more values were skipped too"))
    }
    if excess > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped \(excess) points over the limit of one million per track"))
    }
    if plans > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "skipped \(plans) courses and workouts, which are only plans"))
    }
    if transitions > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "skipped \(transitions) transitions between sports"))
    }
    guard activities.count == 0, plans == 0, bad.count == 0, loss == nil else { return }
    sink.diagnose(
      Diagnostic(.note, place: file.name, message: "nothing to import: no activities found"))
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    let element = Element(rawValue: XMLDocument.local(name)) ?? .other
    stack.append(element)
    words.removeAll(keepingCapacity: true)
    switch element {
    case .TrainingCenterDatabase: isTCX = true
    case .Activity: beginActivity(attributes["Sport"] ?? "")
    // In version 1, the folder determines that it is a run.
    case .Run where stack.contains(.History):
      beginActivity(
        stack.contains(.Running) ? "Running" : stack.contains(.Biking) ? "Biking" : "Other")
    case .Course, .Workout: if activity == nil { plans += 1 }
    case .Transition: transitions += 1
    case .Lap where isInActivity:
      lap = Lap()
      if let text = attributes["StartTime"] { lap.start = moment(text, "StartTime") }
    case .Track where isInActivity: activity?.track.beginSegment()
    case .Trackpoint:
      point = RecordedPoint()
      (lat, lon, rate, reach) = (nil, nil, nil, nil)
    default: break
    }
  }

  private func beginActivity(_ sport: String) {
    activity = RecordedActivity(
      sport: sport, start: .earliest, place: "\(file.name):\(stream?.line ?? 0)")
    (id, laps, points) = (nil, [], Points())
  }

  /// True if the current element belongs to the activity rather than to a plan or a transition.
  private var isInActivity: Bool { activity != nil && !stack.contains(.Transition) }

  func end(_ name: UnsafePointer<CChar>) throws {
    guard let element = stack.popLast() else { return }
    let parent = stack.last ?? .other
    switch element {
    case .Activity: try endActivity()
    case .Run where stack.contains(.History): try endActivity()
    case .Lap where isInActivity: laps.append(lap)
    case .Trackpoint where isInActivity: endPoint()
    default: if isInActivity, !words.isEmpty { take(element, parent) }
    }
    words.removeAll(keepingCapacity: true)
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) {
    guard activity != nil, let last = stack.last, last != .other else { return }
    if words.count + part.count <= Self.textLimit { words.append(contentsOf: part) }
  }

  func lost(line: Int, byte: Int, reason: String) {
    loss = loss ?? Diagnostic(.skipped, place: "\(file.name):\(line)", message: reason)
  }

  // MARK: Values

  private func take(_ element: Element, _ parent: Element) {
    let text = String(decoding: words, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return }
    switch (parent, element) {
    case (.Trackpoint, _), (.Position, _), (.HeartRateBpm, _): takePoint(element, parent, text)
    case (.Activity, .Id), (.Run, .Id): id = text
    case (.Activity, .Notes), (.Run, .Notes): takeNotes(text)
    case (.Lap, .Notes): takeNotes("Lap \(laps.count + 1): \(text)")
    case (.Creator, .Name): activity?.device = text
    case (.Plan, .Name): activity?.name = text
    case (.Lap, .TotalTimeSeconds): lap.seconds = number(text, element, 0...3e7)
    case (.Lap, .DistanceMeters): lap.metres = number(text, element, 0...1e8)
    case (.Lap, .Calories): lap.kilocalories = number(text, element, 0...1e6)
    // In version 1, some of them contain no value element.
    case (.Lap, .AverageHeartRateBpm): lap.heartMean = number(text, element, 0...300)
    case (.Lap, .MaximumHeartRateBpm): lap.heartMost = number(text, element, 0...300)
    case (.AverageHeartRateBpm, .Value): lap.heartMean = number(text, parent, 0...300)
    case (.MaximumHeartRateBpm, .Value): lap.heartMost = number(text, parent, 0...300)
    case (_, .Steps): lap.steps = number(text, element, 0...1e6)
    default: break
    }
  }

  private func takeNotes(_ text: String) {
    let before = activity?.notes
    activity?.notes = before.map { "\($0)\n\(text)" } ?? text
  }

  private func takePoint(_ element: Element, _ parent: Element, _ text: String) {
    switch (parent, element) {
    case (.Trackpoint, .Time):
      point.time = moment(text, "Time")
      point.offset = FeatureTime.offset(text)
    case (.Trackpoint, .AltitudeMeters):
      point.height = Float(text).flatMap { $0.isFinite ? $0 : nil }
    case (.Trackpoint, .DistanceMeters): reach = number(text, element, 0...1e8)
    case (.Position, .LatitudeDegrees): lat = number(text, element, -90...90)
    case (.Position, .LongitudeDegrees): lon = number(text, element, -180...180)
    case (.HeartRateBpm, .Value): rate = number(text, parent, 0...300)
    case (.Trackpoint, .HeartRateBpm): rate = number(text, element, 0...300)
    default: break
    }
  }

  private func number(_ text: String, _ element: Element, _ range: ClosedRange<Double>) -> Double? {
    if let value = HealthNumber.read(text), range.contains(value) { return value }
    tellBad(element.rawValue, "skipped \(FieldError.shown(text)), which isn’t a valid value")
    return nil
  }

  private func moment(_ text: String, _ field: String) -> Instant? {
    if let time = PlaceTime(text, home: context.zones)?.instant { return time }
    tellBad(
      field, "\(FieldError.shown(text)) isn’t a valid date or time (such as 2024-05-03T10:00:00Z)")
    return nil
  }

  private func tellBad(_ field: String, _ message: String) {
    if bad.count == 0 {
      bad.place = "\(file.name):\(stream?.line ?? 0) field “\(field)”"
      bad.message = message
    }
    bad.count += 1
  }

  // MARK: Activities

  private func endPoint() {
    if let rate { points.heart.add(rate) }
    if let reach { points.metres = max(points.metres, reach) }
    if let time = point.time {
      points.first = min(points.first ?? time, time)
      points.last = max(points.last ?? time, time)
      if activity?.offset == nil { activity?.offset = point.offset }
    }
    guard let lat, let lon, let place = GeoPoint(lat: lat, lon: lon) else { return }
    guard let count = activity?.track.points.count, count < TrackEntries.pointLimit else {
      excess += 1
      return
    }
    let segment = activity?.track.segment ?? 0
    activity?.track.points.append(
      RecordedTrack.Point(
        place: place, time: point.time?.milliseconds, height: point.height, segment: segment,
        offset: nil))
  }

  private func endActivity() throws {
    guard var activity else { return }
    self.activity = nil
    if let text = id, activity.offset == nil { activity.offset = FeatureTime.offset(text) }
    let told = laps.lazy.compactMap(\.start).first
    let named = id.flatMap { PlaceTime($0, home: context.zones)?.instant }
    guard let start = told ?? named ?? points.first else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(activity.place) field “Id”",
          message: "skipped an activity without a time"))
      return
    }
    activity.start = start
    func sum(_ value: (Lap) -> Double?) -> Double? {
      let values = laps.compactMap(value)
      return values.isEmpty ? nil : values.reduce(0, +)
    }
    activity.seconds = sum(\.seconds)
    let metres = sum(\.metres) ?? 0
    activity.metres = metres > 0 ? metres : points.metres > 0 ? points.metres : nil
    activity.kilocalories = sum(\.kilocalories)
    activity.steps = sum(\.steps)
    activity.laps = laps.count
    takeHeart(&activity)
    activity.end = end(of: activity)
    try activities.take(activity)
  }

  /// Takes the mean of the laps, weighted by their length, or else of the points.
  private func takeHeart(_ activity: inout RecordedActivity) {
    let rated = laps.compactMap { lap in
      lap.heartMean.flatMap { $0 >= 20 ? (rate: $0, seconds: max(lap.seconds ?? 1, 0.1)) : nil }
    }
    let seconds = rated.reduce(0) { $0 + $1.seconds }
    if seconds > 0 {
      activity.heartMean = rated.reduce(0) { $0 + $1.rate * $1.seconds } / seconds
    } else {
      activity.heartMean = points.heart.mean
    }
    let most = laps.compactMap(\.heartMost).max() ?? points.heart.most
    activity.heartMost = most.flatMap { $0 >= 20 ? $0 : nil }
  }

  /// Returns the last time that it gives, if that is plausible.
  private func end(of activity: RecordedActivity) -> Instant? {
    var ends = [points.last].compactMap { $0 }
    if let last = laps.last, let start = last.start ?? (laps.count == 1 ? activity.start : nil) {
      ends.append(
        Instant(milliseconds: start.milliseconds + Int64((last.seconds ?? 0) * 1_000)))
    }
    return ends.filter {
      $0 > activity.start && $0 <= .latest
        && $0.milliseconds - activity.start.milliseconds <= Self.longest
    }.max()
  }
}
