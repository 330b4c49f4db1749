import ArkivedCore
import Foundation

/// An activity as a sports watch, a bicycle computer or an app recorded it.
struct RecordedActivity {
  /// The sport as named by its source: `Biking`, `cross_country_skiing`; empty if the source
  /// doesn't give it.
  var sport = ""
  /// The subtype, such as `trail`; empty if it isn't given.
  var kind = ""
  var name: String?
  var notes: String?
  /// The device that recorded it.
  var device: String?
  var start: Instant
  /// Seconds east of UTC by the local clock; nil if only UTC is given.
  var offset: Int?
  /// The zone, if the source names it.
  var zone: Zone?
  var end: Instant?
  /// The recorded duration, without pauses.
  var seconds: Double?
  var metres: Double?
  var kilocalories: Double?
  var heartMean: Double?
  var heartMost: Double?
  /// Metres risen.
  var ascent: Double?
  var steps: Double?
  var laps = 0
  var track = RecordedTrack()
  /// The position in its file.
  var place: String

  /// The maximum time from start to end in seconds; no real activity lasts longer.
  private static let longest = 30 * 86_400.0
  /// The maximum mean speed in metres per second, that of an airliner with the wind behind it.
  private static let fastest = 400.0

  /// Drops values that can't be true: those out of any plausible range, and those that contradict
  /// the start and the end.
  ///
  /// - Returns: the dropped values in words, such as "an implausible heart rate: 900 bpm".
  mutating func dropImplausibleValues() -> [String] {
    var problems: [String] = []
    func kept(
      _ value: Double?, _ range: ClosedRange<Double>, _ name: String, _ factor: Double,
      _ unit: String
    ) -> Double? {
      // Services write zero for what wasn't measured.
      guard let value, value != 0, !range.contains(value) else { return value }
      let amount = HealthText.amount(value * factor, unit).trimmingCharacters(in: .whitespaces)
      problems.append("an implausible \(name): \(amount)")
      return nil
    }
    if let end, Double(start.seconds(to: end)) > Self.longest {
      problems.append("the end \(end), which is more than 30 days after the start")
      self.end = nil
    }
    seconds = kept(seconds, 0...Self.longest, "duration", 1 / 60, "min")
    let elapsed = end.map { Double(start.seconds(to: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    // Both ends may be rounded to a minute.
    if let elapsed, let length = seconds, length > elapsed + 60 {
      problems.append(
        "the duration \(HealthText.amount(length / 60, "min")), which is longer than the time from "
          + "start to end")
      seconds = nil
    }
    let time = elapsed ?? seconds.flatMap { $0 > 0 ? $0 : nil } ?? .infinity
    let reach = min(max(time, 60) * Self.fastest, PlaceEntries.longestWay)
    metres = kept(metres, 0...reach, "distance", 0.001, "km")
    kilocalories = kept(kilocalories, 0...30_000, "energy value", 1, "kcal")
    heartMean = kept(heartMean, 20...300, "heart rate", 1, "bpm")
    heartMost = kept(heartMost, 20...300, "heart rate", 1, "bpm")
    ascent = kept(ascent, 0...100_000, "ascent", 1, "m")
    steps = kept(steps, 0...1_000_000, "step count", 1, "")
    return problems
  }
}

/// Creates one entry from each recorded activity, with its measurements and the line of its route.
struct RecordedActivities {
  /// Names of sports that have no meaning.
  private static let empty: Set<String> = ["", "generic", "other", "all", "default", "unknown"]

  private let home: HomeZones
  private let sink: any ImportSink
  private var entries: PlaceEntries

  init(context: ImportContext, provider: String, sink: any ImportSink) {
    home = context.zones
    self.sink = sink
    entries = PlaceEntries(context: context, provider: provider, sink: sink)
  }

  var count: Int { entries.count }

  mutating func take(_ recorded: RecordedActivity) throws {
    var activity = recorded
    let (points, dropped) = TrackJumps.removing(from: recorded.track.points)
    if dropped > 0 {
      activity.track.points = points
      sink.diagnose(
        Diagnostic(.skipped, place: activity.place, message: TrackJumps.message(dropped)))
    }
    for problem in activity.dropImplausibleValues() {
      sink.diagnose(
        Diagnostic(.skipped, place: activity.place, message: "skipped \(problem)"))
    }
    let lines = TrackEntries.lines(activity.track.points)
    let drawn = lines.reduce(0) { $0 + PointDays.metres($1) }
    let metres = activity.metres ?? (drawn >= 1 ? drawn : nil)
    let mode = TravelMode(activity.sport) ?? TravelMode(activity.kind)
    let isSport = mode?.isSport ?? true
    let start =
      activity.zone.map { PlaceTime(activity.start, in: $0) }
      ?? PlaceTime(activity.start, knownOffset: activity.offset, home: home)
    let label = Self.label(activity)
    try entries.take(
      PlaceEntries.Way(
        start: start, end: activity.end, metres: metres, mode: mode,
        name: activity.name ?? (mode == nil ? Self.text(label, metres, activity.seconds) : nil),
        details: Self.details(activity, mode), notes: activity.notes,
        lines: lines.map { PathLine.simplified($0) }, point: activity.track.points.first?.place,
        kind: isSport ? .health : .travel, measurements: Self.measurements(activity),
        minutes: activity.seconds.map { ($0 / 0.6).rounded() / 100 }, source: .healthImport,
        tags: label == "Workout" ? [] : [label.lowercased()],
        identity: entries.identity("activity/\(activity.start)", of: label),
        place: activity.place))
  }

  /// Returns the sport in words: "Running", "Strength training"; "Workout" if it isn't given.
  private static func label(_ activity: RecordedActivity) -> String {
    let isGeneral = ["fitness_equipment", "training"].contains(activity.sport)
    let names = isGeneral ? [activity.kind, activity.sport] : [activity.sport, activity.kind]
    let name = names.first { !empty.contains($0.lowercased()) } ?? ""
    let words = HealthWords.sentence(name.trimmingCharacters(in: .whitespaces))
    return words.isEmpty ? "Workout" : String(words.prefix(60))
  }

  /// Returns "Yoga, 45 min" or "Surfing, 2.4 km".
  private static func text(_ label: String, _ metres: Double?, _ seconds: Double?) -> String {
    if let metres, metres >= 100 {
      return "\(label), \(HealthText.amount(metres / 1_000, "km"))"
    }
    guard let seconds, seconds >= 60, let whole = Int(exactly: seconds.rounded(.down)) else {
      return label
    }
    return "\(label), \(HealthText.length(whole))"
  }

  private static func details(_ activity: RecordedActivity, _ mode: TravelMode?) -> String? {
    var parts: [String] = []
    if mode != nil, !empty.contains(activity.kind.lowercased()) {
      parts.append(HealthWords.sentence(activity.kind))
    }
    if activity.laps > 1 { parts.append("\(activity.laps) laps") }
    if let device = activity.device { parts.append(device) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func measurements(_ activity: RecordedActivity) -> [String: Double] {
    var amounts: [String: Double] = [:]
    func put(_ amount: Double?, _ unit: String) {
      // Services write zero for what wasn't measured.
      if let amount, amount >= 1 { amounts[unit] = amount.rounded() }
    }
    put(activity.kilocalories, "kcal")
    let rates = HeartRates(activity.track.points)
    put(activity.heartMean ?? rates.mean, "bpm")
    put(activity.heartMost ?? rates.most, "max bpm")
    put(
      activity.ascent ?? TrackEntries.ascent(activity.track.points).map { Double($0) }, "m ascent")
    put(activity.steps, "steps")
    return amounts
  }
}
