import ArkivedCore
import Foundation

/// The days of plans.
///
/// Everywhere else, phrases look back, as in a journal; in a plan they look ahead.
extension Context {
  /// Returns the first day of a plan: for a day that recurs each year or week, the nearest one.
  func firstDay(_ text: String, option: String) throws -> DayKey {
    let latest = try plannedDay(text, .start, at: clock.now, option)
    guard latest < today, !isToldFromToday(text, .start, latest) else { return latest }
    let next = try lastDay(text, side: .start, from: today, option: option)
    guard next >= today else { return latest }
    return latest.distance(to: today) <= today.distance(to: next) ? latest : next
  }

  /// Returns the last day of a plan: for a day that recurs each year or week, the first one from
  /// `anchor` on.
  func lastDay(
    _ text: String, side: TimePhrase.Side = .end, from anchor: DayKey, option: String
  ) throws -> DayKey {
    let latest = try plannedDay(text, side, at: clock.now, option)
    guard latest < anchor, !isToldFromToday(text, side, latest) else { return latest }
    for days in [7, 366, 731] {
      let later = try plannedDay(text, side, at: moment(in: days), option)
      if later > latest, later >= anchor { return later }
    }
    return latest
  }

  /// Returns true if words are relative to today, such as yesterday, or explicitly look back.
  private func isToldFromToday(_ text: String, _ side: TimePhrase.Side, _ day: DayKey) -> Bool {
    let words = NameFolding.loose(text).split { !$0.isLetter }
    let backward = [
      "ago", "last", "past", "previous", "since", "letzte", "letzten", "letzter", "letztes",
      "vorige", "vorigen", "seit",
    ]
    if words.contains(where: { backward.contains(String($0)) }) { return true }
    return (try? plannedDay(text, side, at: moment(in: 1), "")) == day.advanced(by: 1)
  }

  /// Returns the same time of the clock some days ahead, which a change of the clocks doesn't move to
  /// another day.
  private func moment(in days: Int) -> Instant {
    let now = zone.wallTime(at: clock.now)
    return zone.instant(
      of: WallTime(day: now.day.advanced(by: days), secondOfDay: now.secondOfDay))
  }

  private func plannedDay(
    _ text: String, _ side: TimePhrase.Side, at now: Instant, _ option: String
  ) throws -> DayKey {
    do {
      switch try TimeReader(now: now, zone: zone, language: TerminalLanguage.typed).bound(
        text, side)
      {
      case .day(let day): return day
      case .instant(let instant): return zone.dayKey(at: instant)
      }
    } catch {
      throw CommandFailure(.usage, "\(option): \(error).")
    }
  }
}
