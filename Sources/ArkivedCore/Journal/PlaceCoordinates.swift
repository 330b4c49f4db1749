/// A location on Earth, in degrees north and east.
package struct PlaceCoordinates: Hashable, Sendable {
  package let lat: Double
  package let lon: Double

  /// Creates a location.
  ///
  /// - Throws: `FieldError` that names the coordinate that is out of range.
  package init(lat: Double, lon: Double) throws(FieldError) {
    guard lat.isFinite, abs(lat) <= 90 else {
      throw FieldError(
        "lat", "is \(FieldError.shown(lat)), but a latitude must be between -90 and 90")
    }
    guard lon.isFinite, abs(lon) <= 180 else {
      throw FieldError(
        "lon", "is \(FieldError.shown(lon)), but a longitude must be between -180 and 180")
    }
    self.lat = lat
    self.lon = lon
  }

  /// Reads `LAT,LON` in decimal degrees: `50.0875,14.4213`, `-33.86, 151.21`.
  ///
  /// Degree signs are allowed. If the numbers have decimal commas, a semicolon or a blank separates
  /// them.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - field: the field that errors mention.
  /// - Returns: the location.
  /// - Throws: `FieldError` if the text isn't two numbers that form a location.
  package static func read(_ text: String, field: String) throws(FieldError) -> PlaceCoordinates {
    let plain = text.replacing("\u{2212}", with: "-").filter { $0 != "°" }
    for separator in [";", ",", " "] {
      let parts = plain.split(separator: separator, omittingEmptySubsequences: separator == " ")
        .map { $0.filter { !$0.isWhitespace } }
      guard parts.count == 2, let lat = number(parts[0]), let lon = number(parts[1]) else {
        continue
      }
      do throws(FieldError) {
        return try PlaceCoordinates(lat: lat, lon: lon)
      } catch {
        throw FieldError(
          field, "is \(FieldError.shown(text)); the \(error.field) \(error.problem)")
      }
    }
    throw FieldError(
      field,
      "is \(FieldError.shown(text)), but must be degrees north and east, such as 50.0875,14.4213")
  }

  /// Parses a decimal number without an exponent.
  private static func number(_ text: String) -> Double? {
    let digits = text.replacing(",", with: ".")
    let isPlain = digits.utf8.allSatisfy {
      (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "+")
    }
    return isPlain ? Double(digits) : nil
  }

  /// The coordinates as text, such as "50.0875, 14.4213".
  package var text: String { "\(lat), \(lon)" }
}

extension Activity {
  /// The location; setting it changes both coordinates.
  package var coordinates: PlaceCoordinates? {
    get {
      guard let lat, let lon else { return nil }
      return try? PlaceCoordinates(lat: lat, lon: lon)
    }
    set { (lat, lon) = (newValue?.lat, newValue?.lon) }
  }
}
