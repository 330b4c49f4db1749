/// A tag's colour, one of eight that are legible in light and dark appearance.
///
/// Tags store it as `colorHex`, which other programs can read; a colour from elsewhere is shown as
/// the nearest of the eight.
package enum TagColour: String, CaseIterable, Sendable {
  case red, orange, amber, green, teal, blue, purple, pink

  /// The colour as `#RRGGBB`, as tags store it.
  package var hex: String {
    switch self {
    case .red: "#D93A2F"
    case .orange: "#E07B00"
    case .amber: "#C99A00"
    case .green: "#2E9E4F"
    case .teal: "#0E8C87"
    case .blue: "#2F6FDB"
    case .purple: "#8A4FD0"
    case .pink: "#D6478A"
    }
  }

  /// Creates the colour nearest to `#RRGGBB`; returns nil if the text is not a colour.
  package init?(nearest hex: String) {
    guard let wanted = TagColour.parts(hex) else { return nil }
    func distance(_ colour: TagColour) -> Int {
      guard let own = TagColour.parts(colour.hex) else { return .max }
      return zip(own, wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    guard let best = TagColour.allCases.min(by: { distance($0) < distance($1) }) else { return nil }
    self = best
  }

  private static func parts(_ hex: String) -> [Int]? {
    guard hex.utf8.count == 7, hex.hasPrefix("#"),
      hex.utf8.dropFirst().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = Int(hex.dropFirst(), radix: 16)
    else { return nil }
    return [number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF]
  }

  /// Reads the name of a colour.
  ///
  /// - Throws: `FieldError` that lists the valid names.
  package init(named name: String, field: String = "colour") throws(FieldError) {
    guard let colour = TagColour(rawValue: name.lowercased()) else {
      throw FieldError(
        field,
        "is \(FieldError.shown(name)), but must be one of "
          + TagColour.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = colour
  }
}

extension Tag {
  /// The tag's colour, or nil if it has none.
  package var colour: TagColour? { colorHex.flatMap { TagColour(nearest: $0) } }
}
