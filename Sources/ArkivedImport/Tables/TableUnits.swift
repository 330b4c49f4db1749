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

  /// Returns the unit of a measure, which is the name under which its numbers are stored.
  ///
  /// A unit alone is that name only if the rest of the column's name is the quantity that it
  /// measures (`Distance (km)`). A column of something else keeps its whole name (`fat (g)`);
  /// otherwise fat, flour and gold would add up.
  ///
  /// - Parameters:
  ///   - name: the column's name.
  ///   - values: some of its values.
  /// - Returns: the unit.
  static func unit(of name: String, _ values: [String] = []) -> String {
    let words = words(of: name)
    let extreme = extreme(words)
    if isHeartRate(words, values) { return extreme.map { "\($0) bpm" } ?? "bpm" }
    guard let named = namedUnit(name) ?? valueUnit(values).map({ (words, $0) }),
      measures(named.unit, named.rest)
    else { return fullName(of: name, values) }
    // The maximum of many values isn't an ordinary amount in its unit.
    return extreme.map { "\($0) \(named.unit)" } ?? named.unit
  }

  /// Returns a column's whole name with its unit: `fat (g)`.
  static func fullName(of name: String, _ values: [String] = []) -> String {
    let own = name.trimmingCharacters(in: .whitespaces)
    if let (rest, bracket) = bracket(own), let unit = known(bracket), !rest.isEmpty {
      return "\(rest.lowercased()) (\(unit))"
    }
    guard namedUnit(name) == nil, let unit = valueUnit(values) else { return own.lowercased() }
    return "\(own.lowercased()) (\(unit))"
  }

  /// Returns true if a column's name contains a unit.
  static func hasUnit(_ name: String) -> Bool { namedUnit(name) != nil }

  /// Returns the unit that a name ends with, and the words before it.
  private static func namedUnit(_ name: String) -> (rest: [String], unit: String)? {
    let own = name.trimmingCharacters(in: .whitespaces)
    if let (rest, bracket) = bracket(own) {
      return known(bracket).map { (words(of: rest), $0) }
    }
    let parts = words(of: own)
    guard let last = parts.last, !MeasureName.isRate(own) else { return nil }
    // `Amount €`, whose sign is no word.
    if let sign = own.last, "%€$£".contains(sign) { return (parts, String(sign)) }
    let written = own.suffix(last.count)
    // `Stride Length` isn't a number of lengths, and `Size M` isn't in metres.
    if let unit = UnitTable.standard.unit(named: last), unit.dimension == .count,
      unit.singular == last, unit.name != last
    {
      return nil
    }
    if last.count == 1, written.contains(where: \.isUppercase) { return nil }
    // `Speed km/h`.
    if let gap = own.lastIndex(where: \.isWhitespace), own[gap...].contains("/"),
      let unit = known(String(own[gap...]))
    {
      return (words(of: String(own[..<gap])), unit)
    }
    return known(last).map { (Array(parts.dropLast()), $0) }
  }

  /// Splits a name that ends with brackets.
  private static func bracket(_ name: String) -> (rest: String, inside: String)? {
    guard let close = name.last, ")]".contains(close),
      let open = name.lastIndex(where: { "([".contains($0) })
    else { return nil }
    return (
      name[..<open].trimmingCharacters(in: .whitespaces),
      name[name.index(after: open)...].dropLast().trimmingCharacters(in: .whitespaces)
    )
  }

  /// Returns the stored name of a unit, or nil if it is unknown.
  private static func known(_ text: String) -> String? {
    let name = text.trimmingCharacters(in: .whitespaces)
    if ["%", "€", "$", "£"].contains(name) { return name }
    if let sign = ["EUR": "€", "EURO": "€", "USD": "$", "GBP": "£"][name.uppercased()] {
      return sign
    }
    switch name.lowercased() {
    case "s", "sek", "sekunden": return "seconds"
    case "minuten": return "minutes"
    case "stunden", "std": return "hours"
    default: break
    }
    return UnitTable.standard.unit(named: name)?.name
  }

  /// Returns true if the words of a name are a quantity in a unit, or if there are none.
  private static func measures(_ unit: String, _ words: [String]) -> Bool {
    let quantities = quantities(of: unit)
    return words.allSatisfy { word in
      quantities.contains(word) || neutral.contains(word)
        || UnitTable.standard.unit(named: word)?.name == unit
    }
  }

  /// Words that don't change what a number measures.
  private static let neutral: Set<String> = [
    "total", "totals", "sum", "gesamt", "gesamte", "insgesamt", "avg", "average", "mean", "ø", "o",
    "durchschnitt", "durchschnittlich", "durchschnittliche", "mittlere", "number", "count", "of",
    "no", "anzahl", "the", "my", "in", "daily", "amount", "quantity", "menge", "value", "wert",
    "max", "maximum", "maximal", "maximale", "peak", "highest", "hochste", "best", "min",
    "minimum", "minimal", "minimale", "lowest", "niedrigste",
  ]

  /// Returns the words for quantities in a unit.
  private static func quantities(of unit: String) -> Set<String> {
    switch unit {
    case "€", "$", "£":
      return [
        "price", "cost", "costs", "paid", "spent", "expense", "expenses", "money", "preis",
        "betrag", "kosten", "bezahlt", "ausgegeben", "ausgabe", "ausgaben", "geld", "summe", "prix",
        "montant", "precio", "importe", "prezzo", "importo",
      ]
    case "km/h", "mph": return ["speed", "velocity", "geschwindigkeit", "tempo", "vitesse"]
    case "°C", "°F", "degrees": return ["temperature", "temp", "temperatur", "temperatura"]
    case "mmol/l", "mg/dl": return ["glucose", "blood", "sugar", "blutzucker", "glukose"]
    case "m ascent": return ["ascent", "climb", "elevation", "gain", "anstieg", "aufstieg"]
    default: break
    }
    switch UnitTable.standard.unit(named: unit)?.dimension {
    case .length:
      return [
        "distance", "dist", "distanz", "strecke", "entfernung", "distancia", "distanza", "afstand",
        "length", "lange", "way", "weg", "route", "mileage", "run", "ran", "running", "lauf",
        "laufen", "gelaufen", "walk", "walked", "walking", "ride", "cycled", "cycling", "hike",
        "hiked", "swim", "swum", "swimming", "covered", "gefahren",
      ]
    case .mass: return ["weight", "gewicht", "mass", "masse", "body", "poids", "peso", "korper"]
    case .volume: return ["volume", "volumen"]
    case .time:
      return ["time", "duration", "dauer", "zeit", "elapsed", "moving", "length", "lange"]
    case .energy:
      return [
        "energy", "energie", "burned", "burnt", "active", "verbrannt", "kalorien", "calories",
      ]
    default: return []
    }
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
      joined.contains("beatsperminute") || joined.contains("schlageprominute")
      || !all.isDisjoint(with: [
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

  /// Returns the sign or unit that most values share, if any; the others must be of its kind.
  private static func valueUnit(_ values: [String]) -> String? {
    var counts: [String: Int] = [:]
    for value in values {
      let sign = value.first { "%€$£".contains($0) }.map(String.init)
      guard let unit = sign ?? amount(value)?.unit else { continue }
      counts[unit, default: 0] += 1
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    guard let most, counts.values.reduce(0, +) * 2 >= values.count,
      counts.keys.allSatisfy({ UnitTable.standard.convert(1, from: $0, to: most) != nil })
    else { return nil }
    return most
  }

  /// Splits a number with a unit behind it: `3.1 mi`, `72kg`.
  ///
  /// - Returns: the number as written, and the unit's stored name; nil for anything else.
  static func amount(_ text: String) -> (number: String, unit: String)? {
    guard let first = text.first, first.isNumber || "-−+.".contains(first) else { return nil }
    guard let end = text.lastIndex(where: \.isNumber),
      text.distance(from: end, to: text.endIndex) <= 16
    else { return nil }
    let tail = text[text.index(after: end)...].trimmingCharacters(in: .whitespaces)
    guard !tail.isEmpty, let unit = UnitTable.standard.unit(named: tail)?.name,
      TableNumbers.isNumber(String(text[...end]))
    else { return nil }
    return (String(text[...end]), unit)
  }

  /// Returns an amount in the unit under which a column is stored, or nil if it has another kind of
  /// unit.
  static func convert(_ amount: Double, from unit: String, toStored stored: String) -> Double? {
    let plain = bracket(stored)?.inside ?? stored
    let target =
      ["max ", "min "].contains { plain.hasPrefix($0) } ? String(plain.dropFirst(4)) : plain
    return UnitTable.standard.convert(amount, from: unit, to: target)
  }

  // MARK: Durations

  /// Returns the unit of time that a name ends with, or has in brackets.
  static func timeUnit(in name: String) -> String? {
    guard !MeasureName.isRate(name) else { return nil }
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
    let values = values.map { amount($0)?.number ?? $0 }
    for value in values { marks.take(value) }
    return values.compactMap {
      TableNumbers.isNumber($0) ? marks.number($0, fallback: ".") : nil
    }
  }
}
