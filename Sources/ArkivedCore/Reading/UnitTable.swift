import Foundation

/// The dimension of a unit, with the base unit for conversion.
package enum Dimension: String, Sendable, CaseIterable {
  /// Length, based on the metre.
  case length
  /// Mass, based on the gram.
  case mass
  /// Volume, based on the millilitre.
  case volume
  /// Time, based on the minute.
  case time
  /// Energy, based on the kilocalorie.
  case energy
  /// A count of things, which cannot be converted.
  case count
}

/// A unit of measurement with all its names.
package struct MeasureUnit: Hashable, Sendable {
  /// The name under which amounts are stored: "km", "minutes", "pages".
  package let name: String
  package let dimension: Dimension
  /// The number of base units of the dimension in one of this unit; 1 for counted things.
  package let factor: Double
  /// Other names, singular and plural, in lower case.
  package let aliases: [String]
  /// The singular: "page" for "pages"; the name itself for symbols such as "km".
  package let singular: String

  package init(
    _ name: String, _ dimension: Dimension, _ factor: Double = 1, _ aliases: [String] = [],
    singular: String? = nil
  ) {
    self.name = name
    self.dimension = dimension
    self.factor = factor
    self.aliases = aliases
    self.singular = singular ?? name
  }

  /// Returns an amount with the unit: "5 km", "1 page", "2.5 hours".
  package func text(_ amount: Double) -> String {
    "\(AmountText.plain(amount)) \(amount == 1 ? singular : name)"
  }

  // words: minutes | minute | hours | hour | seconds | second | miles | mile | feet | foot
  // words: inches | inch | cups | cup | steps | step | pages | page | chapters | chapter | books
  // words: book | articles | article | words | word | lines | line | reps | rep | sets | set
  // words: laps | lap | lengths | length | rounds | round | floors | floor | push-ups | push-up
  // words: pull-ups | pull-up | squats | squat | glasses | glass | bottles | bottle | beers
  // words: beer | coffees | coffee | drinks | drink | cigarettes | cigarette | portions | portion
  // words: lessons | lesson | sessions | session | exercises | exercise | games | game | problems
  // words: problem | flashcards | flashcard | emails | email | calls | call | times
  /// Returns an amount with the unit for pages: "5 km", in German "1 Seite", "2,5 Stunden".
  package func shownText(_ amount: Double) -> String {
    if name.unicodeScalars.first?.properties.generalCategory == .currencySymbol {
      let sum =
        amount == amount.rounded() || amount >= 1e15
        ? AmountText.shown(amount)
        : TypedNumber.shown(String(format: "%.2f", amount))
      return Language.current.isCurrencyBehind ? "\(sum) \(name)" : "\(name)\(sum)"
    }
    return "\(AmountText.shown(amount)) \(saidWhole(amount == 1 ? singular : name))"
  }
}

/// The known units, which can be looked up by any of their names and converted within a dimension.
///
/// The factors of the customary units are the exact ones of the international yard and pound
/// agreement of 1959; gallon, pint and fluid ounce are the US ones; the cup is 240 ml, as on
/// nutrition labels.
package struct UnitTable: Sendable {
  package let units: [MeasureUnit]
  private let index: [String: Int]
  /// Units that goals taught, by all their forms (see `UnitForms`).
  var taught: [String: MeasureUnit] = [:]
  /// The number of words in the longest name.
  var mostWords = 2

  /// The units listed below.
  package static let standard = UnitTable(units: standardUnits)

  /// Creates a table of units; of two with the same name, the earlier one wins.
  package init(units: [MeasureUnit]) {
    self.units = units
    var index: [String: Int] = [:]
    for (position, unit) in units.enumerated() {
      for name in [unit.name.lowercased(), unit.singular.lowercased()] + unit.aliases
      where index[name] == nil {
        index[name] = position
      }
    }
    self.index = index
  }

  /// Returns a table with further units, which take precedence over the existing ones.
  package func adding(_ more: [MeasureUnit]) -> UnitTable {
    var table = UnitTable(units: more + units)
    (table.taught, table.mostWords) = (taught, mostWords)
    return table
  }

  /// Returns the unit with a name, a plural or an alias, in any case; nil if it is unknown.
  package func unit(named name: String) -> MeasureUnit? {
    let key = name.trimmingCharacters(in: .whitespaces).lowercased()
    if let position = index[key] { return units[position] }
    // This handles the regular plurals of added units.
    if key.count > 2, key.hasSuffix("s"), let position = index[String(key.dropLast())] {
      return units[position]
    }
    return taughtUnit(name)
  }

  /// Returns true if a name, in any language, is one of the table's units and not one learned from
  /// a goal.
  package func isKnown(_ name: String) -> Bool {
    unit(named: name).map { index[$0.name.lowercased()] != nil } ?? false
  }

  /// Returns the name under which amounts of this unit are stored, or the name itself if it is
  /// unknown.
  package func canonicalName(_ name: String) -> String {
    unit(named: name)?.name ?? name.trimmingCharacters(in: .whitespaces)
  }

  /// Returns true if two names mean the same unit.
  package func isSame(_ first: String, _ second: String) -> Bool {
    canonicalName(first).lowercased() == canonicalName(second).lowercased()
  }

  /// Returns an amount in another unit, or nil if the dimensions differ.
  package func convert(_ amount: Double, from source: String, to target: String) -> Double? {
    if isSame(source, target) { return amount }
    guard let from = unit(named: source), let to = unit(named: target),
      from.dimension == to.dimension, from.dimension != .count
    else { return nil }
    let result = amount * (from.factor / to.factor)
    return result.isFinite ? result : nil
  }

  /// Returns a value of a metric in another unit, also a temperature or the glucose in blood.
  ///
  /// - Parameters:
  ///   - amount: the value.
  ///   - metric: the metric's name.
  ///   - source: the unit of the value.
  ///   - target: the other unit.
  /// - Returns: the value in the other unit; the value itself if one of the units is unknown, and nil
  ///   if both are known and can't be converted.
  package func converted(
    _ amount: Double, of metric: String, from source: String, to target: String
  ) -> Double? {
    let isGlucose = metric.lowercased().contains("glucose")
    switch (source.lowercased(), target.lowercased()) {
    case ("°f", "°c"): return (amount - 32) / 1.8
    case ("°c", "°f"): return amount * 1.8 + 32
    case ("mg/dl", "mmol/l") where isGlucose: return amount / Self.glucoseFactor
    case ("mmol/l", "mg/dl") where isGlucose: return amount * Self.glucoseFactor
    default:
      if let converted = convert(amount, from: source, to: target) { return converted }
      return isKnown(source) && isKnown(target) ? nil : amount
    }
  }

  /// The mg/dl in one mmol/l of glucose, a mole of which weighs 180.156 g.
  private static let glucoseFactor = 18.0156

  /// Returns the one of two units in which amounts that were measured in both are told, which
  /// doesn't depend on the order: the one that the table lists first.
  package func preferred(_ first: String, _ second: String) -> String {
    let places = [first, second].map { index[$0.lowercased()] ?? units.count }
    if places[0] != places[1] { return places[0] < places[1] ? first : second }
    return min(first, second)
  }

  /// Returns the sum of the measurements that can be converted to a unit, or nil if there are none.
  package func amount(of unit: String, in measurements: [String: Double]) -> Double? {
    let parts = measurements.sorted { $0.key < $1.key }.compactMap {
      convert($0.value, from: $0.key, to: unit)
    }
    return parts.isEmpty ? nil : parts.reduce(0, +)
  }
}

private let standardUnits: [MeasureUnit] = [
  MeasureUnit("km", .length, 1000, ["kms", "kilometre", "kilometres", "kilometer", "kilometers"]),
  MeasureUnit("m", .length, 1, ["metre", "metres", "meter", "meters"]),
  MeasureUnit("cm", .length, 0.01, ["centimetre", "centimetres", "centimeter", "centimeters"]),
  MeasureUnit("mm", .length, 0.001, ["millimetre", "millimetres", "millimeter", "millimeters"]),
  MeasureUnit("miles", .length, 1609.344, ["mi"], singular: "mile"),
  MeasureUnit("yards", .length, 0.9144, ["yd", "yds"], singular: "yard"),
  MeasureUnit("feet", .length, 0.3048, ["ft"], singular: "foot"),
  MeasureUnit("inches", .length, 0.0254, [], singular: "inch"),

  MeasureUnit(
    "kg", .mass, 1000, ["kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme"]),
  MeasureUnit("dag", .mass, 10, ["dkg", "deka"]),
  MeasureUnit("g", .mass, 1, ["gr", "gram", "grams", "gramme", "grammes"]),
  MeasureUnit("mg", .mass, 0.001, ["milligram", "milligrams"]),
  MeasureUnit("lb", .mass, 453.59237, ["lbs", "pound", "pounds"]),
  MeasureUnit("oz", .mass, 28.349523125, ["ounce", "ounces"]),
  MeasureUnit("stone", .mass, 6350.29318, ["stones"]),

  MeasureUnit("l", .volume, 1000, ["litre", "litres", "liter", "liters", "ltr"]),
  MeasureUnit("dl", .volume, 100, ["decilitre", "decilitres", "deciliter", "deciliters"]),
  MeasureUnit("cl", .volume, 10, ["centilitre", "centilitres", "centiliter", "centiliters"]),
  MeasureUnit(
    "ml", .volume, 1, ["millilitre", "millilitres", "milliliter", "milliliters"]),
  MeasureUnit("cups", .volume, 240, [], singular: "cup"),
  MeasureUnit("pints", .volume, 473.176473, [], singular: "pint"),
  MeasureUnit("gallons", .volume, 3785.411784, ["gal"], singular: "gallon"),

  MeasureUnit("minutes", .time, 1, ["min", "mins"], singular: "minute"),
  MeasureUnit("hours", .time, 60, ["h", "hr", "hrs"], singular: "hour"),
  MeasureUnit("seconds", .time, 1.0 / 60, ["sec", "secs"], singular: "second"),

  MeasureUnit(
    "kcal", .energy, 1, ["kcals", "cal", "cals", "calorie", "calories", "kilocalories"]),
  MeasureUnit("kJ", .energy, 1 / 4.184, ["kilojoule", "kilojoules"]),
  MeasureUnit("kWh", .energy, 3600 / 4.184, ["kilowatt hours", "kilowatt-hours"]),

  MeasureUnit("steps", .count, singular: "step"),
  MeasureUnit("pages", .count, 1, ["pgs"], singular: "page"),
  MeasureUnit("chapters", .count, singular: "chapter"),
  MeasureUnit("books", .count, singular: "book"),
  MeasureUnit("articles", .count, singular: "article"),
  MeasureUnit("words", .count, singular: "word"),
  MeasureUnit("lines", .count, singular: "line"),
  MeasureUnit("reps", .count, 1, ["repetition", "repetitions"], singular: "rep"),
  MeasureUnit("sets", .count, singular: "set"),
  MeasureUnit("laps", .count, singular: "lap"),
  MeasureUnit("lengths", .count, singular: "length"),
  MeasureUnit("rounds", .count, singular: "round"),
  MeasureUnit("floors", .count, 1, ["flights"], singular: "floor"),
  MeasureUnit(
    "push-ups", .count, 1, ["pushup", "pushups", "press-ups", "pressups"], singular: "push-up"),
  MeasureUnit("pull-ups", .count, 1, ["pullup", "pullups"], singular: "pull-up"),
  MeasureUnit("sit-ups", .count, 1, ["situp", "situps"], singular: "sit-up"),
  MeasureUnit("squats", .count, singular: "squat"),
  MeasureUnit("burpees", .count, singular: "burpee"),
  MeasureUnit("glasses", .count, singular: "glass"),
  MeasureUnit("bottles", .count, singular: "bottle"),
  MeasureUnit("beers", .count, singular: "beer"),
  MeasureUnit("coffees", .count, singular: "coffee"),
  MeasureUnit("drinks", .count, singular: "drink"),
  MeasureUnit("cigarettes", .count, singular: "cigarette"),
  MeasureUnit("portions", .count, 1, ["servings", "serving"], singular: "portion"),
  MeasureUnit("lessons", .count, singular: "lesson"),
  MeasureUnit("sessions", .count, singular: "session"),
  MeasureUnit("exercises", .count, singular: "exercise"),
  MeasureUnit("games", .count, singular: "game"),
  MeasureUnit("problems", .count, singular: "problem"),
  MeasureUnit("flashcards", .count, 1, [], singular: "flashcard"),
  MeasureUnit("pomodoros", .count, 1, ["pomodori"], singular: "pomodoro"),
  MeasureUnit("emails", .count, 1, ["e-mails", "e-mail"], singular: "email"),
  MeasureUnit("calls", .count, singular: "call"),
  MeasureUnit("bpm", .count),
  MeasureUnit("°C", .count),
  MeasureUnit("°F", .count),
  MeasureUnit("degrees", .count),
  MeasureUnit("km/h", .count, 1, ["kmh", "kph"]),
  MeasureUnit("mph", .count, 1, ["mi/h"]),
  MeasureUnit("mmol/l", .count, 1, ["mmol"]),
  MeasureUnit("mmol/mol", .count),
  MeasureUnit("mg/dl", .count),
  MeasureUnit("units", .count, 1, ["u", "iu"], singular: "unit"),
  MeasureUnit("m ascent", .count, 1, ["hm", "höhenmeter"]),
]
