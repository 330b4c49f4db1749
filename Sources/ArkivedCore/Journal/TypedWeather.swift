import Foundation

/// Weather as people write it: `light rain, 12 °C, 80 %, 20 km/h`.
extension Weather {
  private static let conditionsLimit = 200

  /// Reads a temperature in °C or °F, a humidity in % and a wind speed in km/h, separated by
  /// commas; the rest is the conditions.
  ///
  /// - Returns: nil for an empty text.
  ///
  /// - Throws: `FieldError` about the field `weather`.
  package static func typed(_ text: String) throws(FieldError) -> Weather? {
    var weather = Weather()
    var words: [String] = []
    for part in pieces(of: text) {
      guard let (amount, unit) = measure(part) else {
        words.append(part)
        continue
      }
      switch unit {
      case "°f", "f": try set(&weather.temperatureCelsius, celsius(fahrenheit: amount), text)
      case "°c", "c", "°": try set(&weather.temperatureCelsius, amount, text)
      case "%": try set(&weather.humidityPercent, amount, text)
      case "km/h", "kmh", "kph": try set(&weather.windSpeedKph, amount, text)
      default: words.append(part)
      }
    }
    let conditions = words.joined(separator: ", ")
    weather.conditions = conditions.isEmpty ? nil : conditions
    guard weather != Weather() else { return nil }
    try weather.validateTyped()
    return weather
  }

  /// The text that `typed` reads as this weather.
  package var typedText: String { typedWording(AmountText.plain) }

  /// The same text with numbers as the current language writes them.
  package var shownTypedText: String { typedWording(AmountText.shown) }

  private func typedWording(_ number: (Double) -> String) -> String {
    var parts: [String] = []
    if let conditions, !conditions.isEmpty { parts.append(conditions) }
    if let temperatureCelsius { parts.append("\(number(temperatureCelsius)) °C") }
    if let humidityPercent { parts.append("\(number(humidityPercent)) %") }
    if let windSpeedKph { parts.append("\(number(windSpeedKph)) km/h") }
    return parts.joined(separator: ", ")
  }

  /// Checks that the figures are plausible and that the conditions are one short line.
  package func validateTyped() throws(FieldError) {
    if let conditions {
      guard conditions.utf8.count <= Self.conditionsLimit else {
        throw FieldError("weather", "is longer than \(Self.conditionsLimit) bytes")
      }
      guard !conditions.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else { throw FieldError("weather", "contains characters that can’t be displayed") }
    }
    try Self.check(temperatureCelsius, -100...70, "temperature", " °C")
    try Self.check(humidityPercent, 0...100, "humidity", "%")
    try Self.check(windSpeedKph, 0...500, "wind speed", " km/h")
  }

  private static func check(
    _ value: Double?, _ range: ClosedRange<Double>, _ name: String, _ unit: String
  ) throws(FieldError) {
    guard let value, !(value.isFinite && range.contains(value)) else { return }
    throw FieldError(
      "weather",
      "gives the \(name) as \(FieldError.shown(value))\(unit), but it must be between "
        + "\(AmountText.plain(range.lowerBound)) and \(AmountText.plain(range.upperBound))")
  }

  private static func set(
    _ value: inout Double?, _ new: Double, _ text: String
  ) throws(FieldError) {
    guard value == nil else {
      throw FieldError("weather", "is \(FieldError.shown(text)), which gives the same value twice")
    }
    value = new
  }

  private static func celsius(fahrenheit: Double) -> Double {
    ((fahrenheit - 32) / 1.8 * 10).rounded() / 10
  }

  /// Returns the parts between commas; a comma between digits is a decimal sign.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    let signs = Array(text)
    for (index, sign) in signs.enumerated() {
      let isFraction =
        index > 0 && index + 1 < signs.count && signs[index - 1].isWholeNumber
        && signs[index + 1].isWholeNumber
      if sign == ",", !isFraction {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(sign.isNewline || sign == "\t" ? " " : sign)
      }
    }
    return pieces.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Reads a number with its unit, in lower case.
  private static func measure(_ part: String) -> (amount: Double, unit: String)? {
    let plain = part.replacing("\u{2212}", with: "-")
    let digits = plain.prefix { $0.isASCII && ($0.isWholeNumber || "+-.,".contains($0)) }
    guard let amount = Double(digits.replacing(",", with: ".")), amount.isFinite else { return nil }
    let unit = plain.dropFirst(digits.count).filter { !$0.isWhitespace }.lowercased()
    return (amount, unit)
  }
}

extension Weather {
  /// Reads the weather from an argument: a text, an object with `conditions`, `temperatureCelsius`,
  /// `humidityPercent` and `windSpeedKph`, or null for none.
  package static func argument(
    _ key: String, _ fields: inout FieldReader
  ) throws(FieldError) -> Weather? {
    guard fields.object[key]?.object != nil else {
      guard let text = try fields.string(key) else { return nil }
      return try typed(text)
    }
    let weather = try read(key, &fields)
    try weather?.validateTyped()
    return weather == Weather() ? nil : weather
  }
}
