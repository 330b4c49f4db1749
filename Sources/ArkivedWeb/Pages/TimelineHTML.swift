import ArkivedCore
import ArkivedStore
import Foundation

/// Writes the entries of a day's page.
///
/// A day may hold thousands, and a template takes forty microseconds for one; this takes three.
struct TimelineHTML {
  private let entries: EntryContext
  private let part: DayPart
  private let dayText: String
  private let meetings: [UUID: UUID]
  private let colours: [String: TagColour]

  /// - Parameters:
  ///   - meetings: those that entries of the day stand for, by the entry.
  ///   - colours: of tags that have one, by their folded names.
  init(
    _ part: DayPart, homeZone: Zone, meetings: [UUID: UUID] = [:],
    colours: [String: TagColour] = [:]
  ) {
    self.part = part
    self.meetings = meetings
    self.colours = colours
    entries = EntryContext(homeZone: homeZone)
    dayText = part.dayKey.description
  }

  /// A page stays readable, and quick on a phone, below this many bytes of entries.
  static let byteLimit = 240_000
  /// Tags, people and files of one entry; more stand on its own page.
  private static let chipLimit = 12

  /// The part's entries in their groups: all day, by time, without a time.
  ///
  /// - Returns: the HTML, and how many of the entries are in it.
  var groups: (html: String, count: Int) {
    var groups = [
      Group(key: "all-day", label: "All day"), Group(key: "timed", label: "Timeline"),
      Group(key: "untimed", label: "Some time that day"),
    ]
    var size = 0
    var count = 0
    for activity in part.activities {
      let isAllDay = activity.isAllDay
      let place = isAllDay ? 0 : activity.startAt == nil ? 2 : 1
      let before = groups[place].html.count
      write(activity, isAllDay: isAllDay, &groups[place].html)
      groups[place].count += 1
      size += groups[place].html.count - before
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
      // Of a part, a number would say nothing about the day.
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

  private func write(_ activity: Activity, isAllDay: Bool, _ html: inout HTMLWriter) {
    let id = activity.id.uuidString
    let href = "/day/\(dayText)\(part.isWhole ? "" : "?at=\(id)")#activity-\(id)"
    let kind = ActivityKind.known.contains(activity.kind) ? activity.kind.rawValue : "other"
    html.raw("<li class=\"entry\" id=\"activity-\(id)\" data-kind=\"\(kind)\">\n")
    writeTime(activity, isAllDay: isAllDay, href, &html)
    html.raw("<span class=\"entry-dot\" aria-hidden=\"true\"></span>\n<div class=\"entry-body\">\n")
    writeText(activity, id, &html)
    writeNotes(activity, &html)
    writeDetails(activity, id, &html)
    html.raw("</div>\n<p class=\"entry-actions\">")
    html.raw(
      "<a class=\"icon-button entry-link\" href=\"\(href)\" aria-label=\"Link to this entry\">"
        + Icon.link + "</a>")
    html.raw("<a class=\"icon-button\" href=\"/activities/\(id)/edit\" aria-label=\"Edit: ")
    html.shown(ClippedText.of(activity.text, limit: 60))
    html.raw("\">" + Icon.edit + "</a></p>\n</li>\n")
  }

  private func writeTime(
    _ activity: Activity, isAllDay: Bool, _ href: String, _ html: inout HTMLWriter
  ) {
    html.raw("<p class=\"entry-time\">")
    if !isAllDay, let time = activity.shownTimeText {
      html.raw(
        "<a href=\"\(href)\" title=\"Link to this entry\">"
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
        "<svg class=\"icon icon-pin\" role=\"img\" aria-label=\"Pinned\">"
          + "<use href=\"/assets/sprite.svg#star\"/></svg> ")
    }
    if let meeting = meetings[activity.id] {
      html.raw("<a class=\"entry-meeting\" href=\"/meetings/\(meeting.uuidString)\">")
      html.isolated(activity.text)
      html.raw("</a>")
    } else {
      html.isolated(activity.text)
    }
    if part.cut.contains(activity.id) {
      html.raw(
        "… <a class=\"read-all\" href=\"/activities/\(id)\">Read all</a>")
    }
    if activity.kind != .other {
      html.raw(" <span class=\"entry-kind\">(")
      html.isolated(EntryContext.capitalised(ClippedText.of(activity.kind.rawValue, limit: 40)))
      html.raw(")</span>")
    }
    html.raw("</p>\n")
  }

  private func writeNotes(_ activity: Activity, _ html: inout HTMLWriter) {
    let notes = [activity.description, activity.notes].compactMap { $0 }.filter { !$0.isEmpty }
    guard let first = notes.first else { return }
    html.raw(TimelineHTML.paragraph("entry-notes", for: first))
    html.shown(notes.joined(separator: "\n\n"))
    html.raw("</p>\n")
  }

  /// A paragraph's beginning, with the direction of the text it will hold.
  static func paragraph(_ name: String, for text: String) -> String {
    VisibleText.isRightToLeft(text) ? "<p class=\"\(name)\" dir=\"rtl\">" : "<p class=\"\(name)\">"
  }

  private func writeDetails(_ activity: Activity, _ id: String, _ html: inout HTMLWriter) {
    let measurements = entries.measurements(activity)
    let place = activity.locationLabel ?? ""
    let isTyped = activity.source == .manual
    guard
      !measurements.isEmpty || !place.isEmpty || !activity.people.isEmpty || !activity.tags.isEmpty
        || !activity.attachments.isEmpty || !isTyped
    else { return }
    html.raw("<ul class=\"meta\" aria-label=\"Details\">\n")
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
    for attachment in limited(activity.attachments) {
      let shown = entries.attachment(attachment)
      chip(shown.label, shown.href, Icon.html(shown.icon), &html)
    }
    if hidden > 0 {
      html.raw(
        "<li><a href=\"/activities/\(id)\">and \(hidden) more</a></li>")
    }
    if !isTyped {
      html.raw("<li class=\"meta-source\">" + Icon.imported)
      html.isolated(ClippedText.of(EntryContext.label(activity.source), limit: 60))
      html.raw("</li>")
    }
    html.raw("\n</ul>\n")
  }

  private func chip(_ label: String, _ href: String, _ mark: String, _ html: inout HTMLWriter) {
    html.raw("<li><a href=\"")
    // A longer name would make a longer address than servers take; it is found on its entry's page.
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
  static let measure = html("measure")
  static let person = html("person")
  static let place = html("place")

  static func html(_ name: String) -> String {
    "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"/assets/sprite.svg#\(name)\"/></svg>"
  }
}
