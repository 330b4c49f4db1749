extension SampleWords {
  /// The texts of all events and sentences.
  static let events = [
    meetings, officeLife, meals, household, friends, alex, calls, sport, courses, occasions, skies,
    homeLife, closings, minutes,
  ]
  static let destinations = farAway + nearby
}
