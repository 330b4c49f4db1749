/// What was read of entries that say the same: of equal text, people, tags and place. In a long life
/// many entries do, and reading a sentence costs more than looking up what it said the last time.
struct Sayings<Value> {
  /// What was read, and for many entries of one table where to find it by the saying's number.
  private var values: [Value] = []
  private var table: TimelineTable?
  private var places: [Int32] = []
  /// For few entries, and for those of further tables.
  private var known: [Saying: Int32] = [:]
  private var asked = 0

  /// So many entries are asked for before every saying of a table gets a place.
  private var few: Int { 5_000 }

  private struct Saying: Hashable {
    var table: ObjectIdentifier
    var number: UInt32
  }

  init() {}

  /// What an entry says; read for the first of those that say the same.
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
