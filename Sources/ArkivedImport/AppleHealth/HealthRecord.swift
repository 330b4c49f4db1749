import ArkivedCore
import Foundation

/// A `Record`, as given by its start tag.
struct HealthRecord {
  var type: Int
  var source: Int
  var start: HealthMoment
  var end: HealthMoment
  var value: Value
  /// The zone named in its metadata.
  var zone: Zone?

  enum Value {
    case amount(Double, unit: Int)
    case category(String)
  }
}

/// A session of mindfulness.
struct MindfulSession {
  var start: HealthMoment
  var end: HealthMoment
  var zone: Zone?
  var source: Int
}

/// The classification of record types, looked up once for each.
struct HealthTypes {
  enum Kind {
    case quantity, sleep, mindfulness
    /// Hours with standing, which count as such.
    case standing
    /// Something frequent enough to be counted by day.
    case counted(String)
    case category
  }

  /// The conversion of a type's amounts in one unit to a metric's unit.
  struct Way {
    var metric: Int
    var factor: Double
    var addend: Double
    /// True if amounts are fractions of one, unless they exceed one.
    var isShare: Bool
  }

  private static let counted = [
    "HandwashingEvent": "handWashing", "ToothbrushingEvent": "toothBrushing",
    "AudioExposureEvent": "loudSurroundings", "EnvironmentalAudioExposureEvent": "loudSurroundings",
    "HeadphoneAudioExposureEvent": "loudHeadphones",
  ]

  private(set) var names = HealthNames()
  var units = HealthNames()
  private var kinds: [Kind] = []
  private var ways: [Int: Way?] = [:]
  /// The molar masses that units give, by metric.
  private var molarMasses: [String: Double] = [:]
  private var last: (key: Int, way: Way?) = (-1, nil)

  /// Returns the number of a type.
  mutating func number(_ name: UnsafePointer<CChar>) -> Int {
    let number = names.number(name)
    while kinds.count <= number { kinds.append(Self.kind(names.all[kinds.count])) }
    return number
  }

  func kind(_ number: Int) -> Kind { kinds[number] }

  private static func kind(_ name: String) -> Kind {
    let bare = HealthWords.bare(name)
    switch bare {
    case "SleepAnalysis": return .sleep
    case "MindfulSession": return .mindfulness
    case "AppleStandHour": return .standing
    default: break
    }
    if let metric = counted[bare] { return .counted(metric) }
    return name.hasPrefix("HKCategoryType") ? .category : .quantity
  }

  /// Returns the conversion for amounts of a type and unit, or nil if they can't be combined with
  /// others.
  mutating func way(_ type: Int, unit: Int, in days: inout HealthDays) -> Way? {
    let key = type << 20 | unit
    if last.key == key { return last.way }
    let way: Way?
    if let known = ways[key] {
      way = known
    } else {
      way = newWay(type, unit, &days)
      ways[key] = .some(way)
    }
    last = (key, way)
    return way
  }

  private mutating func newWay(_ type: Int, _ unitNumber: Int, _ days: inout HealthDays) -> Way? {
    let identifier = names.all[type]
    let plain = HealthUnit.plain(units.all[unitNumber], of: identifier)
    let quantity = HealthQuantity(identifier: identifier, unit: plain)
    guard !quantity.name.isEmpty, let unit = plain.isEmpty ? quantity.usualUnit : plain else {
      return nil
    }
    // Types measured as durations are shown that way only in minutes.
    let wanted = quantity.name.hasSuffix("Minutes") ? "min" : unit
    let metric = days.metric(quantity.name, unit: wanted, rule: quantity.rule)
    if let mass = HealthUnit.molarMass(in: units.all[unitNumber]) {
      molarMasses[quantity.name] = mass
    }
    let mass = molarMasses[quantity.name] ?? Self.knownMasses[quantity.name]
    let own = days.metrics[metric].unit
    if let change = HealthUnit.conversion(from: unit, to: own, molarMass: mass) {
      return Way(
        metric: metric, factor: change.factor, addend: change.addend, isShare: unit == "%")
    }
    // Kilograms of a distance are a mistake, but an unknown unit is a number of its own.
    guard !HealthUnit.isKnown(unit) || !HealthUnit.isKnown(own) else { return nil }
    let other = days.metric("\(quantity.name) (\(unit))", unit: unit, rule: quantity.rule)
    return Way(metric: other, factor: 1, addend: 0, isShare: false)
  }

  /// The molar masses of what records without one measure.
  private static let knownMasses = ["bloodGlucose": 180.155_88]
}
