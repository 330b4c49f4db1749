import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

extension RadicaleServer {
  fileprivate var credentials: CalendarCredentials { .basic(user: "me", password: password) }

  /// A calendar of the user.
  fileprivate func source(_ name: String = "office") throws -> CalDAVSource {
    let url = try #require(URL(string: "\(origin)/me/\(name)/"))
    return CalDAVSource(collection: url, credentials: credentials)
  }
}

@Suite(
  .serialized,
  .enabled(if: RadicaleServer.isInstalled, "Radicale or its client is missing; run ./setup --test"))
struct RadicaleTests {
  private let calendar = CollectedCalendar()

  @Test func eventsComeChangeAndGo() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Work", cal_id="office")
      for uid in ("a", "b", "c"):
        work.save_event(event(uid))
      """)
    try await calendar.fetch(server.source())
    #expect(calendar.taken.count == 3)
    #expect(calendar.contents.values.allSatisfy { $0.contains("SUMMARY:Talk") })
    #expect(calendar.kept?["token"]?.string?.isEmpty == false)

    try await calendar.fetch(server.source())
    #expect(calendar.taken.isEmpty && calendar.removed.isEmpty)

    try server.client(
      """
      work = home.calendar(cal_id="office")
      found = work.event_by_uid("a")
      found.data = found.data.replace("SUMMARY:Talk", "SUMMARY:Moved")
      found.save()
      work.event_by_uid("b").delete()
      work.save_event(event("d", "New"))
      """)
    try await calendar.fetch(server.source())
    #expect(calendar.taken.count == 2)
    #expect(calendar.removed.count == 1)
    let texts = calendar.contents.values
    #expect(texts.count == 3)
    for title in ["Moved", "New", "Talk"] {
      #expect(texts.count { $0.contains("SUMMARY:\(title)") } == 1, "\(title)")
    }
    #expect(calendar.warnings.isEmpty)
  }

  @Test func aServerThatForgotItsHistoryIsComparedAsAWhole() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Work", cal_id="office")
      for uid in ("a", "b", "c"):
        work.save_event(event(uid))
      """)
    try await calendar.fetch(server.source())
    server.stop()
    try server.forgetHistory()
    try await server.start()
    try server.client(
      """
      work = home.calendar(cal_id="office")
      work.event_by_uid("b").delete()
      work.save_event(event("d"))
      """)
    try await calendar.fetch(server.source())
    #expect(calendar.taken.count == 1)
    #expect(calendar.removed.count == 1)
    #expect(calendar.versions.count == 3)
  }

  @Test func namesKeepTheirSpelling() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Träume & Pläne", cal_id="tr%C3%A4ume")
      for number, name in enumerate(["%C3%BCber%20uns", "100%25", "a+b%26c", "plain@x.org", "日本"]):
        client.put(str(work.url) + name + ".ics", event(f"n{number}").encode(),
          {"Content-Type": "text/calendar; charset=utf-8"})
      """)
    let choices = try await CalDAVDiscovery(
      url: #require(URL(string: server.origin)), credentials: server.credentials
    ).calendars()
    let choice = try #require(choices.first)
    #expect(choice.displayName == "Träume & Pläne")
    #expect(choice.supportsSync)
    #expect(choice.canWrite == true)
    #expect(choice.components.contains("VEVENT"))
    let source = CalDAVSource(collection: choice.url, credentials: server.credentials)
    try await calendar.fetch(source)
    #expect(calendar.taken.count == 5)
    #expect(
      Set(calendar.taken.compactMap { $0.removingPercentEncoding?.split(separator: "/").last })
        == ["über uns.ics", "100%.ics", "a+b&c.ics", "plain@x.org.ics", "日本.ics"])
    var anew = source
    anew.trust = .zero
    try await calendar.fetch(anew)
    #expect(calendar.taken.isEmpty && calendar.removed.isEmpty)
  }

  @Test func onlyCalendarsForEventsAreOffered() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      home.make_calendar(name="Work", cal_id="office")
      home.make_calendar(name="Tasks", cal_id="tasks", supported_calendar_component_set=["VTODO"])
      home.make_calendar(name="Free", cal_id="free", supported_calendar_component_set=["VEVENT"])
      """)
    for path in ["", "/", "/me/", "/me", "/.well-known/caldav"] {
      let choices = try await CalDAVDiscovery(
        url: #require(URL(string: server.origin + path)), credentials: server.credentials
      ).calendars()
      #expect(choices.map(\.displayName) == ["Free", "Work"], "\(path)")
    }
    let one = try await CalDAVDiscovery(
      url: #require(URL(string: server.origin + "/me/office/")), credentials: server.credentials
    ).calendars()
    #expect(one.map(\.displayName) == ["Work"])
  }

  @Test func aChangedPasswordOrADeletedCalendarRemovesNothing() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Work", cal_id="office")
      for uid in ("a", "b"):
        work.save_event(event(uid))
      """)
    try await calendar.fetch(server.source())
    let old = try server.source()
    server.stop()
    try server.set(password: "another one")
    try await server.start()
    let refused = await #expect(throws: CalendarSourceError.self) { try await calendar.fetch(old) }
    guard case .unauthorised(_, let reason) = refused else { return unexpected(refused as Any) }
    #expect(reason.contains("rejected"))
    try await calendar.fetch(server.source())
    #expect(calendar.taken.isEmpty)

    try server.client("home.calendar(cal_id=\"office\").delete()")
    for trust in [Duration.seconds(86_400), .zero] {
      var source = try server.source()
      source.trust = trust
      let gone = await #expect(throws: CalendarSourceError.self) {
        try await calendar.fetch(source)
      }
      guard case .notFound = gone else { return unexpected(gone as Any) }
    }
    server.stop()
    let away = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(server.source())
    }
    guard case .unreachable = away else { return unexpected(away as Any) }
    #expect(calendar.versions.count == 2)
    #expect(calendar.removed.isEmpty)
  }

  @Test func anEmptiedCalendarIsEmptied() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Work", cal_id="office")
      work.save_event(event("a"))
      """)
    try await calendar.fetch(server.source())
    try server.client("home.calendar(cal_id=\"office\").event_by_uid(\"a\").delete()")
    var source = try server.source()
    source.trust = .zero
    try await calendar.fetch(source)
    #expect(calendar.removed.count == 1)
  }

  @Test func twoThousandEventsComeAndOneMore() async throws {
    let server = try await RadicaleServer()
    try server.client(
      """
      text = "BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//Test//EN\\r\\n"
      text += "".join(body(f"e{n}", f"Meeting {n}") for n in range(2000)) + "END:VCALENDAR\\r\\n"
      client.put("\(server.origin)/me/office/", text.encode(), {"Content-Type": "text/calendar"})
      """)
    try await calendar.fetch(server.source())
    #expect(calendar.taken.count == 2_000)
    #expect(calendar.state.progress.last == "2000/2000")
    try server.client("home.calendar(cal_id=\"office\").save_event(event(\"more\"))")
    try await calendar.fetch(server.source())
    #expect(calendar.taken.count == 1)
  }
}
