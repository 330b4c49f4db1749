import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// What the pages of the settings share.
struct SettingsPages: Sendable {
  let shared: GoalSidePages

  /// A page among those of the settings.
  enum Tab: String, CaseIterable {
    case appearance, nudges, tags, imports, capture, history, storage, backup, assistant, programs
    case phone

    var href: String { self == .appearance ? "/settings" : "/settings/\(rawValue)" }
    // words: Appearance | Tags | Imports | Capture | History | Storage | Backup | Assistant
    // words: Programs | Phone
    var label: String {
      self == .nudges ? said("Reminders") : saidWhole(EntryContext.capitalised(rawValue))
    }
  }

  var archive: Archive { shared.archive }
  var zone: Zone { shared.zone }
  var today: DayKey { shared.today }
  var entries: EntryContext { shared.entries }

  /// Renders a page under the tabs of the settings.
  func page(
    _ template: String, title: String, tab: Tab, known: UUID?? = nil, notices: [Notice] = [],
    _ context: [String: Any], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    try shared.pages.page(
      template, title: title, section: .settings, known: known.map { .upTo($0) },
      notices: notices, context.merging(Self.tabs(tab)) { $1 }, status: status)
  }

  /// What the template `settings-tabs` needs.
  static func tabs(_ current: Tab) -> [String: Any] {
    // A paired device is shown what is open to it.
    let shown = Tab.allCases.filter { item in
      !Visitor.isDevice || DeviceRoutes.admit(item.href, isReading: true)
    }
    return [
      "settingsTabs": shown.map { item in
        ["href": item.href, "label": item.label, "isCurrent": item == current] as [String: Any]
      }
    ]
  }

  /// What the address says was just done; undoing it comes back to `back`.
  func notices(_ fields: FormFields, back: String) throws -> [Notice] {
    try shared.notices(fields, back: back)
  }

  /// A number with its thousands apart.
  static func number(_ count: Int) -> String { DayContext.grouped(Double(count)) }

  /// The page before and the one after in a list of so many.
  static func paging(
    offset: Int, size: Int, shown: Int, total: Int, address: (Int) -> String
  ) -> [String: Any] {
    [
      "hasEarlier": offset > 0, "earlierHref": address(max(0, offset - size)),
      "hasMore": offset + shown < total && shown > 0, "moreHref": address(offset + size),
    ]
  }
}
