/// A time of day as worded.
struct ClockPoint: Sendable {
  var hour: Int
  /// The minute; negative for "a quarter to".
  var minute = 0
  var second = 0
  var hasMeridiem = false
  /// True if "am", "noon", an hour beyond 12 or a leading zero determines the half of the day.
  var isSettled = false
  /// True if it is written with a colon, which implies a 24-hour clock.
  var isDigital = false
  /// True for an hour in digits or words and nothing else.
  var isBare = false

  /// Returns the seconds of the day.
  ///
  /// Without am or pm, an hour given as on a clock face is in the afternoon from one to six, and in
  /// the morning or at noon from seven to twelve, unless a part of the day says otherwise.
  func seconds(in part: PartOfDay? = nil) -> Int {
    var hour = hour
    if !isSettled {
      if let part, hour > 0 {
        hour = part.hour(hour)
      } else if !isDigital, (1...6).contains(hour) {
        hour += 12
      }
    }
    if minute < 0, hour == 0 { hour = isSettled ? 24 : 12 }
    return hour * 3600 + minute * 60 + second
  }

  /// The seconds of the day, with the hour as written.
  var literalSeconds: Int { hour * 3600 + minute * 60 + second }
}
