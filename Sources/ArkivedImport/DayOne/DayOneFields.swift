import ArkivedCore
import Foundation

/// Reads the fields of an entry as far as possible and notes those that can't be read.
struct DayOneFields {
  struct Location {
    var label: String?
    var lat: Double?
    var lon: Double?
    var zone: String?
  }

  private let json: JSON
  private(set) var remarks: [DayOneEntry.Remark] = []
  private(set) var location = Location()

  init(_ json: JSON) {
    self.json = json
    readLocation()
  }

  private mutating func remark(_ field: String, _ message: String) {
    remarks.append(DayOneEntry.Remark(field: field, message: message))
  }

  /// Returns a text without NUL characters, which no archive stores, or nil for the placeholders
  /// that some versions write for nothing.
  func string(_ key: String) -> String? { Self.clean(json[key]?.string) }

  private static func clean(_ text: String?) -> String? {
    guard let text, text != "(null)" else { return nil }
    return text.utf8.contains(0) ? text.replacing("\0", with: "") : text
  }

  private static func words(_ text: String?) -> String? {
    let words = clean(text)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return words.isEmpty ? nil : words
  }

  func flag(_ key: String) -> Bool {
    json[key]?.bool ?? json[key]?.int.map { $0 != 0 } ?? false
  }

  mutating func instant(_ key: String) -> Instant? {
    guard let value = json[key], value != .null else { return nil }
    if let instant = value.string.flatMap({ Instant($0) }) { return instant }
    if key != "creationDate" {
      remark(
        key, "is \(FieldError.shown(value.text())), which isn’t a valid date and time; skipped")
    }
    return nil
  }

  // MARK: Text

  /// Returns the entry's text as Day One's Markdown, with the messages of rich-text objects.
  mutating func text() -> (markdown: String, sayings: [String]) {
    let text = json["text"]?.string ?? ""
    let isBlank = MarkdownPage.isBlank(text)
    guard let value = json["richText"], value != .null, isBlank || Self.hasSayings(value) else {
      return (text, [])
    }
    let rich: DayOneRichText
    do {
      rich = try DayOneRichText(value)
    } catch {
      if isBlank { remark("richText", "isn’t valid JSON and was skipped: \(error)") }
      return (text, [])
    }
    return isBlank ? (rich.markdown, []) : (text, rich.sayings)
  }

  /// Returns true if a rich text may contain objects with a message; most contain only media.
  private static func hasSayings(_ value: JSON) -> Bool {
    guard let text = value.string else { return value.object != nil }
    return text.contains("embeddedObjects")
      && [
        "contact", "location", "motionActivity", "podcast", "song", "workout", "genericMedia",
        "stateOfMind", "externalVideo", "externalAudio", "preview", "dayOneEntry",
      ].contains { text.contains("\"\($0)\"") }
  }

  /// The writer's circumstances, such as "Walking, 75 steps" and "Music: Karma Police, Radiohead".
  var circumstances: String? {
    var lines: [String] = []
    let activity = json["userActivity"]
    let doing = Self.words(activity?["activityName"]?.string).flatMap {
      $0 == "Stationary" ? nil : $0
    }
    let steps = activity?["stepCount"]?.int.flatMap { $0 > 0 ? "\($0) steps" : nil }
    let movement = [doing, steps].compactMap { $0 }
    if !movement.isEmpty { lines.append(movement.joined(separator: ", ")) }
    let music = ["track", "artist", "album"].compactMap { Self.words(json["music"]?[$0]?.string) }
    if !music.isEmpty { lines.append("Music: \(music.joined(separator: ", "))") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  // MARK: Zone

  /// Returns the zone that the entry gives, or else the zone of its place, or else the owner's.
  mutating func zone(home: Zone) -> Zone {
    let named = Self.words(json["timeZone"]?.string)
    if let zone = named.flatMap(Self.zone) { return zone }
    let zone = location.zone.flatMap(Self.zone) ?? home
    if let named {
      remark(
        "timeZone",
        "is \(FieldError.shown(named)), an unknown time zone; \(zone.identifier) was used instead")
    }
    return zone
  }

  /// Returns a zone for a name from IANA, Windows or Apple.
  static func zone(_ name: String) -> Zone? {
    if let zone = Zone(name) { return zone }
    if let iana = WindowsZones.iana(name) { return Zone(iana) }
    // Apple's systems write "GMT+0200" for a zone without a place. IANA counts westward.
    let digits = name.dropFirst(4).filter { $0 != ":" }
    guard name.hasPrefix("GMT"), let sign = name.dropFirst(3).first, sign == "+" || sign == "-",
      digits.count == 4, digits.hasSuffix("00"), let hours = Int(digits.prefix(2)), hours <= 14
    else { return nil }
    return hours == 0 ? .utc : Zone("Etc/GMT\(sign == "+" ? "-" : "+")\(hours)")
  }

  // MARK: Place and weather

  private mutating func readLocation() {
    guard let place = json["location"], place.object != nil else { return }
    location.zone = Self.words(place["timeZoneName"]?.string)
    var names: [String] = []
    for key in ["userLabel", "placeName", "localityName", "administrativeArea", "country"] {
      guard let name = Self.words(place[key]?.string), !names.contains(name) else { continue }
      names.append(name)
    }
    location.label = names.isEmpty ? nil : names.joined(separator: ", ")
    let lat = place["latitude"]?.double
    let lon = place["longitude"]?.double
    guard lat != nil || lon != nil else { return }
    guard let lat, let lon, abs(lat) <= 90, abs(lon) <= 180 else {
      return remark("location", "has no valid latitude and longitude; skipped")
    }
    location.lat = lat
    location.lon = lon
  }

  /// Returns the weather without impossible values.
  func weather() -> Weather? {
    guard let json = json["weather"], json.object != nil else { return nil }
    func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
      json[key]?.double.flatMap { range.contains($0) ? Self.rounded($0) : nil }
    }
    let weather = Weather(
      conditions: Self.words(json["conditionsDescription"]?.string),
      temperatureCelsius: number("temperatureCelsius", -100...70),
      humidityPercent: number("relativeHumidity", 0...100),
      windSpeedKph: number("windSpeedKPH", 0...500))
    return weather == Weather() ? nil : weather
  }

  /// Rounds values that were 32-bit numbers: 7.8000001907348633 was 7.8.
  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  // MARK: Tags

  /// Returns the entry's tags and its journal's tag.
  mutating func tags(journal: String?) -> [String] {
    var tags: [String] = []
    var keys: Set<String> = []
    for value in json["tags"]?.array ?? [] {
      guard let tag = Self.words(value.string) else {
        if value != .null {
          remark("tags", "contains \(value.text()), which isn’t a valid name; skipped")
        }
        continue
      }
      do throws(FieldError) {
        try Tag.validate(name: tag)
        if keys.insert(NameFolding.key(tag)).inserted { tags.append(tag) }
      } catch {
        remark("tags", "\(error.problem); skipped")
      }
    }
    if let journal, keys.insert(NameFolding.key(journal)).inserted { tags.append(journal) }
    return tags
  }
}
