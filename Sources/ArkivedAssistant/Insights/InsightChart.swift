package import ArkivedCore

/// The content of a chart, independent of how it is drawn.
package enum InsightChart: Sendable {
  case year(YearPixels)
  case rows(RowChart)
  case series(SeriesChart)
  case map(PlaceMap)

  /// The trend's numbers; nil if the chart has none.
  var trendJSON: JSON? {
    guard case .series(let series) = self, let trend = series.trend else { return nil }
    return [
      "method": "least squares", "change": JSON(InsightText.rounded(trend.slope)),
      "per": .string(series.grain.rawValue), "buckets": JSON(trend.count),
    ]
  }
}

/// The days of a year, each with a level.
package struct YearPixels: Sendable {
  package struct Cell: Hashable, Sendable {
    /// 1 to 5; 0 if there is no data.
    package var level: Int
    /// The value itself, because colour alone isn't a description.
    package var text: String
    /// The value in words: "mood 4", "12 entries".
    package var words: String
  }

  package var year: Int
  /// The name of the quantity shown: "mood", "energy", "entries".
  package var name: String
  /// The cells by day of the year, starting at 0; nil for future days.
  package var cells: [Cell?]
  /// The meanings of the levels 1 to 5.
  package var legend: [String]
}

/// Horizontal bars, one per row.
package struct RowChart: Sendable {
  package struct Row: Sendable {
    package var label: String
    /// The values, one for each of the chart's names.
    package var values: [Double]
    package var text: String
  }

  /// The meanings of a row's bars if there are two.
  package var names: [String] = []
  package var rows: [Row]
  /// The end of the scale; the largest value if nil.
  package var limit: Double?
  /// True if bars extend from the centre to both sides.
  package var isSigned = false
}

/// Values over time, with a trend.
package struct SeriesChart: Sendable {
  package struct Point: Hashable, Sendable {
    package var days: ClosedRange<DayKey>
    package var label: String
    package var value: Double?
  }

  package var name: String
  package var unit: String?
  package var grain: InsightGrain
  package var points: [Point]
  /// True if values are amounts, shown as bars from zero; readings are shown as a line.
  package var isAmount: Bool
  /// The trend by index of the points.
  package var trend: LeastSquares?
}

/// Places with their coordinates.
package struct PlaceMap: Sendable {
  package struct Spot: Hashable, Sendable {
    package var name: String
    package var latitude: Double
    package var longitude: Double
    package var entries: Int
  }

  package var spots: [Spot]
  /// The range of latitudes within the frame.
  package var latitudes: ClosedRange<Double>
  package var longitudes: ClosedRange<Double>
}
