package import ArkivedCore

/// What a chart shows; how it is drawn is the face's matter.
package enum InsightChart: Sendable {
  case year(YearPixels)
  case rows(RowChart)
  case series(SeriesChart)
  case map(PlaceMap)

  /// The trend's numbers, where the chart has one.
  var trendJSON: JSON? {
    guard case .series(let series) = self, let trend = series.trend else { return nil }
    return [
      "method": "least squares", "change": JSON(InsightText.rounded(trend.slope)),
      "per": .string(series.grain.rawValue), "buckets": JSON(trend.count),
    ]
  }
}

/// The days of a year, each with what it was like.
package struct YearPixels: Sendable {
  package struct Cell: Hashable, Sendable {
    /// 1 to 5; 0 where nothing is told.
    package var level: Int
    /// The value itself: colour alone tells nothing.
    package var text: String
    /// "mood 4", "12 entries".
    package var words: String
  }

  package var year: Int
  /// What is shown: "mood", "energy", "entries".
  package var name: String
  /// By day of the year, from 0 on; nil for days to come.
  package var cells: [Cell?]
  /// What each level from 1 to 5 means.
  package var legend: [String]
}

/// Bars one below the other.
package struct RowChart: Sendable {
  package struct Row: Sendable {
    package var label: String
    /// One number for each name of the chart.
    package var values: [Double]
    package var text: String
  }

  /// What the bars of a row stand for, where there are two.
  package var names: [String] = []
  package var rows: [Row]
  /// The end of the scale; nil for the largest value.
  package var limit: Double?
  /// Whether bars start in the middle and lead to both sides.
  package var isSigned = false
}

/// Values along time, with a trend.
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
  /// Whether values are amounts that start at zero, and so bars; readings are a line.
  package var isAmount: Bool
  /// By the place among the points.
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
  /// The coordinates that the frame reaches from and to.
  package var latitudes: ClosedRange<Double>
  package var longitudes: ClosedRange<Double>
}
