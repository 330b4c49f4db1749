package import ArkivedCore

/// Which of the backups that were made by themselves stay.
package struct BackupRotation: Hashable, Sendable {
  /// The last so many days, weeks and months with a backup each keep their newest one.
  package var daily: Int
  package var weekly: Int
  package var monthly: Int

  package static let usual = BackupRotation(daily: 7, weekly: 5, monthly: 12)

  package init(daily: Int, weekly: Int, monthly: Int) {
    (self.daily, self.weekly, self.monthly) = (daily, weekly, monthly)
  }

  /// The indices of those that stay; the newest is always among them.
  /// - Parameter moments: when each was made, in any order.
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
