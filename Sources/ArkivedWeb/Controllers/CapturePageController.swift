import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The small window for saving a web page: `/capture`.
///
/// The bookmark that opens it contains no token, because the page on which it runs could read one.
/// Its data is in the address's fragment, which no server ever sees; the window belongs to this
/// server, is shown filled in, and is saved when the owner presses the button in their session. The
/// window itself contains nothing from the archive and is served to everybody: a browser that comes
/// from another site doesn't send its session cookie before something is pressed here.
struct CapturePageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let repeated: RepeatedRequests

  static let path = "/capture"

  func addRoutes(to router: Router<WebContext>) {
    router.get("/capture", use: show)
    router.post("/capture/save", use: save)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try page(SharedPage())
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 1 << 20)
    let shared = SharedPage(form)
    var key: RequestKey?
    if let text = form.text("idempotencyKey"), text.utf8.count <= 200 {
      key = try await repeated.key(ofForm: text, "capture", Data(shared.bytes))
    }
    do {
      let answer = try await repeated.answer(key, keeps: true) { [key] in
        let activity = try shared.activity(archive: archive, zone: zone)
        guard let key else { return Self.added(try archive.add(activity)) }
        return try archive.add(activity, once: key, answer: Self.added)
      }
      return Response(answer)
    } catch let error as QuickAddError {
      return try page(shared, problem: error.description)
    } catch let error as FieldError {
      return try page(shared, problem: saidAgain(error.description + "."))
    }
  }

  private func page(_ shared: SharedPage, problem: String? = nil) throws -> Response {
    try pages.page(
      "capture", title: said("Save a page"), section: nil,
      [
        "pageLine": FormValue(shared.line), "shareTitle": FormValue(shared.title),
        "shareText": FormValue(shared.text), "shareAddress": FormValue(shared.address),
        "hasLineError": problem != nil, "lineError": problem ?? "",
        "idempotencyKey": archive.identities.next().uuidString,
      ], status: problem == nil ? .ok : .unprocessableContent)
  }

  private static func added(_ saved: Saved<Activity>) -> KeptAnswer {
    let id = saved.value.id.uuidString
    return KeptAnswer(
      status: 303,
      location: GoalSidePages.location("/day/\(saved.value.dayKey)?added=\(id)", saved.change)
        + "#activity-\(id)")
  }

  // MARK: The bookmark

  /// Returns a bookmark that opens the window with the title, the address and the selected text of
  /// a page.
  static func bookmark(origin: String) -> String {
    let script = """
      (()=>{const d={t:document.title.slice(0,300),u:location.href.slice(0,2000),\
      s:String(getSelection()||"").slice(0,4000)};\
      window.open("\(origin)\(path)#"+encodeURIComponent(JSON.stringify(d)),"_blank",\
      "popup,noopener,width=560,height=680")})()
      """
    let allowed = CharacterSet.alphanumerics.union(
      CharacterSet(charactersIn: "-_.~()'*!;:@&=+$,/?"))
    return "javascript:"
      + (script.addingPercentEncoding(withAllowedCharacters: allowed) ?? script)
  }
}

/// A web page that its reader wants to save.
struct SharedPage: Hashable, Sendable {
  /// The reader's comment, parsed as a typed line.
  var line = ""
  var title = ""
  var text = ""
  var address = ""

  private static let titleLimit = 300

  init() {}

  init(_ form: FormFields) {
    line = form["line"] ?? ""
    title = form["title"] ?? ""
    text = form["text"] ?? ""
    address = form["address"] ?? ""
  }

  var bytes: [UInt8] { Array([line, title, text, address].joined(separator: "\n").utf8) }

  /// Returns the resulting entry.
  ///
  /// The page's own words aren't parsed as a typed line, because a time in its title isn't the time
  /// of an event.
  ///
  /// - Throws: `QuickAddError`, `FieldError`.
  func activity(archive: Archive, zone: Zone) throws -> Activity {
    let title = Self.oneLine(title)
    let link = Self.isPage(address) ? address.trimmingCharacters(in: .whitespaces) : nil
    let quote = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    var activity: Activity
    var notes: [String] = []
    if line.allSatisfy(\.isWhitespace) {
      let name = title.isEmpty ? Self.oneLine(quote) : title
      guard !name.isEmpty || link != nil else { throw QuickAddError.empty }
      let now = archive.clock.now
      activity = Activity(
        id: archive.identities.next(), dayKey: zone.dayKey(at: now), startAt: now,
        timeZone: zone.identifier, text: name.isEmpty ? link ?? "" : name, source: .shortcut,
        createdAt: now, updatedAt: now)
    } else {
      let entry = EntryLine(archive: archive, zone: zone)
      activity = entry.activity(from: try entry.understand(line), source: .shortcut)
      if !title.isEmpty { notes.append(title) }
    }
    if !quote.isEmpty, quote != activity.text {
      notes.append(
        quote.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
          .joined(separator: "\n"))
    }
    if !notes.isEmpty { activity.notes = notes.joined(separator: "\n\n") }
    if let link {
      activity.attachments = [
        Attachment(
          id: archive.identities.next(), type: .link, caption: title.isEmpty ? nil : title,
          externalURL: link, createdAt: activity.createdAt, updatedAt: activity.updatedAt)
      ]
    }
    return activity
  }

  private static func oneLine(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return String(words.prefix(titleLimit))
  }

  private static func isPage(_ address: String) -> Bool {
    let scheme = address.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" }.lowercased()
    return scheme == "http" || scheme == "https"
  }
}
