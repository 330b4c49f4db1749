/// What was read of entries that say the same: of equal text, people, tags and place. In a long life
/// many entries do, and reading a sentence costs more than looking up what it said the last time.
struct Sayings<Value> {
  private struct Saying: Hashable {
    var table: ObjectIdentifier
    var number: UInt32
  }

  private var known: [Saying: Value] = [:]

  init() {}

  /// What an entry says; read for the first of those that say the same.
  mutating func of(_ entry: TimelineEntry, _ read: (TimelineEntry) -> Value) -> Value {
    let saying = Saying(
      table: ObjectIdentifier(entry.table), number: entry.table.sayings[entry.ordinal])
    if let value = known[saying] { return value }
    let value = read(entry)
    known[saying] = value
    return value
  }
}
