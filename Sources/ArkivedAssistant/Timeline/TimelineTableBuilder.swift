import ArkivedCore
import Foundation

/// Builds a table from collected entries.
struct TimelineTableBuilder {
  private var rows: [Int64] = []
  private var days: [Int32] = []
  private var minutes: [Int16] = []
  private var dayParts: [UInt8] = []
  private var durations: [Double] = []
  private var kinds: [UInt32] = []
  private var places: [UInt32] = []
  private var texts: [UInt32] = []
  private var tags = Lists()
  private var people = Lists()
  private var units = Lists()
  private var amounts: [Double] = []
  /// The rows that have coordinates.
  private var spots: [(row: Int, place: Coordinates)] = []

  private var kindNames = Numbers()
  private var placeNames = Numbers()
  private var tagNames = Numbers()
  private var peopleNames = Numbers()
  private var unitNames = Numbers()
  private var textNumbers = Numbers()
  private var keys = Numbers()
  private var written = Numbers()
  /// The keys and the written words in each text.
  private var keysOfTexts = Lists()
  private var wordsOfTexts = Lists()
  /// The amounts stated in texts.
  private var told: [UInt32: [(unit: String, amount: Double)]] = [:]

  /// True if amounts are read from texts.
  private let isActivity: Bool

  init(isActivity: Bool) { self.isActivity = isActivity }

  var count: Int { rows.count }
  /// The number of entries that mention people.
  private(set) var mentioning = 0
  /// The distinct texts in order of arrival.
  var distinctTexts: [String] { textNumbers.names }

  mutating func add(_ entry: IndexedEntry) {
    if isActivity, let place = entry.coordinates { spots.append((rows.count, place)) }
    rows.append(entry.rowNumber)
    days.append(Int32(clamping: entry.day.daysSinceEpoch))
    minutes.append(
      entry.startMinute.map { Int16(clamping: max($0, Int(Int16.min) + 1)) }
        ?? TimelineLayout.noMinute)
    dayParts.append(entry.isPartOfDay ? 1 : 0)
    kinds.append(kindNames.number(of: entry.kind))
    places.append(entry.place.map { $0.isEmpty ? 0 : placeNames.number(of: $0) + 1 } ?? 0)
    let text = number(ofText: entry.text)
    texts.append(text)
    tags.append(entry.tags.map { tagNames.number(of: $0) })
    if !entry.people.isEmpty { mentioning += 1 }
    people.append(entry.people.map { peopleNames.number(of: $0) })
    var duration = entry.minutes
    var measured = entry.measurements
    if isActivity, measured.isEmpty, let told = told[text] {
      measured = told.filter { $0.unit != "minutes" }
      if duration == nil { duration = told.first { $0.unit == "minutes" }?.amount }
    }
    // Such amounts are absurd, and their sum would not be finite.
    measured.removeAll { $0.amount > 1e100 }
    durations.append(duration.map { $0 > 1e100 ? .nan : $0 } ?? .nan)
    units.append(measured.map { unitNames.number(of: $0.unit) })
    amounts += measured.map(\.amount)
  }

  private mutating func number(ofText text: String) -> UInt32 {
    let count = textNumbers.names.count
    let number = textNumbers.number(of: text)
    guard Int(number) == count else { return number }
    let words = WordCutter.words(of: text)
    var seen = Set<UInt32>()
    keysOfTexts.append(
      words.map { keys.number(of: $0.key) }.filter { seen.insert($0).inserted })
    seen.removeAll(keepingCapacity: true)
    wordsOfTexts.append(
      words.map { written.number(of: $0.lower) }.filter { seen.insert($0).inserted })
    if isActivity {
      let found = TextAmounts.read(words, text: text)
      if !found.isEmpty {
        told[number] = found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      }
    }
    return number
  }

  /// For every entry that mentions nobody, assigns the people named in its text.
  mutating func derivePeople(_ names: TextPeople.Names) {
    let found = distinctTexts.map { text in
      names.found(in: WordCutter.words(of: text)).map { peopleNames.number(of: $0) }
    }
    var derived = Lists()
    for ordinal in rows.indices {
      let own = people[ordinal]
      derived.append(own.isEmpty ? found[Int(texts[ordinal])] : Array(own))
    }
    people = derived
  }

  private struct Saying: Hashable {
    var text: UInt32
    var place: UInt32
    var people: ArraySlice<UInt32>
    var tags: ArraySlice<UInt32>
  }

  private func sayings() -> [UInt32] {
    var numbers: [Saying: UInt32] = [:]
    return rows.indices.map { row in
      let saying = Saying(
        text: texts[row], place: places[row], people: people[row], tags: tags[row])
      let next = UInt32(numbers.count)
      if let number = numbers[saying] { return number }
      numbers[saying] = next
      return next
    }
  }

  // MARK: Layout

  /// Returns the sections in the order of `TimelineLayout.Section`.
  func sections() -> [[UInt8]] {
    let order = rows.indices.sorted { left, right in
      if days[left] != days[right] { return days[left] < days[right] }
      let first = minutes[left] == TimelineLayout.noMinute ? .max : minutes[left]
      let second = minutes[right] == TimelineLayout.noMinute ? .max : minutes[right]
      return first != second ? first < second : rows[left] < rows[right]
    }
    var found = [[UInt8]](repeating: [], count: TimelineLayout.Section.allCases.count)
    func set(_ section: TimelineLayout.Section, _ bytes: [UInt8]) {
      found[section.rawValue] = bytes
    }
    func sorted<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
      bytes(order.map { values[$0] })
    }
    set(.rows, sorted(rows))
    set(.days, sorted(days))
    set(.minutes, sorted(minutes))
    set(.durations, sorted(durations))
    set(.kinds, sorted(kinds))
    set(.places, sorted(places))
    set(.texts, sorted(texts))
    set(.dayParts, sorted(dayParts))
    set(.sayings, sorted(sayings()))
    let sortedRows = order.map { rows[$0] }
    set(
      .rowOrder,
      bytes(
        (0..<UInt32(order.count)).sorted { sortedRows[Int($0)] < sortedRows[Int($1)] }))
    func setLists(
      _ lists: Lists, _ starts: TimelineLayout.Section, _ values: TimelineLayout.Section
    ) -> Lists {
      let arranged = lists.arranged(order)
      set(starts, bytes(arranged.starts))
      set(values, bytes(arranged.values))
      return arranged
    }
    let tags = setLists(tags, .tagStarts, .tags)
    let people = setLists(people, .peopleStarts, .people)
    _ = setLists(units, .measureStarts, .measureUnits)
    set(.measureAmounts, bytes(order.flatMap { amounts[units.range($0)] }))
    if !spots.isEmpty {
      var ordinals = [UInt32](repeating: 0, count: order.count)
      for (ordinal, row) in order.enumerated() { ordinals[row] = UInt32(ordinal) }
      let placed = spots.sorted { ordinals[$0.row] < ordinals[$1.row] }
      set(.spots, bytes(placed.map { ordinals[$0.row] }))
      set(.latitudes, bytes(placed.map(\.place.latitude)))
      set(.longitudes, bytes(placed.map(\.place.longitude)))
    }

    func setEntries(
      _ lists: Lists, _ count: Int, _ starts: TimelineLayout.Section,
      _ values: TimelineLayout.Section
    ) {
      let inverse = lists.inverse(count)
      set(starts, bytes(inverse.starts))
      set(values, bytes(inverse.values))
    }
    func single(_ values: [UInt32]) -> Lists { Lists(single: order.map { values[$0] }) }
    setEntries(single(kinds), kindNames.names.count, .kindEntryStarts, .kindEntries)
    setEntries(tags, tagNames.names.count, .tagEntryStarts, .tagEntries)
    setEntries(people, peopleNames.names.count, .peopleEntryStarts, .peopleEntries)
    var placed = Lists()
    for ordinal in order { placed.append(places[ordinal] == 0 ? [] : [places[ordinal] - 1]) }
    setEntries(placed, placeNames.names.count, .placeEntryStarts, .placeEntries)
    let ofTexts = single(texts).inverse(textNumbers.names.count)
    set(.textEntryStarts, bytes(ofTexts.starts))
    set(.textEntries, bytes(ofTexts.values))

    func setNames(
      _ names: [String], _ starts: TimelineLayout.Section, _ values: TimelineLayout.Section
    ) {
      var offsets: [UInt64] = [0]
      var bytes: [UInt8] = []
      for name in names {
        bytes.append(contentsOf: name.utf8)
        offsets.append(UInt64(bytes.count))
      }
      set(starts, self.bytes(offsets))
      set(values, bytes)
    }
    setNames(kindNames.names, .kindNameStarts, .kindNames)
    setNames(tagNames.names, .tagNameStarts, .tagNames)
    setNames(peopleNames.names, .peopleNameStarts, .peopleNames)
    setNames(placeNames.names, .placeNameStarts, .placeNames)
    setNames(unitNames.names, .unitNameStarts, .unitNames)
    setNames(textNumbers.names, .textStarts, .textBytes)

    let weights = (0..<textNumbers.names.count).map { ofTexts.range($0).count }
    let (keyOrder, keyTexts) = ordered(keys, keysOfTexts)
    setNames(keyOrder.map { keys.names[$0] }, .keyStarts, .keyBytes)
    set(.keyTextStarts, bytes(keyTexts.starts))
    set(.keyTexts, bytes(keyTexts.values))
    func counts(_ lists: Lists) -> [UInt32] {
      (0..<lists.count).map { key in
        UInt32(clamping: lists[key].reduce(0) { $0 + weights[Int($1)] })
      }
    }
    set(.keyCounts, bytes(counts(keyTexts)))
    let (wordOrder, wordTexts) = ordered(written, wordsOfTexts)
    setNames(wordOrder.map { written.names[$0] }, .wordStarts, .wordBytes)
    set(.wordCounts, bytes(counts(wordTexts)))
    return found
  }

  /// Returns the names sorted by their bytes, and the texts of each in that order.
  private func ordered(_ numbers: Numbers, _ ofTexts: Lists) -> ([Int], Lists) {
    let names = numbers.names.map { Array($0.utf8) }
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    return (order, ofTexts.inverse(names.count).arranged(order))
  }

  private func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
    values.withUnsafeBytes { Array($0) }
  }
}

/// Names numbered in order of arrival.
private struct Numbers {
  private(set) var names: [String] = []
  private var numbers: [String: UInt32] = [:]

  mutating func number(of name: String) -> UInt32 {
    if let number = numbers[name] { return number }
    let number = UInt32(names.count)
    numbers[name] = number
    names.append(name)
    return number
  }
}

/// Consecutive lists of numbers.
private struct Lists {
  private(set) var starts: [UInt32] = [0]
  private(set) var values: [UInt32] = []

  init() {}

  /// Creates lists with one number each.
  init(single: [UInt32]) {
    values = single
    starts = Array(0...UInt32(single.count))
  }

  var count: Int { starts.count - 1 }

  func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }

  subscript(_ index: Int) -> ArraySlice<UInt32> { values[range(index)] }

  mutating func append(_ list: [UInt32]) {
    values += list
    starts.append(UInt32(values.count))
  }

  func arranged(_ order: [Int]) -> Lists {
    var result = Lists()
    result.values.reserveCapacity(values.count)
    result.starts.reserveCapacity(starts.count)
    for index in order {
      result.values += values[range(index)]
      result.starts.append(UInt32(result.values.count))
    }
    return result
  }

  /// Returns, for each of `count` values, the lists that contain it, in order and without
  /// duplicates.
  func inverse(_ count: Int) -> Lists {
    var sizes = [UInt32](repeating: 0, count: count + 1)
    var latest = [Int](repeating: -1, count: count)
    func each(_ body: (_ value: Int, _ list: Int) -> Void) {
      for index in latest.indices { latest[index] = -1 }
      for list in 0..<self.count {
        for value in values[range(list)] where latest[Int(value)] != list {
          latest[Int(value)] = list
          body(Int(value), list)
        }
      }
    }
    each { value, _ in sizes[value + 1] += 1 }
    for index in 0..<count { sizes[index + 1] += sizes[index] }
    var result = Lists()
    result.starts = sizes
    result.values = [UInt32](repeating: 0, count: Int(sizes[count]))
    var next = sizes
    each { value, list in
      result.values[Int(next[value])] = UInt32(list)
      next[value] += 1
    }
    return result
  }
}
