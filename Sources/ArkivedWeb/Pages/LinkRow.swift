import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// The row of a linked place in a list: its last sync, and the paths of its forms.
struct LinkRow {
  let entries: EntryContext
  /// The path of the list.
  let href: String

  func context(_ link: SyncLink, isRunning: Bool) -> [String: Any] {
    let outcome = link.outcome
    let error = outcome?["error"]?.string
    let warnings = outcome?["warnings"]?.array ?? []
    let pulled = (outcome?["pulled"]?.object?.members ?? []).compactMap { key, value in
      value.int.map { Self.count($0, key) }
    }
    let path = "\(href)/\(link.id.uuidString)"
    return [
      "linkID": link.id.uuidString, "linkName": ClippedText.of(link.name, limit: 160),
      "kind": Self.kind(link.kind), "hasSynced": link.syncedAt != nil,
      "synced": link.syncedAt.map { entries.moment($0) } ?? "",
      "syncedISO": link.syncedAt?.description ?? "", "isRunning": isRunning,
      "outcome": pulled.isEmpty ? said("nothing new") : pulled.joined(separator: ", "),
      "hasError": error != nil, "error": ClippedText.of(saidAgain(error ?? ""), limit: 600),
      "hasWarnings": !warnings.isEmpty,
      "warningLabel": GoalWords.count(warnings.count, "warning"),
      "warnings": warnings.prefix(20).map { warning in
        [
          "place": ClippedText.of(saidAgain(warning["place"]?.string ?? ""), limit: 120),
          "message": ClippedText.of(saidAgain(warning["message"]?.string ?? ""), limit: 300),
        ]
      }, "syncAction": "\(path)/sync", "unlinkAction": "\(path)/unlink",
    ]
  }

  private static func kind(_ kind: SyncLink.Kind) -> String {
    switch kind {
    case .calendarFile: said("File")
    case .calendarFolder: said("Folder")
    case .calendarSubscription: said("Address")
    case .calDAV: "CalDAV"
    case .cardDAV: "CardDAV"
    case .immich: LinkedService.immich.name
    case .dawarich: LinkedService.dawarich.name
    default: kind.rawValue
    }
  }

  private static func count(_ count: Int, _ key: String) -> String {
    let number = SettingsPages.number(count)
    return switch key {
    case "new": said("\(number) new")
    case "changed": said("\(number) changed")
    case "deleted": said("\(number) deleted")
    default: "\(number) \(key)"
    }
  }
}
