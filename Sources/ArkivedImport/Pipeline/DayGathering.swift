import ArkivedCore

/// Gathers what a long stream tells by the local day, and gives a day out once the stream has left
/// it, so that a life of points takes the memory of a few days.
///
/// A stream may run forward or backward, and be out of order by some days or some thousand elements.
struct DayGathering<Element> {
  private struct Open {
    var elements: [Element] = []
    /// The number of the element that came last.
    var touched = 0
  }

  /// A day of more elements is that of a broken program.
  static var dayLimit: Int { 100_000 }
  /// So many elements may wait; beyond that the days that rested longest are given out.
  private static var heldLimit: Int { 250_000 }
  /// A day is left when so many elements came since its last.
  private static var restLimit: Int { 8_192 }
  private static var lookInterval: Int { 2_048 }

  let zones: HomeZones
  private var open: [Int: Open] = [:]
  private var closed: Set<Int> = []
  private var count = 0
  private var held = 0
  private var present = 0
  private var presentSpan: Range<Int64> = 0..<0
  /// Elements that came after their day was given out, and are lost to it.
  private(set) var late = 0
  /// Elements beyond the limit of their day.
  private(set) var excess = 0

  init(zones: HomeZones) { self.zones = zones }

  /// The local day of a moment.
  mutating func day(at moment: Instant) -> DayKey {
    _ = span(at: moment)
    return DayKey(clamping: present)
  }

  /// The milliseconds since 1970 of the local day of a moment.
  mutating func span(at moment: Instant) -> Range<Int64> {
    if !presentSpan.contains(moment.milliseconds) {
      let (zone, extent) = zones.extent(at: moment)
      let day = zone.dayKey(at: moment)
      present = day.daysSinceEpoch
      let start = max(zone.start(of: day).milliseconds, extent.lowerBound)
      let end = min(zone.start(of: day.advanced(by: 1)).milliseconds, extent.upperBound)
      presentSpan = start..<max(start + 1, end)
    }
    return presentSpan
  }

  /// - Returns: whether days may be due, so that they are to be taken.
  mutating func add(_ element: Element, at moment: Instant) -> Bool {
    let day = day(at: moment).daysSinceEpoch
    guard !closed.contains(day) else {
      late += 1
      return false
    }
    count += 1
    guard open[day, default: Open()].elements.count < Self.dayLimit else {
      excess += 1
      return false
    }
    open[day, default: Open()].elements.append(element)
    open[day]?.touched = count
    held += 1
    return count.isMultiple(of: Self.lookInterval)
  }

  /// The days that the stream has left, in their order.
  mutating func takeDue() -> [(day: DayKey, elements: [Element])] {
    var due = open.filter { day, content in
      count - content.touched > Self.restLimit && abs(day - present) > 2
    }.map(\.key)
    if held > Self.heldLimit {
      var rest = held - due.reduce(0) { $0 + (open[$1]?.elements.count ?? 0) }
      let others = open.filter { $0.key != present && !due.contains($0.key) }
        .sorted { $0.value.touched < $1.value.touched }
      for (day, content) in others where rest > Self.heldLimit / 2 {
        due.append(day)
        rest -= content.elements.count
      }
    }
    return take(due)
  }

  /// All that is left, in the order of the days.
  mutating func takeRest() -> [(day: DayKey, elements: [Element])] { take(Array(open.keys)) }

  private mutating func take(_ days: [Int]) -> [(day: DayKey, elements: [Element])] {
    days.sorted().compactMap { day in
      guard let content = open.removeValue(forKey: day) else { return nil }
      closed.insert(day)
      held -= content.elements.count
      return (DayKey(clamping: day), content.elements)
    }
  }
}
