import ArkivedImport
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

/// What lies in a calendar at `/cal/`, as a plain CalDAV server tells of it.
final class CalendarShelf: Sendable {
  struct State {
    /// Texts by the last part of their path.
    var items: [String: String] = [:]
    var token = "t1"
    /// What the calendar's `getctag` is; nil where the server has none.
    var tag: String?
    /// Names in the next answer about changes.
    var changed: [String] = []
    var gone: [String] = []
    var knowsSync = true
    var knowsMultiget = true
  }

  let state = Mutex(State())

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func reply(_ request: CalendarServer.Request) -> CalendarServer.Reply {
    let state = state.withLock { $0 }
    func href(_ name: String) -> String { "<d:href>/cal/\(name)</d:href>" }
    func tag(_ name: String) -> String {
      "<d:getetag>\"\(state.items[name]?.utf8.reduce(0) { $0 &* 31 &+ Int($1) } ?? 0)\"</d:getetag>"
    }
    func listed(_ name: String) -> String {
      "<d:response>\(href(name))<d:propstat><d:prop>\(tag(name))<d:resourcetype/></d:prop>"
        + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }
    func missing(_ name: String) -> String {
      "<d:response>\(href(name))<d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
    }
    let names = state.items.keys.sorted()
    switch request.method {
    case "PROPFIND":
      let own =
        "<d:response><d:href>/cal/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>"
        + "<c:calendar/></d:resourcetype>"
        + (state.tag.map { "<getctag xmlns=\"http://calendarserver.org/ns/\">\($0)</getctag>" }
          ?? "")
        + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
      return .multistatus(
        own + (request.headers["depth"] == "1" ? names.map(listed).joined() : ""))
    case "REPORT" where request.body.contains("sync-collection"):
      guard state.knowsSync else { return .answer(403, "no") }
      let token = "<d:sync-token>\(state.token)</d:sync-token>"
      guard request.body.contains("<D:sync-token></D:sync-token>") else {
        return .multistatus(
          state.changed.map(listed).joined() + state.gone.map(missing).joined() + token)
      }
      return .multistatus(names.map(listed).joined() + token)
    case "REPORT":
      guard state.knowsMultiget else { return .answer(501) }
      let asked = request.body.components(separatedBy: "<D:href>/cal/").dropFirst()
        .map { String($0.prefix { $0 != "<" }) }
      return .multistatus(
        asked.map { name in
          guard let text = state.items[name] else { return missing(name) }
          return "<d:response>\(href(name))<d:propstat><d:prop>\(tag(name))<c:calendar-data>"
            + "<![CDATA[\(text)]]></c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status>"
            + "</d:propstat></d:response>"
        }.joined())
    default:
      let name = String(request.path.dropFirst(5))
      return state.items[name].map { .answer(200, $0) } ?? .answer(404)
    }
  }
}

/// What tests share that ask a CalDAV server for a shelf.
protocol CalDAVTesting {
  var server: CalendarServer { get }
  var shelf: CalendarShelf { get }
}

extension CalDAVTesting {
  func put(_ name: String, _ title: String = "Talk") { shelf.put(name, title) }

  func source(_ credentials: CalendarCredentials = .none) throws -> CalDAVSource {
    let url = try #require(URL(string: server.origin + "/cal/"))
    var source = CalDAVSource(collection: url, credentials: credentials)
    source.network = TestNetwork.patient
    return source
  }
}

extension CalendarShelf {
  func put(_ name: String, _ title: String = "Talk") {
    set { $0.items[name] = CollectedCalendar.event(name, title) }
  }

  /// A server of it, with three events.
  func server() throws -> CalendarServer {
    for number in 1...3 { put("\(number).ics") }
    return try CalendarServer { self.reply($0) }
  }
}
