import ArkivedCore

/// A set of a table's ordinals, with one bit for each within a range.
struct OrdinalSet {
  let bounds: Range<Int>
  private(set) var words: [UInt64]

  init(_ bounds: Range<Int>, isFull: Bool = false) {
    self.bounds = bounds
    words = [UInt64](repeating: isFull ? .max : 0, count: (bounds.count + 63) / 64)
    if isFull, bounds.count % 64 != 0, let last = words.indices.last {
      words[last] = (1 << UInt64(bounds.count % 64)) - 1
    }
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Inserts an ordinal, which must be within the bounds.
  mutating func insert(_ ordinal: Int) {
    let place = ordinal - bounds.lowerBound
    words[place >> 6] |= 1 << UInt64(place & 63)
  }

  mutating func remove(_ ordinal: Int) {
    guard bounds.contains(ordinal) else { return }
    let place = ordinal - bounds.lowerBound
    words[place >> 6] &= ~(1 << UInt64(place & 63))
  }

  func contains(_ ordinal: Int) -> Bool {
    guard bounds.contains(ordinal) else { return false }
    let place = ordinal - bounds.lowerBound
    return words[place >> 6] & (1 << UInt64(place & 63)) != 0
  }

  mutating func formIntersection(_ other: OrdinalSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func formUnion(_ other: OrdinalSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func subtract(_ other: OrdinalSet) {
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  func each(_ body: (Int) throws -> Void) rethrows {
    for (index, word) in words.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        try body(bounds.lowerBound + index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}

extension TimelineTable {
  /// Returns true for an entry of whole days, from midnight to midnight.
  func fillsDay(_ ordinal: Int) -> Bool { minutes[ordinal] == 0 && durations[ordinal] >= 1380 }

  /// Returns the entries that match a condition.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - outdated: the ordinals to skip, in ascending order.
  /// - Returns: the ordinals.
  func ordinals(where condition: IndexCondition, outdated: [Int]) -> OrdinalSet {
    var bounds = ordinals(of: condition.days)
    if let days = condition.onDays {
      guard let first = days.min(), let last = days.max() else { return OrdinalSet(0..<0) }
      bounds = bounds.clamped(to: ordinals(of: first...last))
    }
    var set = OrdinalSet(bounds, isFull: true)
    for ordinal in outdated { set.remove(ordinal) }
    if let days = condition.onDays { set.formIntersection(ordinals(on: days, bounds)) }
    if !condition.weekdays.isEmpty {
      set.formIntersection(ordinals(on: condition.weekdays, bounds))
    }
    if condition.hasNobody {
      let all = set
      all.each { if !people.range($0).isEmpty { set.remove($0) } }
    }
    for clause in condition.all where !set.isEmpty {
      set.formIntersection(ordinals(of: clause, bounds))
    }
    for clause in condition.none where !set.isEmpty { set.subtract(ordinals(of: clause, bounds)) }
    return set
  }

  private func ordinals(on days: Set<DayKey>, _ bounds: Range<Int>) -> OrdinalSet {
    var set = OrdinalSet(bounds)
    for day in days {
      for ordinal in ordinals(of: day...day).clamped(to: bounds) { set.insert(ordinal) }
    }
    return set
  }

  private func ordinals(on weekdays: Set<Weekday>, _ bounds: Range<Int>) -> OrdinalSet {
    var set = OrdinalSet(bounds)
    var (known, holds) = (Int32.min, false)
    for ordinal in bounds {
      let day = days[ordinal]
      if day != known {
        (known, holds) = (day, weekdays.contains(DayKey(clamping: Int(day)).weekday))
      }
      if holds { set.insert(ordinal) }
    }
    return set
  }

  /// Returns the entries that match any of several atoms.
  private func ordinals(of clause: [IndexCondition.Atom], _ bounds: Range<Int>) -> OrdinalSet {
    var set = OrdinalSet(bounds)
    func add(_ lists: TimelineLists, _ list: Int?) {
      guard let list else { return }
      lists.each(list, within: bounds) { set.insert($0) }
    }
    for atom in clause {
      switch atom {
      case .tag(let tag): add(entriesOfTag, tagNumbers[tag])
      case .kind(let kind): add(entriesOfKind, kindNumbers[kind])
      case .person(let name): add(entriesOfPerson, personNumbers[name])
      case .place(let key): for place in places(withKey: key) { add(entriesOfPlace, place) }
      case .word(let key):
        guard let number = keys.index(of: key) else { continue }
        for index in textsOfKey.range(number) {
          add(entriesOfText, Int(textsOfKey.value(index)))
        }
      case .day(let days):
        for day in days {
          for ordinal in ordinals(of: day...day).clamped(to: bounds) { set.insert(ordinal) }
        }
      }
    }
    return set
  }
}
