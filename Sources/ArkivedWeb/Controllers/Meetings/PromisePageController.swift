import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The board of promises: the owner's own, then those of each person; `who` shows all of one
/// person's.
struct PromisePageController: Sendable {
  let shared: MeetingSidePages

  /// The maximum number of promises sorted into columns.
  private static let limit = 20_000
  /// The maximum numbers of columns on a board, of promises in a column, and of promises on the
  /// page of a single column.
  private static let columns = 60
  private static let columnLimit = 40
  private static let pageSize = 200
  private static let farthest = 1_000_000

  func addRoutes(to router: Router<WebContext>) {
    router.get("/promises", use: board)
    router.post("/promises/let-go", use: letGo)
  }

  @Sendable func board(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let isDone = fields.text("show") == "done"
    let who = fields.text("who").flatMap(PromiseFilter.Owner.init(address:))
    let offset = min(max(0, fields.text("offset").flatMap(Int.init) ?? 0), Self.farthest)
    let back = Self.address(isDone: isDone, who: who, offset: offset)
    let archive = shared.archive
    let (newest, found, aged, notices) = try await offServer {
      (
        try archive.newestChange(),
        try who.map { try oneColumn(of: $0, isDone: isDone, offset: offset) }
          ?? archive.promiseBoard(
            includesDone: isDone, today: shared.today, limit: Self.columnLimit,
            columns: offset..<(offset + Self.columns), most: Self.limit),
        try who == nil && !isDone && offset == 0 ? longOverdue() : [],
        try shared.notices(fields, back: back)
      )
    }
    let columns = found.columns.enumerated().map { number, own in
      column(own, number: number, isOne: who != nil, isDone: isDone, back: back)
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
      "isCut": found.isCut,
      "cutLine": said("Showing only the first \(DayContext.grouped(Double(Self.limit)))."),
    ]
    LetGoForm(aged, today: shared.today).add(to: &page)
    let size = who == nil ? Self.columns : Self.pageSize
    let total = who == nil ? found.columnCount : found.columns.first?.total ?? 0
    if offset > 0 {
      page["earlierHref"] = Self.address(isDone: isDone, who: who, offset: max(0, offset - size))
    }
    if offset + size < total {
      page["laterHref"] = Self.address(isDone: isDone, who: who, offset: offset + size)
    }
    return try shared.page(
      "promises", title: said("Promises"), tab: .promises, known: .some(newest), notices: notices,
      page)
  }

  /// Returns the open promises of all people that have been overdue for a long time, by due day.
  private func longOverdue() throws -> [StoredPromise] {
    var filter = PromiseFilter()
    filter.limit = Self.limit
    return try shared.archive.promises(filter).filter {
      MeetingWords.isAged($0.promise, today: shared.today)
    }
  }

  /// Lets go of the chosen promises, in one change.
  @Sendable func letGo(_ request: Request, context: WebContext) async throws -> Response {
    let chosen = LetGoForm.chosen(try await request.form(limit: context.maxUploadSize))
    guard !chosen.isEmpty else { return .seeOther("/promises") }
    let archive = shared.archive
    let saved = try await offServer {
      let shown = try chosen.flatMap { id, tokens -> [ShownPromise] in
        guard let note = try archive.note(id) else { return [] }
        return PromiseReader().promises(in: note.text, writtenOn: nil).compactMap { promise in
          guard
            tokens.contains(where: {
              $0.line == promise.line && $0.digest == PromiseToken.digest(promise.text)
            })
          else { return nil }
          return ShownPromise(noteID: id, line: promise.line, text: promise.text)
        }
      }
      return try archive.letGo(of: shown)
    }
    return .seeOther(GoalSidePages.location("/promises", saved.change))
  }

  /// Returns a page of one person's promises as a board with one column, or without columns if
  /// there are no promises.
  private func oneColumn(
    of who: PromiseFilter.Owner, isDone: Bool, offset: Int
  ) throws -> PromiseBoard {
    var filter = PromiseFilter()
    (filter.owner, filter.includesDone) = (who, isDone)
    (filter.limit, filter.offset) = (Self.pageSize, offset)
    let found = try shared.archive.promisePage(filter)
    let late = found.promises.count { one in
      !one.promise.isDone && one.promise.due.map { $0 < shared.today } ?? false
    }
    let column = PromiseBoard.Column(
      owner: who, promises: found.promises, total: found.total, late: late)
    return PromiseBoard(
      columns: found.promises.isEmpty ? [] : [column], columnCount: 1, isCut: false)
  }

  private func column(
    _ column: PromiseBoard.Column, number: Int, isOne: Bool, isDone: Bool, back: String
  ) -> [String: Any] {
    let first = column.promises.first
    let total = DayContext.grouped(Double(column.total))
    let isMine = column.owner == .me
    // Promises that have been overdue for long come first, and are mentioned above all columns.
    let aged = column.promises.count { MeetingWords.isAged($0.promise, today: shared.today) }
    let late = max(0, column.late - aged)
    return [
      "columnKey": isMine ? "me" : "\(number)", "isMine": isMine,
      "columnName": isMine ? said("You") : ClippedText.of(first?.promise.owner ?? "", limit: 60),
      "isKnown": first?.ownerID != nil,
      "columnHref": first?.ownerID.map { MeetingWords.href(person: $0) } ?? "",
      "columnCount": total, "hasLate": late > 0, "late": said("\(late) overdue"),
      "promises": column.promises.map {
        MeetingWords.promise($0, today: shared.today, back: back)
      },
      "hasMore": !isOne && column.promises.count < column.total,
      "moreHref": Self.address(isDone: isDone, who: column.owner, offset: 0),
      "moreLabel": said("Show all \(total)"),
    ]
  }

  private static func address(isDone: Bool, who: PromiseFilter.Owner?, offset: Int) -> String {
    var address = URLComponents()
    address.path = "/promises"
    var items: [URLQueryItem] = []
    if isDone { items.append(URLQueryItem(name: "show", value: "done")) }
    if let who = who?.address { items.append(URLQueryItem(name: "who", value: who)) }
    if offset > 0 { items.append(URLQueryItem(name: "offset", value: "\(offset)")) }
    if !items.isEmpty { address.queryItems = items }
    return address.string ?? "/promises"
  }
}

extension PromiseFilter.Owner {
  /// Parses the person in an address: "me", a person's ID, or "@" with the case-folded name of
  /// somebody who isn't among the people.
  fileprivate init?(address text: String) {
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

  fileprivate var address: String? {
    switch self {
    case .me: "me"
    case .person(let id): id.uuidString
    case .named(let name): "@\(name)"
    case .anybody, .others: nil
    }
  }
}
