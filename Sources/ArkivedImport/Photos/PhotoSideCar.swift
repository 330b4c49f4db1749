import ArkivedCore
import Foundation

/// The contents of a photo's sidecar file: Google Takeout's JSON, or XMP.
struct PhotoSideCar: Sendable {
  /// The instant when the photo was taken.
  private(set) var instant: Instant?
  /// The time by the camera's clock, with its offset if that is known.
  private(set) var wall: WallTime?
  private(set) var offset: Int?
  private(set) var place: GeoPlace?
  private(set) var caption: String?
  private(set) var people: [String] = []

  /// The maximum size of a file, in bytes.
  static let lengthLimit = 4 << 20

  /// Parses Google Takeout's JSON: `photoTakenTime.timestamp` in seconds as text, `geoDataExif` and
  /// `geoData` with 0, 0 for nowhere, `description`, `people[].name`.
  ///
  /// Source of the shape: exports of Google Photos, 2018 to 2025.
  init?(takeout content: Data) {
    guard content.count <= Self.lengthLimit,
      let json = try? JSON(parsing: String(decoding: content, as: UTF8.self)),
      json["photoTakenTime"] != nil || json["geoData"] != nil
    else { return nil }
    if let text = json["photoTakenTime"]?["timestamp"]?.string, let seconds = Int64(text),
      abs(seconds) < 100_000_000_000, seconds != 0
    {
      instant = Instant(milliseconds: seconds * 1000)
    }
    for key in ["geoDataExif", "geoData"] where place == nil {
      guard let lat = json[key]?["latitude"]?.double, let lon = json[key]?["longitude"]?.double
      else { continue }
      place = GeoPlace(lat: lat, lon: lon)
    }
    caption = json["description"]?.string.flatMap(Self.words)
    people = (json["people"]?.array ?? []).compactMap { $0["name"]?.string.flatMap(Self.words) }
  }

  /// Parses an XMP packet, in the photo or next to it (ISO 16684-1), with properties as attributes
  /// or elements, found by their usual prefixes.
  init?(packet: String) {
    func property(_ name: String) -> String? {
      if let start = packet.range(of: "\(name)=\"") {
        return packet[start.upperBound...].firstIndex(of: "\"").map {
          String(packet[start.upperBound..<$0].prefix(200))
        }
      }
      guard let start = packet.range(of: "<\(name)>"),
        let end = packet.range(of: "<", range: start.upperBound..<packet.endIndex)
      else { return nil }
      return String(packet[start.upperBound..<end.lowerBound].prefix(200))
    }
    for name in ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"]
    where wall == nil {
      guard let text = property(name), let wall = ImageMetadata.wallTime(text) else { continue }
      self.wall = wall
      let rest = text.dropFirst(16).drop { $0 != "+" && $0 != "-" && $0 != "Z" }
      offset = ImageMetadata.offset(String(rest))
    }
    if let lat = property("exif:GPSLatitude").flatMap(Self.degrees),
      let lon = property("exif:GPSLongitude").flatMap(Self.degrees)
    {
      place = GeoPlace(lat: lat, lon: lon)
    }
    guard wall != nil || place != nil else { return nil }
  }

  /// Parses "50,5.05N" or "50,5,3N".
  private static func degrees(_ text: String) -> Double? {
    guard let side = text.last?.uppercased(), "NSEW".contains(side) else { return nil }
    let parts = text.dropLast().split(separator: ",").compactMap { Double($0) }
    guard (1...3).contains(parts.count) else { return nil }
    let amount = zip(parts, [1.0, 60, 3600]).reduce(0.0) { $0 + $1.0 / $1.1 }
    return side == "S" || side == "W" ? -amount : amount
  }

  private static func words(_ text: String) -> String? {
    let text = text.replacing("\0", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : String(text.prefix(2_000))
  }

  // MARK: Names of sidecar files

  /// The file extensions of photos and videos, after which a sidecar's suffix may follow.
  static let endings =
    [
      "jpg", "jpeg", "png", "heic", "heif", "gif", "webp", "avif", "tif", "tiff", "dng", "cr2",
      "nef", "arw", "raf", "orf", "rw2",
    ] + videoEndings
  static let videoEndings = ["mp4", "mov", "m4v", "3gp", "avi", "mkv"]

  private static let mark = ".supplemental-metadata"
  /// The shortest length at which Takeout may cut the name of a sidecar; without its extension,
  /// that is at 46 characters, and in other scripts some bytes earlier.
  private static let cut = 43

  /// Returns true if a name is that of a sidecar file.
  static func isName(_ name: String) -> Bool {
    let name = name.lowercased()
    if [".xmp", ".aae", ".thm"].contains(where: { name.hasSuffix($0) }) { return true }
    guard name.hasSuffix(".json") else { return false }
    let stem = name.dropLast(5)
    return stem.count >= cut || stem == "metadata"
      || endings.contains { stem.hasSuffix(".\($0)") || stem.contains(".\($0).") }
      || stem.hasSuffix(")") && endings.contains { stem.contains(".\($0)(") }
  }

  /// Returns the names of a photo's Takeout sidecars among those of its folder, all in lower case.
  ///
  /// They are `a.jpg.json`, `a.jpg.supplemental-metadata.json` and its truncated forms
  /// (`a.jpg.supp.json`); the number of `a(1).jpg` is at the end, `a.jpg(1).json` and
  /// `a.jpg.supplemental-metadata(1).json`; an edited photo has its original's, unless it has its
  /// own.
  static func takeoutName(of photo: String, among names: PhotoSideCarNames) -> String? {
    let own = photo.lowercased()
    let original = editions.reduce(own) { name, word in
      name.replacing("\(word).", with: ".").replacing("\(word)(", with: "(")
    }
    return name(of: own, among: names) ?? (original == own ? nil : name(of: original, among: names))
  }

  /// The ends of edited photos' names, in the language of the account.
  private static let editions = [
    "-edited", "-effects", "-smile", "-mix", "-cover", "-bearbeitet", "-modifié", "-ha editado",
    "-editado", "-editada", "-editat", "-modificato", "-bewerkt", "-edytowane", "-redigerad",
    "-編集済み", "-已修改", "-编辑",
  ]

  /// Returns the name of a photo's sidecar, which may be that of its original.
  private static func name(of photo: String, among names: PhotoSideCarNames) -> String? {
    let (plain, number) = withoutNumber(photo)
    let full = plain + mark
    let candidates =
      names.beginning(with: String(plain.prefix(cut)))
      + names.beginning(with: String(photo.prefix(cut)))
    return candidates.filter { name in
      guard name.hasSuffix(".json") else { return false }
      let stem = String(name.dropLast(5))
      // The number may also stay in its place within the photo's name.
      if stem == photo || "\(photo)\(mark)".hasPrefix(stem) && stem.count > photo.count {
        return true
      }
      let (base, own) = splitNumber(stem)
      return own == number && full.hasPrefix(base)
        && (base.count >= plain.count || base.count >= cut)
    }.max { ($0.count, $1) < ($1.count, $0) }
  }

  /// Splits `a(1).jpg` into `a.jpg` and `(1)`.
  private static func withoutNumber(_ name: String) -> (plain: String, number: String) {
    guard let dot = name.lastIndex(of: ".") else { return (name, "") }
    let (base, number) = splitNumber(String(name[..<dot]))
    return (base + name[dot...], number)
  }

  private static func splitNumber(_ text: String) -> (base: String, number: String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("),
      case let digits = text[text.index(after: open)...].dropLast(), !digits.isEmpty,
      digits.allSatisfy({ ("0"..."9").contains($0) })
    else { return (text, "") }
    return (String(text[..<open]), String(text[open...]))
  }
}

/// The sorted names of a folder's sidecars, which allows finding those of one photo quickly among
/// thousands.
struct PhotoSideCarNames: Sendable {
  private let sorted: [String]

  init(_ names: some Sequence<String>) {
    sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func beginning(with prefix: String) -> ArraySlice<String> {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].utf8.lexicographicallyPrecedes(prefix.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return sorted[low...].prefix { $0.utf8.starts(with: prefix.utf8) }
  }
}
