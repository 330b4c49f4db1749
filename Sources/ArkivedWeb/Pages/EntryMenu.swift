import ArkivedCore
import Foundation

/// The menu of an entry on its day's page: a disclosure with forms, which needs no script.
struct EntryMenu {
  private let activity: Activity
  private let today: DayKey

  init(_ activity: Activity, today: DayKey) {
    self.activity = activity
    self.today = today
  }

  func write(_ html: inout HTMLWriter) {
    let id = activity.id.uuidString
    let path = "/activities/\(id)"
    let milliseconds = activity.updatedAt.milliseconds
    let version = "<input type=\"hidden\" name=\"version\" value=\"\(milliseconds)\">"
    html.raw("\n<details class=\"entry-menu\" name=\"entry-menu\"><summary class=\"icon-button\" ")
    html.raw("aria-label=\"")
    html.value(said("More: "))
    html.shown(ClippedText.of(activity.text, limit: 60))
    html.raw("\">\(Icon.more)</summary>\n<div class=\"menu\">")
    html.raw("<a class=\"menu-item\" href=\"\(path)/edit\">\(said("Edit"))</a>")
    html.raw("<form method=\"post\" action=\"\(path)/delete\" data-quiet>\(version)")
    item("\(path)/pin", "pinned", activity.isPinned ? "false" : "true", pinWord, &html)
    item("\(path)/duplicate", "day", activity.dayKey.description, said("Duplicate"), &html)
    if activity.dayKey != today {
      item("\(path)/duplicate", "day", today.description, said("Duplicate to today"), &html)
    }
    html.raw("<button class=\"menu-item menu-danger\">\(said("Delete"))</button></form>\n")
    html.raw("<form class=\"menu-move\" method=\"post\" action=\"\(path)/move\" data-quiet>")
    html.raw("\(version)")
    html.raw("<label>\(said("Day")) <input type=\"date\" name=\"day\" required")
    html.raw(" value=\"\(activity.dayKey)\"></label>")
    html.raw("<label>\(said("Time")) <input type=\"time\" name=\"time\" value=\"\(time)\"></label>")
    html.raw("<label>\(said("Until")) <input type=\"time\" name=\"until\"")
    html.raw(" value=\"\(Self.end(of: activity))\"></label>")
    html.raw("<button class=\"button button-small\">\(said("Move"))</button>")
    if activity.startAt != nil {
      html.raw("<button class=\"button button-small button-plain\" name=\"untimed\"")
      html.raw(" value=\"true\">\(said("No time"))</button>")
    }
    html.raw("</form></div></details>\n")
  }

  private var pinWord: String { activity.isPinned ? said("Unpin") : said("Pin") }

  private var time: String {
    guard !activity.isAllDay, let start = activity.clockStart else { return "" }
    return activity.zone.wallTime(at: start).clockText
  }

  /// Returns the clock time at which an entry ends, or an empty text.
  static func end(of activity: Activity) -> String {
    guard !activity.isAllDay, let end = activity.endAt else { return "" }
    return activity.zone.wallTime(at: end).clockText
  }

  private func item(
    _ action: String, _ name: String, _ value: String, _ word: String, _ html: inout HTMLWriter
  ) {
    html.raw("<button class=\"menu-item\" formaction=\"\(action)\" name=\"\(name)\"")
    html.raw(" value=\"\(value)\">\(word)</button>")
  }
}
