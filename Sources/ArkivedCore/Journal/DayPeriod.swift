/// A part of the day that is known instead of a clock time, as in "this morning".
public enum DayPeriod: String, Sendable, CaseIterable {
  /// From 5 to 12 o'clock.
  case morning
  /// From 12 to 18 o'clock.
  case afternoon
  /// From 18 o'clock to midnight.
  case evening
  /// From midnight to 5 o'clock.
  case night

  /// Returns the part that includes an hour.
  package init(hour: Int) {
    switch hour {
    case ..<5: self = .night
    case ..<12: self = .morning
    case ..<18: self = .afternoon
    default: self = .evening
    }
  }

  /// The name in the current language.
  package var name: String {
    switch self {
    case .morning: said("morning")
    case .afternoon: said("afternoon")
    case .evening: said("evening")
    case .night: said("night")
    }
  }
}

extension Activity {
  /// The instant at which it began, or nil if only the part of the day is known.
  package var clockStart: Instant? { dayPeriod == nil ? startAt : nil }
}
