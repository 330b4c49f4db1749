import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The board of promises: the owner's own, then those of each person.
struct PromisePageController: Sendable {
  let shared: MeetingSidePages

  private static let limit = 500

  func addRoutes(to router: Router<WebContext>) { router.get("/promises", use: board) }

  @Sendable func board(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let isDone = fields.text("show") == "done"
    let back = isDone ? "/promises?show=done" : "/promises"
    let archive = shared.archive
    var asked = PromiseFilter()
    (asked.includesDone, asked.limit) = (isDone, Self.limit)
    let filter = asked
    let (newest, promises, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.promises(filter),
        try shared.notices(fields, back: back)
      )
    }
    var order: [String] = []
    var groups: [String: [StoredPromise]] = [:]
    for promise in promises {
      let key =
        promise.promise.owner == nil
        ? "" : promise.ownerID?.uuidString ?? "@\(promise.promise.owner ?? "")"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(promise)
    }
    // The owner's own come first; then who is latest with something.
    order = order.filter(\.isEmpty) + order.filter { !$0.isEmpty }
    let columns = order.compactMap { key -> [String: Any]? in
      guard let own = groups[key], let first = own.first else { return nil }
      let name = key.isEmpty ? "You" : ClippedText.of(first.promise.owner ?? "", limit: 60)
      let late = own.count { one in
        !one.promise.isDone && one.promise.due.map { $0 < shared.today } ?? false
      }
      return [
        "columnKey": key.isEmpty ? "me" : key.filter { $0.isLetter || $0.isNumber || $0 == "-" },
        "columnName": name, "isMine": key.isEmpty, "isKnown": first.ownerID != nil,
        "columnHref": first.ownerID.map { MeetingWords.href(person: $0) } ?? "",
        "columnCount": "\(own.count)", "hasLate": late > 0, "late": "\(late) overdue",
        "promises": own.map {
          MeetingWords.promise($0, today: shared.today, back: back)
        },
      ]
    }
    let page: [String: Any] = [
      "columns": columns, "hasColumns": !columns.isEmpty, "isEmpty": columns.isEmpty,
      "filters": [
        ["href": "/promises", "label": "Open", "isCurrent": !isDone] as [String: Any],
        ["href": "/promises?show=done", "label": "All", "isCurrent": isDone],
      ], "isCut": promises.count == Self.limit,
    ]
    return try shared.page(
      "promises", title: "Promises", tab: .promises, known: .some(newest), notices: notices, page)
  }
}
