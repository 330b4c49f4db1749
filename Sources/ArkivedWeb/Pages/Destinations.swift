import ArkivedCore
import Foundation

/// A page or an action in the palette.
struct Destination: Sendable {
  var label: String
  var href: String
  /// Other names for finding it, in the reader's language.
  var words = ""
  /// True if it is something to do, false if it is a page to read.
  var isAct = false

  /// Returns the rank of the destination for the words of a query, best first; nil if one of them
  /// isn't the beginning of any of its words.
  func rank(_ query: [String], whole: String) -> Int? {
    let name = Self.folded(label)
    let own = Self.split(name)
    let all = own + Self.split(Self.folded(words))
    guard query.allSatisfy({ word in all.contains { $0.hasPrefix(word) } }) else { return nil }
    if name == whole { return 0 }
    if name.hasPrefix(whole) { return 1 }
    return query.allSatisfy { word in own.contains { $0.hasPrefix(word) } } ? 2 : 3
  }

  /// Returns a text without case and accents.
  static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  static func split(_ folded: String) -> [String] {
    folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Returns all destinations in the reader's language that the visitor may open.
  static func all(today: DayKey) -> [Destination] {
    (acts(today: today) + pages).filter { one in
      let path = one.href.prefix { $0 != "?" && $0 != "#" }
      return !Visitor.isDevice || DeviceRoutes.admit(String(path), isReading: true)
    }
  }

  private static func acts(today: DayKey) -> [Destination] {
    [
      Destination(
        label: said("Add to this day"), href: "/#line", words: said("new entry, write, add"),
        isAct: true),
      Destination(
        label: said("Write today’s note"), href: "/day/\(today)/note/edit",
        words: said("day note, journal, diary, edit"), isAct: true),
      Destination(
        label: said("Read the brief"), href: "/meetings/next/brief",
        words: said("next meeting, prepare"), isAct: true),
      Destination(label: said("New goal"), href: "/goals/new", words: said("add"), isAct: true),
      Destination(label: said("New action"), href: "/actions/new", words: said("add"), isAct: true),
      Destination(
        label: said("New meeting"), href: "/meetings/new", words: said("add"), isAct: true),
      Destination(label: said("New note"), href: "/notes/new", words: said("add"), isAct: true),
      Destination(label: said("New person"), href: "/people/new", words: said("add"), isAct: true),
      Destination(label: said("New value"), href: "/values/new", words: said("add"), isAct: true),
      Destination(label: said("New term"), href: "/terms/new", words: said("add"), isAct: true),
      Destination(
        label: said("Import files"), href: "/settings/imports",
        words: said("bring in, upload, add data"), isAct: true),
      Destination(
        label: said("Import from other apps"), href: "/settings/imports/services",
        words: said("export, service, move"), isAct: true),
      Destination(
        label: said("Link a calendar"), href: "/calendars", words: said("subscribe caldav"),
        isAct: true),
      Destination(
        label: said("Link an address book"), href: "/settings/address-books",
        words: said("contacts carddav"), isAct: true),
      Destination(
        label: said("Link Immich or Dawarich"), href: "/settings/linked",
        words: said("photos, locations, server"), isAct: true),
      Destination(
        label: said("Make a backup"), href: "/settings/backup", words: said("back up, copy, safe"),
        isAct: true),
      Destination(
        label: said("Restore a backup"), href: "/settings/backup/restore",
        words: said("recover, test, get back"), isAct: true),
      Destination(
        label: said("Export everything"), href: "/settings/storage",
        words: said("download, Markdown, save"), isAct: true),
      Destination(
        label: said("Move to another computer"), href: "/settings/backup/move",
        words: said("pack, new computer"), isAct: true),
      Destination(
        label: said("Merge another archive"), href: "/settings/backup/merge",
        words: said("combine, join"), isAct: true),
      Destination(
        label: said("Pair a phone"), href: "/settings/phone", words: said("mobile device"),
        isAct: true),
      Destination(
        label: said("Undo a change"), href: "/settings/history",
        words: said("back, history, restore"), isAct: true),
      Destination(
        label: said("Delete permanently"), href: "/settings/forget",
        words: said("forget, purge, erase, remove"), isAct: true),
    ]
  }

  private static var pages: [Destination] {
    func page(_ label: String, _ href: String, _ words: String = "") -> Destination {
      Destination(label: label, href: href, words: words)
    }
    return [
      page(said("Today"), "/", said("home day")),
      page(said("Calendar"), "/calendar", said("month days")),
      page(said("This week"), "/calendar?of=week", said("calendar week")),
      page(said("This year"), "/calendar?of=year", said("calendar year")),
      page(said("All years"), "/calendar?of=years", said("calendar life")),
      page(said("This year as a poster"), "/calendar/poster", said("calendar, year, print")),
      page(said("Recap"), "/recap", said("summary, day, week, month")),
      page(said("Map"), "/map", said("places, routes, where")),
      page(said("Photos"), "/photos", said("pictures, album")),
      page(said("Search"), "/search", said("find")),
      page(said("Assistant"), "/ask", said("ask, question, answer")),
      page(said("Conversations"), "/threads", said("assistant questions")),
      page(said("Waiting for approval"), "/pending", said("confirm programs")),
      page(said("Goals"), "/goals"), page(said("Actions"), "/actions", said("goals")),
      page(said("Review matches"), "/goals/review", said("goals")),
      page(said("Linked files"), "/sync", said("goals")),
      page(said("Values"), "/values", said("goals")), page(said("Terms"), "/terms", said("goals")),
      page(said("Life"), "/life", said("weeks years")),
      page(said("Meetings"), "/meetings", said("agenda")), page(said("People"), "/people"),
      page(said("Notes"), "/notes"), page(said("Promises"), "/promises", said("tasks overdue")),
      page(said("Calendars"), "/calendars"),
      page(
        said("Possible duplicates"), "/settings/imports/duplicates",
        said("twice, double, imports")),
      page(said("What’s new"), "/settings/news", said("update, version, changelog")),
      page(said("Sample life"), "/welcome/sample", said("example, demo, try")),
    ]
      + InsightTab.allCases.map {
        page(said("Insights: \($0.label)"), $0.href, said("statistics charts"))
      }
      + SettingsPages.Tab.allCases.map {
        page(said("Settings: \($0.label)"), $0.href, said("preferences options"))
      }
  }
}
