import ArkivedCore

/// The result of a query before it is put into words.
struct QueryOutcome {
  enum Value: Hashable {
    case number(Double)
    case text(String)
    case day(DayKey)
    case flag(Bool)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
  }

  struct Row {
    /// The group or other key of the value, as named for programs.
    var key: String?
    var value: Value
    var days: ClosedRange<DayKey>?
    /// The number of items from which it was computed.
    var count: Int
  }

  let query: Query
  var rows: [Row] = []
  /// The total number of values; `rows` contains the first of them.
  var rowCount = 0
  var unit: String?
  /// The number of items in the source.
  var itemCount: Int
  /// The number of items with an amount, if amounts are used.
  var measured: Int?
  /// The same numbers for the other side of a comparison of amounts.
  var against = (items: 0, measured: 0)
  var caveats: [String] = []
  var groundings: [ConceptGrounding] = []
  var cited: [QueryItem] = []
  /// The total number of items that support the result.
  var citationCount = 0
}
