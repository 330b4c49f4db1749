package import ArkivedCore
import Foundation

/// Entries for a day that an importer makes from single messages or plays.
///
/// An export may have only some of them: a backup that begins at noon, a chat cut at its limit, a
/// list in several files. The entry's notes show every item, so the items of another export are
/// added to those that are already stored.
package enum GatheredDay {
  private enum Kind { case chat, plays }

  private static let chats = [
    WhatsAppImporter.service, TelegramImporter.service, SignalImporter.service,
    SMSImporter.service,
  ]

  private static func kind(of activity: Activity) -> Kind? {
    for ref in activity.externalRefs {
      if chats.contains(where: { $0.provider == ref.provider }) { return .chat }
      if ListeningImporter.Service(rawValue: ref.provider) != nil,
        ref.externalID.hasPrefix(ListeningImporter.dayPrefix)
      {
        return .plays
      }
    }
    return nil
  }

  /// Returns true if a record is a day of messages or plays, as its importer makes it.
  package static func isGathered(_ record: ImportedRecord) -> Bool {
    guard !record.hasOwnIdentity, case .activity(let activity) = record.value else { return false }
    return kind(of: activity) != nil
  }

  /// Returns a day with the items of two exports.
  ///
  /// - Parameters:
  ///   - new: the day as an export has it, with its files stored.
  ///   - old: the same day as it is stored.
  /// - Returns: the day, or nil if the stored one already has everything.
  package static func united(_ new: Activity, with old: Activity) -> Activity? {
    switch kind(of: new) {
    case .chat: ChatDayUnion(old: old, new: new).activity(of: chats)
    case .plays: PlaysUnion.activity(new, with: old)
    case nil: new
    }
  }

  /// Returns a day's number from two exports.
  ///
  /// Fitbit's files divide readings by UTC, and an export that was made in the course of a day has
  /// only its beginning, so an export may have only part of a day. Of two sums, the larger covers
  /// more of it; a range includes both.
  ///
  /// - Parameters:
  ///   - new: the number as an export has it.
  ///   - old: the same number as it is stored.
  /// - Returns: the number.
  package static func united(_ new: DayMetric, with old: DayMetric) -> DayMetric {
    guard isGathered(new), new.unit == old.unit else { return new }
    var number = new
    guard !isSum(new), !isTotal(new) else {
      number.value = max(new.value, old.value)
      return number
    }
    let (range, oldRange) = (Self.range(of: new), Self.range(of: old))
    let covers = range.contains(oldRange.lowerBound) && range.contains(oldRange.upperBound)
    if covers, range != oldRange { return new }
    number.value = old.value
    let whole = (
      min(range.lowerBound, oldRange.lowerBound), max(range.upperBound, oldRange.upperBound)
    )
    number.minimum = whole.0 < whole.1 ? whole.0 : nil
    number.maximum = whole.0 < whole.1 ? whole.1 : nil
    return number
  }

  private static func range(of number: DayMetric) -> ClosedRange<Double> {
    let low = number.minimum ?? number.value
    return low...max(low, number.maximum ?? number.value)
  }

  /// Returns true if an export may have a number only for a part of its day.
  package static func isGathered(_ number: DayMetric) -> Bool {
    isReading(number) || isTotal(number)
  }

  /// Returns true if a number is made from readings of a day, of which an export may lack some.
  private static func isReading(_ number: DayMetric) -> Bool {
    number.source == FitbitImporter.service
      && ["steps", "activeMinutes", "heartRate"].contains(number.metric)
  }

  private static let services: Set<String> = [
    "Garmin", "Google Fit", "Samsung Health", "Withings", "Oura",
  ]
  private static let totals: Set<String> = [
    "steps", "walkingDistance", "climbedStairs", "activeEnergy", "restingEnergy", "activeMinutes",
  ]

  /// Returns true if a number is a service's own total of a day, which grows until midnight.
  package static func isTotal(_ number: DayMetric) -> Bool {
    services.contains(number.source) && totals.contains(number.metric)
  }

  /// Returns true if a number is the sum of readings of a day, of which an export may lack some.
  package static func isSum(_ number: DayMetric) -> Bool {
    isReading(number) && number.metric != "heartRate"
  }
}

extension GatheredDay {
  /// Returns the minute of the day of a time such as `09:15` at the beginning of a text.
  static func minute(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8.prefix(5))
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    return hour < 24 && minute < 60 ? hour * 60 + minute : nil
  }
}
