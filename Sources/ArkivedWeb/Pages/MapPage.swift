import ArkivedAssistant
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The page of the map: a choice of days, and the places as a table next to the map.
struct MapPage: Sendable {
  let question: InsightQuestion
  let content: MapDesk.Content
  /// The days from which to choose.
  let choice: InsightChoice
  /// The places of the table.
  let clusters: [MapSpots.Cluster]

  /// The zoom level for which the table's places are grouped, at which a town is one place or a few.
  private static let tableZoom = 10

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - question: the days to show.
  ///   - desk: provides the content of the map.
  ///   - limit: the maximum number of rows of the table.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  init(_ question: InsightQuestion, _ desk: MapDesk, limit: Int) throws {
    self.question = question
    content = try desk.content(question)
    choice = try desk.spans(question)
    clusters = content.spots.clusters(
      in: .world, zoom: Self.tableZoom, limit: limit, photos: content.photos)
  }

  /// Returns the question for the map of a day; nil if none of its entries has a position.
  static func question(of part: DayPart, today: DayKey) -> InsightQuestion? {
    guard
      part.activities.contains(where: {
        $0.lat != nil || $0.attachments.contains(where: WayFile.isWay)
      })
    else { return nil }
    let day = part.dayKey.description
    return try? InsightQuestion(.places, today: today) { $0 == "span" ? nil : day }
  }

  /// Returns the address of the map of the question's days.
  static func address(_ question: InsightQuestion) -> String { "/map?\(query(question))" }

  /// Returns the days as a query.
  static func query(_ question: InsightQuestion) -> String {
    guard case .days(let days) = question.span else { return "span=\(question.span.argument)" }
    return "from=\(days.lowerBound)&to=\(days.upperBound)"
  }

  /// Returns the number of entries and days as part of a sentence.
  static func sum(entries: Int, days: Int) -> String {
    let entries = InsightText.count(entries, "entry", "entries")
    return said(
      days, one: "\(entries) on \(InsightText.count(days)) day",
      other: "\(entries) on \(InsightText.count(days)) days")
  }

  var context: [String: Any] {
    let spots = content.spots
    let days = question.days
    let (first, last) = (
      days.lowerBound == .earliest ? nil : days.lowerBound,
      days.upperBound == .latest ? nil : days.upperBound
    )
    let isEmpty = spots.count == 0 && content.lines.isEmpty
    var facts = [Self.sum(entries: spots.count, days: spots.days)]
    let (routes, photos) = (content.lines.count, content.photoCount)
    if routes > 0 {
      facts.append(
        said(
          routes, one: "\(InsightText.count(routes)) route",
          other: "\(InsightText.count(routes)) routes"))
    }
    if photos > 0 {
      facts.append(
        said(
          photos, one: "\(InsightText.count(photos)) photo",
          other: "\(InsightText.count(photos)) photos"))
    }
    return [
      "pageSheet": "map",
      "spans": choice.options.map { option($0, choice) }, "from": first?.description ?? "",
      "to": last?.description ?? "",
      "isEmpty": isEmpty, "hasMap": !isEmpty,
      "facts": facts.joined(separator: " · "),
      "hasRows": !clusters.isEmpty, "hasPhotos": content.photoCount > 0,
      "rows": clusters.map(row), "mapHTML": Self.html(question, label: question.span.words),
      "isCoarse": MapTiles.detail() == nil,
    ]
  }

  /// Returns the element that the script turns into a map.
  ///
  /// - Parameters:
  ///   - question: the days to show.
  ///   - label: the description of the map for screen readers.
  ///   - isPart: true if the map is part of another page, which scrolls past it.
  /// - Returns: the HTML of the element.
  static func html(_ question: InsightQuestion, label: String, isPart: Bool = false) -> String {
    var html = HTMLWriter()
    html.raw("<div class=\"map\" data-map data-needs=\"map\" data-query=\"")
    html.shown(query(question))
    html.raw("\" data-label=\"")
    html.shown(label)
    html.raw("\"\(isPart ? " data-part" : "")")
    if let detail = MapTiles.detail() { html.raw(" data-detail=\"\(detail.mark)\"") }
    if PlaceNames.installed() != nil { html.raw(" data-towns") }
    html.raw("></div>")
    // Loaded only if scripts are off.
    html.raw("<noscript><img class=\"map-picture\" src=\"/map.svg?")
    html.shown(query(question))
    html.raw("\" width=\"\(Int(MapDrawing.width))\" height=\"\(Int(MapDrawing.height))\" alt=\"")
    html.shown(label)
    html.raw("\"></noscript>")
    return html.text
  }

  private func option(_ option: InsightChoice.Option, _ choice: InsightChoice) -> [String: Any] {
    [
      "value": option.value, "label": ClippedText.of(option.label, limit: 60),
      "isChosen": option.value == choice.chosen,
    ]
  }

  private func row(_ cluster: MapSpots.Cluster) -> [String: Any] {
    [
      "href": address(of: cluster), "name": ClippedText.of(name(cluster), limit: 80),
      "entries": InsightText.count(cluster.entries), "days": InsightText.count(cluster.days),
      "photos": InsightText.count(cluster.photos), "first": cluster.first.shownName,
      "last": cluster.last.shownName, "lastISO": cluster.last.description,
    ]
  }

  private func name(_ cluster: MapSpots.Cluster) -> String {
    cluster.isOnePlace || cluster.place == nil || cluster.entries == 1
      ? cluster.name : said("\(cluster.name) and surroundings")
  }

  /// Returns the address of the only day of a group, or of the list of its days.
  private func address(of cluster: MapSpots.Cluster) -> String {
    guard cluster.days > 1 else { return "/day/\(cluster.first)" }
    let (box, name) = (cluster.box, cluster.name)
    let place = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "/map/days?\(Self.query(question))&west=\(box.west)&south=\(box.south)&east=\(box.east)"
      + "&north=\(box.north)&place=\(place)"
  }
}
