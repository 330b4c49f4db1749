import Foundation

/// A type that can validate itself.
public protocol Validatable {
  /// Validates the fields.
  ///
  /// - Throws: a `FieldError` with the first invalid field and the reason.
  func validate() throws(FieldError)
}

/// The size of an entry's texts.
package enum TextSize {
  /// The largest size of all texts of an entry in JSON, in bytes; with everything else, they must
  /// fit into one line of an export or a backup, of which 64 MiB are read.
  package static let limit = (64 << 20) - 1_000_000

  /// Returns the field with the largest text if the texts take more than a limit in JSON; otherwise
  /// nil.
  package static func excess(
    of texts: [(field: StaticString, text: String?)], limit: Int = limit
  ) -> StaticString? {
    var size = 0
    for (_, text) in texts { size += text?.utf8.count ?? 0 }
    // No byte takes more than six in JSON.
    guard size > limit / 6 else { return nil }
    if size <= limit {
      size = texts.reduce(0) { sum, one in
        sum + (one.text.map { JSON.string($0).text().utf8.count } ?? 0)
      }
    }
    guard size > limit else { return nil }
    return texts.max { ($0.text?.utf8.count ?? 0) < ($1.text?.utf8.count ?? 0) }?.field
  }
}

/// Rejects NUL, which SQLite's text functions treat as the end, and texts that are too large
/// together.
func refuseUnusable(_ texts: (field: StaticString, text: String?)...) throws(FieldError) {
  for (field, text) in texts where text?.utf8.contains(0) == true {
    throw FieldError("\(field)", "contains a NUL character. Remove it")
  }
  if let field = TextSize.excess(of: texts) {
    throw FieldError("\(field)", "is too large. Attach it as a file")
  }
}

/// Returns true if a text contains only white space.
func isBlank(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
}

extension Activity: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("text", text), ("description", description), ("notes", notes), ("kind", kind.rawValue),
      ("source", source.rawValue), ("timeZone", timeZone), ("locationLabel", locationLabel),
      ("typedText", typedText))
    for person in people { try refuseUnusable(("people", person.name)) }
    for ref in externalRefs {
      try refuseUnusable(("externalRefs", ref.provider), ("externalRefs", ref.externalID))
    }
    for unit in measurements.keys { try refuseUnusable(("measurements", unit)) }
    guard !isBlank(text) else { throw FieldError("text", "is empty. Enter what you did") }
    guard !timeZone.isEmpty else {
      throw FieldError("timeZone", "is empty, but must be an IANA time zone such as Europe/Rome")
    }
    guard !kind.rawValue.isEmpty else { throw FieldError("kind", "is empty") }
    guard !source.rawValue.isEmpty else { throw FieldError("source", "is empty") }
    if let startAt, let endAt, endAt < startAt {
      throw FieldError("endAt", "\(shown(endAt)) is before the start \(shown(startAt))")
    }
    if dayPeriod != nil, startAt == nil || endAt != nil {
      throw FieldError("dayPeriod", "needs startAt and no endAt")
    }
    if let startAt, let zone = Zone(timeZone) {
      // A journal may start its days at four in the morning, so a neighbouring day is allowed.
      let local = zone.dayKey(at: startAt)
      guard abs(local.distance(to: dayKey)) <= 1 else {
        throw FieldError("dayKey", "is \(dayKey), but the start is on \(local) in \(timeZone)")
      }
    }
    try Activity.validate(lat: lat, lon: lon)
    for (unit, amount) in measurements.sorted(by: { $0.key < $1.key }) {
      guard !isBlank(unit) else {
        throw FieldError("measurements", "has an amount without a unit")
      }
      guard amount.isFinite, amount >= 0 else {
        throw FieldError(
          "measurements.\(unit)", "is \(FieldError.shown(amount)). Enter 0 or more")
      }
    }
    if let durationMinutes, !(durationMinutes.isFinite && durationMinutes >= 0) {
      throw FieldError(
        "durationMinutes", "is \(FieldError.shown(durationMinutes)). Enter 0 or more")
    }
    for tag in tags { try Tag.validate(name: tag) }
    for person in people where isBlank(person.name) {
      throw FieldError("people", "contains an empty name")
    }
    for attachment in attachments { try attachment.validate() }
  }

  private static func validate(lat: Double?, lon: Double?) throws(FieldError) {
    if let lat, !(lat.isFinite && abs(lat) <= 90) {
      throw FieldError("lat", "is \(lat), but a latitude must be between -90 and 90")
    }
    if let lon, !(lon.isFinite && abs(lon) <= 180) {
      throw FieldError("lon", "is \(lon), but a longitude must be between -180 and 180")
    }
    guard (lat == nil) == (lon == nil) else {
      throw FieldError(lat == nil ? "lat" : "lon", "is missing. A place needs both lat and lon")
    }
  }
}

extension DayEntry: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("title", title), ("note", note), ("people", people.map(\.name).joined()),
      ("externalRefs", externalRefs.map { $0.provider + $0.externalID }.joined()))
    if let mood, !(1...5).contains(mood) {
      throw FieldError("mood", "is \(mood), but must be between 1 and 5")
    }
    if let energy, !(1...5).contains(energy) {
      throw FieldError("energy", "is \(energy), but must be between 1 and 5")
    }
    for attachment in attachments { try attachment.validate() }
  }

  /// True if the day has no content and doesn't need to be stored.
  package var isBlank: Bool {
    (title ?? "").isEmpty && note.isEmpty && mood == nil && energy == nil && weather == nil
      && attachments.isEmpty && externalRefs.isEmpty
  }
}

extension DayMetric: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(("metric", metric), ("unit", unit), ("source", source))
    guard !metric.isEmpty else { throw FieldError("metric", "is empty") }
    guard value.isFinite else { throw FieldError("value", "isn’t a finite number") }
    for (name, bound) in [("min", minimum), ("max", maximum)] {
      if let bound, !bound.isFinite { throw FieldError(name, "isn’t a finite number") }
    }
    if let minimum, let maximum, minimum > maximum {
      throw FieldError("min", "is greater than max")
    }
  }
}

extension Tag: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try Tag.validate(name: name)
    if let colorHex {
      let digits = colorHex.dropFirst()
      guard colorHex.hasPrefix("#"), digits.count == 6, digits.allSatisfy(\.isHexDigit) else {
        throw FieldError("colorHex", "is \(FieldError.shown(colorHex)), but must look like #1A7F4B")
      }
    }
  }

  /// Returns names without their # and surrounding blanks, each once.
  package static func names(_ given: [String]) -> [String] {
    var known: Set<String> = []
    return given.map { name in
      String(name.trimmingCharacters(in: .whitespacesAndNewlines).drop { $0 == "#" })
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }.filter { known.insert(NameFolding.key($0)).inserted }
  }

  /// Returns a name without its # and surrounding blanks, folded for comparing.
  package static func key(_ given: String) -> String {
    NameFolding.key(names([given]).first ?? given)
  }

  /// Checks that a tag's name is not blank and has no surrounding white space or control
  /// characters.
  package static func validate(name: String) throws(FieldError) {
    guard !isBlank(name) else { throw FieldError("tags", "contains an empty name") }
    guard name.utf8.count <= 200 else {
      throw FieldError("tags", "contains a name of more than 200 bytes")
    }
    // These are the control characters of Unicode: C0, DEL and C1.
    guard
      !name.unicodeScalars.contains(where: {
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
      })
    else { throw FieldError("tags", "contains a control character in \(FieldError.shown(name))") }
  }
}

extension Activity {
  /// Returns an instant in local time with its time zone, for messages.
  private func shown(_ instant: Instant) -> String {
    guard let zone = Zone(timeZone) else { return instant.description }
    let wall = zone.wallTime(at: instant)
    return "\(wall.day) \(wall.clockText) (\(timeZone))"
  }
}

extension Person: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("name", name), ("email", email), ("aliases", aliases.joined()),
      ("addresses", furtherAddresses.joined()), ("relationshipSummary", relationshipSummary))
    let names = [name, email].compactMap { $0 } + aliases + furtherAddresses
    guard names.contains(where: { !NameFolding.key($0).isEmpty }) else {
      throw FieldError("name", "is missing. A person needs a name, an alias or an address")
    }
    if let email, !Person.isAddress(email) {
      throw FieldError(
        "email", "is \(FieldError.shown(email)), but must look like name@example.org")
    }
    for address in furtherAddresses where !Person.isAddress(address) {
      throw FieldError(
        "addresses",
        "contains \(FieldError.shown(address)), but an address must look like name@example.org")
    }
  }

  /// Returns true if a text has the form of a mail address; the check is only as strict as an
  /// archive needs.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.contains(where: \.isWhitespace)
  }
}

extension Attachment: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("attachments.caption", caption), ("attachments.externalURL", externalURL),
      ("attachments.originalName", originalName), ("attachments.mediaType", mediaType))
    guard !type.rawValue.isEmpty else { throw FieldError("attachments.type", "is empty") }
    guard relativePath != nil || externalURL != nil else {
      throw FieldError("attachments", "needs a file or an address")
    }
    if let relativePath {
      let parts = relativePath.split(separator: "/", omittingEmptySubsequences: false)
      guard !parts.isEmpty, parts.allSatisfy({ !["", ".", ".."].contains($0) }),
        !relativePath.utf8.contains(0), !relativePath.contains("\\")
      else {
        throw FieldError(
          "attachments.relativePath",
          "is \(FieldError.shown(relativePath)), but must stay inside the attachments folder")
      }
    }
    if let externalURL {
      let scheme = externalURL.prefix { $0 != ":" }.lowercased()
      guard ["http", "https", "mailto", "geo", "tel"].contains(scheme) || isReference else {
        throw FieldError(
          "attachments.externalURL",
          "is \(FieldError.shown(externalURL)), but only http, https, mailto, geo and tel are allowed"
        )
      }
    }
    if let byteCount, byteCount < 0 { throw FieldError("attachments.byteCount", "is negative") }
  }
}
