import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The photos of an archive: the pages under `/photos`, and `/api/v1/photos`.
struct PhotoController: Sendable {
  let desk: PhotoDesk
  let pages: Pages

  /// The number of photos that are loaded together, which fills whole rows of 3, 4, 5 and 6.
  static let partSize = 60
  private static let answerLimit = 500

  func addRoutes(to router: Router<WebContext>) {
    router.get("/photos", use: page)
    router.get("/photos/part", use: part)
    router.get("/photos/view/:id", use: view)
  }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/photos", use: document)
  }

  /// Returns `/api/v1/photos`: the number of photos by month, and the photos of some days.
  @Sendable func document(_ request: Request, context: WebContext) async throws -> Response {
    let (days, page) = try request.arguments {
      (reader: inout FieldReader) throws(FieldError) in
      let from = try reader.day("from") ?? .earliest
      let to = try reader.day("to") ?? .latest
      guard from <= to else { throw FieldError("to", "is before “from”") }
      let limit = try reader.int("limit") ?? 100
      guard (1...Self.answerLimit).contains(limit) else {
        throw FieldError("limit", "is \(limit), but must be from 1 to \(Self.answerLimit)")
      }
      let offset = try reader.int("offset") ?? 0
      guard (0...1_000_000_000).contains(offset) else {
        throw FieldError("offset", "is \(offset), but must be from 0 to 1000000000")
      }
      let after = try ListPage.cursor(try reader.string("after"), offset: offset)
      return (from...to, ListPage(limit: limit, offset: offset, after: after))
    }
    let json = try await offServer { () -> JSON in
      let album = try desk.album()
      let places = album.places(days)
      let found = try page.items(id: { $0.owned.attachment.id }) {
        limit, offset -> [PhotoDesk.Photo] in
        let start = min(places.upperBound, places.lowerBound + offset)
        return try desk.photos(album, start..<min(places.upperBound, start + limit))
      }
      return [
        "count": JSON(places.count),
        "months": .array(
          album.months.filter { $0.places.overlaps(places) }.map {
            ["month": .string($0.key), "count": JSON($0.places.clamped(to: places).count)]
          }),
        "photos": .array(found.items.map(Self.json)), "next": found.nextJSON,
      ]
    }
    return Response(json: json)
  }

  private static func json(_ photo: PhotoDesk.Photo) -> JSON {
    let attachment = photo.owned.attachment
    return [
      "id": .string(attachment.id.uuidString), "dayKey": JSON(photo.day),
      "activityId": JSON(photo.owned.entry?.id.uuidString), "caption": JSON(attachment.caption),
      "originalName": JSON(attachment.originalName), "mediaType": JSON(attachment.mediaType),
    ]
  }

  // MARK: Pages

  /// Returns the page of all months, or of a part of one month.
  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let desk = desk
    let album = try await offServer { try desk.album() }
    let asked = try month(fields, album)
    let index = try asked.map { try Self.part(fields, $0) } ?? 0
    guard let month = asked ?? album.months.first else {
      return try pages.page(
        "photos", title: said("Photos"), section: .photos, ["isEmpty": true, "pageSheet": "photos"])
    }
    let photos = try await offServer {
      try desk.photos(album, Self.places(month, part: index))
    }
    let parts = Self.parts(month)
    let isOne = asked != nil
    let newer = album.months.last { $0.first > month.first }
    let older = album.months.first { $0.first < month.first }
    func link(_ month: PhotoDesk.Month?, _ part: Int) -> [String: Any]? {
      month.map { month in
        let name =
          Self.parts(month) > 1
          ? said("\(month.name), part \(part + 1) of \(Self.parts(month))") : month.name
        return ["href": "/photos?month=\(month.key)&part=\(part)", "label": name]
      }
    }
    var shown: [String: Any] = [
      "pageSheet": "photos", "isEmpty": false, "isOne": isOne, "isAll": !isOne,
      "sum": said(
        album.keys.count, one: "\(InsightText.count(album.keys.count)) photo",
        other: "\(InsightText.count(album.keys.count)) photos"),
      "years": Self.years(album), "title": isOne ? month.name : said("Photos"),
      "months": (isOne ? [month] : album.months).map { one in
        [
          "key": one.key, "name": one.name, "count": InsightText.count(one.places.count),
          "number": "\(one.places.count)", "isHere": one == month,
          "tiles": one == month ? photos.map(Self.tile) : [],
          "showLabel": said(
            one.places.count, one: "Show the photo",
            other: "Show the \(InsightText.count(one.places.count)) photos"),
        ] as [String: Any]
      },
    ]
    shown["newer"] =
      index > 0 ? link(month, index - 1) : link(newer, newer.map { Self.parts($0) - 1 } ?? 0)
    shown["older"] = index + 1 < parts ? link(month, index + 1) : link(older, 0)
    return try pages.page(
      "photos", title: isOne ? said("Photos: \(month.name)") : said("Photos"), section: .photos,
      shown)
  }

  /// Returns the tiles of a part of a month, for the page's script.
  @Sendable func part(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let desk = desk
    let album = try await offServer { try desk.album() }
    guard let month = try month(fields, album) else {
      throw WebFailure(
        .badRequest, "Invalid value", "month is missing. Write it like 2026-03.", field: "month")
    }
    let index = try Self.part(fields, month)
    let photos = try await offServer {
      try desk.photos(album, Self.places(month, part: index))
    }
    return Response(html: try pages.html("photo-tiles", ["tiles": photos.map(Self.tile)]))
  }

  /// Returns the page of one photo.
  @Sendable func view(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let desk = desk
    let (album, key, owned) = try await offServer {
      guard let key = try desk.archive.attachmentKey(id),
        let owned = try desk.archive.ownedPhotos([key])[key], owned.attachment.type == .photo
      else { throw ArchiveError.notFound("No photo with the ID \(id.uuidString).") }
      return (try desk.album(), key, owned)
    }
    let place = album.place(of: key)
    let around = try await offServer {
      try desk.archive.attachments(
        [place.map { $0 - 1 }, place.map { $0 + 1 }].compactMap { place in
          place.flatMap { album.keys.indices.contains($0) ? album.keys[$0] : nil }
        })
    }
    func address(_ place: Int?) -> String? {
      guard let place, album.keys.indices.contains(place),
        let attachment = around[album.keys[place]]
      else { return nil }
      return "/photos/view/\(attachment.id.uuidString)"
    }
    let attachment = owned.attachment
    let day = place.map { album.days[$0] }
    let month = place.flatMap { place in album.months.first { $0.places.contains(place) } }
    var shown: [String: Any] = [
      "pageSheet": "photos", "picture": EntryFiles.thumbnail(attachment, .large),
      "label": EntryFiles.pictureLabel(attachment),
      "hasOriginal": MediaType(name: attachment.mediaType ?? "").isSafeInline,
      "original": "/attachments/\(attachment.id.uuidString)",
    ]
    shown["caption"] = attachment.caption.map { ClippedText.of($0, limit: 300) }
    shown["name"] = attachment.originalName.map { ClippedText.of($0, limit: 120) }
    shown["newer"] = address(place.map { $0 - 1 })
    shown["older"] = address(place.map { $0 + 1 })
    if let day {
      shown["dayHref"] =
        owned.entry.map { "/day/\(day)?at=\($0.id.uuidString)#activity-\($0.id.uuidString)" }
        ?? "/day/\(day)"
      shown["day"] = day.shownLongName
    }
    if let entry = owned.entry {
      shown["entryHref"] = "/activities/\(entry.id.uuidString)/edit"
      shown["entry"] = ClippedText.of(entry.text, limit: 160)
    }
    if let month, let place {
      shown["backHref"] =
        "/photos?month=\(month.key)&part=\((place - month.places.lowerBound) / Self.partSize)"
      shown["back"] = month.name
      shown["position"] = said("\(place - month.places.lowerBound + 1) of \(month.places.count)")
    }
    return try pages.page(
      "photo", title: day.map { said("Photo, \($0.shownPlainName)") } ?? said("Photo"),
      section: .photos, shown)
  }

  // MARK: Parts

  private func month(_ fields: FormFields, _ album: PhotoDesk.Album) throws -> PhotoDesk.Month? {
    guard let text = fields.text("month") else { return nil }
    guard let month = album.month(text) else {
      throw WebFailure(
        .notFound, "No photos",
        "There are no photos for \(FieldError.shown(text)). Write a month like 2026-03.",
        field: "month")
    }
    return month
  }

  private static func part(_ fields: FormFields, _ month: PhotoDesk.Month) throws -> Int {
    guard let text = fields.text("part") else { return 0 }
    guard let part = Int(text), (0..<parts(month)).contains(part) else {
      throw WebFailure(
        .badRequest, "Invalid value",
        "part is \(FieldError.shown(text)), but must be from 0 to \(parts(month) - 1).",
        field: "part")
    }
    return part
  }

  private static func parts(_ month: PhotoDesk.Month) -> Int {
    (month.places.count + partSize - 1) / partSize
  }

  private static func places(_ month: PhotoDesk.Month, part: Int) -> Range<Int> {
    let start = month.places.lowerBound + part * partSize
    return start..<min(month.places.upperBound, start + partSize)
  }

  private static func tile(_ photo: PhotoDesk.Photo) -> [String: Any] {
    let attachment = photo.owned.attachment
    return [
      "id": attachment.id.uuidString, "picture": EntryFiles.thumbnail(attachment),
      "label": "\(EntryFiles.pictureLabel(attachment)), \(photo.day.shownPlainName)",
    ]
  }

  private static func years(_ album: PhotoDesk.Album) -> [[String: Any]] {
    var years: [(year: Int, months: [PhotoDesk.Month])] = []
    for month in album.months {
      if years.last?.year != month.first.year { years.append((month.first.year, [])) }
      years[years.count - 1].months.append(month)
    }
    return years.map { year in
      [
        "year": "\(year.year)",
        "yearMonths": year.months.map { month in
          [
            "href": "/photos?month=\(month.key)", "key": month.key,
            "short": MonthName.short(month.first.month), "name": month.name,
          ]
        },
      ]
    }
  }
}
