import ArkivedCore
import Foundation

/// Spans of time whose union can be measured.
struct HealthSpans {
  private var parts: [Range<Int>] = []

  mutating func add(_ start: Int, _ end: Int) {
    if start < end { parts.append(start..<end) }
  }

  var isEmpty: Bool { parts.isEmpty }

  /// The seconds covered by at least one span.
  var seconds: Int {
    var sum = 0
    var reached = Int.min
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) where part.upperBound > reached
    {
      sum += part.upperBound - max(part.lowerBound, reached)
      reached = part.upperBound
    }
    return sum
  }
}

/// Merges what devices record about sleep into nights and naps.
struct HealthSleep {
  enum Stage: UInt8, CaseIterable {
    case inBed, awake, asleep, core, deep, rem

    /// Creates a stage from the category's value; older exports write numbers.
    init?(_ value: String) {
      switch value.replacing("HKCategoryValueSleepAnalysis", with: "") {
      case "InBed", "0": self = .inBed
      case "Asleep", "AsleepUnspecified", "1": self = .asleep
      case "Awake", "2": self = .awake
      case "AsleepCore", "3": self = .core
      case "AsleepDeep", "4": self = .deep
      case "AsleepREM", "5": self = .rem
      default: return nil
      }
    }

    var isSleep: Bool { self != .inBed && self != .awake }
    var isDetailed: Bool { self == .core || self == .deep || self == .rem }
  }

  /// A part of a night as one device records it.
  struct Part {
    var start: HealthMoment
    var end: HealthMoment
    var stage: Stage
    var source: Int
    /// The zone of the part, if the record names it.
    var zone: Zone?
  }

  /// One sleep, from lying down or falling asleep to getting up.
  struct Night {
    var start: HealthMoment
    var end: HealthMoment
    var zone: Zone?
    /// The device whose data is used.
    var source: Int
    /// Seconds by stage; `asleep` is the total sleep.
    var seconds: [Stage: Int]
  }

  /// The longest plausible part, in seconds.
  private static let partLimit = 24 * 3600
  /// The longest time awake within one sleep, in seconds.
  private static let gap = 2 * 3600
  /// The longest sleep, in seconds.
  private static let nightLimit = 20 * 3600
  /// The maximum number of parts: two hundred years of nights with stages.
  private static let countLimit = 2_000_000

  private var parts: [Part] = []
  /// The number of parts dropped because they were too long or too many.
  private(set) var left = 0

  mutating func take(_ part: Part) {
    let length = part.end.seconds - part.start.seconds
    guard length > 0, length <= Self.partLimit, parts.count < Self.countLimit else {
      return left += 1
    }
    parts.append(part)
  }

  /// Returns the sleeps in order.
  func nights() -> [Night] {
    var nights: [Night] = []
    var group: [Part] = []
    var reached = Int.min
    let ordered = parts.sorted {
      ($0.start.seconds, $0.end.seconds, $0.source, $0.stage.rawValue)
        < ($1.start.seconds, $1.end.seconds, $1.source, $1.stage.rawValue)
    }
    for part in ordered {
      if let first = group.first,
        part.start.seconds > reached + Self.gap
          || part.start.seconds > first.start.seconds + Self.nightLimit
      {
        if let night = Self.night(group) { nights.append(night) }
        group = []
        reached = Int.min
      }
      group.append(part)
      reached = max(reached, part.end.seconds)
    }
    if let night = Self.night(group) { nights.append(night) }
    return nights
  }

  /// Builds a night from its parts.
  ///
  /// The sleep comes from one device: one that knows its stages, or else the one that recorded the
  /// most. Times in bed come from all devices.
  private static func night(_ parts: [Part]) -> Night? {
    guard let first = parts.first else { return nil }
    var tellers: [Int: (isDetailed: Bool, spans: HealthSpans)] = [:]
    var bed = HealthSpans()
    for part in parts {
      if part.stage == .inBed { bed.add(part.start.seconds, part.end.seconds) }
      guard part.stage.isSleep else { continue }
      var teller = tellers[part.source] ?? (false, HealthSpans())
      teller.isDetailed = teller.isDetailed || part.stage.isDetailed
      teller.spans.add(part.start.seconds, part.end.seconds)
      tellers[part.source] = teller
    }
    let ranked = tellers.map {
      (source: $0.key, isDetailed: $0.value.isDetailed, asleep: $0.value.spans.seconds)
    }
    let best = ranked.max { left, right in
      if left.isDetailed != right.isDetailed { return right.isDetailed }
      if left.asleep != right.asleep { return left.asleep < right.asleep }
      return left.source > right.source
    }
    let source = best?.source ?? first.source
    var seconds: [Stage: Int] = [:]
    if !bed.isEmpty { seconds[.inBed] = bed.seconds }
    let own = parts.filter { $0.source == source }
    if let best { seconds[.asleep] = best.asleep }
    for stage in [Stage.awake, .core, .deep, .rem] {
      var spans = HealthSpans()
      for part in own where part.stage == stage { spans.add(part.start.seconds, part.end.seconds) }
      if !spans.isEmpty { seconds[stage] = spans.seconds }
    }
    // Besides the chosen device, this includes those that know when somebody lay down and got up.
    let told = best == nil ? parts : parts.filter { $0.source == source || $0.stage == .inBed }
    guard let start = told.min(by: { $0.start.seconds < $1.start.seconds }),
      let end = told.max(by: { $0.end.seconds < $1.end.seconds })
    else { return nil }
    return Night(
      start: start.start, end: end.end, zone: start.zone, source: source, seconds: seconds)
  }
}
