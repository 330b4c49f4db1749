import ArkivedAssistant
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The map of an archive: the page `/map`, its data, and `/api/v1/map`.
struct MapController: Sendable {
  let desk: MapDesk
  let pages: Pages

  /// The number of rows of the page's table and of days in a list.
  private static let rowLimit = 100
  private static let townLimit = 80

  func addRoutes(to router: Router<WebContext>) {
    router.get("/map", use: page)
    router.get("/map.svg", use: drawing)
    router.get("/map/days", use: days)
    router.get("/map/names", use: names)
    router.get("/map/towns", use: towns)
    router.get("/map/squares/:zoom/:x/:y", use: square)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/map", use: document)
  }

  private static let arguments: Set = [
    "span", "from", "to", "west", "south", "east", "north", "zoom",
  ]

  @Sendable func document(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    try request.refuseArguments(besides: Self.arguments)
    let question = try desk.question(fields)
    let (box, zoom) = try MapDesk.view(fields)
    return Response(
      json: try await offServer { try desk.answer(question, in: box, zoom: zoom).json })
  }

  // MARK: Pages

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let question = try desk.question(Self.chosen(request.fields))
    let shown = try await offServer { try MapPage(question, desk, limit: Self.rowLimit) }
    return try pages.page("map", title: said("Map"), section: .map, shown.context)
  }

  /// Returns the arguments without the days that don't count: a form sends its days along with
  /// another choice, which wins.
  private static func chosen(_ fields: FormFields) -> FormFields {
    let span = fields.text("span")
    return fields.leavingOut(span == nil || span == "days" ? ["span"] : ["from", "to"])
  }

  /// Returns the map as one picture.
  @Sendable func drawing(_ request: Request, context: WebContext) async throws -> Response {
    let question = try desk.question(request.fields)
    let svg = try await offServer { try MapDrawing.svg(question, desk) }
    return Response(
      status: .ok, headers: [.contentType: "image/svg+xml"],
      body: .init(byteBuffer: ByteBuffer(string: svg)))
  }

  /// Returns the list of the days with entries in an area.
  @Sendable func days(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let question = try desk.question(Self.chosen(fields))
    let (box, _) = try MapDesk.view(fields)
    let days = try await offServer { try desk.content(question).spots.days(in: box) }
    let entries = days.reduce(0) { $0 + $1.entries }
    return try pages.page(
      "map-days", title: said("Days at this place"), section: .map,
      [
        "pageSheet": "map",
        "title": fields.text("place").map { ClippedText.of($0, limit: 80) }
          ?? said("Days at this place"),
        "sum": MapPage.sum(entries: entries, days: days.count),
        "days": days.prefix(Self.rowLimit).map { day in
          [
            "href": "/day/\(day.day)", "label": day.day.shownLongName,
            "count": InsightText.count(day.entries, "entry", "entries"),
          ]
        },
        "hasMore": days.count > Self.rowLimit,
        "more": said(
          "Showing the latest \(Self.rowLimit). Choose a shorter period to see the others."),
        "mapHref": MapPage.address(question),
      ])
  }

  // MARK: Map data

  @Sendable func square(_ request: Request, context: WebContext) async throws -> Response {
    func number(_ name: String) -> Int? { context.parameters.get(name).flatMap { Int($0) } }
    guard let zoom = number("zoom"), let x = number("x"), let y = number("y"),
      let map = MapTiles.coarse.contains(zoom)
        ? MapTiles.world : zoom == MapTiles.fine ? MapTiles.detail()?.map : nil
    else {
      throw WebFailure(.notFound, "File not found", "This part of the map doesn’t exist.")
    }
    return Self.file(
      ByteBuffer(bytes: map.square(zoom: zoom, x: x, y: y)), "application/octet-stream", request)
  }

  @Sendable func names(_ request: Request, context: WebContext) async throws -> Response {
    let names = MapTiles.world?.countries(in: .current) ?? []
    let json = JSON.array(
      names.map {
        [
          "zoom": JSON($0.zoom), "lat": JSON($0.latitude), "lon": JSON($0.longitude),
          "name": .string($0.text),
        ]
      })
    return Self.file(ByteBuffer(bytes: json.bytes()), "application/json", request)
  }

  /// Returns the largest towns in an area, if the list of places was fetched.
  @Sendable func towns(_ request: Request, context: WebContext) async throws -> Response {
    let (box, _) = try MapDesk.view(request.fields)
    let towns = try await offServer {
      PlaceNames.installed()?.towns(limit: Self.townLimit) {
        box.contains(latitude: $0, longitude: $1)
      } ?? []
    }
    let json = JSON.array(
      towns.map {
        [
          "name": .string($0.name), "lat": JSON($0.latitude), "lon": JSON($0.longitude),
          "people": JSON($0.people),
        ]
      })
    return Self.file(ByteBuffer(bytes: json.bytes()), "application/json", request)
  }

  /// Returns a file that contains nothing personal; browsers keep a file with a version for a long
  /// time.
  private static func file(_ bytes: ByteBuffer, _ type: String, _ request: Request) -> Response {
    let isVersioned = request.uri.query?.contains("v=") == true
    return Response(
      status: .ok,
      headers: [
        .contentType: type,
        .cacheControl: isVersioned ? "private, max-age=31536000, immutable" : "no-cache",
      ], body: .init(byteBuffer: bytes))
  }
}
