/// A message or play in the text of a day's entry.
struct GatheredItem: Hashable {
  /// Its whole text as stored.
  var text: String
  /// The minute of the day that it shows; nil for text before the first item.
  var minute: Int?
  /// The person who wrote it, as the text shows them; nil for a notice or a play.
  var sender: String?
  /// The text without time and sender.
  var words: String
}

/// Merges the items of a day from two exports, either of which may lack some of them.
///
/// Nothing that is stored is removed. Merging what is already there, in any order and any number
/// of times, changes nothing.
struct GatheredItems {
  private let old: [GatheredItem]
  private let new: [GatheredItem]
  /// The new item that is the same as an old one, by the old one's index, and the reverse.
  private var newOf: [Int?]
  private var oldOf: [Int?]

  init(_ old: [GatheredItem], _ new: [GatheredItem]) {
    (self.old, self.new) = (old, new)
    newOf = Array(repeating: nil, count: old.count)
    oldOf = Array(repeating: nil, count: new.count)
    pair { [$0.text] }
  }

  /// True if nothing but names or media of items that both have could differ.
  private var isContained: Bool { !newOf.contains(nil) || !oldOf.contains(nil) }

  // MARK: Pairing

  /// Pairs items that aren't paired yet and share a key, in order.
  ///
  /// - Parameters:
  ///   - oldKey: returns the key of an old item, or nil if it can't be paired.
  ///   - newKeys: returns the keys of a new item, the best first.
  mutating func pair(
    old oldKey: (GatheredItem) -> String?, new newKeys: (GatheredItem) -> [String]
  ) {
    var waiting: [String: [Int]] = [:]
    for (index, item) in old.enumerated().reversed() where newOf[index] == nil {
      if let key = oldKey(item) { waiting[key, default: []].append(index) }
    }
    guard !waiting.isEmpty else { return }
    for (index, item) in new.enumerated() where oldOf[index] == nil {
      for key in newKeys(item) {
        guard let found = waiting[key]?.popLast() else { continue }
        (oldOf[index], newOf[found]) = (found, index)
        break
      }
    }
  }

  private mutating func pair(_ keys: (GatheredItem) -> [String]) {
    pair(old: { keys($0).first }, new: keys)
  }

  /// Pairs items as `pair(old:new:)` does, if one of the exports then contains everything of the
  /// other.
  mutating func pairIfContained(
    old oldKey: (GatheredItem) -> String?, new newKeys: (GatheredItem) -> [String]
  ) {
    var trial = self
    trial.pair(old: oldKey, new: newKeys)
    if trial.isContained { self = trial }
  }

  /// Pairs the messages of people who have another name in the new export, if one of the exports
  /// then contains everything of the other.
  ///
  /// - Parameter isPair: true if only one other person takes part.
  mutating func pairRenamed(isPair: Bool) {
    let names = (Set(old.compactMap(\.sender)), Set(new.compactMap(\.sender)))
    var trial = self
    trial.pair(
      old: { item in
        guard let sender = item.sender, sender != "Me", !names.1.contains(sender) else {
          return nil
        }
        return "\(item.minute ?? 0)\u{0}\(item.words)"
      },
      new: { item in
        guard let sender = item.sender, sender != "Me", !names.0.contains(sender) else {
          return []
        }
        return ["\(item.minute ?? 0)\u{0}\(item.words)"]
      })
    let before = newOf.count { $0 != nil }
    let added = trial.newOf.count { $0 != nil } - before
    guard trial.isContained, added > 1 || added == 1 && (before > 0 || isPair) else { return }
    self = trial
  }

  // MARK: Merging

  /// Returns all items in order.
  ///
  /// - Parameter isFuller: returns true if the second version of an item says more than the first.
  /// - Returns: the items, or nil if the old ones already contain everything.
  func merged(by isFuller: (GatheredItem, GatheredItem) -> Bool) -> [GatheredItem]? {
    var isChanged = oldOf.contains(nil)
    let kept = old.enumerated().map { index, item in
      guard let other = newOf[index], isFuller(item, new[other]) else { return item }
      isChanged = true
      return new[other]
    }
    guard isChanged else { return nil }
    let (oldMinutes, newMinutes) = (Self.minutes(old), Self.minutes(new))
    let isNewEarlier = Self.isEarlier(new, newMinutes, than: old, oldMinutes)
    var result: [GatheredItem] = []
    var (place, other) = (0, 0)
    while place < old.count || other < new.count {
      if other < new.count, let known = oldOf[other], known < place {
        other += 1
      } else if place == old.count {
        result.append(new[other])
        other += 1
      } else if other < new.count, oldOf[other] == nil,
        comesFirst(
          newOf[place], other, newMinutes[other], oldMinutes[place], isNewEarlier: isNewEarlier)
      {
        result.append(new[other])
        other += 1
      } else {
        result.append(kept[place])
        place += 1
      }
    }
    return result
  }

  /// Returns true if a new item belongs before the old one that is next.
  private func comesFirst(
    _ paired: Int?, _ index: Int, _ minute: Int, _ oldMinute: Int, isNewEarlier: Bool
  ) -> Bool {
    if let paired { return paired > index }
    return minute == oldMinute ? isNewEarlier : minute < oldMinute
  }

  /// Returns the minute at which each item belongs, which never decreases: an hour that occurs
  /// twice, and messages that arrived late, stay where their source has them.
  private static func minutes(_ items: [GatheredItem]) -> [Int] {
    var latest = 0
    return items.map { item in
      latest = max(latest, item.minute ?? 0)
      return latest
    }
  }

  /// Returns true if a list begins or ends before another one, so its items come first within a
  /// minute.
  private static func isEarlier(
    _ items: [GatheredItem], _ minutes: [Int], than others: [GatheredItem], _ otherMinutes: [Int]
  ) -> Bool {
    let (own, other) = (
      [minutes.first ?? 0, minutes.last ?? 0], [otherMinutes.first ?? 0, otherMinutes.last ?? 0]
    )
    if own != other { return own.lexicographicallyPrecedes(other) }
    return (items.first?.text ?? "") < (others.first?.text ?? "")
  }
}
