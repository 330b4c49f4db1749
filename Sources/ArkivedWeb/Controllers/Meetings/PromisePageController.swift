import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The board of promises: the owner's own, then those of each person; `who` shows one of them whole.
struct PromisePageController: Sendable {
  let shared: MeetingSidePages

  /// So many promises are put into columns.
  private static let limit = 20_000
  /// A column shows so many of them, a column by itself so many a page.
  private static let columnLimit = 40
  private static let pageSize = 200

  func addRoutes(to router: Router<WebContext>) { router.get("/promises", use: board) }

  /// Whose promises a column holds.
  private enum Who: Hashable {
    case me
    case person(UUID)
    /// Somebody whom nobody here is.
    case named(String)

    init(_ promise: StoredPromise) {
      self =
        promise.isMine
        ? .me
        : promise.ownerID.map(Who.person) ?? .named(NameFolding.key(promise.promise.owner ?? ""))
    }

    init?(_ text: String) {
      if text == "me" {
        self = .me
      } else if let id = UUID(uuidString: text) {
        self = .person(id)
      } else if text.hasPrefix("@"), text.count > 1 {
        self = .named(String(text.dropFirst()))
      } else {
        return nil
      }
    }

    var text: String {
      switch self {
      case .me: "me"
      case .person(let id): id.uuidString
      case .named(let name): "@\(name)"
      }
    }

    var filter: PromiseFilter.Owner {
      switch self {
      case .me: .me
      case .person(let id): .person(id)
      case .named(let name): .named(name)
      }
    }
  }

  @Sendable func board(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let isDone = fields.text("show") == "done"
    let who = fields.text("who").flatMap(Who.init)
    let offset = max(0, fields.text("offset").flatMap(Int.init) ?? 0)
    let back = Self.address(isDone: isDone, who: who, offset: offset)
    let archive = shared.archive
    var asked = PromiseFilter()
    asked.includesDone = isDone
    asked.limit = who == nil ? Self.limit : Self.pageSize
    if let who { (asked.owner, asked.offset) = (who.filter, offset) }
    let filter = asked
    let (newest, found, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.promisePage(filter),
        try shared.notices(fields, back: back)
      )
    }
    var order: [Who] = []
    var groups: [Who: [StoredPromise]] = [:]
    for promise in found.promises {
      let key = who ?? Who(promise)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(promise)
    }
    // The owner's own come first; then who is due first with something.
    order = order.filter { $0 == .me } + order.filter { $0 != .me }
    let columns = order.enumerated().compactMap { number, key in
      groups[key].map { own in
        column(
          key, own, number: number, total: who == nil ? own.count : found.total,
          limit: who == nil ? Self.columnLimit : Self.pageSize, isDone: isDone, back: back)
      }
    }
    var page: [String: Any] = [
      "columns": columns, "hasColumns": !columns.isEmpty, "isEmpty": columns.isEmpty,
      "isOne": who != nil, "allHref": Self.address(isDone: isDone, who: nil, offset: 0),
      "filters": [
        [
          "href": Self.address(isDone: false, who: who, offset: 0), "label": said("Open"),
          "isCurrent": !isDone,
        ] as [String: Any],
        [
          "href": Self.address(isDone: true, who: who, offset: 0), "label": said("All"),
          "isCurrent": isDone,
        ],
      ],
      "isCut": who == nil && found.total > found.promises.count,
      "cutLine": said("Only the first \(DayContext.grouped(Double(Self.limit))) are shown."),
    ]
    if who != nil {
      if offset > 0 {
        page["earlierHref"] = Self.address(
          isDone: isDone, who: who, offset: max(0, offset - Self.pageSize))
      }
      if offset + found.promises.count < found.total {
        page["laterHref"] = Self.address(
          isDone: isDone, who: who, offset: offset + Self.pageSize)
      }
    }
    return try shared.page(
      "promises", title: said("Promises"), tab: .promises, known: .some(newest), notices: notices,
      page)
  }

  private func column(
    _ who: Who, _ own: [StoredPromise], number: Int, total: Int, limit: Int, isDone: Bool,
    back: String
  ) -> [String: Any] {
    let first = own.first
    let late = own.count { one in
      !one.promise.isDone && one.promise.due.map { $0 < shared.today } ?? false
    }
    let isMine = who == .me
    return [
      "columnKey": isMine ? "me" : "\(number)", "isMine": isMine,
      "columnName": isMine ? said("You") : ClippedText.of(first?.promise.owner ?? "", limit: 60),
      "isKnown": first?.ownerID != nil,
      "columnHref": first?.ownerID.map { MeetingWords.href(person: $0) } ?? "",
      "columnCount": DayContext.grouped(Double(total)), "hasLate": late > 0,
      "late": "\(late) overdue",
      "promises": own.prefix(limit).map {
        MeetingWords.promise($0, today: shared.today, back: back)
      },
      "hasMore": own.count > limit,
      "moreHref": Self.address(isDone: isDone, who: who, offset: 0),
      "moreLabel": said("Show all \(DayContext.grouped(Double(total)))"),
    ]
  }

  private static func address(isDone: Bool, who: Who?, offset: Int) -> String {
    var address = URLComponents()
    address.path = "/promises"
    var items: [URLQueryItem] = []
    if isDone { items.append(URLQueryItem(name: "show", value: "done")) }
    if let who { items.append(URLQueryItem(name: "who", value: who.text)) }
    if offset > 0 { items.append(URLQueryItem(name: "offset", value: "\(offset)")) }
    if !items.isEmpty { address.queryItems = items }
    return address.string ?? "/promises"
  }
}
