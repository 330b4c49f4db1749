import ArkivedCore
import Foundation

/// Zones whose names only describe them, as Outlook and phones write them: `(UTC+01:00) Amsterdam,
/// Berlin`, `(GMT+01.00) Amsterdam / Berlin`, `GMT+0100`.
enum DescribedZone {
  /// Returns the zone that a name describes.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - usual: the zones that count, best first, if only an offset from UTC can be read in a name
  ///     with places.
  /// - Returns: nil if the name describes no zone.
  static func zone(_ name: String, usual: [Zone]) -> Zone? {
    guard name.utf8.count <= 200 else { return nil }
    guard name.first == "(", let close = name.firstIndex(of: ")") else {
      return offset(name[...]).flatMap(fixed)
    }
    guard let told = offset(name.dropFirst()[..<close]) else { return nil }
    let words = name[name.index(after: close)...].trimmingCharacters(in: .whitespaces)
    if let region = regions[words.lowercased()].flatMap({ Zone($0) }) { return region }
    for city in words.split(whereSeparator: { $0 == "," || $0 == "/" }) {
      let tail = city.split(separator: " ").joined(separator: "_")
      let zones = areas.lazy.compactMap { Zone("\($0)/\(tail)") }
      if let zone = zones.first(where: { has($0, told) }) { return zone }
    }
    return usual.first { has($0, told) } ?? fixed(told)
  }

  /// Returns the seconds east of UTC in a name such as `UTC+01:00`; nil if it is more than an offset.
  static func offset(of name: String) -> Int? { offset(name[...]) }

  private static let areas = [
    "Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic",
  ]

  /// The descriptions by regions instead of cities, in lower case.
  private static let regions = [
    "eastern time (us & canada)": "America/New_York",
    "central time (us & canada)": "America/Chicago",
    "mountain time (us & canada)": "America/Denver",
    "pacific time (us & canada)": "America/Los_Angeles",
    "atlantic time (canada)": "America/Halifax", "newfoundland": "America/St_Johns",
    "alaska": "America/Anchorage", "hawaii": "Pacific/Honolulu", "arizona": "America/Phoenix",
    "saskatchewan": "America/Regina", "central america": "America/Guatemala",
    "brasilia": "America/Sao_Paulo", "coordinated universal time": "UTC",
    "west central africa": "Africa/Lagos",
  ]

  /// Returns true if a zone has an offset in January or July.
  private static func has(_ zone: Zone, _ offset: Int) -> Bool {
    seasons.contains { zone.offset(at: Instant(milliseconds: $0)) == offset }
  }

  /// A winter's and a summer's day in 2025, in milliseconds since 1970.
  private static let seasons: [Int64] = [1_736_942_400_000, 1_752_580_800_000]

  /// Returns the seconds east of UTC in `UTC+01:00`, `GMT+01.00`, `GMT+0100` or `+1`.
  private static func offset(_ text: Substring) -> Int? {
    let isNamed = ["UTC", "GMT"].contains(text.prefix(3).uppercased())
    let rest = isNamed ? text.dropFirst(3) : text
    guard let sign = rest.first else { return isNamed ? 0 : nil }
    let parts = rest.dropFirst().split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == ":" || $0 == "." })
    guard sign == "+" || sign == "-", (1...2).contains(parts.count),
      parts.allSatisfy({ part in
        (1...4).contains(part.count) && part.allSatisfy { ("0"..."9").contains($0) }
      })
    else { return nil }
    var (hourText, minuteText): (Substring, Substring) = (parts[0], "0")
    if parts.count == 2 {
      minuteText = parts[1]
    } else if hourText.count > 2 {
      (hourText, minuteText) = (hourText.dropLast(2), hourText.suffix(2))
    }
    let (hours, minutes) = (Int(hourText) ?? 99, Int(minuteText) ?? 99)
    guard hours <= 14, minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }

  /// Returns the zone that always has an offset; nil unless that is in whole hours.
  private static func fixed(_ offset: Int) -> Zone? {
    guard offset != 0 else { return .utc }
    let hours = offset / 3_600
    // The names of the IANA database count in the opposite direction.
    return offset % 3_600 == 0 ? Zone("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))") : nil
  }
}
