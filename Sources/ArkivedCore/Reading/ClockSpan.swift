/// A time or a span of time, on a day that is named separately.
struct ClockSpan: Sendable {
  enum Opening: Sendable { case none, after, before }

  var start: ClockPoint
  var end: ClockPoint?
  var opening: Opening = .none
  /// The offset in seconds east of UTC, if the time zone is given as an offset.
  var offset: Int?
  var zone: Zone?

  private static let halfDay = 43_200

  /// Returns the start and end in seconds from the day's midnight; the end may be on the next day.
  ///
  /// The result is nil if the end is before the start and more than twelve hours after it across
  /// midnight, or fifteen for a night shift.
  func seconds(in part: PartOfDay?) -> (start: Int, end: Int)? {
    guard let end else {
      let start = start.seconds(in: part)
      return (start, start + 60)
    }
    let half = ClockSpan.halfDay
    let from = part == nil ? startSeconds(before: end) : start.seconds(in: part)
    var to = end.seconds(in: part)
    if part == nil, !end.isSettled {
      to = end.literalSeconds
      if !end.isDigital {
        // A bare or spoken end is the first such hour after the start.
        while to <= from { to += half }
      } else if to < from, to + 2 * half - from > half, (1...6).contains(end.hour) {
        to += half
      }
    }
    if to < from { to += 2 * half }
    let isShift = from >= 16 * 3600 && to - from <= 15 * 3600
    guard to - from <= half || to <= 2 * half || isShift else { return nil }
    return (from, to)
  }

  private func startSeconds(before end: ClockPoint) -> Int {
    if end.hasMeridiem, !start.isSettled, (1...12).contains(start.hour) {
      // In "9-10am" and "11-1pm", the start shares the end's half of the day if possible.
      let morning = start.hour % 12 * 3600 + start.minute * 60
      let afternoon = morning + ClockSpan.halfDay
      let to = end.seconds()
      return to >= ClockSpan.halfDay && afternoon < to ? afternoon : morning
    }
    // "6 to 14" and "9 to 10:30" both use a 24-hour clock.
    if start.isBare, end.isBare, end.hour > 12 { return start.literalSeconds }
    return start.isBare && end.isDigital ? start.literalSeconds : start.seconds()
  }
}
