import ArkivedCore
import ArkivedImport

/// The entries of earlier runs in the same forecast, which a later run would find in the archive.
package final class EarlierRuns {
  private var marks: Set<Int> = []
  /// The entries that are identified by their start, by the key of their names.
  var starts: [String: [StartRows.Foreseen]] = [:]
  /// The days of messages or plays as they would be stored so far, by their references.
  private var days: [String: Activity] = [:]
  /// The numbers of days, in the same way.
  private var numbers: [String: DayMetric] = [:]
  /// True if several paths are forecast one after the other.
  let isShared: Bool

  package init(isShared: Bool = false) { self.isShared = isShared }

  func brought(_ record: ImportedRecord) -> Bool {
    record.marks.contains { marks.contains($0) }
  }

  func add(_ marks: Set<Int>) { self.marks.formUnion(marks) }

  // MARK: Days in several parts

  /// Adds a part of a day whose first part came before, as if that had been saved.
  ///
  /// - Returns: true if it adds something; nil if no part has come.
  func unite(_ record: ImportedRecord) -> Bool? {
    guard let key = record.value.keys.first else { return nil }
    switch record.value {
    case .activity(let activity):
      guard record.isGathered, let day = days[key] else { return nil }
      guard let united = GatheredDay.united(activity, with: day) else { return false }
      days[key] = united
      return true
    case .metric(let metric):
      guard let number = numbers[key] else { return nil }
      let united = GatheredDay.united(metric, with: number)
      numbers[key] = united
      return united.value != number.value || united.minimum != number.minimum
        || united.maximum != number.maximum
    default: return nil
    }
  }

  /// Holds the first part of a day for those that may follow.
  ///
  /// - Parameters:
  ///   - record: the part.
  ///   - stored: the day in the archive, if its owner hasn't changed it.
  ///   - isNew: true if the archive doesn't have the day.
  func hold(_ record: ImportedRecord, with stored: ImportedRecord.Value?, isNew: Bool) {
    guard let key = record.value.keys.first else { return }
    switch (record.value, stored) {
    case (.activity(let activity), .activity(let old)?):
      days[key] = GatheredDay.united(activity, with: old) ?? old
    case (.activity(let activity), nil) where isNew: days[key] = activity
    case (.metric(let metric), .metric(let old)?):
      numbers[key] = GatheredDay.united(metric, with: old)
    case (.metric(let metric), nil) where isNew: numbers[key] = metric
    default: break
    }
  }
}
