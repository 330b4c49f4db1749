import ArkivedCore

/// What a query computed, before it is worded.
struct QueryOutcome {
  enum Value: Hashable {
    case number(Double)
    case text(String)
    case day(DayKey)
    case flag(Bool)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
  }

  struct Row {
    /// The group, or what the value belongs to, as programs call it.
    var key: String?
    var value: Value
    var days: ClosedRange<DayKey>?
    /// How many items it was computed of.
    var count: Int
  }

  let query: Query
  var rows: [Row] = []
  /// How many values there are; `rows` has the first of them.
  var rowCount = 0
  var unit: String?
  /// How many items the source has.
  var itemCount: Int
  /// How many of them have an amount, where it is computed of amounts.
  var measured: Int?
  var caveats: [String] = []
  var groundings: [ConceptGrounding] = []
  var cited: [QueryItem] = []
  /// How many items prove it altogether.
  var citationCount = 0
}
