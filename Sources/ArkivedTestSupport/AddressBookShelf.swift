import Foundation
import Synchronization

/// The contents of an address book at `/book/`, served as a simple CardDAV server would.
package final class AddressBookShelf: Sendable {
  package struct State: Sendable {
    /// The cards, keyed by the last part of their path.
    package var cards: [String: String] = [:]
    package var token = "t1"
    /// The collection's `getctag`; nil if the server has none.
    package var tag: String?
    /// The names in the next answer about changes.
    package var changed: [String] = []
    package var gone: [String] = []
    package var knowsSync = true
    package var knowsMultiget = true
    /// The password that the server requires of the user `me`; nil for none.
    package var password: String?
  }

  private let state = Mutex(State())

  package init() {}

  package func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// Stores a card with the given lines, and reports it as changed.
  package func put(_ name: String, _ lines: String) {
    set { state in
      state.cards[name] = Self.card(lines)
      state.changed = [name]
      state.gone = []
      state.token += "+"
    }
  }

  /// Removes a card, and reports that.
  package func remove(_ name: String) {
    set { state in
      state.cards[name] = nil
      state.changed = []
      state.gone = [name]
      state.token += "-"
    }
  }

  package static func card(_ lines: String) -> String {
    ("BEGIN:VCARD\nVERSION:3.0\n\(lines)\nEND:VCARD\n").replacing("\n", with: "\r\n")
  }

  package static func response(_ href: String, _ properties: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
      + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
  }

  package static let type =
    "<d:resourcetype><d:collection/><k:addressbook/></d:resourcetype>"

  /// Answers a request.
  package func reply(_ request: CalendarServer.Request) -> CalendarServer.Reply {
    let state = state.withLock { $0 }
    if let password = state.password {
      let expected = "Basic " + Data("me:\(password)".utf8).base64EncodedString()
      guard request.headers["authorization"] == expected else {
        return .answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
      }
    }
    switch request.path {
    case "/.well-known/carddav": return .answer(301, headers: ["Location": "/"])
    case "/":
      return .multistatus(
        Self.response(
          "/",
          "<d:current-user-principal><d:href>/people/me/</d:href></d:current-user-principal>"))
    case "/people/me/":
      return .multistatus(
        Self.response(
          "/people/me/",
          "<k:addressbook-home-set><d:href>/home/</d:href></k:addressbook-home-set>"))
    case "/home/":
      return .multistatus(
        Self.response("/home/", "<d:resourcetype><d:collection/></d:resourcetype>")
          + Self.response(
            "/book/",
            Self.type + "<d:displayname>Contacts</d:displayname><d:supported-report-set>"
              + "<d:supported-report><d:report><d:sync-collection/></d:report>"
              + "</d:supported-report></d:supported-report-set>"))
    default:
      return request.path.hasPrefix("/book/") ? book(request, state) : .answer(404)
    }
  }

  private func book(_ request: CalendarServer.Request, _ state: State) -> CalendarServer.Reply {
    func href(_ name: String) -> String { "/book/\(name)" }
    func tag(_ name: String) -> String {
      "<d:getetag>\"\(state.cards[name]?.utf8.reduce(0) { $0 &* 31 &+ Int($1) } ?? 0)\"</d:getetag>"
    }
    func listed(_ name: String) -> String {
      Self.response(href(name), "\(tag(name))<d:resourcetype/>")
    }
    func missing(_ name: String) -> String {
      "<d:response><d:href>\(href(name))</d:href><d:status>HTTP/1.1 404 Not Found</d:status>"
        + "</d:response>"
    }
    let names = state.cards.keys.sorted()
    switch request.method {
    case "PROPFIND":
      let mark = state.tag.map {
        "<getctag xmlns=\"http://calendarserver.org/ns/\">\($0)</getctag>"
      }
      let own = Self.response("/book/", Self.type + (mark ?? ""))
      return .multistatus(
        own + (request.headers["depth"] == "1" ? names.map(listed).joined() : ""))
    case "REPORT" where request.body.contains("sync-collection"):
      guard state.knowsSync else { return .answer(403, "no") }
      let token = "<d:sync-token>\(state.token)</d:sync-token>"
      if request.body.contains("<D:sync-token>\(state.token)</D:sync-token>") {
        return .multistatus(token)
      }
      guard request.body.contains("<D:sync-token></D:sync-token>") else {
        return .multistatus(
          state.changed.map(listed).joined() + state.gone.map(missing).joined() + token)
      }
      return .multistatus(names.map(listed).joined() + token)
    case "REPORT":
      guard state.knowsMultiget, request.body.contains("addressbook-multiget") else {
        return .answer(501)
      }
      let asked = request.body.components(separatedBy: "<D:href>/book/").dropFirst()
        .map { String($0.prefix { $0 != "<" }) }
      return .multistatus(
        asked.map { name in
          guard let text = state.cards[name] else { return missing(name) }
          return Self.response(
            href(name), "\(tag(name))<k:address-data><![CDATA[\(text)]]></k:address-data>")
        }.joined())
    default:
      let name = String(request.path.dropFirst("/book/".count))
      return state.cards[name].map { .answer(200, $0) } ?? .answer(404)
    }
  }
}
