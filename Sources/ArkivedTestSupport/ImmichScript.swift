package import ArkivedCore
package import Foundation
import Synchronization

/// A small Immich server on 127.0.0.1 with the photos that a test gives it.
package final class ImmichScript: Sendable {
  package struct Photo: Sendable {
    package var id: UUID
    package var owner = ImmichScript.owner
    package var name: String
    /// The instant when it was taken.
    package var taken: Instant
    /// The minutes of the camera's clock east of UTC.
    package var minutesEast = 60
    package var updated: Instant
    package var isVideo = false
    package var visibility = "timeline"
    package var isTrashed = false
    package var description = ""
    package var place: (lat: Double, lon: Double)?
    package var city: String?
    package var country: String?
    /// The picture; nil while the server is still making it.
    package var preview: Data?
    package var original = Data()

    /// Creates a photo with a picture of its own.
    ///
    /// - Parameters:
    ///   - number: distinguishes it from the others, up to 255.
    ///   - taken: the time when it was taken, such as "2026-03-10T14:05:00Z".
    ///   - name: the name of its file.
    ///   - updated: the time when it was uploaded; as it was taken if nil.
    package init(_ number: UInt8, _ taken: String, name: String? = nil, updated: String? = nil) {
      let digits = String(number, radix: 16)
      let tail = String(repeating: "0", count: 12 - digits.count) + digits
      id = UUID(uuidString: "11111111-0000-4000-8000-\(tail)") ?? UUID()
      self.name = name ?? "IMG_\(number).png"
      self.taken = Instant(taken) ?? .earliest
      self.updated = updated.flatMap { Instant($0) } ?? self.taken
      preview = TestPicture.png(width: 8, height: 8, seed: number)
    }

    fileprivate var json: JSON {
      let local = taken.adding(seconds: minutesEast * 60)
      return [
        "id": .string(id.uuidString.lowercased()), "ownerId": .string(owner),
        "type": isVideo ? "VIDEO" : "IMAGE", "originalFileName": .string(name),
        "originalPath": .string("/upload/\(name)"), "fileCreatedAt": .string(Self.stamp(taken)),
        "localDateTime": .string(Self.stamp(local)), "updatedAt": .string(Self.stamp(updated)),
        "isTrashed": .bool(isTrashed), "isArchived": .bool(visibility == "archive"),
        "visibility": .string(visibility), "checksum": .string(checksum),
        "people": [["name": "Somebody"]],
        "exifInfo": [
          "make": "Canon", "model": "EOS R5", "latitude": JSON(place?.lat),
          "longitude": JSON(place?.lon), "city": JSON(city), "country": JSON(country),
          "description": .string(description), "fileSizeInByte": JSON(original.count),
        ],
      ]
    }

    private var checksum: String {
      Data(id.uuidString.utf8.suffix(20)).base64EncodedString()
    }

    /// Returns a time as JavaScript writes it.
    private static func stamp(_ instant: Instant) -> String {
      instant.description.replacing("Z", with: ".000Z")
    }
  }

  package static let key = "immich-key-7"
  package static let owner = "owner-1"

  /// The number of photos in a page, whatever the client asks for.
  private static let pageSize = 3

  package let server: CalendarServer
  private let photos = Mutex<[Photo]>([])

  package init(_ photos: [Photo] = []) throws {
    server = try CalendarServer()
    self.photos.withLock { $0 = photos }
    answerAll()
  }

  package var address: String { server.origin }

  /// Changes what the server has.
  package func change(_ body: @Sendable (inout [Photo]) -> Void) { photos.withLock { body(&$0) } }

  /// Answers every request as Immich does.
  package func answerAll() {
    server.reply { [weak self] in self?.reply($0) ?? .answer(500) }
  }

  /// The paths that were asked for, without their arguments.
  package var paths: [String] {
    server.requests.map { String($0.path.prefix { $0 != "?" }) }
  }

  /// Answers one request.
  package func reply(_ request: CalendarServer.Request) -> CalendarServer.Reply {
    let path = request.path.prefix { $0 != "?" }
    if path == "/api/server/ping" { return Self.answer(["res": "pong"]) }
    guard request.headers["x-api-key"] == Self.key else {
      return .answer(401, "{\"message\":\"Invalid API key\",\"statusCode\":401}")
    }
    if path == "/api/users/me" {
      return Self.answer(["id": .string(Self.owner), "email": "me@example.org"])
    }
    if path == "/api/search/metadata", request.method == "POST" { return search(request.body) }
    let parts = path.split(separator: "/")
    guard request.method == "GET", parts.count == 4, parts.starts(with: ["api", "assets"]),
      let id = UUID(uuidString: String(parts[2])),
      let photo = photos.withLock({ $0.first { $0.id == id } })
    else { return .answer(404, "{\"message\":\"Not found\",\"statusCode\":404}") }
    let content = parts[3] == "original" ? photo.original : photo.preview
    guard let content else { return .answer(404, "{\"statusCode\":404}") }
    return .answer(200, headers: ["Content-Type": "image/png"], body: Array(content))
  }

  private func search(_ body: String) -> CalendarServer.Reply {
    let asked = try? JSON(parsing: body)
    let page = asked?["page"]?.int ?? 1
    let after = asked?["updatedAfter"]?.string.flatMap { Instant($0) } ?? .earliest
    let found = photos.withLock { $0 }.filter { $0.updated >= after }
      .sorted { $0.taken < $1.taken }
    let shown = found.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
    let hasMore = page * Self.pageSize < found.count
    return Self.answer([
      "albums": ["items": []],
      "assets": [
        "total": JSON(shown.count), "count": JSON(shown.count),
        "items": .array(shown.map(\.json)),
        "nextPage": hasMore ? .string("\(page + 1)") : .null,
      ],
    ])
  }

  private static func answer(_ json: JSON) -> CalendarServer.Reply {
    .answer(200, headers: ["Content-Type": "application/json"], json.text())
  }
}
