import ArkivedCore
import Foundation

/// Reading the coordinates and the weather of a row.
extension TableRows {
  func coordinates(_ cells: TableCells) -> (Double?, Double?) {
    guard let (lat, lon) = position.written(in: cells.row) else { return (nil, nil) }
    guard let degrees = position.degrees(in: cells.row) else {
      cells.tell(
        .note, .lat,
        "\(FieldError.shown(lat)), \(FieldError.shown(lon)) aren’t valid coordinates; skipped")
      return (nil, nil)
    }
    return (degrees.lat, degrees.lon)
  }

  /// Returns the row's weather without impossible values.
  func weather(_ cells: TableCells) -> Weather? {
    var weather: Weather?
    if let text = cells.value(.weather) {
      do throws(FieldError) {
        weather = try Weather.typed(text)
      } catch {
        cells.tell(
          .note, .weather,
          "skipped the weather \(FieldError.shown(text)): \(error.description)")
      }
    }
    guard let text = cells.value(.temperature) else { return weather }
    let degrees = text.trimmingSuffix("°C").trimmingSuffix("°")
    guard let celsius = survey.numbers.number(degrees, fallback: decimal),
      (try? Weather(temperatureCelsius: celsius).validateTyped()) != nil
    else {
      cells.tell(
        .note, .temperature, "\(FieldError.shown(text)) isn’t a temperature in °C; skipped")
      return weather
    }
    var both = weather ?? Weather()
    both.temperatureCelsius = celsius
    return both
  }
}

extension String {
  /// Returns the text without a unit at its end or white space before that.
  fileprivate func trimmingSuffix(_ unit: String) -> String {
    hasSuffix(unit) ? dropLast(unit.count).trimmingCharacters(in: .whitespaces) : self
  }
}
