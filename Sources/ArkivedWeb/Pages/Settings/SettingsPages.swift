import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The common parts of the settings pages.
struct SettingsPages: Sendable {
  let shared: GoalSidePages

  /// A page in the settings.
  enum Tab: String, CaseIterable {
    case appearance, templates, nudges, tags, imports
    case addressBooks = "address-books"
    case capture, history, storage, backup, assistant, programs, phone, sync, linked, service

    var href: String { self == .appearance ? "/settings" : "/settings/\(rawValue)" }
    // words: Appearance | Tags | Imports | Capture | History | Storage | Backup | Assistant
    // words: Programs | Phone | Templates | Sync
    var label: String {
      switch self {
      case .nudges: said("Reminders")
      case .service: said("Startup")
      case .linked: said("Linked services")
      case .addressBooks: said("Address books")
      default: saidWhole(EntryContext.capitalised(rawValue))
      }
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

  /// Returns the data for the template `settings-tabs`.
  static func tabs(_ current: Tab) -> [String: Any] {
    // A paired device sees only the pages it may use.
    let shown = Tab.allCases.filter { item in
      !Visitor.isDevice || DeviceRoutes.admit(item.href, isReading: true)
    }
    return [
      "settingsTabs": shown.map { item in
        ["href": item.href, "label": item.label, "isCurrent": item == current] as [String: Any]
      }
    ]
  }

  /// Returns notices about the change named by the address; undoing it returns to `back`.
  func notices(_ fields: FormFields, back: String) throws -> [Notice] {
    try shared.notices(fields, back: back)
  }

  /// Returns a number with grouped digits.
  static func number(_ count: Int) -> String { DayContext.grouped(Double(count)) }

  /// Returns the links to the previous and the next page of a list.
  static func paging(
    offset: Int, size: Int, shown: Int, total: Int, address: (Int) -> String
  ) -> [String: Any] {
    [
      "hasEarlier": offset > 0, "earlierHref": address(max(0, offset - size)),
      "hasMore": offset + shown < total && shown > 0, "moreHref": address(offset + size),
    ]
  }
}
