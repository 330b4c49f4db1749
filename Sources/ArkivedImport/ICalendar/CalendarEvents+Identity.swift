import ArkivedCore
import Foundation

/// The identifiers by which events and occurrences are found again.
extension CalendarEvents {
  /// Returns a start as the identifier of an occurrence.
  ///
  /// It is a date, UTC, or local time for a floating time, so importing again from another home
  /// zone finds the same occurrence.
  func form(_ time: CalendarTime, _ instant: Instant) -> String {
    if time.isDate { return CalendarTime.basicForm(time.wall, isDate: true) }
    guard time.isUTC || time.zoneID != nil else { return CalendarTime.basicForm(time.wall) }
    return CalendarTime.basicForm(WallTime(utc: instant), isUTC: true)
  }

  /// Returns the UID or, without one, the 128-bit FNV-1a hash of the event's own properties
  /// (without DTSTAMP and the like, which change at every export).
  static func identifier(_ component: CalendarComponent) -> String {
    if let uid = component.value(of: .uid), !uid.isEmpty {
      guard uid.contains("\\") else { return uid }
      return uid.replacingOccurrences(of: "\\,", with: ",")
        .replacingOccurrences(of: "\\;", with: ";").replacingOccurrences(of: "\\\\", with: "\\")
    }
    let prime = UInt128(1) << 88 | 0x13B
    var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
    for line in component.lines
    where ![.sequence, .lastModified, .status, .attendee, .uid].contains(line.property) {
      for byte in component.bytes(of: line) { hash = (hash ^ UInt128(byte)) &* prime }
      hash = (hash ^ 0x0A) &* prime
    }
    let digits = String(hash, radix: 16)
    return "content-" + String(repeating: "0", count: 32 - digits.count) + digits
  }
}
