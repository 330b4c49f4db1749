import ArkivedCore
import Foundation
import Synchronization

/// Entries in chronological order, column by column, with lists from names and words to them.
///
/// A table is immutable.
package final class TimelineTable: Sendable {
  let rows: TimelineColumn<Int64>
  let days: TimelineColumn<Int32>
  let minutes: TimelineColumn<Int16>
  let dayParts: TimelineColumn<UInt8>
  let durations: TimelineColumn<Double>
  let kinds: TimelineColumn<UInt32>
  let places: TimelineColumn<UInt32>
  let texts: TimelineColumn<UInt32>
  let sayings: TimelineColumn<UInt32>
  /// The number of distinct sayings.
  let sayingCount: Int
  let tags: TimelineLists
  let people: TimelineLists
  let measures: TimelineLists
  let amounts: TimelineColumn<Double>
  /// The ordinals of entries with coordinates, in ascending order, and their coordinates.
  let spots: TimelineColumn<UInt32>
  let latitudes: TimelineColumn<Double>
  let longitudes: TimelineColumn<Double>
  private let rowOrder: TimelineColumn<UInt32>

  let kindNames: [String]
  let tagNames: [String]
  let peopleNames: [String]
  let placeNames: [String]
  let unitNames: [String]

  let entriesOfKind: TimelineLists
  let entriesOfTag: TimelineLists
  let entriesOfPerson: TimelineLists
  let entriesOfPlace: TimelineLists
  let entriesOfText: TimelineLists
  let textsOfKey: TimelineLists
  let keys: TimelineTexts
  let keyCounts: TimelineColumn<UInt32>
  let written: TimelineTexts
  let writtenCounts: TimelineColumn<UInt32>
  private let textBytes: TimelineTexts

  /// The numbers of names.
  let kindNumbers: [String: Int]
  let tagNumbers: [String: Int]
  let personNumbers: [String: Int]
  /// The places whose names contain a key, cached on first use.
  private let placesByKey = Mutex<[String: [Int]]?>(nil)

  /// The conversion of the table's units to another one.
  struct Conversion: Sendable {
    /// The factors by unit number; nil for units that can't be converted.
    var factors: [Double?]
    /// The unit's length in minutes; nil if it isn't a unit of time.
    var minutes: Double?
  }

  private let conversions = Mutex<[String: Conversion]>([:])

  /// The texts that contain one of some keys, cached on first use.
  private let textsSaying = Mutex<[Set<String>: Set<Int>]>([:])

  /// A cache of the words of recent texts.
  private let cut = Mutex<[Int: [Word]]>([:])
  private static let cutLimit = 40_000

  /// Opens a table.
  ///
  /// - Returns: nil if the sections don't form one.
  init?(_ bytes: TimelineBytes, _ sections: [TimelineLayout.Place]) {
    func place(_ section: TimelineLayout.Section) -> TimelineLayout.Place {
      sections[section.rawValue]
    }
    func column<Value>(_ section: TimelineLayout.Section) -> TimelineColumn<Value>? {
      TimelineColumn(bytes, place(section))
    }
    func lists(
      _ starts: TimelineLayout.Section, _ values: TimelineLayout.Section
    ) -> TimelineLists? {
      guard let starts: TimelineColumn<UInt32> = column(starts),
        let values: TimelineColumn<UInt32> = column(values)
      else { return nil }
      return TimelineLists(starts: starts, values: values)
    }
    func names(
      _ starts: TimelineLayout.Section, _ values: TimelineLayout.Section
    ) -> TimelineTexts? {
      TimelineTexts(bytes, starts: place(starts), bytes: place(values))
    }
    guard sections.count == TimelineLayout.Section.allCases.count,
      let rows: TimelineColumn<Int64> = column(.rows),
      let days: TimelineColumn<Int32> = column(.days),
      let minutes: TimelineColumn<Int16> = column(.minutes),
      let dayParts: TimelineColumn<UInt8> = column(.dayParts),
      let durations: TimelineColumn<Double> = column(.durations),
      let kinds: TimelineColumn<UInt32> = column(.kinds),
      let places: TimelineColumn<UInt32> = column(.places),
      let texts: TimelineColumn<UInt32> = column(.texts),
      let sayings: TimelineColumn<UInt32> = column(.sayings),
      let tags = lists(.tagStarts, .tags), let people = lists(.peopleStarts, .people),
      let measures = lists(.measureStarts, .measureUnits),
      let amounts: TimelineColumn<Double> = column(.measureAmounts),
      let rowOrder: TimelineColumn<UInt32> = column(.rowOrder),
      let ofKind = lists(.kindEntryStarts, .kindEntries),
      let ofTag = lists(.tagEntryStarts, .tagEntries),
      let ofPerson = lists(.peopleEntryStarts, .peopleEntries),
      let ofPlace = lists(.placeEntryStarts, .placeEntries),
      let ofText = lists(.textEntryStarts, .textEntries),
      let ofKey = lists(.keyTextStarts, .keyTexts),
      let keys = names(.keyStarts, .keyBytes),
      let keyCounts: TimelineColumn<UInt32> = column(.keyCounts),
      let written = names(.wordStarts, .wordBytes),
      let writtenCounts: TimelineColumn<UInt32> = column(.wordCounts),
      let textBytes = names(.textStarts, .textBytes),
      let spots: TimelineColumn<UInt32> = column(.spots),
      let latitudes: TimelineColumn<Double> = column(.latitudes),
      let longitudes: TimelineColumn<Double> = column(.longitudes),
      let kindNames = names(.kindNameStarts, .kindNames),
      let tagNames = names(.tagNameStarts, .tagNames),
      let peopleNames = names(.peopleNameStarts, .peopleNames),
      let placeNames = names(.placeNameStarts, .placeNames),
      let unitNames = names(.unitNameStarts, .unitNames)
    else { return nil }
    let count = rows.count
    guard
      [
        days.count, minutes.count, dayParts.count, durations.count, kinds.count, places.count,
        texts.count, sayings.count, rowOrder.count, tags.count, people.count, measures.count,
      ].allSatisfy({ $0 == count }), latitudes.count == spots.count,
      longitudes.count == spots.count
    else { return nil }
    (self.spots, self.latitudes, self.longitudes) = (spots, latitudes, longitudes)
    (self.rows, self.days, self.minutes, self.durations) = (rows, days, minutes, durations)
    self.dayParts = dayParts
    (self.kinds, self.places, self.texts, self.rowOrder) = (kinds, places, texts, rowOrder)
    self.sayings = sayings
    // Numbered in order of arrival, which isn't chronological.
    sayingCount = (0..<count).reduce(0) { max($0, Int(sayings[$1]) + 1) }
    (self.tags, self.people, self.measures, self.amounts) = (tags, people, measures, amounts)
    (entriesOfKind, entriesOfTag, entriesOfPerson) = (ofKind, ofTag, ofPerson)
    (entriesOfPlace, entriesOfText, textsOfKey) = (ofPlace, ofText, ofKey)
    (self.keys, self.keyCounts) = (keys, keyCounts)
    (self.written, self.writtenCounts, self.textBytes) = (written, writtenCounts, textBytes)
    self.kindNames = kindNames.all
    self.tagNames = tagNames.all
    self.peopleNames = peopleNames.all
    self.placeNames = placeNames.all
    self.unitNames = unitNames.all
    func numbers(_ names: [String]) -> [String: Int] {
      Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    kindNumbers = numbers(self.kindNames)
    tagNumbers = numbers(self.tagNames)
    personNumbers = numbers(self.peopleNames)
  }

  /// Returns the numbers of the places whose names contain a key.
  func places(withKey key: String) -> [Int] {
    placesByKey.withLock { known in
      if let known { return known[key] ?? [] }
      var byKey: [String: [Int]] = [:]
      for (number, name) in placeNames.enumerated() {
        for key in Set(WordCutter.words(of: name).map(\.key)) where key != "the" {
          byKey[key, default: []].append(number)
        }
      }
      known = byKey
      return byKey[key] ?? []
    }
  }

  var count: Int { rows.count }

  func text(_ number: Int) -> String { textBytes[number] }

  func words(_ number: Int) -> [Word] {
    if let known = cut.withLock({ $0[number] }) { return known }
    let words = WordCutter.words(of: text(number))
    cut.withLock { known in
      if known.count >= Self.cutLimit { known.removeAll(keepingCapacity: true) }
      known[number] = words
    }
    return words
  }

  /// Returns the numbers of the texts that contain a word with one of some keys.
  func texts(saying keys: Set<String>) -> Set<Int> {
    textsSaying.withLock { known in
      if let texts = known[keys] { return texts }
      var texts: Set<Int> = []
      for key in keys {
        guard let number = self.keys.index(of: key) else { continue }
        texts.formUnion(textsOfKey.values(number))
      }
      if known.count >= 100 { known.removeAll() }
      known[keys] = texts
      return texts
    }
  }

  func conversion(to unit: String) -> Conversion {
    if let known = conversions.withLock({ $0[unit] }) { return known }
    let target = UnitTable.standard.unit(named: unit)
    let currency = TextAmounts.currency(of: unit)
    // "jar" and "jars" are the same unit, although no unit table contains them.
    let table = UnitTable.standard.teaching([unit])
    let made = Conversion(
      factors: unitNames.map { name in
        table.convert(1, from: name, to: unit)
          ?? (currency != nil && TextAmounts.currency(of: name) == currency ? 1 : nil)
      },
      minutes: target?.dimension == .time ? target?.factor : nil)
    conversions.withLock { known in
      if known.count >= 1_000 { known.removeAll() }
      known[unit] = made
    }
    return made
  }

  /// Returns the ordinal of a row; nil if the table doesn't contain it.
  func ordinal(ofRow row: Int64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if rows[Int(rowOrder[middle])] < row { low = middle + 1 } else { high = middle }
    }
    guard low < count, rows[Int(rowOrder[low])] == row else { return nil }
    return Int(rowOrder[low])
  }

  /// Returns the ordinals of a span of days.
  func ordinals(of span: ClosedRange<DayKey>) -> Range<Int> {
    func first(_ bound: Int) -> Int {
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if Int(days[middle]) < bound { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let start = first(span.lowerBound.daysSinceEpoch)
    return start..<max(start, first(span.upperBound.daysSinceEpoch + 1))
  }

  /// Returns the number of entries that contain a word's key.
  func frequency(of key: String) -> Int {
    keys.index(of: key).map { Int(keyCounts[$0]) } ?? 0
  }
}

/// Lists of numbers: the start of each list, and the numbers.
struct TimelineLists: Sendable {
  private let starts: TimelineColumn<UInt32>
  private let values: TimelineColumn<UInt32>

  init(starts: TimelineColumn<UInt32>, values: TimelineColumn<UInt32>) {
    self.starts = starts
    self.values = values
  }

  var count: Int { max(0, starts.count - 1) }

  /// Returns the range of a list's numbers.
  func range(_ list: Int) -> Range<Int> {
    let first = Int(starts[list])
    let end = min(Int(starts[list + 1]), values.count)
    return first <= end ? first..<end : first..<first
  }

  func value(_ index: Int) -> UInt32 { values[index] }

  func values(_ list: Int) -> [Int] { range(list).map { Int(values[$0]) } }

  /// Calls a closure with the numbers of an ascending list that are within bounds.
  func each(_ list: Int, within bounds: Range<Int>, _ body: (Int) -> Void) {
    let range = range(list)
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if Int(values[middle]) < bounds.lowerBound { low = middle + 1 } else { high = middle }
    }
    while low < range.upperBound {
      let value = Int(values[low])
      guard value < bounds.upperBound else { return }
      body(value)
      low += 1
    }
  }
}
