import ArkivedCore

/// Groups the elements of a long stream by local day, and releases a day once the stream has left
/// it, so a lifetime of points takes the memory of a few days.
///
/// A stream may run forwards or backwards, and be out of order by some days or a few thousand
/// elements.
struct DayGathering<Element> {
  private struct Open {
    var elements: [Element] = []
    /// The number of the element that arrived last.
    var touched = 0
  }

  /// The maximum number of elements in a day; a larger number comes from a faulty program.
  static var dayLimit: Int { 100_000 }
  /// The maximum number of waiting elements; beyond it, the days that have been idle longest are
  /// released.
  private static var heldLimit: Int { 250_000 }
  /// The number of elements without one for a day after which the day is released.
  private static var restLimit: Int { 8_192 }
  private static var lookInterval: Int { 2_048 }

  let zones: HomeZones
  private var open: [Int: Open] = [:]
  private var closed: Set<Int> = []
  private var count = 0
  private var held = 0
  private var present = 0
  private var presentSpan: Range<Int64> = 0..<0
  /// The number of elements that arrived after their day was released, and are therefore lost.
  private(set) var late = 0
  /// The number of elements beyond the limit of their day.
  private(set) var excess = 0

  init(zones: HomeZones) { self.zones = zones }

  /// Returns the local day of a moment.
  mutating func day(at moment: Instant) -> DayKey {
    _ = span(at: moment)
    return DayKey(clamping: present)
  }

  /// Returns the local day of a moment as milliseconds since 1970.
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

  /// Adds an element.
  ///
  /// - Returns: true if days may be ready, so the caller should take them.
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

  /// Removes and returns the days that the stream has left, in order.
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

  /// Removes and returns all remaining days, in order.
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
