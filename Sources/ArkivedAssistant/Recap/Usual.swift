import ArkivedCore
import Foundation

/// The baseline for a number.
struct Usual: Hashable, Sendable {
  var value: Double
  /// The basis in words: "median of the 12 weeks before".
  var basis: String
  var measure: Measure = .always

  /// The kind of baseline.
  enum Measure: Hashable, Sendable {
    case always
    /// The usual value up to the number of days that have begun.
    case byNow
    case weekday(Weekday)
    /// The value of a specific year, possibly cut to the same number of days.
    case year(Int, byThisDay: Bool)
  }

  /// Returns the baseline in words: "the usual 48", "the 48 of 2023".
  func phrase(_ amount: String) -> String {
    switch measure {
    case .always: said("the usual \(amount)")
    case .byNow: said("the usual \(amount) by this point")
    case .weekday(let weekday): said("the usual \(amount) on a \(weekday.shownName)")
    case .year(let year, true): said("the \(amount) up to this date in \(year)")
    case .year(let year, false): said("the \(amount) in \(year)")
    }
  }

  /// The phrase for an equal value: "as usual", "as in 2023".
  var asBefore: String {
    switch measure {
    case .always: said("as usual")
    case .byNow: said("about as usual up to this point")
    case .weekday(let weekday): said("as usual on a \(weekday.shownName)")
    case .year(let year, true): said("the same as by this day in \(year)")
    case .year(let year, false): said("the same as in \(year)")
    }
  }

  /// The phrase for a baseline of zero.
  private var none: String {
    switch measure {
    case .always, .byNow, .weekday: said("when there’s usually nothing")
    case .year(let year, true): said("compared with none by this day in \(year)")
    case .year(let year, false): said("compared with none in \(year)")
    }
  }

  /// Returns the middle value, or the mean of the two middle ones; nil if there are no values.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The kind of number compared, which determines the wording.
  enum Sense {
    /// Countable things: more, fewer.
    case many
    /// Amounts that add up: more, less.
    case much
  }

  /// Compares a value with the baseline at the end of a clause: "about twice the usual 48".
  func comparison(of value: Double, unit: String?, _ sense: Sense = .much) -> String {
    guard self.value > 0 else { return none }
    if RecapText.amount(value, unit) == RecapText.amount(self.value, unit) { return asBefore }
    let told = phrase(amount(unit, sense))
    let ratio = value / self.value
    // "Twice the usual one" overstates two entries.
    if sense == .many, max(value, self.value) < 4 {
      return ratio > 1 ? said("more than \(told)") : said("fewer than \(told)")
    }
    switch ratio {
    case 3.25...: return said("far more than \(told)")
    case 2.75..<3.25: return said("about three times \(told)")
    case 1.85..<2.2: return said("about twice \(told)")
    case 1.5...: return said("well above \(told)")
    case 1.08...: return said("more than \(told)")
    case 0.92..<1.08: return said("close to \(told)")
    case 0.45..<0.55: return said("about half \(told)")
    case ..<0.45: return said("far below \(told)")
    default: return sense == .many ? said("fewer than \(told)") : said("less than \(told)")
    }
  }

  /// Returns the difference of two temperatures in degrees Celsius; nil for other units.
  ///
  /// The zero of a temperature is arbitrary, so its ratio to another one means nothing.
  private static func degrees(from usual: Double, to value: Double, _ unit: String?) -> Double? {
    switch unit?.lowercased() {
    case "°c", "k": value - usual
    case "°f": (value - usual) * 5 / 9
    default: nil
    }
  }

  /// Returns true for a unit of temperature.
  static func isTemperature(_ unit: String?) -> Bool { degrees(from: 0, to: 0, unit) != nil }

  /// Returns true if a level differs noticeably from the usual one: temperatures by half a degree
  /// Celsius, other values by a twelfth.
  static func isUnusual(_ value: Double, usual: Double, unit: String?) -> Bool {
    if let degrees = degrees(from: usual, to: value, unit) { return abs(degrees) >= 0.5 }
    return usual == 0 ? value != 0 : !(0.92...1.08).contains(value / usual)
  }

  /// Describes a level (above, below) compared with the baseline: "57 bpm, above the usual 54".
  func level(_ value: Double, unit: String?) -> String {
    let shown = RecapText.amount(value, unit)
    let degrees = Self.degrees(from: self.value, to: value, unit)
    guard self.value != 0 || degrees != nil else { return "\(shown), \(none)" }
    if shown == RecapText.amount(self.value, unit) { return "\(shown), \(asBefore)" }
    let told = phrase(amount(unit, .much))
    let isClose: Bool
    let isFar: Bool
    if let degrees {
      (isClose, isFar) = (abs(degrees) < 0.3, abs(degrees) >= 1.5)
    } else {
      // A ratio to a value below zero says nothing about its direction.
      let ratio = value / self.value
      isClose = (0.97..<1.03).contains(ratio)
      isFar = self.value > 0 && (ratio >= 1.25 || ratio < 0.8)
    }
    if isClose { return said("\(shown), close to \(told)") }
    if value > self.value {
      return isFar ? said("\(shown), well above \(told)") : said("\(shown), above \(told)")
    }
    return isFar ? said("\(shown), well below \(told)") : said("\(shown), below \(told)")
  }

  /// Returns the baseline's amount; countable things use whole numbers: "seven or eight".
  private func amount(_ unit: String?, _ sense: Sense) -> String {
    guard sense == .many, value >= 0.5, value < 1e15 else {
      // The unit was just mentioned with the value.
      let rough = value >= 20 && !Self.isTemperature(unit) ? value.rounded() : value
      let isSpelt = unit.map(RecapText.isWord) ?? false
      return RecapText.amount(rough, isSpelt ? nil : unit)
    }
    let whole = Int(value)
    if value != value.rounded(), whole >= 1, whole < 12 {
      return said("\(RecapText.number(whole)) or \(RecapText.number(whole + 1))")
    }
    return RecapText.number(Int(value.rounded()))
  }
}
