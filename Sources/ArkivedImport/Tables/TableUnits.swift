import ArkivedCore
import Foundation

/// Determines the unit of a column's numbers from its name and values.
enum TableUnits {
  /// Returns the words of a column's name, case-folded: `Avg HR`, `HabitName` and `max_heart_rate`
  /// have two or more.
  static func words(of name: String) -> [String] {
    var parts: [String] = [""]
    var last: Character = " "
    for character in name {
      if !character.isLetter && !character.isNumber {
        parts.append("")
      } else if character.isUppercase, last.isLowercase {
        parts.append(String(character))
      } else {
        parts[parts.count - 1].append(character)
      }
      last = character
    }
    return parts.filter { !$0.isEmpty }.map { NameFolding.loose($0) }
  }

  // MARK: Amounts

  /// Returns the unit of a measure: the one in its name if the values permit it, or else the name
  /// itself.
  static func unit(of name: String, _ values: [String] = []) -> String {
    let own = name.trimmingCharacters(in: .whitespaces).lowercased()
    let words = words(of: name)
    let extreme = extreme(words)
    guard let unit = namedUnit(name, words, values) ?? signedUnit(values) else { return own }
    // The maximum of many values isn't an ordinary amount in its unit.
    return extreme.map { "\($0) \(unit)" } ?? unit
  }

  private static func namedUnit(_ name: String, _ words: [String], _ values: [String]) -> String? {
    if isHeartRate(words, values) { return "bpm" }
    guard let (_, unit) = MeasureName.read(name) else { return nil }
    // Text in brackets is a unit.
    if let last = name.last, ")]".contains(last) { return unit }
    guard let last = words.last else { return unit }
    let written = name.trimmingCharacters(in: .whitespaces).suffix(last.count)
    let known = UnitTable.standard.unit(named: last)
    // `Stride Length` isn't a number of lengths, and `Size M` isn't in metres.
    if known?.dimension == .count, known?.singular == last, known?.name != last { return nil }
    if last.count == 1, written.contains(where: \.isUppercase) { return nil }
    return unit
  }

  /// Returns true if a column contains heart rates in beats per minute.
  private static func isHeartRate(_ words: [String], _ values: [String]) -> Bool {
    let all = Set(words)
    let other: Set<String> = [
      "zone", "zones", "variability", "variabilitat", "reserve", "time", "zeit", "drift", "hrv",
      "recovery", "age", "sdnn", "rmssd",
    ]
    guard all.isDisjoint(with: other) else { return false }
    let joined = words.joined()
    let isNamed =
      !all.isDisjoint(with: [
        "heartrate", "pulse", "puls", "bpm", "herzfrequenz", "hf", "pulsschlag",
      ])
      || joined.contains("heartrate") || joined.contains("herzfrequenz")
      || joined.contains("frequenzecardia") || joined.contains("frecuenciacardiaca")
      || joined.contains("frequencecardiaque")
    guard isNamed || all.contains("hr") else { return false }
    guard !values.isEmpty else { return isNamed || words.count > 1 }
    // Hours can have the same name, but no heart is that slow and no day that long.
    let numbers = numbers(values)
    guard !numbers.isEmpty else { return false }
    return numbers.count { (25...250).contains($0) } * 10 >= numbers.count * 8
  }

  /// Returns `max` or `min` if a name says that its numbers are extremes.
  private static func extreme(_ words: [String]) -> String? {
    guard words.count > 1 else { return nil }
    for (word, names) in [
      ("max", ["max", "maximum", "maximal", "maximale", "peak", "highest", "hochste", "best"]),
      ("min", ["minimum", "minimal", "minimale", "lowest", "niedrigste"]),
    ] where words.contains(where: names.contains) { return word }
    return words.first == "min" ? "min" : nil
  }

  /// Returns the currency sign or `%` that all values share, if any.
  private static func signedUnit(_ values: [String]) -> String? {
    let signs = Set(values.compactMap { value in value.first { "%€$£".contains($0) } })
    guard let sign = signs.first, signs.count == 1,
      values.count(where: { $0.contains(sign) }) * 2 >= values.count
    else { return nil }
    return String(sign)
  }

  // MARK: Durations

  /// Returns the unit of time that a name ends with, or has in brackets.
  static func timeUnit(in name: String) -> String? {
    if let (_, unit) = MeasureName.read(name), isTime(unit) {
      return UnitTable.standard.canonicalName(unit)
    }
    var last = words(of: name).last ?? ""
    if last == "s" || last == "sek" || last == "sekunden" { last = "seconds" }
    if last == "minuten" { last = "minutes" }
    if last == "stunden" || last == "std" { last = "hours" }
    return isTime(last) ? UnitTable.standard.canonicalName(last) : nil
  }

  private static func isTime(_ unit: String) -> Bool {
    UnitTable.standard.unit(named: unit)?.dimension == .time
  }

  /// Returns the unit of numbers that are durations, or nil if neither the name nor the values show
  /// one.
  ///
  /// A bare number in a column called a duration is in minutes if that is plausible, and in seconds
  /// if so many minutes would be days.
  static func lengthUnit(of name: String, _ values: [String] = []) -> String? {
    if let unit = timeUnit(in: name) { return unit }
    let numbers = numbers(values)
    guard !numbers.isEmpty, values.isEmpty || numbers.count * 2 >= values.count else {
      return "minutes"
    }
    guard !["length", "lange"].contains(words(of: name).joined()) else { return nil }
    let middle = numbers.sorted()[numbers.count / 2]
    if middle > 1_440 { return "seconds" }
    return middle <= 300 && !numbers.contains { $0 > 1_440 } ? "minutes" : nil
  }

  /// Returns the numbers among the values, ignoring the meaning of their separators, because only
  /// their size matters.
  private static func numbers(_ values: [String]) -> [Double] {
    var marks = TableNumbers()
    for value in values { marks.take(value) }
    return values.compactMap {
      TableNumbers.isNumber($0) ? marks.number($0, fallback: ".") : nil
    }
  }
}
