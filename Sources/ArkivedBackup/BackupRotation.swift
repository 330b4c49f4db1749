package import ArkivedCore

/// The rule for keeping automatic backups.
package struct BackupRotation: Hashable, Sendable {
  /// The number of recent days with a backup for which the newest backup is kept; likewise for
  /// weeks and months.
  package var daily: Int
  package var weekly: Int
  package var monthly: Int

  package static let usual = BackupRotation(daily: 7, weekly: 5, monthly: 12)

  package init(daily: Int, weekly: Int, monthly: Int) {
    (self.daily, self.weekly, self.monthly) = (daily, weekly, monthly)
  }

  /// Returns the indices of the backups to keep, which always include the newest.
  ///
  /// - Parameters:
  ///   - moments: the times of the backups, in any order.
  ///   - zone: the time zone.
  /// - Returns: the indices.
  package func kept(_ moments: [Instant], zone: Zone) -> Set<Int> {
    let order = moments.indices.sorted { moments[$0] > moments[$1] }
    var kept = Set(order.prefix(1))
    func keep(_ limit: Int, _ period: (DayKey) -> String) {
      var seen: Set<String> = []
      for index in order where seen.count < limit {
        if seen.insert(period(zone.dayKey(at: moments[index]))).inserted { kept.insert(index) }
      }
    }
    keep(daily) { $0.description }
    keep(weekly) { day in day.advanced(by: -(day.weekday.rawValue + 6) % 7).description }
    keep(monthly) { String($0.description.prefix(7)) }
    return kept
  }
}
