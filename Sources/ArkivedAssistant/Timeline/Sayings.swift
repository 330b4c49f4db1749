/// A cache of parse results for entries with equal text, people, tags and place.
///
/// In a lifetime of entries many are equal, and parsing a sentence costs more than a lookup.
struct Sayings<Value> {
  /// The parse results, and for many entries of one table, their indices by saying number.
  private var values: [Value] = []
  private var table: TimelineTable?
  private var places: [Int32] = []
  /// The indices for few entries, and for those of additional tables.
  private var known: [Saying: Int32] = [:]
  private var asked = 0

  /// The number of lookups before every saying of a table gets a slot.
  private var few: Int { 5_000 }

  private struct Saying: Hashable {
    var table: ObjectIdentifier
    var number: UInt32
  }

  init() {}

  /// Returns the result for an entry, parsed for the first of those that are equal.
  mutating func of(_ entry: TimelineEntry, _ read: (TimelineEntry) -> Value) -> Value {
    let number = entry.table.sayings[entry.ordinal]
    if let table, entry.table === table, number < places.count {
      let place = places[Int(number)]
      if place >= 0 { return values[Int(place)] }
      places[Int(number)] = Int32(values.count)
    } else {
      asked += 1
      if asked > few, table == nil { spread(over: entry.table) }
      let saying = Saying(table: ObjectIdentifier(entry.table), number: number)
      if let place = known[saying] { return values[Int(place)] }
      known[saying] = Int32(values.count)
    }
    let value = read(entry)
    values.append(value)
    return value
  }

  private mutating func spread(over table: TimelineTable) {
    self.table = table
    places = [Int32](repeating: -1, count: table.sayingCount)
    for (saying, place) in known where saying.table == ObjectIdentifier(table) {
      if saying.number < places.count { places[Int(saying.number)] = place }
    }
  }
}
