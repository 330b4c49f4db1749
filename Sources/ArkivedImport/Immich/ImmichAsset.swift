package import ArkivedCore
package import Foundation

/// A photo or video as an Immich server describes it.
///
/// Source of the shape: `AssetResponseDto` and `ExifResponseDto` of Immich 1.106 to 3.0.
package struct ImmichAsset: Hashable, Sendable {
  package let id: UUID
  /// The ID of the account that it belongs to.
  package let owner: String
  package let fileName: String
  package let isVideo: Bool
  /// True if it is in the timeline, and neither archived, hidden, locked nor in the trash.
  package let isShown: Bool
  package let updatedAt: Instant
  /// The instant when it was taken.
  let takenAt: Instant
  /// The time by the camera's clock, which the server writes as if it were UTC.
  let wall: WallTime?
  /// The SHA-1 hash of its original in Base64, which stays the same on another server.
  let checksum: String?
  /// The size of its original in bytes; nil if the server doesn't know it yet.
  package let byteCount: Int?
  let place: GeoPlace?
  /// The names of its place: the town, and the country.
  let placeName: String?
  let camera: String?
  /// The description that somebody wrote.
  let caption: String?

  private static let textLimit = 2_000
  private static let nameLimit = 200

  /// Reads an asset.
  ///
  /// - Returns: nil if it lacks what every asset has: an ID, the account, and times.
  package init?(_ json: JSON) {
    guard let id = json["id"]?.string.flatMap(UUID.init(uuidString:)),
      let owner = json["ownerId"]?.string,
      let takenAt = json["fileCreatedAt"]?.string.flatMap({ Instant($0) }),
      let updatedAt = json["updatedAt"]?.string.flatMap({ Instant($0) })
    else { return nil }
    (self.id, self.owner, self.takenAt, self.updatedAt) = (id, owner, takenAt, updatedAt)
    wall = json["localDateTime"]?.string.flatMap { ISODateTime($0)?.wall }
    isVideo = json["type"]?.string == "VIDEO"
    let visibility = json["visibility"]?.string ?? "timeline"
    isShown =
      visibility == "timeline" && json["isTrashed"]?.bool != true
      && json["isArchived"]?.bool != true
    fileName = Self.fileName(json["originalFileName"]?.string) ?? (isVideo ? "video" : "photo")
    checksum = json["checksum"]?.string.flatMap { text in
      (20...100).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
    let exif = json["exifInfo"]
    byteCount = exif?["fileSizeInByte"]?.int.flatMap { $0 > 0 ? min($0, 1 << 40) : nil }
    if let lat = exif?["latitude"]?.double, let lon = exif?["longitude"]?.double {
      place = GeoPlace(lat: lat, lon: lon)
    } else {
      place = nil
    }
    func words(_ name: String) -> String? { exif?[name]?.string.flatMap(PlaceEntries.line) }
    let names = [words("city") ?? words("state"), words("country")].compactMap { $0 }
    placeName = names.isEmpty ? nil : String(names.joined(separator: ", ").prefix(300))
    camera = Self.camera(make: words("make"), model: words("model"))
    caption = exif?["description"]?.string.flatMap(PlaceEntries.words)
      .map { String($0.prefix(Self.textLimit)) }
  }

  package var hasCaption: Bool { caption != nil }

  /// The name that identifies it in the archive.
  package var identity: String { checksum ?? id.uuidString.lowercased() }

  package static let provider = "immich"

  /// Returns the day on which it was taken.
  package func day(home: Zone) -> DayKey { time(home: home).day }

  /// Returns the time when it was taken; the offset of the camera's clock is the difference between
  /// the two times that the server knows.
  func time(home: Zone) -> PhotoTime {
    guard let wall else { return PhotoTime(instant: takenAt, home: home) }
    return PhotoTime(wall: wall, offset: nil, utc: takenAt, home: home)
  }

  /// Returns the camera as one name; the maker is omitted if the model includes it.
  private static func camera(make: String?, model: String?) -> String? {
    guard let model else { return make.map { String($0.prefix(100)) } }
    guard let maker = make?.split(separator: " ").first,
      !model.lowercased().hasPrefix(maker.lowercased())
    else { return String(model.prefix(100)) }
    return String("\(maker) \(model)".prefix(100))
  }

  private static func fileName(_ text: String?) -> String? {
    guard let last = text?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else {
      return nil
    }
    let plain = last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    let name = String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces)
    guard name.utf8.count > nameLimit else { return name.isEmpty ? nil : name }
    // The ending says what it is.
    return String(name.suffix(nameLimit / 4))
  }
}
