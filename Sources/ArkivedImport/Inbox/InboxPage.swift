package import ArkivedCore
import Foundation

/// A page of Markdown from an inbox folder.
package struct InboxPage: Sendable {
  package let title: String?
  /// The text without the front matter; unknown properties follow it as lines.
  package let text: String
  package let tags: [String]
  /// The tags of the front matter that the text lacks.
  package let furtherTags: [String]
  package let people: [String]
  package let time: InboxTime
  /// True if the file is named only after its day: `2026-03-05.md`.
  package let isOfDay: Bool
  /// The only line of a page without front matter and headings, treated as a typed line.
  package let line: String?

  /// Parses a page.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - name: the file's name.
  ///   - time: the time according to the name and the file.
  ///   - home: the home time zone.
  ///   - now: the current time.
  package init(_ text: String, named name: InboxName, time: InboxTime, home: Zone, now: Instant) {
    let stem = name.stem
    let front = FrontMatter(text)
    let properties = PageProperties(
      front.properties.filter { !Self.isTime($0.name) }, homeZone: home)
    self.time = Self.time(in: front, home: home, now: now) ?? time
    isOfDay = DayKey(stem) != nil
    // Going line by line from the front would take too long for a file of nothing but line ends.
    var lines = front.body.drop(while: Self.isBlank)
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    var title = properties.title
    let hasHeading = lines.first?.hasPrefix("# ") == true
    if hasHeading, let heading = lines.first?.dropFirst(2).trimmingCharacters(in: .whitespaces),
      !heading.isEmpty, title == nil || title == heading
    {
      title = heading
      lines = lines.dropFirst().drop(while: Self.isBlank)
    }
    line =
      front.properties.isEmpty && front.strange.isEmpty && !hasHeading && lines.count == 1
      ? lines.first.map(String.init) : nil
    var others = properties.lines + Self.strangeTimes(in: front, home: home) + front.strange
    others += properties.metrics.map { "\($0.name): \(AmountText.plain($0.value)) \($0.unit)" }
    if let mood = properties.mood { others.append("mood: \(mood)") }
    if let energy = properties.energy { others.append("energy: \(energy)") }
    if let weather = properties.weather { others.append("weather: \(weather)") }
    let body = lines.joined(separator: "\n")
    self.text = [body, others.joined(separator: "  \n")].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
    let isNamed = name.conflictOf == nil && DayKey(stem) == nil && time.origin != .name
    self.title = title ?? (isNamed ? stem.replacing("_", with: " ") : nil)
    var seen: Set<String> = []
    let inText = JrnlTags.names(in: body, symbols: ["#"])
    tags = (properties.tags + inText).filter { seen.insert(NameFolding.key($0)).inserted }
    let written = Set(inText.map(NameFolding.key))
    furtherTags = tags.filter { !written.contains(NameFolding.key($0)) }
    people = properties.people
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  private static let timeNames = [
    "date", "datetime", "created", "created_at", "creation_date", "time", "ctime", "day",
  ]

  private static func isTime(_ name: String) -> Bool { timeNames.contains(name.lowercased()) }

  /// Returns the first time in the front matter; a page for a day may have its clock time on a
  /// separate line.
  private static func time(in front: FrontMatter, home: Zone, now: Instant) -> InboxTime? {
    let pairs = front.properties.filter { isTime($0.name) }
      .sorted { left, right in
        place(of: left.name) < place(of: right.name)
      }
    let clock = pairs.first { $0.name.lowercased() == "time" }?.values.first
    for value in pairs.compactMap(\.values.first) {
      if let whole = moment(value, home: home) {
        return InboxTime(
          page: home.dayKey(at: min(whole, now)), instant: min(whole, now), home: home)
      }
      guard let day = DayKey(value) else { continue }
      let told = clock.flatMap { moment("\(day)T\($0)", home: home) }
      return InboxTime(page: day, instant: told, home: home)
    }
    return nil
  }

  /// Returns the properties that should contain a time but can't be parsed, so no words of a page
  /// are lost.
  private static func strangeTimes(in front: FrontMatter, home: Zone) -> [String] {
    let times = front.properties.filter { isTime($0.name) }
    let hasDay = times.contains { $0.values.first.map { DayKey($0) != nil } == true }
    return times.compactMap { property -> String? in
      let value = property.values.joined(separator: ", ")
      let isClock = hasDay && moment("2000-01-01T\(value)", home: home) != nil
      guard !value.isEmpty, moment(value, home: home) == nil, DayKey(value) == nil, !isClock
      else { return nil }
      return "\(property.name): \(value)"
    }
  }

  private static func place(of name: String) -> Int {
    timeNames.firstIndex(of: name.lowercased()) ?? timeNames.count
  }

  private static func moment(_ text: String, home: Zone) -> Instant? {
    if let instant = Instant(text) { return instant }
    return ISODateTime(text).map { home.instant(of: $0.wall) }
  }
}
