import ArkivedAssistant
import ArkivedCore
import Foundation

/// Draws the charts of insights.
struct InsightDrawings {
  let target: Drawing.Target
  /// The title of the picture.
  let title: String

  func html(_ chart: InsightChart) -> String {
    switch chart {
    case .year(let pixels): year(pixels)
    case .rows(let rows): self.rows(rows)
    case .series(let series): self.series(series)
    case .map(let map): self.map(map)
    }
  }

  // MARK: A year

  /// The layout of a year's days.
  private struct YearGrid {
    /// True for a row per month, false for a row per day of the month.
    let isWide: Bool
    let left: Double
    let top = 20.0
    let cellWidth: Double
    let cellHeight: Double

    /// A row per month, if there is enough width for 31 days.
    static let wide = YearGrid(isWide: true, left: 30, cellWidth: 26, cellHeight: 26)
    /// A row per day, for a phone, on which a cell is still 24 wide.
    static let tall = YearGrid(isWide: false, left: 22, cellWidth: 28, cellHeight: 24)

    var columns: Int { isWide ? 31 : 12 }
    var rows: Int { isWide ? 12 : 31 }
    var width: Double { left + Double(columns) * cellWidth }
    var height: Double { top + Double(rows) * cellHeight }

    func column(_ number: Int) -> Double { left + (Double(number) - 0.5) * cellWidth }
    func row(_ number: Int) -> Double { top + (Double(number) - 0.5) * cellHeight + 4 }

    /// Returns the corner of a day's cell.
    func place(month: Int, day: Int) -> (x: Double, y: Double) {
      let (column, row) = isWide ? (day, month) : (month, day)
      return (
        left + Double(column - 1) * cellWidth + 1, top + Double(row - 1) * cellHeight + 1
      )
    }
  }

  /// Draws a year for wide windows and for narrow ones; a style shows one of the two, and a file
  /// has the wide one.
  private func year(_ pixels: YearPixels) -> String {
    target == .file
      ? year(pixels, .wide, name: "year")
      : year(pixels, .wide, name: "year ins-year-wide")
        + year(pixels, .tall, name: "year ins-year-tall")
  }

  private func year(_ pixels: YearPixels, _ grid: YearGrid, name: String) -> String {
    var drawing = Drawing(for: target)
    let legendHeight = target == .file ? 26.0 : 0
    drawing.begin(
      name, label: title, width: grid.width, height: grid.height + legendHeight, hasLinks: true)
    for month in 1...12 {
      drawing.text(
        MonthName.short(month), x: grid.isWide ? grid.left - 5 : grid.column(month),
        y: grid.isWide ? grid.row(month) : 13, anchor: grid.isWide ? "end" : "middle", size: 10,
        .soft)
    }
    for day in 1...31 {
      drawing.text(
        "\(day)", x: grid.isWide ? grid.column(day) : grid.left - 5,
        y: grid.isWide ? 13 : grid.row(day), anchor: grid.isWide ? "middle" : "end", size: 10,
        .soft)
    }
    let first = DayKey(year: pixels.year, month: 1, day: 1) ?? .earliest
    let (wide, high) = (grid.cellWidth - 2, grid.cellHeight - 2)
    for (place, cell) in pixels.cells.enumerated() {
      let day = first.advanced(by: place)
      let (_, month, dayOfMonth) = day.civil
      let (x, y) = grid.place(month: month, day: dayOfMonth)
      guard let cell else {
        // This is a day in the future.
        drawing.rect(x: x + wide / 2 - 2, y: y + high / 2 - 1, width: 4, height: 2, .line)
        continue
      }
      let words = "\(day.shownPlainName): \(cell.words)"
      drawing.beginLink("/day/\(day)", label: words)
      drawing.rect(
        x: x, y: y, width: wide, height: high, radius: 4, .level(cell.level), tip: words)
      if !cell.text.isEmpty {
        drawing.text(
          cell.text, x: x + wide / 2, y: y + high / 2 + 4, anchor: "middle", size: 11,
          cell.level > 3 ? .over : .ink)
      }
      drawing.endLink()
    }
    if target == .file {
      for (index, label) in pixels.legend.enumerated() {
        let x = grid.left + Double(index) * 66
        let y = grid.height + 6
        drawing.rect(x: x, y: y, width: 14, height: 14, radius: 3, .level(index + 1))
        drawing.text(label, x: x + 18, y: y + 11, size: 10, .soft)
      }
    }
    drawing.end()
    return drawing.html
  }

  // MARK: Rows of bars

  private func rows(_ chart: RowChart) -> String {
    var drawing = Drawing(for: target)
    let bars = max(1, chart.names.count)
    let rowHeight = 28.0 + Double(bars) * 8
    let top = target == .file ? 30.0 : 0
    drawing.begin(
      "rows", label: title, width: nil, height: top + Double(chart.rows.count) * rowHeight)
    if target == .file { drawing.text(title, x: 0, y: 18, size: 14, .ink) }
    let values = chart.rows.flatMap(\.values).map(abs)
    let limit = max(chart.limit ?? 0, values.max() ?? 0)
    for (index, row) in chart.rows.enumerated() {
      let y = top + Double(index) * rowHeight
      // Both texts share a line, which has space for about 50 letters on a phone.
      let label = ClippedText.of(row.label, limit: 22)
      drawing.text(label, x: 0, y: y + 14, .ink)
      drawing.text(
        ClippedText.of(row.text, limit: max(28, 48 - label.count)), x: 100, y: y + 14, unit: "%",
        anchor: "end", .soft)
      for (bar, value) in row.values.enumerated() {
        let place = y + 20 + Double(bar) * 8
        let share = limit > 0 ? abs(value) / limit : 0
        drawing.rect(x: 0, y: place, width: 100, height: 6, unit: "%", .level0)
        if chart.isSigned {
          let half = share * 50
          drawing.rect(
            x: value < 0 ? 50 - half : 50, y: place, width: half, height: 6, unit: "%",
            value < 0 ? .second : .accent)
        } else if value > 0 {
          drawing.rect(
            x: 0, y: place, width: max(share * 100, 0.4), height: 6, unit: "%",
            bar == 0 ? .accent : .second)
        }
      }
      if chart.isSigned {
        drawing.line(50, y + 18, 50, y + 28, unit: "%", .soft)
      }
    }
    drawing.end()
    return drawing.html
  }

  // MARK: Time series

  private func series(_ series: SeriesChart) -> String {
    var drawing = Drawing(for: target)
    let height = 200.0
    let top = 22.0
    let unit = series.unit.map { " " + ClippedText.of($0, limit: 30) } ?? ""
    drawing.begin("series", label: title, width: nil, height: top + height + 22)
    let values = series.points.compactMap(\.value)
    let trendEnds = series.trend.map { trend in
      [trend.value(at: 0), trend.value(at: Double(max(0, series.points.count - 1)))]
    }
    let largest = (values + (trendEnds ?? [])).max() ?? 0
    let least = (values + (trendEnds ?? [])).min() ?? 0
    let bottom = series.isAmount ? min(0, least) : least - (largest - least) * 0.1
    let span = largest > bottom ? largest - bottom : 1
    func share(_ value: Double) -> Double { 100 - (value - bottom) / span * 100 }
    // The numbers of the scale are to the left of the field.
    let (left, wide) = (12.0, 88.0)
    let step = 100 / Double(max(series.points.count, 1))
    for quarter in 0...4 {
      let y = top + height * Double(quarter) / 4
      drawing.line(left, y, 100, y, unit: "%", .line)
      // The scale has numbers at its ends and in its middle.
      guard quarter % 2 == 0 else { continue }
      let value = bottom + span * Double(4 - quarter) / 4
      drawing.text(
        InsightText.number(value), x: left - 1, y: y + 4, unit: "%", anchor: "end", size: 11, .soft)
    }
    if series.isAmount {
      for (index, point) in series.points.enumerated() {
        guard let value = point.value, value > 0 else { continue }
        let y = share(value)
        drawing.rect(
          x: left + (Double(index) + 0.1) * step * wide / 100, y: top + y * height / 100,
          width: step * 0.8 * wide / 100, height: max(1, (share(0) - y) * height / 100), unit: "%",
          .accent,
          tip: "\(point.label): \(InsightText.number(value))\(unit)")
      }
    }
    drawing.beginStretched(x: left, y: top, width: wide, height: height)
    if !series.isAmount {
      var path = ""
      var isBroken = true
      for (index, point) in series.points.enumerated() {
        guard let value = point.value else {
          isBroken = true
          continue
        }
        let place = "\(SVGNumber.of((Double(index) + 0.5) * step)) \(SVGNumber.of(share(value)))"
        // A single point is a line of zero length, which round ends turn into a dot.
        path += isBroken ? "M\(place)h0" : "L\(place)"
        isBroken = false
      }
      drawing.path(path, .accent, width: 2)
    }
    if let trendEnds {
      drawing.line(
        step / 2, share(trendEnds[0]), 100 - step / 2, share(trendEnds[1]), .second, width: 2,
        dashed: true)
    }
    drawing.end()
    let y = top + height + 16
    drawing.text(
      series.points.first?.label ?? "", x: left, y: y, unit: "%", size: 11, .soft)
    drawing.text(
      series.points.last?.label ?? "", x: 100, y: y, unit: "%", anchor: "end", size: 11, .soft)
    drawing.end()
    return drawing.html
  }

  // MARK: A map

  private func map(_ map: PlaceMap) -> String {
    let width = 360.0
    let south = map.latitudes.lowerBound
    let north = map.latitudes.upperBound
    let middle = (south + north) / 2 * .pi / 180
    // The projection is equirectangular: a degree of longitude has its length at the middle of the
    // frame.
    let stretch = max(0.1, cos(middle))
    var across = (map.longitudes.upperBound - map.longitudes.lowerBound) * stretch
    var down = north - south
    // The frame must be neither too flat nor too tall.
    down = max(down, across * 0.5)
    across = max(across, down * 0.8)
    let scale = width / across
    let height = down * scale
    let west = (map.longitudes.lowerBound + map.longitudes.upperBound) / 2 - across / stretch / 2
    let top = (south + north) / 2 + down / 2
    func place(_ spot: PlaceMap.Spot) -> (x: Double, y: Double) {
      ((spot.longitude - west) * stretch * scale, (top - spot.latitude) * scale)
    }
    var drawing = Drawing(for: target)
    drawing.begin("map", label: title, width: width, height: height)
    drawing.rect(x: 0, y: 0, width: width, height: height, radius: 8, .level0)
    grid(&drawing, width, height, west: west, top: top, stretch: stretch, scale: scale)
    let largest = Double(map.spots.map(\.entries).max() ?? 1)
    func radius(_ spot: PlaceMap.Spot) -> Double {
      2 + 10 * (Double(spot.entries) / largest).squareRoot()
    }
    let circles = map.spots.map { spot in
      let (x, y) = place(spot)
      return PlaceLabels.Circle(x: x, y: y, radius: radius(spot))
    }
    for (spot, circle) in zip(map.spots, circles) {
      drawing.circle(
        x: circle.x, y: circle.y, radius: circle.radius, .accent,
        tip: "\(spot.name): \(InsightText.count(spot.entries, "entry", "entries"))")
    }
    let names = map.spots.prefix(40).map { ClippedText.of($0.name, limit: 22) }
    let labels = PlaceLabels(width: width, height: height, circles: circles)
    for label in labels.placed(names) {
      drawing.text(
        names[label.circle], x: label.x, y: label.y, anchor: label.anchor, size: 10, .ink)
    }
    drawing.end()
    return drawing.html
  }

  /// Returns lines at whole degrees, or at fractions of one, as many as are legible.
  private func grid(
    _ drawing: inout Drawing, _ width: Double, _ height: Double, west: Double, top: Double,
    stretch: Double, scale: Double
  ) {
    let across = width / scale / stretch
    let steps: [Double] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90]
    let step = steps.first { across / $0 <= 6 } ?? 90
    var longitude = (west / step).rounded(.up) * step
    while longitude < west + across {
      let x = (longitude - west) * stretch * scale
      drawing.line(x, 0, x, height, .line)
      longitude += step
    }
    var latitude = (top / step).rounded(.down) * step
    while latitude > top - height / scale {
      let y = (top - latitude) * scale
      drawing.line(0, y, width, y, .line)
      latitude -= step
    }
  }
}
