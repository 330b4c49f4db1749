import ArkivedCore
import ArkivedStore
import Foundation

/// Writes the entries of a day's page.
///
/// A day may have thousands of entries; a template takes forty microseconds for one, and this takes
/// three.
struct TimelineHTML {
  private let entries: EntryContext
  private let part: DayPart
  private let today: DayKey
  private let dayText: String
  private let meetings: [UUID: UUID]
  private let colours: [String: TagColour]
  private let voice: VoiceDesk?
  private let words = EntryWords()

  /// The texts common to all entries, looked up once for a page and safe in its attributes.
  private struct EntryWords {
    let link = HTMLText.escaped(said("Link to this entry"))
    let edit = HTMLText.escaped(said("Edit: "))
    let overlaps = HTMLText.escaped(said("overlaps with "))
    let pinned = HTMLText.escaped(said("Pinned"))
    let readAll = HTMLText.escaped(said("Read all"))
    let details = HTMLText.escaped(said("Details"))
    let meeting = HTMLText.escaped(said("Meeting"))
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - part: the part of the day to show.
  ///   - today: the current day.
  ///   - homeZone: the home time zone.
  ///   - meetings: the meetings that entries of the day represent, by entry.
  ///   - colours: the colours of tags that have one, by their folded names.
  ///   - voice: the service that transcribes recordings, or nil if there is none.
  init(
    _ part: DayPart, today: DayKey, homeZone: Zone, meetings: [UUID: UUID] = [:],
    colours: [String: TagColour] = [:], voice: VoiceDesk? = nil
  ) {
    self.part = part
    self.today = today
    self.meetings = meetings
    self.colours = colours
    self.voice = voice
    entries = EntryContext(homeZone: homeZone)
    dayText = part.dayKey.description
  }

  /// The size in bytes of the entries up to which a page stays readable, and fast on a phone.
  static let byteLimit = 240_000
  /// The number of tags, people and files shown for one entry; its own page shows all.
  private static let chipLimit = 12

  /// The part's entries in their groups: all day, by time, without a time.
  ///
  /// - Returns: the HTML, and the number of entries in it.
  var groups: (html: String, count: Int) {
    var groups = [
      Group(key: "all-day", label: said("All day")), Group(key: "timed", label: said("Timeline")),
      Group(key: "untimed", label: said("Sometime that day")),
    ]
    var size = 0
    var count = 0
    var clock = DayClock()
    for activity in part.activities {
      let isAllDay = activity.isAllDay
      let place = isAllDay ? 0 : activity.startAt == nil ? 2 : 1
      if place == 1 { writeGap(before: activity, clock, &groups[place].html) }
      size += write(activity, isAllDay: isAllDay, &clock, &groups[place].html)
      groups[place].count += 1
      count += 1
      if size > TimelineHTML.byteLimit { break }
    }
    var html = HTMLWriter()
    for group in groups where group.count > 0 {
      html.raw(
        """
        <section class="timeline-group" id="entries-\(group.key)" aria-labelledby="group-\(group.key)">
        <h2 class="section-title" id="group-\(group.key)">\(group.label)
        """)
      // For a part of a day, a count would be misleading.
      if part.isWhole, group.count > 8 { html.raw(" <span class=\"count\">\(group.count)</span>") }
      html.raw("</h2>\n<ol class=\"entries\">\n")
      html.append(group.html)
      html.raw("</ol>\n</section>\n")
    }
    return (html.text, count)
  }

  private struct Group {
    var key: String
    var label: String
    var html = HTMLWriter()
    var count = 0
  }

  /// Writes an entry.
  ///
  /// - Returns: the number of bytes of the entry itself; the menu is the same for each.
  private func write(
    _ activity: Activity, isAllDay: Bool, _ clock: inout DayClock, _ html: inout HTMLWriter
  ) -> Int {
    let before = html.count
    let id = activity.id.uuidString
    let href = "/day/\(dayText)\(part.isWhole ? "" : "?at=\(id)")#activity-\(id)"
    let kind = ActivityKind.known.contains(activity.kind) ? activity.kind.rawValue : "other"
    let overlapped = isAllDay ? nil : clock.enter(activity)
    let mark = overlapped == nil ? "" : " is-overlapping"
    html.raw("<li class=\"entry\(mark)\" id=\"activity-\(id)\"")
    html.raw(" data-kind=\"\(kind)\"\(isAllDay ? "" : minutes(of: activity))>\n")
    writeTime(activity, isAllDay: isAllDay, href, &html)
    html.raw("<span class=\"entry-dot\" aria-hidden=\"true\"></span>\n<div class=\"entry-body\">\n")
    writeText(activity, id, &html)
    if let overlapped { writeOverlap(overlapped, &html) }
    writeNotes(activity, &html)
    writeDetails(activity, id, &html)
    writeFiles(activity, &html)
    html.raw("</div>\n<div class=\"entry-actions\">")
    html.raw(
      "<a class=\"icon-button entry-link\" href=\"\(href)\" aria-label=\"\(words.link)\">"
        + Icon.link + "</a>")
    html.raw(
      "<a class=\"icon-button entry-edit\" href=\"/activities/\(id)/edit\" aria-label=\"\(words.edit)"
    )
    html.shown(ClippedText.of(activity.text, limit: 60))
    html.raw("\">" + Icon.edit + "</a>")
    let size = html.count - before
    EntryMenu(activity, today: today).write(&html)
    html.raw("</div>\n</li>\n")
    return size
  }

  private func writeGap(
    before activity: Activity, _ clock: DayClock, _ html: inout HTMLWriter
  ) {
    guard let gap = clock.gap(before: activity) else { return }
    html.raw("<li class=\"gap\"><span>\(gap)</span></li>\n")
  }

  private func writeOverlap(_ text: String, _ html: inout HTMLWriter) {
    html.raw("<p class=\"entry-overlap\">\(words.overlaps)")
    html.isolated(ClippedText.of(text, limit: 60))
    html.raw("</p>\n")
  }

  private func writeFiles(_ activity: Activity, _ html: inout HTMLWriter) {
    // If the entry has notes, the button is on its own page.
    let isBare = activity.notes?.isEmpty ?? true
    EntryFiles(attachments: activity.attachments, voice: isBare ? voice : nil, isBare: isBare)
      .write(&html)
  }

  /// Returns the start and the end in minutes of the day by the clock, for moving the entry by hand.
  private func minutes(of activity: Activity) -> String {
    guard let start = activity.startAt else { return "" }
    let wall = activity.zone.wallTime(at: start)
    guard wall.day == part.dayKey else { return "" }
    let from = wall.secondOfDay / 60
    // Where clocks are changed in between, that isn't the start and the length.
    let end = activity.endAt.map { activity.zone.wallTime(at: $0).minutes(since: part.dayKey) }
    return " data-from=\"\(from)\" data-to=\"\(max(from, end ?? from))\""
  }

  private func writeTime(
    _ activity: Activity, isAllDay: Bool, _ href: String, _ html: inout HTMLWriter
  ) {
    html.raw("<p class=\"entry-time\">")
    if !isAllDay, let time = activity.shownTimeText {
      html.raw(
        "<a href=\"\(href)\" title=\"\(words.link)\">"
          + "<time datetime=\"\(entries.timeISO(activity, isAllDay: false))\">\(time)</time></a>")
    }
    if activity.startAt != nil, activity.timeZone != entries.homeZone.identifier {
      html.raw(" <span class=\"entry-zone\">")
      html.isolated(ClippedText.of(EntryContext.city(activity.timeZone), limit: 40))
      html.raw("</span>")
    }
    html.raw("</p>\n")
  }

  private func writeText(_ activity: Activity, _ id: String, _ html: inout HTMLWriter) {
    html.raw(TimelineHTML.paragraph("entry-text", for: activity.text))
    if activity.isPinned {
      html.raw(
        "<svg class=\"icon icon-pin\" role=\"img\" aria-label=\"\(words.pinned)\">"
          + "<use href=\"/assets/sprite.svg#star\"/></svg> ")
    }
    if let meeting = meetings[activity.id] {
      html.raw("<a class=\"entry-meeting\" href=\"/meetings/\(meeting.uuidString)\">")
      html.isolated(activity.text)
      html.raw("</a>")
    } else {
      html.raw("<bdi>\(PageLinks.html(ofPlain: activity.text))</bdi>")
    }
    if part.cut.contains(activity.id) {
      html.raw(
        "… <a class=\"read-all\" href=\"/activities/\(id)\">\(words.readAll)</a>")
    }
    if activity.kind != .other {
      html.raw(" <span class=\"entry-kind\">(")
      html.isolated(
        saidWhole(EntryContext.capitalised(ClippedText.of(activity.kind.rawValue, limit: 40))))
      html.raw(")</span>")
    }
    html.raw("</p>\n")
  }

  private func writeNotes(_ activity: Activity, _ html: inout HTMLWriter) {
    let notes = [activity.description, activity.notes].compactMap { $0 }.filter { !$0.isEmpty }
    guard let first = notes.first else { return }
    html.raw(TimelineHTML.paragraph("entry-notes", for: first))
    html.raw(PageLinks.html(ofPlain: notes.joined(separator: "\n\n")))
    html.raw("</p>\n")
  }

  /// Returns the start of a paragraph with the direction of the text it will contain.
  static func paragraph(_ name: String, for text: String) -> String {
    VisibleText.isRightToLeft(text) ? "<p class=\"\(name)\" dir=\"rtl\">" : "<p class=\"\(name)\">"
  }

  private func writeDetails(_ activity: Activity, _ id: String, _ html: inout HTMLWriter) {
    let measurements = entries.measurements(activity)
    let place = activity.locationLabel ?? ""
    let isTyped = activity.source == .manual
    let meeting = meetings[activity.id]
    let linked = activity.attachments.filter { !EntryFiles.isShown($0) }
    guard
      !measurements.isEmpty || !place.isEmpty || !activity.people.isEmpty || !activity.tags.isEmpty
        || !linked.isEmpty || !isTyped || meeting != nil
    else { return }
    html.raw("<ul class=\"meta\" aria-label=\"\(words.details)\">\n")
    var hidden = 0
    func limited<Item>(_ items: [Item]) -> ArraySlice<Item> {
      hidden += max(0, items.count - TimelineHTML.chipLimit)
      return items.prefix(TimelineHTML.chipLimit)
    }
    for label in limited(measurements) {
      html.raw("<li class=\"meta-measure\">" + Icon.measure)
      html.isolated(ClippedText.of(label, limit: 60))
      html.raw("</li>")
    }
    if !place.isEmpty {
      html.raw("<li>" + Icon.place)
      html.isolated(ClippedText.of(place, limit: 120))
      html.raw("</li>")
    }
    for person in limited(activity.people) {
      let href =
        person.personID.map { "/people/\($0.uuidString)" }
        ?? "/search?person=\(URLText.escaped(person.name))"
      chip(person.name, href, Icon.person, &html)
    }
    for tag in limited(activity.tags) {
      let colour = colours.isEmpty ? nil : colours[NameFolding.key(tag)]
      chip(
        tag, "/search?tag=\(URLText.escaped(tag))",
        "<span class=\"hash\(colour.map { " tag-\($0.rawValue)" } ?? "")\" aria-hidden=\"true\">#</span>",
        &html)
    }
    hidden += max(0, activity.attachments.count - linked.count - EntryFiles.limit)
    for attachment in limited(linked) {
      let shown = entries.attachment(attachment)
      chip(shown.label, shown.href, Icon.html(shown.icon), &html)
    }
    if hidden > 0 {
      html.raw(
        "<li><a href=\"/activities/\(id)\">\(said("and \(hidden) more"))</a></li>")
    }
    if meeting != nil {
      html.raw("<li class=\"meta-source\">\(Icon.meeting)\(words.meeting)</li>")
    } else if !isTyped {
      html.raw("<li class=\"meta-source\">" + Icon.imported)
      html.isolated(ClippedText.of(EntryContext.label(activity.source), limit: 60))
      html.raw("</li>")
    }
    html.raw("\n</ul>\n")
  }

  private func chip(_ label: String, _ href: String, _ mark: String, _ html: inout HTMLWriter) {
    html.raw("<li><a href=\"")
    // A longer name would exceed the address length servers accept; its entry's page shows it.
    html.value(href.utf8.count <= 2_000 ? href : "/search")
    html.raw("\">" + mark)
    html.isolated(ClippedText.of(label, limit: 40))
    html.raw("</a></li>")
  }
}

/// The icons of the sprite.
enum Icon {
  static let edit = html("edit")
  static let imported = html("import")
  static let link = html("link")
  static let meeting = html("calendar")
  static let more = html("more")
  static let measure = html("measure")
  static let person = html("person")
  static let place = html("place")

  static func html(_ name: String) -> String {
    "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"/assets/sprite.svg#\(name)\"/></svg>"
  }
}
