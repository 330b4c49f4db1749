import ArkivedCore

extension ImportContext {
  /// Returns the reason why nothing can have been recorded on a day, or nil if it can.
  ///
  /// Devices with a wrong clock write days before 1900 or in the future. Tomorrow is possible,
  /// because it has already begun further east.
  ///
  /// - Parameters:
  ///   - day: the local day of a recording.
  ///   - place: its position in its file.
  /// - Returns: the message for the report.
  func problem(withRecordedDay day: DayKey, at place: String) -> Diagnostic? {
    guard day.year >= 1900 else {
      return Diagnostic(.skipped, place: place, message: "skipped: \(day) is before 1900")
    }
    guard day > homeZone.dayKey(at: now).advanced(by: 1) else { return nil }
    // A date that is in the future will be valid one day.
    return Diagnostic(
      .skipped, place: place, message: "skipped: \(day) is in the future", mayPass: true)
  }
}
