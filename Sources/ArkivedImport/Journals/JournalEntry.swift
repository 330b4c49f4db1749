import ArkivedCore
import Foundation

/// An entry of another program's journal or notebook, which becomes an activity.
struct JournalEntry {
  enum Text {
    case none
    /// The text as typed, line by line.
    case plain(String)
    /// Markdown in which every special character of the text is escaped with a backslash.
    case markdown(String)
  }

  /// The provider of the entry's reference.
  let provider: String
  /// The identifier that distinguishes the entry from the provider's other entries, even after it
  /// was edited.
  let id: String
  /// Further identifiers under which the entry is recognised.
  var otherIDs: [String] = []
  let source: ActivitySource
  var day: DayKey
  /// The start; nil if only the day is known.
  var start: Instant?
  var end: Instant?
  var zone: Zone
  var title: String?
  var text = Text.none
  var tags: [String] = []
  var people: [String] = []
  var isPinned = false
  var place: String?
  var lat: Double?
  var lon: Double?
  var weather: Weather?
  var measurements: [String: Double] = [:]
  var durationMinutes: Double?
  /// Lines of the description.
  var details: [String] = []
  var attachments: [Attachment] = []
  var createdAt: Instant?
  /// The time of the last change; nil if the program doesn't give it.
  var updatedAt: Instant?

  init(
    provider: String, id: String, source: ActivitySource, day: DayKey, start: Instant?, zone: Zone
  ) {
    (self.provider, self.id, self.source) = (provider, id, source)
    (self.day, self.start, self.zone) = (day, start, zone)
  }

  /// Creates an entry for an instant in a zone.
  init(provider: String, id: String, source: ActivitySource, start: Instant, zone: Zone) {
    self.init(
      provider: provider, id: id, source: source, day: zone.dayKey(at: start), start: start,
      zone: zone)
  }

  // MARK: Reading fields

  /// Returns a text without NUL, or nil if it is empty.
  static func words(_ text: String?) -> String? {
    guard let text else { return nil }
    let words = text.replacing("\0", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
    return words.isEmpty ? nil : words
  }

  static func words(_ json: JSON?) -> String? { words(json?.string) }

  /// Returns an instant from milliseconds since 1970, if it is within the years that an archive
  /// supports.
  static func instant(milliseconds: Int64?) -> Instant? {
    guard let milliseconds, (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds)
    else { return nil }
    return Instant(milliseconds: milliseconds)
  }

  /// Sets the coordinates; coordinates that aren't on Earth are reported unless they are a
  /// placeholder for none.
  ///
  /// - Returns: the message about them.
  mutating func setPlace(lat: Double?, lon: Double?) -> String? {
    guard let lat, let lon, lat.isFinite, lon.isFinite, (lat, lon) != (0, 0) else { return nil }
    guard abs(lat) <= 90, abs(lon) <= 180 else {
      // The largest possible number means that there is no place.
      return max(abs(lat), abs(lon)) > 1e300
        ? nil : "skipped: \(lat), \(lon) aren’t valid coordinates"
    }
    (self.lat, self.lon) = (lat, lon)
    return nil
  }

  // MARK: Conversion to an activity

  /// Passes on the entry.
  ///
  /// - Parameters:
  ///   - place: its position in its source.
  ///   - folder: the base folder of its attachment paths.
  ///   - context: the information about the import.
  ///   - sink: takes the records.
  /// - Throws: errors from the sink.
  func take(
    at place: String, folder: URL? = nil, _ context: ImportContext, into sink: any ImportSink
  ) throws {
    // What was read, watched or heard is a recording; other journals may have plans.
    if source == .mediaImport, let problem = context.problem(withRecordedDay: day, at: place) {
      return sink.diagnose(problem)
    }
    var (line, notes) = Self.split(title: Self.words(title), text)
    if line == nil { line = Self.title(of: attachments) ?? Self.words(self.place) }
    guard let line else {
      return sink.diagnose(
        Diagnostic(.skipped, place: place, message: "skipped: the entry is empty"))
    }
    if notes == line { notes = nil }
    let created = createdAt ?? start ?? context.now
    let details = details.compactMap(Self.words)
    var activity = Activity(
      id: context.identities.next(), dayKey: day, startAt: start, endAt: end,
      timeZone: zone.identifier, text: line,
      description: details.isEmpty ? nil : details.joined(separator: "\n"),
      notes: notes, source: source, isPinned: isPinned, locationLabel: Self.words(self.place),
      lat: lat, lon: lon, durationMinutes: durationMinutes, weather: weather,
      tags: tags(place, sink),
      people: people.compactMap(Self.words).map { Mention(name: $0) }, createdAt: created,
      updatedAt: updatedAt ?? created)
    activity.measurements = measurements
    activity.attachments = attachments
    activity.externalRefs = ([id] + otherIDs).map {
      ExternalRef(provider: provider, externalID: $0, fetchedAt: context.now)
    }
    do {
      try activity.validate()
    } catch {
      return sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(error)"))
    }
    try sink.take(
      ImportedRecord(
        .activity(activity), hasOwnVersion: updatedAt != nil, place: place, linksPeople: true,
        attachmentsFolder: folder))
  }

  private func tags(_ place: String, _ sink: any ImportSink) -> [String] {
    var keys: Set<String> = []
    return tags.compactMap { name in
      guard let name = Self.words(name) else { return nil }
      do throws(FieldError) {
        try Tag.validate(name: name)
        return keys.insert(NameFolding.key(name)).inserted ? name : nil
      } catch {
        sink.diagnose(
          Diagnostic(
            .note, place: "\(place) field “tags”",
            message: "skipped the tag \(FieldError.shown(name)): \(error.problem)"))
        return nil
      }
    }
  }

  /// Returns the line used as the entry's title, and the rest.
  private static func split(title: String?, _ text: Text) -> (line: String?, notes: String?) {
    switch text {
    case .none: return title.map { headed($0, nil) } ?? (nil, nil)
    case .plain(let text):
      let body = text.replacing("\0", with: "").replacing("\r\n", with: "\n")
        .replacing("\r", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
      if let title { return headed(title, body.isEmpty ? nil : body) }
      guard !body.isEmpty else { return (nil, nil) }
      let parts = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let first = parts[0].trimmingCharacters(in: .whitespaces)
      let line = DayOneText.shortened(first)
      guard line == first else { return (line, body) }
      let rest = parts.count > 1 ? JrnlEntry.trimmedBody(String(parts[1])) : ""
      return (line, rest.isEmpty ? nil : rest)
    case .markdown(let text):
      guard let title else {
        let read = DayOneText(markdown: text) { _, identifier in
          DayOneMarker(word: "photo", name: identifier)
        }
        return (read.title, read.notes ?? (read.title == nil ? words(text) : nil))
      }
      return headed(title, MarkdownPage(text) { $0 }.text)
    }
  }

  /// Returns a title of one line; if it is too long, the whole title is also placed above the
  /// notes.
  static func headed(_ title: String, _ notes: String?) -> (line: String?, notes: String?) {
    let whole = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let line = DayOneText.shortened(whole)
    guard line != whole else { return (line, notes) }
    return (line, [whole, notes].compactMap { $0 }.joined(separator: "\n\n"))
  }

  /// "Photo", "3 photos, 1 video".
  private static func title(of attachments: [Attachment]) -> String? {
    let kinds = attachments.map { attachment -> DayOneMedia.Kind in
      let type = attachment.mediaType ?? ""
      if type.hasPrefix("video/") { return .video }
      if type.hasPrefix("audio/") { return .audio }
      return type.hasPrefix("image/") ? .photo : .pdf
    }
    return kinds.isEmpty ? nil : DayOneMedia.Kind.title(of: kinds)
  }
}
