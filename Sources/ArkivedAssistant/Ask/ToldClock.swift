import ArkivedCore

extension Zone {
  /// Returns a time on the clock in this zone, with its city if it isn’t the home zone: "09:00",
  /// "09:00 (Auckland)".
  ///
  /// It belongs to the day there.
  func toldClock(_ instant: Instant, home: Zone) -> String {
    let clock = wallTime(at: instant).shownClock
    guard identifier != home.identifier else { return clock }
    let city = identifier.split(separator: "/").last.map(String.init) ?? identifier
    return "\(clock) (\(city.replacing("_", with: " ")))"
  }
}
