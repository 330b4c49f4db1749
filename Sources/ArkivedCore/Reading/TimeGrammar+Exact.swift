import Foundation

extension TimeGrammar {
  // MARK: Exact moments

  /// Reads "2026-03-14T15:00Z", "two hours ago", "10 minutes from now", and "now" as an end.
  func exactMoment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    if let end = presentEnd(index), lead.word == "to" || lead.word == "until" {
      return exact(now, next: end)
    }
    if isWord(index, "now"),
      ["to", "until", "till", "before"].contains(lead.word)
        || isWhole(index, index + 1)
    {
      return exact(now, next: index + 1)
    }
    if let (length, next) = length(index), length.seconds > 0,
      let (sign, end) = direction(next, lead)
    {
      // "in 30 minutes" is a duration unless it is the whole text.
      if lead.word == "in", end == next, !isWhole(index - 1, end) { return nil }
      return exact(shifted(length, by: sign), next: end)
    }
    let modifier = skipping("the", at: index)
    if isWord(modifier, "last", "past", "next"), let (length, next) = rollingHours(modifier + 1) {
      let other = shifted(length, by: isWord(modifier, "next") ? 1 : -1)
      return (TimeMoment(exact: min(now, other)...max(now, other)), next)
    }
    return isoInstant(index)
  }

  /// Reads "the present", or "date" in "from 2015 to date".
  private func presentEnd(_ index: Int) -> Int? {
    if isWord(index, "the"), isWord(index + 1, "present") { return skipping("day", at: index + 2) }
    if isWord(index, "present"), isSign(index - 1, "-") { return index + 1 }
    return isWord(index, "date") && isWord(index - 1, "to") ? index + 1 : nil
  }

  private func rollingHours(_ index: Int) -> Parsed<TimeLength>? {
    if isWord(index, "hour"), isWord(index - 2, "the") || isWord(index - 1, "past"),
      let hour = TimeLength(1, .hour)
    {
      if isWord(index + 1, "of") { return nil }
      if isWord(index + 1, "and"), isWord(index + 2, "a"), isWord(index + 3, "half"),
        let more = TimeLength(1.5, .hour)
      {
        return (more, index + 4)
      }
      return (hour, index + 1)
    }
    guard let (length, next) = length(index), length.seconds > 0, !isWord(index, "a", "an"),
      !isWord(next, "of")
    else { return nil }
    return (length, next)
  }

  private func exact(_ wall: WallTime, next: Int) -> Parsed<TimeMoment> {
    let minute = WallTime(day: wall.day, secondOfDay: wall.secondOfDay / 60 * 60)
    return (TimeMoment(exact: minute...max(minute, minute.adding(seconds: 60))), next)
  }

  /// The largest offset of any time zone from UTC, in hours.
  private static let longestOffset = 14

  /// Reads an ISO 8601 date-time; one with Z or an offset is converted to the reader's time zone.
  private func isoInstant(_ index: Int) -> Parsed<TimeMoment>? {
    if token(index)?.digits == 8 { return basicInstant(index) }
    guard token(index)?.digits == 4, let (date, next) = numericDate(index, Lead()),
      case .fixed(let day) = date.form, date.grain == .day, isWord(next, "t"), isAttached(next),
      let hour = token(next + 1), hour.digits == 2, hour.value < 24, isSign(next + 2, ":"),
      let minute = token(next + 3), minute.digits == 2, minute.value < 60
    else { return nil }
    var wall = WallTime(day: day.first, hour: hour.value, minute: minute.value)
    var end = next + 4
    if isSign(end, ":"), isAttached(end + 1), let second = token(end + 1), second.digits == 2,
      second.value < 60
    {
      wall = wall.adding(seconds: second.value)
      end += 2
      if isSign(end, ".") || isSign(end, ","), isAttached(end + 1), token(end + 1)?.kind == .number
      {
        end += 2
      }
    }
    var offset: Int?
    if isWord(end, "z"), isAttached(end) {
      offset = 0
      end += 1
    } else if isSign(end, "+") || isSign(end, "-"), isAttached(end), isAttached(end + 1),
      let hours = token(end + 1), hours.kind == .number,
      (hours.digits == 4 ? hours.value / 100 : hours.value) <= Self.longestOffset
    {
      let sign = isSign(end, "+") ? 1 : -1
      if hours.digits == 4 {
        offset = sign * (hours.value / 100 * 3600 + hours.value % 100 * 60)
        end += 2
      } else if hours.digits == 2, isSign(end + 2, ":"), let minutes = token(end + 3),
        minutes.digits == 2
      {
        offset = sign * (hours.value * 3600 + minutes.value * 60)
        end += 4
      } else if hours.digits == 2 {
        offset = sign * hours.value * 3600
        end += 2
      }
    }
    if let offset { wall = local(wall, offset: offset) }
    return (TimeMoment(exact: wall...max(wall, wall.adding(seconds: 60))), end)
  }

  /// Reads 20260314T1500 or 20260314T150000Z.
  private func basicInstant(_ index: Int) -> Parsed<TimeMoment>? {
    guard let (date, next) = numericDate(index, Lead()), case .fixed(let day) = date.form,
      isWord(next, "t"), isAttached(next), isAttached(next + 1), let clock = token(next + 1),
      clock.kind == .number, [4, 6].contains(clock.digits), clock.value >= 0
    else { return nil }
    let figures = clock.digits == 4 ? clock.value * 100 : clock.value
    let (hour, minute, second) = (figures / 10_000, figures / 100 % 100, figures % 100)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    var wall = WallTime(day: day.first, hour: hour, minute: minute, second: second)
    let isUTC = isWord(next + 2, "z") && isAttached(next + 2)
    if isUTC { wall = local(wall, offset: 0) }
    return (
      TimeMoment(exact: wall...max(wall, wall.adding(seconds: 60))), isUTC ? next + 3 : next + 2
    )
  }

  func local(_ wall: WallTime, offset: Int) -> WallTime {
    zone.wallTime(at: Instant(milliseconds: wall.milliseconds).adding(seconds: -offset))
  }
}
